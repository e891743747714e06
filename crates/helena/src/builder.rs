//! What the grammar's actions need: places and spellings of tokens by number.

use stubborn_base::Span;

use crate::ast::{BinaryOp, Body, Expr, ExprKind, Field, Function, Ident, Stmt, StmtKind, UnaryOp};
use crate::token::Token;

/// The item being parsed.
pub(crate) struct Builder<'a> {
    pub(crate) tokens: &'a [Token],
    pub(crate) text: &'a str,
}

impl Builder<'_> {
    /// The place of tokens `l..r`.
    pub(crate) fn span(&self, l: usize, r: usize) -> Span {
        let first = self.tokens[l.min(self.tokens.len() - 1)].span;
        first.join(self.tokens[r.max(l + 1).min(self.tokens.len()) - 1].span)
    }

    fn text(&self, l: usize) -> &str {
        self.text.get(self.tokens[l].span.range()).unwrap_or_default()
    }

    pub(crate) fn ident(&self, l: usize) -> Ident {
        Ident { name: self.text(l).into(), span: self.tokens[l].span }
    }

    /// The value of a number, unless it is too large.
    pub(crate) fn number(&self, l: usize) -> Option<i64> {
        self.text(l).parse().ok().filter(|n| *n <= 1 << 31)
    }

    pub(crate) fn expr(&self, kind: ExprKind, l: usize, r: usize) -> Expr {
        Expr { kind, span: self.span(l, r) }
    }

    pub(crate) fn unary(&self, op: UnaryOp, x: Expr, l: usize, r: usize) -> Expr {
        self.expr(ExprKind::Unary(op, Box::new(x)), l, r)
    }

    pub(crate) fn binary(&self, op: BinaryOp, x: Expr, y: Expr, l: usize, r: usize) -> Expr {
        self.expr(ExprKind::Binary(op, Box::new([x, y])), l, r)
    }

    pub(crate) fn stmt(&self, kind: StmtKind, l: usize, r: usize) -> Stmt {
        Stmt { kind, span: self.span(l, r) }
    }

    pub(crate) fn function(
        &self,
        (name, params, ty): (Ident, Vec<Field>, Ident),
        body: Body,
        l: usize,
        r: usize,
    ) -> Function {
        Function { name, params, ty, body, span: self.span(l, r) }
    }
}
