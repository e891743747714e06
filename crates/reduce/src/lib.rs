//! Which of the enabled steps of a state have to be explored, and when that is all.
//!
//! Reductions are named in [`plan`], and what is sound in [`legal`]. A [`Reducer`]
//! chooses steps of a state: by stubborn sets (`closure`, `deletion`), ample sets
//! (`ample`), or one at a time for two-phase algorithms; all see a state as a `situation`
//! and ask a `question`, for which they `look` at it; what was chosen where they saw the same before is told by `recall`. A
//! [`Guardian`] keeps steps from being put off for ever ([`proviso`]).
//! Knows nothing of how a search orders states. The [`audit`] holds all of it against the
//! definitions.

mod ample;
pub mod audit;
mod closure;
mod deletion;
pub mod legal;
mod look;
pub mod plan;
pub mod proviso;
mod question;
mod recall;
pub mod reducer;
mod situation;
mod worth;

pub use legal::{Discipline, in_propositions, most_preserved, obstacle, refusal};
pub use plan::{
    PROVISOS, Plan, Proviso, Purpose, REDUCTION_SYNTAX, Reduction, SetSearch, Stubborn, TwoPhase,
    UnknownName, Visibility,
};
pub use proviso::{Demand, Guardian, Open};
pub use reducer::{Reducer, Wish};
