//! The façade of the engine: a model, properties and limits in, verdicts out.
//!
//! Does no IO and knows no surface: the command line and the language server both
//! call [`check()`] and [`explore()`]. Invariants: a verdict is `Holds` only if
//! every state was visited; a violation is told only with a trail that replayed.

pub mod audit;
pub mod check;
mod claims;
pub mod config;
mod directed;
pub mod explore;
pub mod heuristic;
mod improve;
pub mod property;
pub mod relations;
mod shorten;
mod shorten_run;
pub mod strategy;

pub use audit::{AuditConfig, AuditReport, Audited, Combination, NothingLegal, audit};
pub use check::{PropertyResult, Verdict, check};
pub use config::{Config, Job};
pub use explore::{ExploreReport, explore};
pub use heuristic::{HEURISTICS, HeuristicName, UnknownHeuristic};
pub use improve::improve;
pub use property::{Property, PropertyKind, UnknownProperty, properties, select};
pub use relations::{NoStatement, RelationsReport, statements, statements_at};
pub use strategy::{Choice, Refused, Strategy, choice_syntax};

pub use stubborn_reduce::audit::{Bounds, Condition, Tally, tell_move};
pub use stubborn_reduce::{PROVISOS, Plan, Proviso, Purpose, Reduction, Visibility};
pub use stubborn_search::{Counts, Cycles, GUIDES, Guide, Incomplete, Order, Progress};
pub use stubborn_trail::{Participant, Trail, TrailStep, Waiting};
