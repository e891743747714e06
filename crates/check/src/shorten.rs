//! A counterexample made shorter, as far as its budget goes.
//!
//! First what the violation does without is left out; then shorter ways to a violation of the same property are
//! looked for, among all states, nearest first. If that search ends in time, no counterexample is shorter.

use std::sync::atomic::Ordering;
use std::time::Instant;

use stubborn_ir::{Model, Move, Violation};
use stubborn_reduce::Plan;
use stubborn_search::{Directed, Goal, Guide, Ignore, Limits, Zero, search_directed};
use stubborn_trail::without_irrelevant;

use crate::config::{Config, Job};

/// A counterexample of a safety property.
pub(crate) struct Counterexample {
    pub(crate) violation: Violation,
    pub(crate) moves: Vec<Move>,
    /// No other one is shorter.
    pub(crate) is_shortest: bool,
}

/// Looks for a shorter one, with a violation that `is_wanted`.
pub(crate) fn shorten(
    model: &Model,
    given: Counterexample,
    is_wanted: &dyn Fn(Violation) -> bool,
    config: &Config,
    job: &Job<'_>,
) -> Counterexample {
    let is_shortest = given.is_shortest || given.moves.is_empty();
    let given = Counterexample { is_shortest, ..given };
    let Some(budget) = config.shorten.filter(|_| !is_shortest) else { return given };
    let started = Instant::now();
    let mut may_go_on = || started.elapsed() < budget / 2 && !job.cancel.load(Ordering::Relaxed);
    let moves = without_irrelevant(model, given.moves, given.violation, &mut may_go_on);
    let found = Counterexample { moves, ..given };
    let directed = Directed {
        guide: Guide::AStar,
        heuristic: &Zero,
        goal: Goal::Violation(is_wanted),
        bound: found.moves.len() as u32,
    };
    let time = Some(budget.saturating_sub(started.elapsed()));
    let limits = Limits { memory: config.memory, time, cancel: job.cancel.clone() };
    let Ok(directions) = search_directed(model, &directed, &Plan::none(), &limits, &mut Ignore) else {
        return found;
    };
    let is_shortest = directions.is_shortest;
    match directions.way {
        Some(way) => {
            let violation = way.violation.unwrap_or(found.violation);
            Counterexample { violation, moves: way.moves, is_shortest }
        }
        None => Counterexample { is_shortest, ..found },
    }
}
