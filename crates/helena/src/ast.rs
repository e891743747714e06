//! The tree of a net and its properties, as written.
//!
//! Follows the grammar of the language reference (`doc/syntaxdef.tex` in the Helena distribution). What the reference
//! demands beyond it (the order of parts, which part may stand where) is checked later, so that more can be said.

use smol_str::SmolStr;
use stubborn_base::Span;

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

/// A function, or its prototype.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Field>,
    /// The type of its result.
    pub ty: Ident,
    /// What it does.
    pub body: Body,
    /// All of it.
    pub span: Span,
}

/// What there is of a function.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// Only its prototype.
    Prototype,
    /// A function of C.
    Import,
    /// A statement.
    Stmt(Stmt),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// All of it.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `x := e;`
    Assign(Expr, Expr),
    /// `if (c) s else t`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `case (e) { … }`
    Case(Expr, Vec<Alternative>),
    /// `while (c) s`
    While(Expr, Box<Stmt>),
    /// `for (x in t) s`
    For(Vec<IterVar>, Box<Stmt>),
    /// `return e;`
    Return(Expr),
    /// `assert: e;`
    Assert(Expr),
    /// `{ … }`
    Block(Vec<BlockItem>),
    /// Text that was reported.
    Error,
}

/// An alternative of `case`.
#[derive(Clone, PartialEq, Debug)]
pub struct Alternative {
    /// The value; none for `default`.
    pub value: Option<Expr>,
    /// What is done.
    pub body: Stmt,
}

/// A part of a block.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BlockItem {
    Decl(VarDecl),
    Stmt(Stmt),
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

/// `proposition NAME : e;`
#[derive(Clone, PartialEq, Debug)]
pub struct Proposition {
    /// Its name.
    pub name: Ident,
    /// What holds.
    pub body: Expr,
    /// All of it.
    pub span: Span,
}

/// `state property NAME : reject …; accept …;`
#[derive(Clone, PartialEq, Debug)]
pub struct StateProperty {
    /// Its name.
    pub name: Ident,
    /// Its clauses.
    pub clauses: Vec<Clause>,
    /// All of it.
    pub span: Span,
}

/// `reject p;` or `accept p;`
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    /// `accept`, otherwise `reject`.
    pub accepts: bool,
    /// A proposition, or `deadlock`.
    pub what: Ident,
    /// All of it.
    pub span: Span,
}

/// `ltl property NAME : formula;`
#[derive(Clone, PartialEq, Debug)]
pub struct LtlProperty {
    /// Its name.
    pub name: Ident,
    /// What every run satisfies.
    pub formula: Ltl,
    /// All of it.
    pub span: Span,
}

/// A temporal formula over propositions.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "named as in the logic")]
pub enum Ltl {
    /// A proposition, or `true` or `false`.
    Atom(Ident),
    Not(Box<Ltl>),
    Always(Box<Ltl>),
    Eventually(Box<Ltl>),
    And(Box<[Ltl; 2]>),
    Or(Box<[Ltl; 2]>),
    Implies(Box<[Ltl; 2]>),
    Equivalent(Box<[Ltl; 2]>),
    Until(Box<[Ltl; 2]>),
}

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
