//! Names that look alike.

use stubborn_base::{Diagnostic, Edit};

use crate::ast::Ident;

/// Suggests the name that looks most like the one that is wrong, or something else if none does.
pub(crate) fn suggest<'a>(
    diagnostic: Diagnostic,
    wrong: &Ident,
    candidates: impl Iterator<Item = &'a str>,
    otherwise: String,
) -> Diagnostic {
    match nearest(&wrong.name, candidates) {
        Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")).fix(
            format!("Replace `{}` by `{similar}`", wrong.name),
            vec![Edit { span: wrong.span, text: similar.to_owned() }],
        ),
        None => diagnostic.help(otherwise),
    }
}

/// The name that looks most like `name`, if one does.
fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = 1 + name.len() / 5;
    let near = candidates.filter(|c| c.len().abs_diff(name.len()) <= allowed && name.len() > 1 && *c != name);
    near.map(|c| (distance(c, name), c)).filter(|&(d, _)| d <= allowed).min().map(|(_, c)| c)
}

/// Edit distance, without regard to case.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_found() {
        assert_eq!(nearest("countr", ["count", "counter", "x"].into_iter()), Some("count"));
        assert_eq!(nearest("CS", ["cs", "NCS"].into_iter()), Some("cs"));
        assert_eq!(nearest("x", ["y"].into_iter()), None);
    }
}
