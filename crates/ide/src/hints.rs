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
            let name = symbol.name_span;
            let end = after_size(root.analysis.sources.file(name.file).text(), name.end);
            all.push(Hint { span: Span { end, ..name }, text: format!(" = {}", shown.join(", ")) });
        }
    }
    all.retain(|hint| hint.span.file == file);
    all.sort_by_key(|hint| hint.span.end);
    all
}

/// Where a name ends that ends there, with the size of an array if there is one.
fn after_size(text: &str, end: u32) -> u32 {
    let rest = text.get(end as usize..).unwrap_or_default();
    let size = rest.trim_start();
    match size.starts_with('[').then(|| size.find(']')).flatten() {
        Some(at) => end + (rest.len() - size.len() + at + 1) as u32,
        None => end,
    }
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

#[cfg(test)]
mod tests {
    use super::after_size;

    #[test]
    fn the_size_of_an_array_belongs_to_its_name() {
        for (text, end) in
            [("x = 1", 1), ("x[2]; y", 4), ("x [ N ] = 3", 7), ("x[", 1), ("x; y[2]", 1), ("x", 1)]
        {
            assert_eq!(after_size(text, 1), end, "{text}");
        }
    }
}
