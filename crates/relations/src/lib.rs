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
//! [`query`] asks for single relations, each with the [`direction`] in which it may err;
//! [`describe`] tells a person all that is known of one statement.

pub mod access;
pub mod bits;
pub mod constants;
pub mod control;
pub mod describe;
pub mod direction;
pub mod distance;
pub mod fault;
mod index;
mod names;
pub mod net;
mod place;
pub mod query;
pub mod ranges;
mod reason;
pub mod relations;
mod render;
mod scope;
pub mod siphons;
pub mod statement;
mod sticky;
mod survey;

pub use control::Control;
pub use describe::{Description, Survey};
pub use direction::{Over, Under};
pub use distance::Distances;
pub use fault::Fault;
pub use query::Query;
pub use relations::{
    Departure, Entry, Firings, Goal, InState, Incarnation, IncarnationId, Lack, MAX_SELECTORS, Need,
    Relations, StatementId, UpSet, Waiting, Ways, Work,
};
pub use render::expression;
