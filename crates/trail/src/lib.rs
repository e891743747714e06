//! Counterexamples as people read them.
//!
//! This crate is the independent witness: it knows neither how a counterexample
//! was found nor which reduction left states out on the way. It is given moves and
//! a claim, replays them through a fresh interpreter, and either explains them or
//! says at which move the claim is wrong. A trail exists only if it replays.

mod calm;
pub mod chart;
mod events;
pub mod explain;
mod machine;
pub mod page;
pub mod replay;
mod run;
mod shorten;
mod shorten_run;
pub mod simulation;
pub mod spin;
pub mod trail;
pub mod valuation;
mod watch;

pub use calm::{context_switches, run_with_fewer_switches, with_fewer_switches};
pub use chart::{Subject, chart};
pub use explain::{
    Cause, Explanation, Life, Link, Message, Obstacle, Standing, StepReason, explain, explain_run,
    standing_after,
};
pub use machine::{end_of, marking_after};
pub use page::page;
pub use replay::{ReplayError, next_moves, replay, violations, waiting};
pub use run::{ClaimedRun, replay_run};
pub use shorten::without_irrelevant;
pub use shorten_run::run_without_irrelevant;
pub use trail::{Fires, Participant, Trail, TrailStep, Waiting, participants};
pub use valuation::{Valuation, valuation};
pub use watch::{Watch, watch};
