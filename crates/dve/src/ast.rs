//! The tree of a DVE text, as far as it could be read. What could not be read is not in it.
//!
//! Follows the grammar of DiVinE's `dve_grammar.yy`; a process's clauses may come in any order, and several times.

use smol_str::SmolStr;
use stubborn_base::Span;

/// A name where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ident {
    pub(crate) name: SmolStr,
    pub(crate) span: Span,
}

/// A whole text.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Program {
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) processes: Vec<Process>,
    pub(crate) system: Option<System>,
}

/// `system async property P;`
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct System {
    /// All processes move at the same time.
    pub(crate) is_synchronous: bool,
    pub(crate) property: Option<Ident>,
    pub(crate) span: Span,
}

/// Types of variables and of what channels carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    /// 0 to 255.
    Byte,
    /// -32768 to 32767.
    Int,
}

/// A declaration of variables or of channels.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Declaration {
    Variables(Variables),
    Channels(Channels),
}

/// `const byte a = 1, b[2] = {1, 2};`
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Variables {
    pub(crate) is_const: bool,
    pub(crate) ty: Type,
    pub(crate) variables: Vec<Variable>,
    pub(crate) span: Span,
}

/// One of the names of a declaration of variables.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Ident,
    /// Of an array.
    pub(crate) size: Option<Expr>,
    pub(crate) init: Option<Init>,
    pub(crate) span: Span,
}

/// An initial value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Init {
    Scalar(Expr),
    List(Vec<Expr>, Span),
}

/// `channel a, b;` or `channel {byte, int} a[2];`
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Channels {
    pub(crate) types: Option<Vec<Type>>,
    pub(crate) channels: Vec<Channel>,
    pub(crate) span: Span,
}

/// One of the names of a declaration of channels.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Channel {
    pub(crate) name: Ident,
    pub(crate) capacity: Option<Expr>,
    pub(crate) span: Span,
}

/// A process.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Process {
    pub(crate) name: Ident,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) states: Vec<Ident>,
    pub(crate) init: Vec<Ident>,
    pub(crate) commit: Vec<Ident>,
    pub(crate) accept: Vec<Ident>,
    pub(crate) assertions: Vec<Assertion>,
    pub(crate) transitions: Vec<Transition>,
    /// Some state may be declared in text that could not be read.
    pub(crate) lost_states: bool,
    pub(crate) span: Span,
}

/// `assert CS: x == 1`
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Assertion {
    pub(crate) state: Ident,
    pub(crate) condition: Expr,
    pub(crate) span: Span,
}

/// `a -> b { guard x > 0; sync c!x; effect x = 0; }`
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Transition {
    /// None if it is that of the transition before.
    pub(crate) from: Option<Ident>,
    pub(crate) to: Ident,
    /// All must hold.
    pub(crate) guards: Vec<Expr>,
    pub(crate) sync: Option<Sync>,
    pub(crate) effects: Vec<Assignment>,
    pub(crate) span: Span,
}

/// What is in the braces of a transition.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Clause {
    Guard(Vec<Expr>),
    Sync(Sync),
    Effect(Vec<Assignment>),
}

/// What a process declares besides variables.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Part {
    States(Vec<Ident>),
    Init(Vec<Ident>),
    Commit(Vec<Ident>),
    Accept(Vec<Ident>),
    /// With a condition other than Büchi's, which is named.
    AcceptOther(Ident),
    Assert(Vec<Assertion>),
}

/// `c!x`, `c?{a, b}`
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Sync {
    pub(crate) channel: Ident,
    pub(crate) is_send: bool,
    pub(crate) values: Vec<Expr>,
    pub(crate) span: Span,
}

/// `x[1] = y`
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Assignment {
    pub(crate) target: Expr,
    pub(crate) value: Expr,
    pub(crate) span: Span,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ExprKind {
    /// None if it is too large.
    Number(Option<i32>),
    /// `x`, `x[1]`
    Variable(Ident, Option<Box<Expr>>),
    /// `P.CS`
    State(Ident, Ident),
    /// `P->x`, `P->x[1]`
    Remote(Ident, Ident, Option<Box<Expr>>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<[Expr; 2]>),
    /// `a imply b`
    Imply(Box<[Expr; 2]>),
}

pub(crate) use stubborn_ir::{BinaryOp, UnaryOp};

impl Expr {
    /// The expressions that it is made of.
    pub(crate) fn operands(&self) -> &[Expr] {
        match &self.kind {
            ExprKind::Number(_) | ExprKind::State(..) => &[],
            ExprKind::Variable(_, index) | ExprKind::Remote(_, _, index) => {
                index.as_deref().map_or(&[], std::slice::from_ref)
            }
            ExprKind::Unary(_, operand) => std::slice::from_ref(operand),
            ExprKind::Binary(_, operands) | ExprKind::Imply(operands) => &operands[..],
        }
    }
}
