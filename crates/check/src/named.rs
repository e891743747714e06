//! Values that are chosen by their names: stores, engines, heuristics.
//!
//! Invariant: a value is found by exactly the name that it is shown by.

use std::fmt::{self, Display};

/// A name that stands for nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownName(String);

impl UnknownName {
    pub(crate) fn new(message: String) -> Self {
        UnknownName(message)
    }
}

impl Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownName {}

/// The one that is shown as `text`; `what` says what all of them are, with its article.
pub(crate) fn find<T: Display>(
    all: impl IntoIterator<Item = T>,
    text: &str,
    what: &str,
) -> Result<T, UnknownName> {
    let mut names = Vec::new();
    for value in all {
        let name = value.to_string();
        if name == text {
            return Ok(value);
        }
        names.push(name);
    }
    Err(UnknownName(format!("`{text}` is not {what}; it is one of {}", names.join(", "))))
}
