//! High-level Petri nets, whatever language they are written in.
//!
//! A front-end describes a [`Net`]: places whose tokens are [`Value`]s, and transitions with variables, arcs and
//! guards, in an [`Expression`] type of its own. [`ground`] finds the tokens and the firings that can ever matter, by
//! relaxed reachability: as planners ground actions, never by enumerating the product of the domains. [`lower`] makes
//! a [`Model`](stubborn_ir::Model) of that, in which at most one of the tokens of a [`groups`] can be there at a time,
//! so that they share a slot. [`Lowered`] is what propositions are made with.
//!
//! Knows no syntax and no search.

pub mod ground;
pub mod groups;
mod join;
pub mod lower;
pub mod net;
pub mod value;

pub use ground::{Binding, Bounds, Fact, FactId, Firing, Grounded, Limit, ground};
pub use lower::{Lowered, lower};
pub use net::{
    Addend, Arc, Domain, Expression, Net, Notation, Pattern, Place, PlaceId, TransId, Transition, Undefined,
    Variable, VariableId,
};
pub use value::{Value, render_tuple};
