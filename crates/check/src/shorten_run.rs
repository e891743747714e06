//! A run that violates a claim made shorter, as far as its budget goes.
//!
//! First what the violation does without is left out, before the cycle and in it; then a shorter run is looked for
//! in the whole product, by a shorter way to some seed and a shorter cycle through it. Last, runs of equal length
//! with fewer context switches are tried. Each candidate counts only if it replays, and violates the claim, fairly
//! if that is asked for.

use stubborn_ir::{Claim, Model};
use stubborn_search::{Ignore, Limits, Question, Run, search_short_run};
use stubborn_trail::{ClaimedRun, replay_run, run_with_fewer_switches, run_without_irrelevant};

use crate::config::{Config, Job};
use crate::shorten::Watch;

/// Looks for a shorter run; whether no other one is shorter. Without a question, nothing is searched.
pub(crate) fn shorten_run(
    model: &Model,
    claim: &Claim,
    question: Option<&Question<'_>>,
    run: Run,
    is_fair: bool,
    config: &Config,
    job: &Job<'_>,
) -> (Run, bool) {
    let Some(budget) = config.shorten else { return (run, false) };
    let watch = Watch::start(budget, job);
    let mut run = without_irrelevant(model, claim, run, is_fair, &mut || watch.is_before(0.25));
    let mut is_shortest = false;
    // What is left out would have to be fair.
    if let Some(question) = question.filter(|_| !is_fair) {
        let limits =
            Limits { memory: config.memory, time: Some(watch.until(0.8)), cancel: job.cancel.clone() };
        let bound = length(&run) as u32;
        if let Ok(short) = search_short_run(model, question, bound, &limits, &mut Ignore) {
            let is_better = |other: &Run| {
                length(other) < length(&run) && replay_run(model, claim, claimed(other, is_fair)).is_ok()
            };
            if let Some(other) = short.run.filter(is_better) {
                run = without_irrelevant(model, claim, other, is_fair, &mut || watch.is_before(0.9));
            }
            // A cycle of the model may have to be gone round several times for the automaton to come back, so only
            // without cycles are the runs of the product as short as those of the model.
            let has_cycles = question.automaton.states.iter().any(|state| state.accepting);
            is_shortest = short.is_shortest && !has_cycles;
        }
    }
    let is_infinite = run.is_infinite;
    let calm = run_with_fewer_switches(model, claim, claimed(&run, is_fair), &mut || watch.is_before(1.0));
    (Run { prefix: calm.0, cycle: calm.1, is_infinite }, is_shortest)
}

fn length(run: &Run) -> usize {
    run.prefix.len() + run.cycle.len()
}

/// A run, as it is claimed to violate a claim.
pub(crate) fn claimed(run: &Run, is_fair: bool) -> ClaimedRun<'_> {
    ClaimedRun { prefix: &run.prefix, cycle: &run.cycle, is_infinite: run.is_infinite, is_fair }
}

fn without_irrelevant(
    model: &Model,
    claim: &Claim,
    run: Run,
    is_fair: bool,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Run {
    let (prefix, cycle) = run_without_irrelevant(model, claim, claimed(&run, is_fair), may_go_on);
    Run { prefix, cycle, ..run }
}
