//! Visiting the states of a model: where they are kept, and in which order.
//!
//! What is possible in a state is decided by `stubborn-ir`; a search only decides
//! what is visited next. All searches share one [`Exploration`], which stores
//! states, counts, keeps to the limits and reports violations to an [`Observer`];
//! an order is one file with one function. Visits are deterministic.
//!
//! Reading order: [`budget`], `table`, `packed`, `records`, `tree`, [`store`] and `states` keep states, [`limits`]
//! and [`observer`] are what a caller brings, [`Coverage`] is what it may ask for, [`exploration`] is what the orders
//! `bfs` and `dfs` share, `terminal` has the last word in one of them, [`path`] finds the way to a state, and
//! [`search_state`] looks for one. [`search_directed`] is guided by [`heuristics`]; [`search_bitstate`] keeps of a state no
//! more than the bits of a `filter`. Several threads search with [`search_in_parallel`], several processes by somebody
//! who is [`Distributed`].
//!
//! Runs that a claim automaton accepts are looked for in the `product` of it and the model: `walk` and
//! `layers` go through it depth-first and breadth-first, `nested` and `components` look for cycles
//! meanwhile, `lasso` finds the run, and [`search_claim`] is all of it, [`search_claim_in_parallel`] by several threads; [`search_short_run`] finds a shorter one. Runs whose events are not as a trace says
//! are found by [`search_trace`].

mod bfs;
mod bitstate;
pub mod budget;
mod claim;
mod cndfs;
mod components;
mod coverage;
mod dfs;
mod directed;
mod distributed;
mod events;
pub mod exploration;
mod filter;
mod formula;
pub mod heuristics;
mod lasso;
mod layers;
pub mod limits;
mod nested;
pub mod observer;
mod packed;
mod parallel;
pub mod path;
mod prefetch;
mod product;
mod reach;
mod records;
mod short_run;
mod sleep;
mod snapshot;
mod states;
pub mod store;
mod table;
mod terminal;
mod tree;
mod two_phase;
mod walk;

use std::fmt;

use stubborn_ir::{Model, RuntimeErrorKind};
use stubborn_reduce::{Guardian, Plan, Reduction};
use stubborn_relations::Fault;

pub use bitstate::{Bitstate, refusal_in_bits, search_bitstate, search_prefix_bitstate};
pub use budget::{Budget, OutOfMemory};
pub use claim::{Answer, Cycles, Question, search_claim};
pub use cndfs::{is_for_threads, search_claim_in_parallel};
pub use coverage::{Coverage, Range};
pub use directed::{Directed, Directions, GUIDES, Goal, Guide, Heuristic, Way, Zero, search_directed};
pub use distributed::{By, Distributed, Gathered, Task, Used, Watched, violates};
pub use events::{TraceAnswer, search_trace};
pub use exploration::Exploration;
pub use filter::{HASH_FUNCTIONS, Loss};
pub use lasso::Run;
pub use limits::{Clock, Incomplete, Limits};
pub use observer::{Counts, Expanded, Finding, Found, Ignore, Observer, Progress};
pub use parallel::{
    Crowd, Expander, Part, Placed, Seen, Shard, Sink, Taken, Team, is_worth_keeping, keep_least,
    refusal_in_parallel, search_in_parallel,
};
pub use path::{is_same, moves_along};
pub use reach::search_state;
pub use short_run::{ShortRun, search_short_run};
pub use store::{COMPRESSIONS, Compression, Insert, Key, StateId, Store};

/// The order in which states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Nearest first: the way to a state is a shortest one.
    BreadthFirst,
    /// Newest first.
    DepthFirst,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::BreadthFirst => "bfs",
            Order::DepthFirst => "dfs",
        })
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Every reachable state was visited.
    Exhausted,
    /// The observer had seen enough.
    Stopped,
    /// Something was left out.
    Incomplete(Incomplete),
}

/// Visits the states of `model` in that order, but those that the plan leaves out; whether it is
/// sound is the caller's affair. Fails if there is no initial state.
pub fn search<'m>(
    model: &'m Model,
    order: Order,
    plan: &Plan,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<(Exploration<'m>, End), RuntimeErrorKind> {
    let mut exploration = Exploration::new(model, limits, plan)?;
    if observer.watches_expansions() {
        exploration.watch();
    }
    if observer.wants_coverage() {
        exploration.cover();
    }
    let mut guardian = Guardian::new(plan.proviso, plan.fault);
    let result = match (plan.reduction, order) {
        (Reduction::TwoPhase(variant), _) => two_phase::visit(&mut exploration, variant, observer),
        (Reduction::Sleep, _) => {
            sleep::visit(&mut exploration, plan.fault == Some(Fault::ForgetSleepSets), observer)
        }
        (_, Order::BreadthFirst) => bfs::visit(&mut exploration, &guardian, observer),
        (_, Order::DepthFirst) => dfs::visit(&mut exploration, &mut guardian, observer),
    };
    let end = exploration.finish(result);
    Ok((exploration, end))
}
