//! Tests of the whole way from text to meaning, on small nets.

mod errors;
mod evaluation;
mod nets;
mod properties;
mod robustness;
mod watching;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::Loader;

use crate::{Read, read};

/// There is nothing besides the net itself.
pub(crate) struct Nothing;

impl Loader for Nothing {
    fn load(&self, _: &Path, _: &str) -> Option<(PathBuf, Arc<str>)> {
        None
    }
}

/// Reads a net with these definitions.
fn net(definitions: &str) -> Read {
    text(&format!("n {{ {definitions} }}"))
}

fn text(text: &str) -> Read {
    read(Path::new("n.lna"), text.into(), &Nothing, &[])
}

/// What is said about a net with these definitions, with the text it is about.
fn complaints(definitions: &str) -> Vec<String> {
    let read = net(definitions);
    let shown =
        |d: &stubborn_base::Diagnostic| format!("{}: `{}`: {}", d.code, read.sources.text(d.span), d.message);
    read.diagnostics.iter().map(shown).collect()
}
