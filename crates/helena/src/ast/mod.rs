//! The tree of a net and its properties, as written.
//!
//! Follows the grammar of the language reference (`doc/syntaxdef.tex` in the Helena distribution). What the reference
//! demands beyond it (the order of parts, which part may stand where) is checked later, so that more can be said.

mod expr;
mod function;
mod property;

use smol_str::SmolStr;
use stubborn_base::Span;

pub use expr::{BinaryOp, Expr, ExprKind, Quantifier, UnaryOp};
pub use function::{Alternative, BlockItem, Body, Function, Stmt, StmtKind};
pub use property::{Clause, Ltl, LtlProperty, Proposition, StateProperty};

/// A name in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub name: SmolStr,
    /// Where it stands.
    pub span: Span,
}

/// What the texts of a net and of its properties say.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    /// How the net begins; none if there is none.
    pub head: Option<Head>,
    /// Definitions and properties, in order.
    pub items: Vec<Item>,
}

/// The beginning of a net: `name (N := 3)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    /// The net's name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
}

/// A parameter of a net and its default.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// Its default value.
    pub value: Expr,
}

/// A definition or a property.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Item {
    Type(TypeDef),
    Constant(VarDecl),
    Function(Function),
    Place(Place),
    Transition(Transition),
    Proposition(Proposition),
    StateProperty(StateProperty),
    LtlProperty(LtlProperty),
}

/// `type NAME : …;` or `subtype NAME : …;`
#[derive(Clone, PartialEq, Debug)]
pub struct TypeDef {
    /// Its name.
    pub name: Ident,
    /// What it is.
    pub kind: TypeKind,
    /// All of it.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// `range a .. b`
    Range(Range),
    /// `mod n`
    Mod(Expr),
    /// `enum (a, b)`
    Enum(Vec<Ident>),
    /// `vector [i, j] of t`
    Vector(Vec<Ident>, Ident),
    /// `struct { t a; }`
    Struct(Vec<Field>),
    /// `list [i] of t with capacity n`
    List(Ident, Ident, Expr),
    /// `set of t with capacity n`
    Set(Ident, Expr),
    /// `subtype … : parent range a .. b`
    Subtype(Ident, Option<Range>),
}

/// `range low .. high`
#[derive(Clone, PartialEq, Debug)]
pub struct Range {
    /// The first value.
    pub low: Expr,
    /// The last value.
    pub high: Expr,
}

/// A component of a structure.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its type.
    pub ty: Ident,
    /// Its name.
    pub name: Ident,
}

/// A constant, a variable of a block, or one of a transition's `let`.
#[derive(Clone, PartialEq, Debug)]
pub struct VarDecl {
    /// Its type.
    pub ty: Ident,
    /// Its name.
    pub name: Ident,
    /// Its value.
    pub value: Option<Expr>,
    /// Whether it is a constant.
    pub is_const: bool,
    /// All of it.
    pub span: Span,
}

/// A place.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Its name.
    pub name: Ident,
    /// Its parts.
    pub parts: Vec<PlacePart>,
    /// All of it.
    pub span: Span,
}

/// A part of a place.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacePart {
    /// What it is.
    pub kind: PlacePartKind,
    /// All of it.
    pub span: Span,
}

/// What a part of a place is.
#[derive(Clone, PartialEq, Debug)]
pub enum PlacePartKind {
    /// `dom: t * u;`, empty for `epsilon`
    Dom(Vec<Ident>),
    /// `init: …;`
    Init(Label),
    /// `capacity: e;`
    Capacity(Expr),
    /// `type: process;`
    Type(Ident),
    /// Text that was reported.
    Error,
}

/// A sum of tuples, on an arc or as an initial marking.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// What is added up.
    pub tuples: Vec<Tuple>,
    /// All of it.
    pub span: Span,
}

/// `for (…) if (c) n * <( e, … )>`
#[derive(Clone, PartialEq, Debug)]
pub struct Tuple {
    /// Variables of `for`.
    pub vars: Vec<IterVar>,
    /// The condition of `if`.
    pub guard: Option<Expr>,
    /// How many.
    pub factor: Option<Expr>,
    /// The components; none for `epsilon`.
    pub components: Vec<Expr>,
    /// All of it.
    pub span: Span,
}

/// `x in domain`, with a range or without.
#[derive(Clone, PartialEq, Debug)]
pub struct IterVar {
    /// The variable.
    pub name: Ident,
    /// A type, a place, or an expression that gives a list or a set.
    pub domain: Expr,
    /// The part of the type.
    pub range: Option<Range>,
    /// All of it.
    pub span: Span,
}

/// A transition.
#[derive(Clone, PartialEq, Debug)]
pub struct Transition {
    /// Its name.
    pub name: Ident,
    /// Its parts.
    pub parts: Vec<TransitionPart>,
    /// All of it.
    pub span: Span,
}

/// A part of a transition.
#[derive(Clone, PartialEq, Debug)]
pub struct TransitionPart {
    /// What it is.
    pub kind: TransitionPartKind,
    /// All of it.
    pub span: Span,
}

/// What a part of a transition is.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum TransitionPartKind {
    In(Vec<Arc>),
    Out(Vec<Arc>),
    Inhibit(Vec<Arc>),
    Pick(Vec<IterVar>),
    Let(Vec<VarDecl>),
    Guard(Expr),
    Priority(Expr),
    Safe,
    Description(Vec<Expr>),
    /// Text that was reported.
    Error,
}

/// `place : label;`
#[derive(Clone, PartialEq, Debug)]
pub struct Arc {
    /// The place.
    pub place: Ident,
    /// Which tokens.
    pub label: Label,
    /// All of it.
    pub span: Span,
}
