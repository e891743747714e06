//! What the grammar's actions need: places and spellings of tokens by number.

use hashbrown::HashSet;
use std::cell::RefCell;

use smol_str::SmolStr;
use stubborn_base::{Diagnostic, Edit, Span};

use crate::ast::{BinaryOp, Expr, ExprKind, Ident, Stmt, StmtKind, UnaryOp, VarRef};
use crate::fixes::{is_written, replace};
use crate::table::{Token, Tokens};
use crate::token::Kind;

/// The item being parsed.
pub(crate) struct Builder<'a> {
    pub(crate) tokens: &'a [Token],
    pub(crate) table: &'a Tokens,
    /// Constants of `mtype`s declared so far.
    pub(crate) mtypes: &'a HashSet<SmolStr>,
    /// Errors that the grammar itself does not show.
    pub(crate) report: RefCell<Vec<(Token, Diagnostic)>>,
}

impl Builder<'_> {
    /// The place of tokens `l..r`.
    pub(crate) fn span(&self, l: usize, r: usize) -> Span {
        self.table.join(self.tokens[l], self.tokens[r.max(l + 1) - 1]).0
    }

    pub(crate) fn ident(&self, l: usize) -> Ident {
        let token = self.tokens[l];
        Ident { name: self.table.name(token.sym).clone(), span: token.span }
    }

    /// The value of the constant at `l`.
    pub(crate) fn value(&self, l: usize) -> i32 {
        const_value(self.table.text(self.tokens[l]))
    }

    /// A string without its quotes.
    pub(crate) fn string(&self, l: usize) -> SmolStr {
        let text = self.table.text(self.tokens[l]);
        let text = text.strip_prefix(['"', '$']).unwrap_or(text);
        text.strip_suffix(['"', '$']).unwrap_or(text).into()
    }

    /// Whether SPIN's lexer takes tokens `l..r`, a `select` after its `(`, for `x : 0 .. 3)`.
    ///
    /// It reads characters after preprocessing: letters and digits, then digits, and no line
    /// may end between them.
    pub(crate) fn is_literal_select(&self, l: usize, r: usize) -> bool {
        let tokens = &self.tokens[l..r];
        let [var, _colon, from, _dots, to, _paren] = tokens else { return false };
        let consists_of =
            |token: &Token, class: fn(&u8) -> bool| self.table.text(*token).as_bytes().iter().all(class);
        consists_of(var, u8::is_ascii_alphanumeric)
            && consists_of(from, u8::is_ascii_digit)
            && consists_of(to, u8::is_ascii_digit)
            && !tokens.iter().any(|token| token.starts_line())
    }

    pub(crate) fn error(&self, l: usize, r: usize, code: &'static str, message: &str) {
        let diagnostic = Diagnostic::error(code, self.span(l, r), message);
        self.report.borrow_mut().push((self.tokens[l], diagnostic));
    }

    /// Reports an expression that SPIN does not take for a constant. It makes an
    /// exception for a single variable (`lenient`), whose initial value counts.
    pub(crate) fn constant(&self, l: usize, expr: &Expr, lenient: bool) {
        let is_definition = self.tokens[0].kind == Kind::Inline; // names may be parameters
        let is_name = matches!(&expr.kind, ExprKind::Var(var) if var.index.is_none() && var.field.is_none());
        if is_definition || (lenient && is_name) {
            return;
        }
        if let Some(span) = self.not_constant(expr) {
            let help = "numbers, names of an `mtype`, and `+ - * / %` of them are constants; a macro must be defined";
            let diagnostic = Diagnostic::error("not-constant", span, "expected a constant").help(help);
            self.report.borrow_mut().push((self.tokens[l], diagnostic));
        }
    }

    fn not_constant(&self, expr: &Expr) -> Option<Span> {
        use BinaryOp::{Add, Div, Mul, Rem, Sub};
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Error => None,
            ExprKind::Unary(UnaryOp::Neg, a) => self.not_constant(a),
            ExprKind::Var(var) if self.mtypes.contains(&var.name.name) => None,
            ExprKind::Binary(Add | Sub | Mul | Div | Rem, a, b) => {
                self.not_constant(a).or_else(|| self.not_constant(b))
            }
            _ => Some(expr.span),
        }
    }

    pub(crate) fn expr(&self, l: usize, kind: ExprKind, r: usize) -> Expr {
        Expr { kind, span: self.span(l, r) }
    }

    pub(crate) fn binary(&self, l: usize, op: BinaryOp, a: Expr, b: Expr, r: usize) -> Expr {
        self.expr(l, ExprKind::Binary(op, Box::new(a), Box::new(b)), r)
    }

    pub(crate) fn unary(&self, l: usize, op: UnaryOp, a: Expr, r: usize) -> Expr {
        if op == UnaryOp::Not && protects_probe(&a) {
            let message = "`full`, `empty`, `nfull` and `nempty` cannot be negated";
            let diagnostic = Diagnostic::error("negated-probe", self.span(l, r), message)
                .help("write `nfull(q)` for `!full(q)`, and `nempty(q)` for `!empty(q)`");
            let diagnostic = match self.opposite(l) {
                Some((word, edits)) => diagnostic.fix(format!("Write `{word}`"), edits),
                None => diagnostic,
            };
            self.report.borrow_mut().push((self.tokens[l], diagnostic));
        }
        self.expr(l, ExprKind::Unary(op, Box::new(a)), r)
    }

    /// How to write `!full(q)` and its kin, where the `!` is at `l`.
    fn opposite(&self, l: usize) -> Option<(&'static str, Vec<Edit>)> {
        let (not, probe) = (self.tokens[l], *self.tokens.get(l + 1)?);
        let word = match probe.kind {
            Kind::Full => "nfull",
            Kind::Nfull => "full",
            Kind::Empty => "nempty",
            Kind::Nempty => "empty",
            _ => return None,
        };
        (is_written(not) && is_written(probe)).then(|| (word, replace(not.span.join(probe.span), word)))
    }

    pub(crate) fn var(&self, l: usize, index: Option<Expr>, field: Option<VarRef>, r: usize) -> VarRef {
        VarRef {
            name: self.ident(l),
            index: index.map(Box::new),
            field: field.map(Box::new),
            span: self.span(l, r),
        }
    }

    pub(crate) fn stmt(&self, l: usize, kind: StmtKind, r: usize) -> Stmt {
        let span = self.table.join_statement(self.tokens[l], self.tokens[r.max(l + 1) - 1]);
        Stmt { kind, span }
    }
}

/// Whether SPIN would not let this be negated.
fn protects_probe(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Probe(..) => true,
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => protects_probe(a) || protects_probe(b),
        _ => false,
    }
}

/// The value of a constant as it is spelled. One that is out of range has been reported.
pub(crate) fn const_value(text: &str) -> i32 {
    match text {
        "true" | "skip" => 1,
        "false" => 0,
        _ if text.starts_with('\'') => char_value(text),
        _ => text.parse::<i64>().unwrap_or(0) as i32,
    }
}

/// The value of a character with its quotes; SPIN knows four escapes.
pub(crate) fn char_value(text: &str) -> i32 {
    let mut chars = text.chars().skip(1);
    let value = match (chars.next(), chars.next()) {
        (Some('\\'), Some('n')) => '\n',
        (Some('\\'), Some('r')) => '\r',
        (Some('\\'), Some('t')) => '\t',
        (Some('\\'), Some('f')) => '\x0c',
        (Some('\\'), Some(c)) => c,
        (c, _) => c.unwrap_or('\0'),
    };
    value as i32
}
