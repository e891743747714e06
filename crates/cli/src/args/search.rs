//! In which order states are visited, and which.

use clap::ValueEnum;
use stubborn_check::{Choice, Config, Guide, Order, Proviso};

use crate::system;

/// In which order states are visited, and which.
#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    /// Order in which states are visited; those with a direction are for deadlocks, assertions and invariants
    /// [default: dfs to look for cycles, bfs for all else]
    #[arg(long, value_enum)]
    pub(crate) search: Option<Search>,
    /// Which states are left out because others stand for them: auto, none,
    /// stubborn[:closure|:beam|:deletion][+weak][-nds], ample, two-phase[:dfs2|:dfs3] or sleep
    /// [default: none to explore and draw, auto to check]
    #[arg(long, value_name = "REDUCTION")]
    reduction: Option<Choice>,
    /// What keeps steps from being put off for ever: none, stack, safe-flags, scc, queue, duplicate
    /// or sticky for safety; live-stack, colour, colour-star, colour-reach, live-queue, c3-prime
    /// or sticky for liveness [default: what suits the reduction]
    #[arg(long, value_name = "PROVISO")]
    proviso: Option<Proviso>,
}

impl SearchArgs {
    pub(crate) fn config(&self, default: Choice) -> Config {
        Config {
            order: self.search.map(Search::order),
            guide: self.search.and_then(Search::guide),
            reduction: self.reduction.unwrap_or(default),
            proviso: self.proviso,
            memory: system::default_memory(),
            ..Config::default()
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Search {
    /// Breadth-first: shortest counterexamples
    Bfs,
    /// Depth-first
    Dfs,
    /// A*: towards a violation, by the steps taken and estimated to be left
    AStar,
    /// Best-first: towards a violation, by the steps estimated to be left
    BestFirst,
    /// IDA*: depth-first towards a violation, within a bound that grows by what is estimated
    IdaStar,
    /// Iterative bounded depth-first: each violation bounds the depth, so the last found is short
    Idfs,
    /// Admissible depth-first: the same, and again where a shorter way leads to a state
    Adfs,
}

impl Search {
    /// As far as reductions are concerned.
    pub(crate) fn order(self) -> Order {
        match self {
            Search::Dfs => Order::DepthFirst,
            // Those with a direction keep states that are still to be expanded, as breadth-first search does.
            _ => Order::BreadthFirst,
        }
    }

    pub(crate) fn guide(self) -> Option<Guide> {
        match self {
            Search::Bfs | Search::Dfs => None,
            Search::AStar => Some(Guide::AStar),
            Search::BestFirst => Some(Guide::BestFirst),
            Search::IdaStar => Some(Guide::IdaStar),
            Search::Idfs => Some(Guide::Idfs),
            Search::Adfs => Some(Guide::Adfs),
        }
    }
}

/// All states are to be visited, so none comes first.
pub(crate) fn undirected(search: Option<Search>) -> Result<(), String> {
    match search.and_then(Search::guide) {
        Some(guide) => Err(format!("{guide} is a search for a violation: use it with `stubborn check`")),
        None => Ok(()),
    }
}
