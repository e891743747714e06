//! What reading a model asks of its surroundings, and says of single expressions, in every language.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Finds files that belong to a model: included ones, or ones that stand beside it.
pub trait Loader {
    /// The path and text of the file that `includer` calls `name`; `None` if there is none.
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)>;
}

/// What is wrong with an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadExpression {
    /// One sentence, without a full stop.
    pub message: String,
    /// Which bytes of the expression it is about.
    pub at: Range<usize>,
    /// What to do about it, if we know.
    pub help: Option<String>,
}
