//! Text in, model out: parsing and lowering together.

use std::path::Path;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use stubborn_base::outline::Outline;
use stubborn_base::{Diagnostic, Edit, FileId, Label, Loader, Sources, Span};
use stubborn_ir::{Loaded, Model};

use crate::lower::lower;
use crate::outline::outline;
use crate::parser::{Parsed, parse};
use crate::table::{ExpansionKind, Token};

/// Reads a model. `defines` are macros as given by `-D NAME=VALUE`.
pub fn load(path: &Path, text: Arc<str>, loader: &dyn Loader, defines: &[(String, String)]) -> Loaded {
    let mut sources = Sources::new();
    let parsed = parse(path, text, &mut sources, loader, defines);
    let (model, diagnostics) = understand(&parsed, &sources);
    Loaded { sources, diagnostics, model }
}

/// Reads a model, and what an editor wants to know of its text: both at once, since the editor waits.
pub fn load_with_outline(
    path: &Path,
    text: Arc<str>,
    loader: &dyn Loader,
    defines: &[(String, String)],
) -> (Loaded, Outline) {
    let mut sources = Sources::new();
    let parsed = parse(path, text, &mut sources, loader, defines);
    let ((model, diagnostics), outline) = std::thread::scope(|scope| {
        let beside = std::thread::Builder::new().spawn_scoped(scope, || outline(&parsed, &sources));
        let understood = understand(&parsed, &sources);
        let outline = match beside {
            Ok(beside) => beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => outline(&parsed, &sources),
        };
        (understood, outline)
    });
    (Loaded { sources, diagnostics, model }, outline)
}

/// The model, and all there is to say about it.
fn understand(parsed: &Parsed, sources: &Sources) -> (Option<Model>, Vec<Diagnostic>) {
    let mut diagnostics = parsed.diagnostics.clone();
    let n_syntax = diagnostics.len();
    let model = lower(&parsed.program, &parsed.lost, sources, &mut diagnostics);
    let n_syntax = once_each(&mut diagnostics, n_syntax);
    point_to_uses(&mut diagnostics[n_syntax..], parsed);
    diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
    (model, diagnostics)
}

/// Leaves one diagnostic of those that say of one name that it is not declared, with the fixes of all, and none that
/// say of its place that a constant is expected there. How many are left of the first `n_syntax`.
fn once_each(diagnostics: &mut Vec<Diagnostic>, n_syntax: usize) -> usize {
    let mut found = diagnostics.split_off(n_syntax);
    let mut first: HashMap<String, usize> = HashMap::new();
    let mut once: Vec<Diagnostic> = Vec::with_capacity(found.len());
    found.sort_by_key(|d| (d.span.file, d.span.start));
    let undeclared: HashSet<Span> = found.iter().filter(|d| d.code == "undeclared").map(|d| d.span).collect();
    for diagnostic in found {
        if !matches!(diagnostic.code, "undeclared" | "undeclared-type") {
            once.push(diagnostic);
            continue;
        }
        let at = *first.entry(diagnostic.message.clone()).or_insert(once.len());
        let Some(earlier) = once.get_mut(at) else {
            once.push(diagnostic);
            continue;
        };
        for fix in &mut earlier.fixes {
            let same = diagnostic.fixes.iter().filter(|f| f.title == fix.title).flat_map(|f| &f.edits);
            let new: Vec<Edit> = same.filter(|e| !fix.edits.contains(e)).cloned().collect();
            fix.edits.extend(new);
        }
    }
    diagnostics.retain(|d| d.code != "not-constant" || !undeclared.contains(&d.span));
    let n_syntax = diagnostics.len();
    diagnostics.append(&mut once);
    n_syntax
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
