//! A run that violates a claim made shorter, as far as its budget goes.
//!
//! First what the violation does without is left out, before the cycle and in it; then a shorter run is looked for
//! in the whole product, by a shorter way to some seed and a shorter cycle through it. Where that is too much, A* is
//! led to an equivalent seed: a state from which the same cycle can be gone round, since it differs only in
//! processes that have no part in it (Edelkamp, Leue and Lluch Lafuente, section 3.3). Last, runs of equal length
//! with fewer context switches are tried. Each candidate counts only if it replays, and violates the claim, fairly
//! if that is asked for.

use stubborn_ir::{Claim, Interpreter, Model};
use stubborn_reduce::Plan;
use stubborn_search::heuristics::{Hamming, Relevant, Snapshot};
use stubborn_search::{Directed, Goal, Guide, Ignore, Question, Run, search_directed, search_short_run};
use stubborn_trail::{ClaimedRun, end_of, replay_run, run_with_fewer_switches, run_without_irrelevant};

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
    if let Some(question) = question {
        let limits = watch.limits(config, 0.7);
        let bound = length(&run) as u32;
        if let Ok(short) = search_short_run(model, question, bound, &limits, &mut Ignore) {
            let is_better = |other: &Run| {
                length(other) < length(&run) && replay_run(model, claim, claimed(other, is_fair)).is_ok()
            };
            if let Some(other) = short.run.filter(is_better) {
                run = without_irrelevant(model, claim, other, is_fair, &mut || watch.is_before(0.75));
            }
            // A cycle of the model may have to be gone round several times for the automaton to come back, so only
            // without cycles are the runs of the product as short as those of the model.
            let has_cycles = question.automaton.states.iter().any(|state| state.accepting);
            is_shortest = short.is_shortest && !has_cycles && !is_fair;
        }
    }
    if !is_shortest && watch.is_before(0.95) {
        run = to_equivalent_seed(model, claim, run, is_fair, config, &watch);
    }
    let is_infinite = run.is_infinite;
    let calm = run_with_fewer_switches(model, claim, claimed(&run, is_fair), &mut || watch.is_before(1.0));
    (Run { prefix: calm.0, cycle: calm.1, is_infinite }, is_shortest)
}

/// The same cycle after a shorter way, if one is found.
fn to_equivalent_seed(
    model: &Model,
    claim: &Claim,
    run: Run,
    is_fair: bool,
    config: &Config,
    watch: &Watch,
) -> Run {
    let Some((interpreter, seed)) = end_of(model, &run.prefix).filter(|_| !run.cycle.is_empty()) else {
        return run;
    };
    let class = Snapshot::of(&interpreter, &seed).only(&Relevant::of_cycle(model, &run.cycle));
    let is_seed = |interpreter: &Interpreter<'_>, state: &[u8]| class.distance(interpreter, state) == 0;
    let heuristic = Hamming(class.clone());
    let bound = run.prefix.len() as u32;
    let directed =
        Directed { guide: Guide::AStar, heuristic: &heuristic, goal: Goal::State(&is_seed), bound };
    let limits = watch.limits(config, 0.9);
    let found = search_directed(model, &directed, &Plan::none(), &limits, &mut Ignore);
    let Some(way) = found.ok().and_then(|directions| directions.way) else { return run };
    let other = Run { prefix: way.moves, ..run.clone() };
    match replay_run(model, claim, claimed(&other, is_fair)).is_ok() {
        true => without_irrelevant(model, claim, other, is_fair, &mut || watch.is_before(0.95)),
        false => run,
    }
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
