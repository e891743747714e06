//! What the grammar's actions need: the text, to read names and numbers off it.

use stubborn_base::{FileId, Span};

use crate::ast::{Expr, ExprKind, Ident, Part};

/// The text that is parsed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Builder<'a> {
    pub(crate) text: &'a str,
    pub(crate) file: FileId,
}

impl Builder<'_> {
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    pub(crate) fn name(&self, start: usize, end: usize) -> Ident {
        Ident { name: self.text[start..end].into(), span: self.span(start, end) }
    }

    pub(crate) fn number(&self, start: usize, end: usize) -> Expr {
        let value = self.text[start..end].parse().ok();
        Expr { kind: ExprKind::Number(value), span: self.span(start, end) }
    }

    /// `accept buchi q1, q2`: an acceptance condition by its name, and states.
    pub(crate) fn acceptance(&self, kind: Ident, states: Vec<Ident>) -> Part {
        if kind.name == "buchi" { Part::Accept(states) } else { Part::AcceptOther(kind) }
    }
}
