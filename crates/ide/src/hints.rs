//! Values at the selected step of a trail, beside the text.

use stubborn_base::outline::SymbolKind;
use stubborn_base::{FileId, Span};

use crate::root::Root;
use crate::trails::{changes, values_at};

/// A text beside the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// It stands at the end of this.
    pub span: Span,
    /// What it says.
    pub text: String,
}

/// What to show in a file.
pub fn hints(root: &Root, file: FileId) -> Vec<Hint> {
    let Some(selected) = &root.selected else { return Vec::new() };
    let result = root.verdicts.result(&selected.property);
    let Some(trail) = result.and_then(|result| result.trail.as_ref()) else { return Vec::new() };
    let Some(step) = trail.steps.get(selected.step) else { return Vec::new() };
    let mut all = Vec::new();
    let changed = changes(step);
    let n = trail.steps.len();
    let text =
        format!("◀ step {} of {n}{}{changed}", selected.step + 1, if changed.is_empty() { "" } else { ": " });
    all.push(Hint { span: step.mover.span, text });
    if let Some(partner) = &step.partner {
        all.push(Hint { span: partner.span, text: format!("◀ step {} of {n}", selected.step + 1) });
    }
    let values = values_at(trail, selected.step);
    for symbol in &root.analysis.outline.symbols {
        if !matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Channel | SymbolKind::Parameter) {
            continue;
        }
        let container = symbol.container.map(|c| root.analysis.outline.symbols[c].name.as_str());
        let of_symbol = values.iter().filter(|(name, _)| is_of(name, &symbol.name, container));
        let shown: Vec<String> = of_symbol.map(|(name, value)| tell(name, &symbol.name, value)).collect();
        if !shown.is_empty() {
            all.push(Hint { span: symbol.name_span, text: format!(" = {}", shown.join(", ")) });
        }
    }
    all.retain(|hint| hint.span.file == file);
    all.sort_by_key(|hint| hint.span.end);
    all
}

/// Whether a value's name, `x[2].f` or `P(1):x`, is of a variable of that name.
fn is_of(name: &str, variable: &str, container: Option<&str>) -> bool {
    let (owner, local) = match name.split_once("):") {
        Some((owner, local)) => (owner.split('(').next(), local),
        None => (None, name),
    };
    let base = local.split(['[', '.']).next().unwrap_or(local);
    base == variable && owner == container
}

/// The value; with its process, index or field if the name has one.
fn tell(name: &str, variable: &str, value: &str) -> String {
    match name.strip_prefix(variable) {
        Some("") => value.to_owned(),
        Some(rest) => format!("{rest}: {value}"),
        None => format!("{name}: {value}"),
    }
}
