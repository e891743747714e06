//! Text in, model out: parsing and lowering together.

use std::path::Path;
use std::sync::Arc;

use hashbrown::HashSet;
use stubborn_base::outline::Outline;
use stubborn_base::{FileId, Loader, Sources};
use stubborn_ir::Loaded;

use crate::lower::lower;
use crate::outline::outline;
use crate::parser::{Parsed, parse};

/// Reads a model. DVE has neither includes nor macros: there is nothing to load, and nothing to define.
pub fn load(path: &Path, text: Arc<str>, _loader: &dyn Loader, _defines: &[(String, String)]) -> Loaded {
    let mut sources = Sources::new();
    let file = sources.add(path, text.clone());
    let parsed = parse(&text, file);
    understand(&parsed, sources)
}

/// Reads a model, and what an editor wants to know of its text.
pub fn load_with_outline(
    path: &Path,
    text: Arc<str>,
    _loader: &dyn Loader,
    _defines: &[(String, String)],
) -> (Loaded, Outline) {
    let mut sources = Sources::new();
    let file = sources.add(path, text.clone());
    let parsed = parse(&text, file);
    let outline = outline(&parsed, &sources);
    (understand(&parsed, sources), outline)
}

/// The model, and all there is to say about it.
fn understand(parsed: &Parsed, sources: Sources) -> Loaded {
    let mut diagnostics = parsed.diagnostics.clone();
    let model = lower(&parsed.program, &parsed.lost, &sources, &mut diagnostics);
    // One name that is not declared is one error.
    let mut told: HashSet<(FileId, String)> = HashSet::new();
    diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
    diagnostics.retain(|d| d.code != "undeclared" || told.insert((d.span.file, d.message.clone())));
    Loaded { sources, diagnostics, model }
}
