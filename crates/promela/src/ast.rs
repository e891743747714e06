//! The syntax tree of a Promela model, after preprocessing and inlining.
//!
//! The tree keeps what the author wrote: nothing is resolved, folded or
//! desugared here. Every node has the span of the text it came from; where a
//! node is the product of a macro or an inline, the span is the place of the
//! outermost piece of text that covers it as a whole.

mod expr;

use smol_str::SmolStr;
use stubborn_base::Span;

pub use expr::{
    BinaryOp, Expr, ExprKind, Poll, Probe, RemoteLabel, RemoteVar, Run, Temporal1, Temporal2, UnaryOp, VarRef,
};

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub name: SmolStr,
    /// Where it stands.
    pub span: Span,
}

/// A whole model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// Top-level items in source order, `#include`d files in place.
    pub items: Vec<Item>,
}

/// A top-level item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// `byte x = 3, y`
    Decl(VarDecl),
    /// `mtype:fruit = { apple, pear }`
    Mtype(MtypeDecl),
    /// `typedef T { ... }`
    Typedef(Typedef),
    /// `proctype`, `D_proctype`, `init`
    Proctype(Box<Proctype>),
    /// `never { ... }`
    Never(Never),
    /// `ltl name { formula }`
    Ltl(Ltl),
    /// `trace { ... }` or `notrace { ... }`
    Trace(Trace),
    /// `inline name(params) { ... }`; its calls are expanded where they stand.
    Inline(InlineDef),
}

/// `mtype [: subtype] = { names }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MtypeDecl {
    /// The subtype's name, if it has one.
    pub subtype: Option<Ident>,
    /// The constants in source order.
    pub names: Vec<Ident>,
    /// The declaration.
    pub span: Span,
}

/// `typedef name { fields }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typedef {
    /// The type's name.
    pub name: Ident,
    /// The fields.
    pub fields: Vec<VarDecl>,
    /// The declaration.
    pub span: Span,
}

/// A process type; `init` is one named `:init:`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proctype {
    /// The name; for `init`, `:init:` with the keyword's span.
    pub name: Ident,
    /// `init` rather than `proctype`.
    pub is_init: bool,
    /// `active`, with the number of copies if one is given.
    pub active: Option<Active>,
    /// `D_proctype`.
    pub deterministic: bool,
    /// The parameters.
    pub params: Vec<VarDecl>,
    /// `priority N`
    pub priority: Option<Expr>,
    /// `provided (expr)`
    pub provided: Option<Expr>,
    /// The body.
    pub body: Block,
    /// The whole item.
    pub span: Span,
}

/// `active` or `active [count]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Active {
    /// How many copies; one if absent.
    pub count: Option<Expr>,
    /// The keyword and count.
    pub span: Span,
}

/// `never [name] { ... }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Never {
    /// The claim's name, if it has one.
    pub name: Option<Ident>,
    /// The body.
    pub body: Block,
    /// The whole item.
    pub span: Span,
}

/// `ltl [name] { formula }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ltl {
    /// The formula's name, if it has one.
    pub name: Option<Ident>,
    /// The formula; temporal operators are [`ExprKind::Temporal1`] and [`ExprKind::Temporal2`].
    pub formula: Expr,
    /// The whole item.
    pub span: Span,
}

/// `trace { ... }` or `notrace { ... }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// `notrace`.
    pub negated: bool,
    /// The body.
    pub body: Block,
    /// The whole item.
    pub span: Span,
}

/// `inline name(params) { ... }`; the body's tokens are kept by the parser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineDef {
    /// The inline's name.
    pub name: Ident,
    /// The parameters' names.
    pub params: Vec<Ident>,
    /// The whole item.
    pub span: Span,
}

/// `hidden`, `show`, `local`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Not part of the state.
    Hidden,
    /// Traced in message sequence charts.
    Show,
    /// Promised to be used by one process only.
    Local,
}

/// A type as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeName {
    /// Which type.
    pub kind: TypeKind,
    /// Where it stands.
    pub span: Span,
}

/// The types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`; the width stands at the variable.
    Unsigned,
    /// `mtype` or `mtype:subtype`
    Mtype(Option<Ident>),
    /// `chan`
    Chan,
    /// A `typedef`'s name.
    User(SmolStr),
}

/// A declaration of one or more variables of one type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarDecl {
    /// `hidden`, `show`, `local`
    pub visibility: Option<Visibility>,
    /// The type.
    pub ty: TypeName,
    /// The variables.
    pub vars: Vec<Declarator>,
    /// The declaration.
    pub span: Span,
}

/// One variable of a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Ident,
    /// `x : 3`, the number of bits of an `unsigned`.
    pub width: Option<Box<Expr>>,
    /// `x[N]`
    pub array: Option<Box<Expr>>,
    /// The initial value.
    pub init: Option<Box<Init>>,
    /// The variable with its width, bound and initial value.
    pub span: Span,
}

/// An initial value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Init {
    /// `= expr`
    Expr(Expr),
    /// `= { 1, 2, 3 }`
    List(Vec<Expr>),
    /// `= [capacity] of { types }`
    Chan(ChanInit),
}

/// `[capacity] of { types }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChanInit {
    /// Number of messages it holds; 0 makes a rendezvous channel.
    pub capacity: Expr,
    /// The types of a message's fields.
    pub fields: Vec<TypeName>,
    /// The initialiser.
    pub span: Span,
}

/// What stands between braces, or after `::`. Braces open a scope; an option does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Steps in order; never empty except after a syntax error.
    pub steps: Vec<Step>,
    /// With the braces, or from the `::`.
    pub span: Span,
}

/// One element of a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A declaration.
    Decl(VarDecl),
    /// `xr q1, q2` or `xs q1, q2`
    Exclusive(Exclusive),
    /// A statement.
    Stmt(Stmt),
}

/// `xr` (this process alone receives) or `xs` (this process alone sends).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exclusive {
    /// `xs` rather than `xr`.
    pub send: bool,
    /// The channels.
    pub chans: Vec<VarRef>,
    /// The declaration.
    pub span: Span,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// Which statement.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// The statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// `L: stmt`; a label before nothing labels a `skip`.
    Labelled(Ident, Option<Box<Stmt>>),
    /// `goto L`
    Goto(Ident),
    /// `break`
    Break,
    /// A condition: executable when it is not zero. `skip` is the constant 1.
    Expr(Expr),
    /// `x = expr`
    Assign(VarRef, Expr),
    /// `x++`
    Increment(VarRef),
    /// `x--`
    Decrement(VarRef),
    /// `q!args` or `q!!args`
    Send(Send),
    /// `q?args`, `q??args`, `q?<args>`, `q??<args>`
    Receive(Receive),
    /// `if :: ... fi`
    If(Vec<Block>),
    /// `do :: ... od`
    Do(Vec<Block>),
    /// `for (x : a .. b) { ... }` or `for (x in a) { ... }`
    For(Box<For>),
    /// `select (x : a .. b)`
    Select(Box<Select>),
    /// `atomic { ... }`
    Atomic(Block),
    /// `d_step { ... }`
    DStep(Block),
    /// `{ ... }`
    Block(Block),
    /// `stmt unless stmt`
    Unless(Box<Stmt>, Box<Stmt>),
    /// `else`
    Else,
    /// `assert(expr)`
    Assert(Expr),
    /// `printf("...", args)`
    Printf(Printf),
    /// `printm(x)`
    Printm(Expr),
    /// `set_priority(pid, n)`
    SetPriority(Expr, Expr),
    /// `name(args)` or `x = name(args)` of an `inline`, with its body in place.
    InlineCall(InlineCall),
    /// `return expr`, in an inline that is called as `x = name(args)`.
    Return(Expr),
    /// Something that did not parse, and was reported.
    Error,
}

/// A send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Send {
    /// The channel.
    pub chan: VarRef,
    /// `!!`: keep the channel sorted.
    pub sorted: bool,
    /// The message. `q!tag(a, b)` is `q!tag, a, b`.
    pub args: Vec<Expr>,
}

/// A receive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receive {
    /// The channel.
    pub chan: VarRef,
    /// `??`: the first message that matches, not the first.
    pub random: bool,
    /// `?<...>`: leave the message in the channel.
    pub peek: bool,
    /// The fields. `q?tag(a, b)` is `q?tag, a, b`.
    pub args: Vec<RecvArg>,
}

/// One field of a receive or of a poll.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecvArg {
    /// Which form.
    pub kind: RecvArgKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of a field of a receive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecvArgKind {
    /// A variable to set, `_`, or the name of an `mtype` constant to match.
    Var(VarRef),
    /// `eval(expr)`
    Eval(Expr),
    /// A number to match, with its sign.
    Const(i32),
}

/// A `for` loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct For {
    /// The loop variable.
    pub var: VarRef,
    /// What it runs over.
    pub over: ForOver,
    /// The body.
    pub body: Block,
}

/// What a `for` loop runs over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForOver {
    /// `a .. b`, both included.
    Range(Expr, Expr),
    /// The indices of an array, or the messages of a channel.
    In(VarRef),
}

/// A `select`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Select {
    /// The variable to set.
    pub var: VarRef,
    /// The smallest value.
    pub from: Expr,
    /// The largest value.
    pub to: Expr,
    /// A name and two numbers, on one line: SPIN's lexer knows this form and replaces it.
    pub literal: bool,
}

/// `printf`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printf {
    /// The format, without quotes, escapes as written.
    pub format: SmolStr,
    /// The values.
    pub args: Vec<Expr>,
}

/// A call of an `inline`, expanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineCall {
    /// The inline's name, where it is called.
    pub name: Ident,
    /// Where its value goes, for `x = name(args)`.
    pub result: Option<VarRef>,
    /// The body with the arguments in place.
    pub body: Block,
}
