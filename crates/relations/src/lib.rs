//! What the transitions of a model have to do with each other, found without
//! looking at states.
//!
//! The relations are those of Laarman, Pater, van de Pol and Hansen, "Guard-based
//! Partial-Order Reduction", §2 to §5: test, read and write sets, do-not-accord,
//! necessary enabling and disabling sets, visibility. Every answer errs on the side
//! that its documentation calls safe.
//!
//! Reading order: [`control`], [`constants`], [`ranges`] and [`access`] are the parts;
//! `scope` reads expressions, [`statement`] transitions; [`relations`] relates them.

pub mod access;
pub mod bits;
pub mod constants;
pub mod control;
pub mod direction;
pub mod distance;
pub mod fault;
pub mod ranges;
pub mod relations;
mod scope;
pub mod statement;
mod sticky;

pub use control::Control;
pub use fault::Fault;
pub use relations::{InState, Incarnation, IncarnationId, Need, Relations, StatementId};
