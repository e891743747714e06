//! What to do about a name that is not declared.

use stubborn_base::{Diagnostic, suggest as alike};

use crate::ast::Ident;

/// Suggests the name that looks most like the one that is wrong, or something else if none does.
pub(crate) fn suggest<'a>(
    diagnostic: Diagnostic,
    wrong: &Ident,
    candidates: impl Iterator<Item = &'a str>,
    otherwise: String,
) -> Diagnostic {
    let diagnostic = alike(diagnostic, wrong.span, &wrong.name, candidates);
    if diagnostic.help.is_some() { diagnostic } else { diagnostic.help(otherwise) }
}
