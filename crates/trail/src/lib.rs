//! Counterexamples as people read them.
//!
//! This crate is the independent witness: it knows neither how a counterexample
//! was found nor which reduction left states out on the way. It is given moves and
//! a claim, replays them through a fresh interpreter, and either explains them or
//! says at which move the claim is wrong. A trail exists only if it replays.

mod calm;
mod events;
mod machine;
pub mod replay;
mod run;
mod shorten;
mod shorten_run;
pub mod trail;

pub use calm::{context_switches, run_with_fewer_switches, with_fewer_switches};
pub use machine::end_of;
pub use replay::{ReplayError, replay};
pub use run::{ClaimedRun, replay_run};
pub use shorten::without_irrelevant;
pub use shorten_run::run_without_irrelevant;
pub use trail::{Participant, Trail, TrailStep, Waiting};
