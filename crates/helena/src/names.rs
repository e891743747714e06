//! Names that look alike.

use stubborn_base::{Diagnostic, Edit, Span};

/// Suggests the name that looks most like the one at `span`.
pub(crate) fn suggest<'a>(
    diagnostic: Diagnostic,
    span: Span,
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    match nearest(name, candidates) {
        Some(similar) => diagnostic
            .help(format!("did you mean `{similar}`?"))
            .fix(format!("Replace `{name}` by `{similar}`"), vec![Edit { span, text: similar.to_owned() }]),
        None => diagnostic,
    }
}

/// The name that looks most like `name`, if one does; the first in alphabetical order where several do.
fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = 1 + name.len() / 5;
    let near = candidates.filter(|c| c.len().abs_diff(name.len()) <= allowed && name.len() > 1 && *c != name);
    near.map(|c| (distance(c, name), c)).filter(|&(d, _)| d <= allowed).min().map(|(_, c)| c)
}

/// Edit distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_letter_is_near() {
        assert_eq!(nearest("wating", ["idle", "waiting"].into_iter()), Some("waiting"));
        assert_eq!(nearest("x", ["y"].into_iter()), None);
    }
}
