//! Expressions and functions with names and types resolved, ready to be evaluated.
//!
//! A tree of [`Node`]s over two kinds of variables: those of a transition, and those of the frame of a function or a
//! proposition. Whether a value fits its type is asked where [`Node::Check`] stands: Helena looks at whole expressions,
//! never at their parts (language reference, section 2.8).

use std::sync::Arc;

use smol_str::SmolStr;
use stubborn_base::define_index;
use stubborn_nets::{PlaceId, Value};

pub(crate) use crate::node::{Arith, Compare, Index, Iterate, Node, Part, SetOp};
use crate::types::{TypeId, Types};

define_index! {
    /// A function of a net.
    pub(crate) struct FunctionId;
}

/// What expressions refer to.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// Types.
    pub(crate) types: Types,
    /// Values of constants; none if one could not be computed.
    pub(crate) constants: Vec<Option<Value>>,
    /// Functions.
    pub(crate) functions: Vec<Function>,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: SmolStr,
    /// Types of its parameters, which are the first variables of its frame.
    pub(crate) params: Vec<TypeId>,
    /// The type of its result.
    pub(crate) ty: TypeId,
    /// How many variables its frame has.
    pub(crate) n_locals: usize,
    /// What it does; none if that is not known.
    pub(crate) body: Option<Stmt>,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    /// Set a variable of the frame.
    Set(u32, Node),
    /// Condition, then, else.
    If(Node, Box<Stmt>, Option<Box<Stmt>>),
    /// What equals the value, or else the last.
    Case(Node, Vec<(Value, Stmt)>, Option<Box<Stmt>>),
    /// As long as the condition holds.
    While(Node, Box<Stmt>),
    /// For all values of the variables.
    For(Vec<Bound>, Box<Stmt>),
    /// The result.
    Return(Node),
    /// Undefined unless true.
    Assert(Node),
    /// One after the other.
    Block(Vec<Stmt>),
}

/// A variable of the frame that goes over a domain.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// The variable.
    pub(crate) local: u32,
    /// Its values.
    pub(crate) domain: Range,
}

/// What a variable goes over.
#[derive(Clone, Debug)]
pub(crate) enum Range {
    /// The values of a sequence.
    Each(Node),
    /// The distinct tokens in a place.
    Place(PlaceId),
}

/// An expression over the variables of a transition, with all it refers to.
#[derive(Clone)]
pub struct Term {
    pub(crate) node: Node,
    pub(crate) context: Arc<Context>,
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.node.fmt(f)
    }
}
