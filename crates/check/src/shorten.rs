//! A counterexample made shorter, as far as its budget goes.
//!
//! First, unless it was found so, the nearest violation is looked for where states are left out as a reduction allows;
//! then what the violation does without is left out; then shorter ways to a violation of the same property are
//! looked for, among all states, nearest first. If that search ends in time, no counterexample is shorter. If not,
//! searches that are led to where the counterexample ends have a try, each with a part of the time that is left.
//! Last, among runs of equal length, one with fewer context switches is looked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use stubborn_ir::{Interpreter, Model, Move, Violation};
use stubborn_reduce::{Plan, Purpose, Reduction};
use stubborn_search::{Directed, Goal, Guide, Heuristic, Ignore, Limits, Order, Zero, search_directed};
use stubborn_trail::{with_fewer_switches, without_irrelevant};

use crate::config::{Config, Job};
use crate::heuristic::HeuristicName;
use crate::strategy::Choice;

/// A counterexample of a safety property.
pub(crate) struct Counterexample {
    pub(crate) violation: Violation,
    pub(crate) moves: Vec<Move>,
    /// It was found breadth-first: all nearer states were visited, but those that a reduction left out.
    pub(crate) is_near: bool,
    /// No other one is shorter.
    pub(crate) is_shortest: bool,
}

/// Searches that find something sooner than one among all states, nearest first, does.
const GUIDED: [(Guide, HeuristicName); 4] = [
    (Guide::BestFirst, HeuristicName::Hamming),
    (Guide::AStar, HeuristicName::FsmDistance),
    (Guide::AStar, HeuristicName::Hamming),
    (Guide::BestFirst, HeuristicName::FsmDistanceClass),
];

/// Looks for a shorter one, with a violation that `is_wanted`.
pub(crate) fn shorten(
    model: &Model,
    given: Counterexample,
    is_wanted: &dyn Fn(Violation) -> bool,
    config: &Config,
    job: &Job<'_>,
) -> Counterexample {
    let is_shortest = given.is_shortest || given.moves.is_empty();
    let mut found = Counterexample { is_shortest, ..given };
    let Some(budget) = config.shorten else { return found };
    let watch = Watch::start(budget, job);
    let has_room = has_room(model, found.moves.len(), config.memory);
    if !found.is_shortest {
        let sought = Sought { model, is_wanted, config, watch: &watch };
        let plan = sought.plan();
        let is_reduced = plan.reduction != Reduction::None;
        if is_reduced && !found.is_near {
            found = sought.nearer(found, Guide::AStar, &Zero, &plan, watch.until(0.4));
        }
        if has_room {
            found.moves =
                without_irrelevant(model, found.moves, found.violation, &mut || watch.is_before(0.5));
        }
        found = sought.nearer(found, Guide::AStar, &Zero, &Plan::none(), watch.until(0.75));
        if !found.is_shortest {
            found = sought.led(found, &plan);
        }
    }
    if has_room {
        found.moves = with_fewer_switches(model, found.moves, found.violation, &mut || watch.is_before(1.0));
    }
    found
}

/// Whether every state along so many moves can be kept at once.
fn has_room(model: &Model, n_moves: usize, memory: usize) -> bool {
    let n_bytes = Interpreter::new(model).initial().map_or(0, |state| state.len());
    // The moves twice, and two buffers that hold the states.
    n_moves.saturating_mul(2 * n_bytes + 128) <= memory
}

/// How much of a budget is left.
pub(crate) struct Watch {
    started: Instant,
    budget: Duration,
    cancel: Arc<AtomicBool>,
}

impl Watch {
    pub(crate) fn start(budget: Duration, job: &Job<'_>) -> Self {
        Watch { started: Instant::now(), budget, cancel: job.cancel.clone() }
    }

    /// The time until so much of the budget is used.
    pub(crate) fn until(&self, part: f64) -> Duration {
        self.budget.mul_f64(part).saturating_sub(self.started.elapsed())
    }

    /// What a search may take until so much of the budget is used.
    pub(crate) fn limits(&self, config: &Config, part: f64) -> Limits {
        Limits { time: Some(self.until(part)), ..config.limits(&self.cancel) }
    }

    /// Whether there is some, and nobody has cancelled it.
    pub(crate) fn is_before(&self, part: f64) -> bool {
        !self.until(part).is_zero() && !self.cancel.load(Ordering::Relaxed)
    }
}

/// What is looked for.
struct Sought<'a> {
    model: &'a Model,
    is_wanted: &'a dyn Fn(Violation) -> bool,
    config: &'a Config,
    watch: &'a Watch,
}

impl Sought<'_> {
    /// The counterexample that a search finds in some time, if it is shorter.
    fn nearer(
        &self,
        known: Counterexample,
        guide: Guide,
        heuristic: &dyn Heuristic,
        plan: &Plan,
        time: Duration,
    ) -> Counterexample {
        let bound = known.moves.len() as u32;
        let directed = Directed { guide, heuristic, goal: Goal::Violation(self.is_wanted), bound };
        let limits = Limits { time: Some(time), ..self.config.limits(&self.watch.cancel) };
        let Ok(directions) = search_directed(self.model, &directed, plan, &limits, &mut Ignore) else {
            return known;
        };
        let is_shortest = directions.is_shortest;
        match directions.way {
            Some(way) => {
                let violation = way.violation.unwrap_or(known.violation);
                Counterexample { violation, moves: way.moves, is_shortest, ..known }
            }
            None => Counterexample { is_shortest, ..known },
        }
    }

    /// Leaves out states, if that preserves violations: what this costs in length is what a violation does without.
    fn plan(&self) -> Plan {
        let reduced = Config {
            order: Some(Order::BreadthFirst),
            reduction: Choice::Auto,
            proviso: None,
            ..self.config.clone()
        };
        reduced.strategy(self.model, Purpose::Safety).map_or(Plan::none(), |strategy| strategy.plan)
    }

    /// Led to where the counterexample ends.
    fn led(&self, known: Counterexample, plan: &Plan) -> Counterexample {
        let watch = self.watch;
        let mut found = known;
        for (i, (guide, name)) in GUIDED.into_iter().enumerate() {
            if !watch.is_before(0.95) {
                break;
            }
            let time = watch.until(0.95) / (GUIDED.len() - i) as u32;
            let Some(heuristic) = name.towards(self.model, &found.moves, found.violation) else { break };
            let n_before = found.moves.len();
            found = self.nearer(found, guide, &*heuristic, plan, time);
            found.is_shortest = false;
            if found.moves.len() < n_before {
                found.moves = without_irrelevant(self.model, found.moves, found.violation, &mut || {
                    watch.is_before(0.95)
                });
            }
        }
        found
    }
}
