//! The façade of the engine: a model, properties and limits in, verdicts out.
//!
//! Does no IO and knows no surface: the command line and the language server both
//! call [`check()`] and [`explore()`]. Invariants: a verdict is `Holds` only if
//! every state was visited, or the structure of a net shows it; a violation is told
//! only with a trail that replayed. Of reachability it is the other way round: it
//! holds only with such a trail, and is violated only if every state was visited.

pub mod audit;
pub mod check;
mod claims;
pub mod config;
mod directed;
mod engine;
pub mod explain;
pub mod explore;
pub mod graph;
pub mod heuristic;
pub mod import;
mod improve;
mod invariant;
mod named;
mod never;
pub mod picture;
mod probe;
pub mod property;
pub mod reach;
pub mod relations;
mod shorten;
mod shorten_run;
pub mod store;
pub mod strategy;
mod unfollowed;
mod visited;

pub use audit::{AuditConfig, AuditReport, Audited, Combination, NothingLegal, audit};
pub use check::{PropertyResult, Verdict, check, check_on};
pub use claims::claim_automaton;
pub use config::{Config, Job};
pub use engine::{ENGINES, EngineChoice};
pub use explain::{explain, initial_marking};
pub use explore::{ExploreReport, explore, explore_on};
pub use graph::{Graph, GraphEdge, GraphState, GraphTarget, NoGraph, StateKind, graph};
pub use heuristic::{HEURISTICS, HeuristicName};
pub use import::{NotATrail, from_spin};
pub use improve::improve;
pub use named::UnknownName;
pub use picture::{Drawn, Picture};
pub use property::{Property, PropertyKind, UnknownProperty, properties, select};
pub use reach::never;
pub use relations::{
    NetItem, NoStatement, RelationsReport, net_item_at, net_item_in, statements, statements_at,
};
pub use store::{StoreChoice, stores};
pub use strategy::{Choice, Refused, Strategy, choice_syntax};

pub use stubborn_reduce::audit::{Bounds, Condition, Tally, tell_move};
pub use stubborn_reduce::{PROVISOS, Plan, Proviso, Purpose, Reduction, Visibility};
pub use stubborn_search::{
    Compression, Counts, Coverage, Cycles, Distributed, End, GUIDES, Gathered, Guide, HASH_FUNCTIONS,
    Incomplete, Limits, Loss, Observer, Order, Progress, Range, Task, Used,
};
pub use stubborn_trail::{
    Cause, Explanation, Fires, Life, Message, Obstacle, Participant, ReplayError, Standing, StepReason,
    Subject, Trail, TrailStep, Waiting, Watch, chart, explain_run, marking_after, page, participants,
    simulation, spin, standing_after, watch,
};
