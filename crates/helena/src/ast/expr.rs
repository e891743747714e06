//! Expressions as written: section 2.8 of the language reference.

use smol_str::SmolStr;
use stubborn_base::Span;

use crate::ast::{Ident, IterVar};

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A number; none if it is too large.
    Number(Option<i64>),
    /// A variable, a constant, a value of an enumeration, a type or a place.
    Name(SmolStr),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<[Expr; 2]>),
    /// `c ? a : b`
    Conditional(Box<[Expr; 3]>),
    /// `f(e, …)`, also `t(e)` for a type `t`.
    Call(Ident, Vec<Expr>),
    /// `[a, b]`
    Vector(Vec<Expr>),
    /// `{a, b}`
    Struct(Vec<Expr>),
    /// `|a, b|`
    Container(Vec<Expr>),
    /// `empty`
    Empty,
    /// `e[i, j]`
    Index(Box<Expr>, Vec<Expr>),
    /// `e[i .. j]`
    Slice(Box<[Expr; 3]>),
    /// `e.a`
    Field(Box<Expr>, Ident),
    /// `t->n`
    Component(Ident, Option<i64>, Span),
    /// `e :: (a := f)`
    UpdateField(Box<Expr>, Ident, Box<Expr>),
    /// `e :: ([i] := f)`
    UpdateIndex(Box<Expr>, Vec<Expr>, Box<Expr>),
    /// `e'a`
    Attribute(Box<Expr>, Ident),
    /// `forall (x in d | c : e)`
    Quantified(Quantifier, Vec<IterVar>, Option<Box<Expr>>, Option<Box<Expr>>),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum UnaryOp {
    Pred,
    Succ,
    Plus,
    Minus,
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Concat,
    In,
}

impl BinaryOp {
    /// As it is written.
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            And => "and",
            Or => "or",
            Eq => "=",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Concat => "&",
            In => "in",
        }
    }
}

/// Kinds of iterators; the name of the standard library's trait is left to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Quantifier {
    Forall,
    Exists,
    Card,
    Mult,
    Min,
    Max,
    Sum,
    Product,
}

impl Quantifier {
    /// As it is written.
    pub fn text(self) -> &'static str {
        use Quantifier::*;
        match self {
            Forall => "forall",
            Exists => "exists",
            Card => "card",
            Mult => "mult",
            Min => "min",
            Max => "max",
            Sum => "sum",
            Product => "product",
        }
    }

    /// Whether it says something of an expression, after `:`.
    pub fn has_body(self) -> bool {
        use Quantifier::*;
        matches!(self, Forall | Min | Max | Sum | Product)
    }
}
