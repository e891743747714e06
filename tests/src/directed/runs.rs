//! Table 3: runs that violate a claim.

use std::sync::Arc;
use std::time::Duration;

use stubborn_check::{Choice, Config, Job, Order, Progress, PropertyResult, Reduction, check, select};
use stubborn_ir::Move;
use stubborn_reduce::Plan;
use stubborn_search::Guide;
use stubborn_search::heuristics::Relevant;
use stubborn_trail::{ClaimedRun, replay_run, run_without_irrelevant};

use super::measure::{Bench, End, Found, Towards};
use super::paper::Paper;
use super::safety::add;
use crate::grid::Grid;

/// What is found depth-first without reduction, shortened within the time of a search.
pub(crate) fn shortened(bench: &Bench<'_>) -> Result<PropertyResult, String> {
    check_with(bench, Some(bench.time), &mut |_| {})
}

fn check_with(
    bench: &Bench<'_>,
    shorten: Option<Duration>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<PropertyResult, String> {
    let Bench { subject, model, time } = *bench;
    let property = select(model, &[subject.property(model).to_owned()]).map_err(|why| why.to_string())?;
    let config = Config {
        order: Some(Order::DepthFirst),
        reduction: Choice::Named(Reduction::None),
        memory: 4 << 30,
        time: Some(time),
        shorten,
        ..Config::default()
    };
    let job = Job { cancel: Arc::default(), progress };
    Ok(check(model, &property, &config, job).map_err(|why| why.to_string())?.remove(0))
}

/// What a depth-first search finds first.
pub(crate) fn first(bench: &Bench<'_>) -> Result<Option<Found>, String> {
    let mut bytes = None;
    let mut note = |progress: &Progress| bytes = bytes.max(Some(progress.bytes));
    let result = check_with(bench, None, &mut note)?;
    Ok(result.trail.map(|trail| Found {
        states: result.counts.states,
        moves: Some(trail.steps.iter().map(|step| step.made).collect()),
        cycle: trail.cycle,
        violation: None,
        is_finished: true,
        bytes,
        time: result.time,
    }))
}

/// Table 3: runs that violate a claim, after ways to the same seed, or to an equivalent one, that A* finds.
pub(crate) fn table_3(bench: &Bench<'_>, paper: &Paper, grid: &mut Grid) -> Result<(), String> {
    let first = first(bench)?.ok_or("nothing is found in time")?;
    let moves = first.moves.clone().unwrap_or_default();
    let (prefix, cycle) = moves.split_at(moves.len() - first.cycle);
    let class = Relevant::of_cycle(bench.model, cycle);
    let [same, equivalent] =
        [End::of(prefix), End { moves: prefix, class: Some(&class) }].map(|end| (end, cycle));
    let columns = [
        ("s, H_d", after_way(bench, same, Towards::Hamming)),
        ("s, H_m", after_way(bench, same, Towards::Fsm)),
        ("[s], H_d", after_way(bench, equivalent, Towards::Hamming)),
        ("[s], H_m", after_way(bench, equivalent, Towards::Fsm)),
    ];
    add(grid, 3, bench, paper, std::iter::once(("NDFS", Some(first))).chain(columns));
    Ok(())
}

/// A shorter way to a seed, and of the run then what is left when nothing more can be left out of it.
fn after_way<'a>(
    bench: &Bench<'_>,
    (seed, cycle): (End<'a>, &[Move]),
    towards: fn(End<'a>) -> Towards<'a>,
) -> Option<Found> {
    let claim = bench.model.claims.first()?;
    let mut found = bench.run(Guide::AStar, towards(seed), Some(seed), &Plan::none())?;
    if let Some(prefix) = found.moves.take() {
        let run = ClaimedRun { prefix: &prefix, cycle, is_infinite: true, is_fair: false };
        // The claim may stand elsewhere after another way.
        if replay_run(bench.model, claim, run).is_ok() {
            let (prefix, cycle) = run_without_irrelevant(bench.model, claim, run, &mut || true);
            found.cycle = cycle.len();
            found.moves = Some([prefix, cycle].concat());
        }
    }
    Some(found)
}
