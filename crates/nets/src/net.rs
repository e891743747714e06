//! High-level nets as front-ends describe them.
//!
//! A token of a place is a tuple of values. An arc is a sum of addends: patterns `n * (e1, …, ek)`, or whole multisets
//! computed from the variables. A variable gets its value where a pattern of an input arc consists of it in some
//! component, or else from its domain. A firing is a transition with values of all its variables.
//!
//! Semantics: a firing is possible if its guard holds, every input arc finds its tokens, and no inhibitor arc does;
//! among possible firings only those of the highest priority are. It takes what input arcs say and puts what output
//! arcs say.

use std::fmt;

use smol_str::SmolStr;
use stubborn_base::{IndexVec, Span, define_index};

use crate::value::Value;

define_index! {
    /// A place.
    pub struct PlaceId;
}
define_index! {
    /// A transition.
    pub struct TransId;
}
define_index! {
    /// A variable of a transition.
    pub struct VariableId;
}

/// An expression over the variables of a transition. Evaluation is a function of the variables it mentions.
pub trait Expression: fmt::Debug {
    /// Calls `found` with every variable it mentions, some perhaps twice.
    fn variables(&self, found: &mut dyn FnMut(VariableId));

    /// The variable, if it is nothing but one.
    fn as_variable(&self) -> Option<VariableId>;

    /// The value, where `variables` has the values of all variables it mentions; others may be anything.
    fn eval(&self, variables: &[Value]) -> Result<Value, Undefined>;
}

/// An expression has no value: a division by zero, a value that a type does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undefined(pub String);

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How values are shown.
#[derive(Clone)]
pub struct Notation(pub std::sync::Arc<dyn Fn(&Value) -> String + Send + Sync>);

impl fmt::Debug for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notation")
    }
}

/// A high-level net.
#[derive(Clone, Debug)]
pub struct Net<E> {
    /// Its name.
    pub name: SmolStr,
    /// Where it is declared.
    pub span: Span,
    /// Places.
    pub places: IndexVec<PlaceId, Place>,
    /// Transitions.
    pub transitions: IndexVec<TransId, Transition<E>>,
}

/// A place.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its name.
    pub name: SmolStr,
    /// Where it is declared.
    pub span: Span,
    /// Tokens, which are tuples, and how many there are of each at the beginning; each token once.
    pub initial: Vec<(Value, u32)>,
    /// More of one token than this is an error.
    pub capacity: Option<u32>,
    /// Shows a token as the language writes it, such as `(1, true)`; nothing for a token without components.
    pub notation: Notation,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition<E> {
    /// Its name.
    pub name: SmolStr,
    /// Where it is declared: what is underlined.
    pub span: Span,
    /// Its variables.
    pub variables: IndexVec<VariableId, Variable<E>>,
    /// What it takes.
    pub inputs: Vec<Arc<E>>,
    /// What it puts.
    pub outputs: Vec<Arc<E>>,
    /// What must not be there: of each addend, fewer tokens than it says.
    pub inhibitors: Vec<Arc<E>>,
    /// All must be true, which is to say not 0.
    pub guards: Vec<E>,
    /// Firings of a higher priority go first; 0 without one.
    pub priority: Option<E>,
}

/// A variable of a transition.
#[derive(Clone, Debug)]
pub struct Variable<E> {
    /// Its name.
    pub name: SmolStr,
    /// Where its values come from, where no pattern says.
    pub domain: Domain<E>,
    /// Shows a value of it.
    pub notation: Notation,
}

/// Where the values of a variable come from.
#[derive(Clone, Debug)]
pub enum Domain<E> {
    /// A component of a pattern of an input arc: nothing else is needed.
    Pattern,
    /// Each of these.
    Values(std::sync::Arc<[Value]>),
    /// Each of the sequence that an expression over other variables gives.
    Each(E),
    /// The value of an expression over other variables.
    Let(E),
}

/// An arc between a transition and a place.
#[derive(Clone, Debug)]
pub struct Arc<E> {
    /// The place.
    pub place: PlaceId,
    /// Its sum.
    pub addends: Vec<Addend<E>>,
}

/// A part of the sum of an arc.
#[derive(Clone, Debug)]
pub enum Addend<E> {
    /// Some tokens of one kind.
    Pattern(Pattern<E>),
    /// The multiset that an expression gives: a sequence of pairs of a token and a number.
    Multiset(E),
}

/// `count` tokens `(components)`.
#[derive(Clone, Debug)]
pub struct Pattern<E> {
    /// How many; not 0.
    pub count: u32,
    /// The components of the token, which is the sequence of their values.
    pub components: Vec<E>,
}
