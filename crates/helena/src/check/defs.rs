//! Definitions whose names and types are known.

use stubborn_base::{IndexVec, Span};
use stubborn_nets::{PlaceId, TransId};

use crate::ast::Ident;
use crate::check::{LtlDef, StateDef};
use crate::code::{Bound, Context, Node, Range};
use crate::types::TypeId;

/// A net whose names and types are known.
#[derive(Debug)]
pub(crate) struct Checked {
    /// Its name.
    pub(crate) name: Ident,
    /// Types, constants and functions.
    pub(crate) context: Context,
    /// Places.
    pub(crate) places: IndexVec<PlaceId, PlaceDef>,
    /// Transitions.
    pub(crate) transitions: IndexVec<TransId, TransitionDef>,
    /// Propositions.
    pub(crate) propositions: Vec<PropositionDef>,
    /// Properties of states.
    pub(crate) states: Vec<StateDef>,
    /// Properties of runs.
    pub(crate) formulas: Vec<LtlDef>,
    /// An expression that was read after the net, and how many variables its frame has.
    pub(crate) extra: Option<(Node, usize)>,
}

/// A place.
#[derive(Debug)]
pub(crate) struct PlaceDef {
    /// Its name.
    pub(crate) name: Ident,
    /// The types of a token's components.
    pub(crate) domain: Vec<TypeId>,
    /// The type of its tokens.
    pub(crate) token: TypeId,
    /// Its initial marking.
    pub(crate) init: Vec<TupleDef>,
    /// More of one token than this is an error.
    pub(crate) capacity: Option<u32>,
}

/// A transition.
#[derive(Debug)]
pub(crate) struct TransitionDef {
    /// Its name.
    pub(crate) name: Ident,
    /// Its variables.
    pub(crate) variables: Vec<VariableDef>,
    /// What it takes.
    pub(crate) inputs: Vec<ArcDef>,
    /// What it puts.
    pub(crate) outputs: Vec<ArcDef>,
    /// What must not be there.
    pub(crate) inhibitors: Vec<ArcDef>,
    /// What must hold.
    pub(crate) guard: Option<Node>,
    /// What goes first.
    pub(crate) priority: Option<PriorityDef>,
}

/// Which firings go first.
#[derive(Debug)]
pub(crate) struct PriorityDef {
    /// Its value, over the variables of the transition and the marking.
    pub(crate) node: Node,
    /// Where it stands.
    pub(crate) span: Span,
    /// How many variables of iterators it has.
    pub(crate) n_locals: usize,
}

impl PriorityDef {
    /// Whether it depends on the marking.
    pub(crate) fn looks_at_places(&self) -> bool {
        self.node.any(&|node| match node {
            Node::PlaceCard(_) | Node::PlaceMult(_) => true,
            Node::Iterate(iterate) => iterate.vars.iter().any(|var| matches!(var.domain, Range::Place(_))),
            _ => false,
        })
    }
}

/// A variable of a transition.
#[derive(Clone, Debug)]
pub(crate) struct VariableDef {
    /// Its name.
    pub(crate) name: Ident,
    /// Its type.
    pub(crate) ty: TypeId,
    /// Where its values come from.
    pub(crate) source: Source,
}

/// Where the values of a variable come from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// Tokens.
    Arc,
    /// A sequence.
    Pick(Node),
    /// An expression.
    Let(Node),
}

/// An arc.
#[derive(Debug)]
pub(crate) struct ArcDef {
    /// The place.
    pub(crate) place: PlaceId,
    /// Its sum.
    pub(crate) tuples: Vec<TupleDef>,
}

/// `for (…) if (…) n * <( … )>`
#[derive(Debug)]
pub(crate) struct TupleDef {
    /// Variables of `for`, in a frame of their own.
    pub(crate) vars: Vec<Bound>,
    /// The condition.
    pub(crate) guard: Option<Node>,
    /// How many.
    pub(crate) factor: u32,
    /// The components.
    pub(crate) components: Vec<Node>,
    /// Where it stands.
    pub(crate) span: Span,
}

/// A proposition.
#[derive(Debug)]
pub(crate) struct PropositionDef {
    /// Its name.
    pub(crate) name: Ident,
    /// What holds; none if that could not be read.
    pub(crate) body: Option<Node>,
    /// How many variables its frame has.
    pub(crate) n_locals: usize,
}
