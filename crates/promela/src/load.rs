//! Text in, model out: parsing and lowering together.

use std::path::Path;
use std::sync::Arc;

use hashbrown::HashMap;
use stubborn_base::outline::Outline;
use stubborn_base::{Diagnostic, FileId, Label, Sources};
use stubborn_ir::Model;

use crate::lower::lower;
use crate::outline::outline;
use crate::parser::{Loader, Parsed, parse};
use crate::table::{ExpansionKind, Token};

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
    read(path, text, loader, defines).0
}

/// Reads a model, and what an editor wants to know of its text.
pub fn load_with_outline(
    path: &Path,
    text: Arc<str>,
    loader: &dyn Loader,
    defines: &[(String, String)],
) -> (Loaded, Outline) {
    let (loaded, parsed) = read(path, text, loader, defines);
    let outline = outline(&parsed, &loaded.sources);
    (loaded, outline)
}

fn read(path: &Path, text: Arc<str>, loader: &dyn Loader, defines: &[(String, String)]) -> (Loaded, Parsed) {
    let mut sources = Sources::new();
    let mut parsed = parse(path, text, &mut sources, loader, defines);
    let mut diagnostics = std::mem::take(&mut parsed.diagnostics);
    let n_syntax = diagnostics.len();
    let model = lower(&parsed.program, &sources, &mut diagnostics);
    point_to_uses(&mut diagnostics[n_syntax..], &parsed);
    diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
    (Loaded { sources, diagnostics, model }, parsed)
}

/// What is wrong in the body of a macro is shown where the macro is first used.
fn point_to_uses(diagnostics: &mut [Diagnostic], parsed: &Parsed) {
    let table = &parsed.table;
    let mut first_tokens: HashMap<(FileId, u32), Option<Token>> =
        diagnostics.iter().map(|d| ((d.span.file, d.span.start), None)).collect();
    for &token in &parsed.tokens {
        if let Some(first) = first_tokens.get_mut(&(token.span.file, token.span.start)) {
            first.get_or_insert(token);
        }
    }
    for diagnostic in diagnostics {
        let place = diagnostic.span;
        let token = first_tokens.get(&(place.file, place.start)).copied().flatten();
        if let Some(token) = token
            && let Some(inner) = table.expansion(token.ctx).filter(|e| e.kind == ExpansionKind::Macro)
            && let Some(outer) = table.outermost_call(token)
        {
            diagnostic.span = outer.call;
            let message = format!("in the macro `{}`", table.name(inner.name));
            diagnostic.labels.push(Label { span: place, message });
        }
    }
}
