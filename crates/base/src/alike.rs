//! Names that look alike.

use crate::{Diagnostic, Edit, Span};

/// Suggests the name that looks most like the one at `span`.
pub fn suggest<'a>(
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

/// The name that looks most like `name`, if one does.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = 1 + name.len() / 5;
    let near = candidates.filter(|c| c.len().abs_diff(name.len()) <= allowed && name.len() > 1 && *c != name);
    near.map(|c| (distance(c, name), c)).filter(|&(d, _)| d <= allowed).min().map(|(_, c)| c)
}

/// Edit distance; neighbours that changed places count as one change.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same = |x: char, y: char| x.eq_ignore_ascii_case(&y);
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let substituted = row[j - 1] + usize::from(!same(a[i - 1], b[j - 1]));
            next[j] = substituted.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]) {
                next[j] = next[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike() {
        assert_eq!(nearest("coutner", ["counter", "count"].into_iter()), Some("counter"));
        assert_eq!(nearest("procytpe", ["proctype", "priority"].into_iter()), Some("proctype"));
        assert_eq!(nearest("x", ["y"].into_iter()), None);
        assert_eq!(nearest("abc", ["xyz"].into_iter()), None);
    }
}
