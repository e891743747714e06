//! Expressions, formulas among them.

use stubborn_base::Span;
pub use stubborn_ir::{BinaryOp, UnaryOp};

use super::{Ident, RecvArg};

/// `name[index].field`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarRef {
    /// The variable or field.
    pub name: Ident,
    /// `[index]`
    pub index: Option<Box<Expr>>,
    /// `.field`
    pub field: Option<Box<VarRef>>,
    /// All of it.
    pub span: Span,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// Which expression.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// A number, `true`, `false`, `skip`, or a character.
    Const(i32),
    /// A variable, a predefined variable (`_pid`, `_nr_pr`, `_last`, ...) or an `mtype` constant.
    Var(VarRef),
    /// `-a`, `!a`, `~a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(args) priority n`
    Run(Run),
    /// `len(q)`
    Len(VarRef),
    /// `full(q)` and its kin
    Probe(Probe, VarRef),
    /// `enabled(pid)`
    Enabled(Box<Expr>),
    /// `get_priority(pid)`
    GetPriority(Box<Expr>),
    /// `pc_value(pid)`
    PcValue(Box<Expr>),
    /// `q?[args]` or `q??[args]`
    Poll(Poll),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `P[i]@label` or `P@label`
    RemoteLabel(RemoteLabel),
    /// `P[i]:x` or `P:x`
    RemoteVar(RemoteVar),
    /// `[] f`, `<> f`, `X f`; only inside `ltl`
    Temporal1(Temporal1, Box<Expr>),
    /// `f U g` and its kin, `f -> g`, `f <-> g`; only inside `ltl`
    Temporal2(Temporal2, Box<Expr>, Box<Expr>),
    /// Something that did not parse, and was reported.
    Error,
}

/// Tests of how full a channel is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    /// `full`
    Full,
    /// `empty`
    Empty,
    /// `nfull`
    NotFull,
    /// `nempty`
    NotEmpty,
}

/// `run P(args) priority n`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The process type.
    pub proctype: Ident,
    /// The arguments.
    pub args: Vec<Expr>,
    /// `priority n`
    pub priority: Option<Box<Expr>>,
}

/// `q?[args]` or `q??[args]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Poll {
    /// The channel.
    pub chan: VarRef,
    /// `??`
    pub random: bool,
    /// The fields.
    pub args: Vec<RecvArg>,
}

/// `P[i]@label`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteLabel {
    /// The process type.
    pub proctype: Ident,
    /// The process id; if absent, the only process of that type.
    pub pid: Option<Box<Expr>>,
    /// The label.
    pub label: Ident,
}

/// `P[i]:x`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteVar {
    /// The process type.
    pub proctype: Ident,
    /// The process id; if absent, the only process of that type.
    pub pid: Option<Box<Expr>>,
    /// The variable of that process; it has no field in SPIN's grammar.
    pub var: VarRef,
}

/// Unary temporal operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Temporal1 {
    /// `[]`, `always`
    Always,
    /// `<>`, `eventually`
    Eventually,
    /// `X`, `next`
    Next,
}

/// Binary temporal and logical operators that only formulas have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Temporal2 {
    /// `U`, `until`, `stronguntil`
    Until,
    /// `W`, `weakuntil`
    WeakUntil,
    /// `V`, `release`
    Release,
    /// `->`, `implies`
    Implies,
    /// `<->`, `equivalent`
    Equivalent,
}
