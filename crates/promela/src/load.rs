//! Text in, model out: parsing and lowering together.

use std::path::Path;
use std::sync::Arc;

use stubborn_base::{Diagnostic, Sources};
use stubborn_ir::Model;

use crate::lower::lower;
use crate::parser::{Loader, parse};

/// A model as it was read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// All files that were read; the first is the model.
    pub sources: Sources,
    /// What there is to say about it, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The model, unless there are errors.
    pub model: Option<Model>,
}

/// Reads a model. `defines` are macros as given by `-D NAME=VALUE`.
pub fn load(path: &Path, text: Arc<str>, loader: &dyn Loader, defines: &[(String, String)]) -> Loaded {
    let mut sources = Sources::new();
    let parsed = parse(path, text, &mut sources, loader, defines);
    let mut diagnostics = parsed.diagnostics;
    let model = lower(&parsed.program, &sources, &mut diagnostics);
    diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
    Loaded { sources, diagnostics, model }
}
