//! Table 5: BEEM's systems with deadlocks preserved, ours beside LTSmin's guard-based reduction and the least that
//! process-based ample sets can leave.
//!
//! What stands in the way where auto is above the best column. On mcs, anderson, krebs, telephony, at, lamport, peterson,
//! exit and firewire_tree.1 the best is the column that knows the whole state space: which element of an array a step is
//! about, and which values meet there, is known to it in all later states, to us in the present one only. On protocols.3
//! ample sets of ours are as good: among sets of one size the beam takes the first, which is not the best to go on with.
//! On extinction.2 one per cent is missing, on brp2.1 seven: its clock is set by everybody and asks where all are.

use std::time::Duration;

use stubborn_check::Purpose;
use stubborn_ide::lenses::grouped;
use stubborn_reduce::{Plan, Proviso};
use stubborn_search::Order;
use stubborn_tests::beem::System;
use stubborn_tests::front_end;

use super::grid::Grid;
use super::measure::{Run, measure};
use super::paper::Published;
use super::study::{automatic, plan, title};

/// The paper's columns, the one that knows the full state space first.
const THEIRS: [&str; 4] = ["ample", "beam -h-d", "beam +h-d", "beam +h+d"];
/// Others of ours, to compare.
const OURS: [&str; 4] = ["stubborn:closure", "stubborn:deletion", "stubborn:deletion+weak", "ample"];

/// What is known of a row.
pub(crate) struct Line {
    name: String,
    states: Run,
    /// What is used where no reduction is named, then [`OURS`].
    runs: Vec<(Plan, Run)>,
}

/// Searches one system in all the ways of the table.
pub(crate) fn study(system: &System, time: Duration, problems: &mut Vec<String>) -> Result<Line, String> {
    let model = front_end::read_with(&system.path(), &[])?;
    let name = system.name.clone();
    let states = measure(&model, Order::DepthFirst, &Plan::none(), time, &format!("{name} none"));
    let mut plans = vec![automatic(&model, Purpose::Deadlocks)?];
    plans.extend(OURS.iter().map(|name| plan(name, Proviso::None)));
    let mut runs = Vec::new();
    for plan in plans {
        let mut run = measure(&model, Order::DepthFirst, &plan, time, &format!("{name} {}", title(&plan)));
        if let (Run::Done(all), Run::Done(sample)) = (&states, &run)
            && all.deadlocks != sample.deadlocks
        {
            problems.push(format!(
                "WRONG: {name} {}: {} of {} deadlocks",
                title(&plan),
                sample.deadlocks,
                all.deadlocks
            ));
            run = Run::Wrong;
        }
        runs.push((plan, run));
    }
    if let (Run::Done(all), Some(expected)) = (&states, system.n_states)
        && all.states != expected
    {
        problems.push(format!("WRONG: {name}: {} states instead of {expected}", all.states));
    }
    Ok(Line { name, states, runs })
}

/// The table; and how many rows of what is used where no reduction is named, and of our best, are at most the best of
/// the paper's, and above the worst of them.
pub(crate) fn table_5(lines: &[Line], paper: &Published) -> String {
    let header = ["model", "states"].into_iter().chain(THEIRS).chain(["ours, auto", "s"]).chain(OURS);
    let mut grid = Grid::new(header.chain(["auto is", "our best is"]));
    let mut tallies = [[0; 2]; 2];
    for line in lines {
        let theirs: Vec<f64> = THEIRS.iter().filter_map(|column| paper.number(&line.name, column)).collect();
        let best = theirs.iter().copied().fold(f64::INFINITY, f64::min);
        let worst = theirs.iter().copied().fold(0.0, f64::max);
        let percent = |run: &Run| {
            let (all, run) = (line.states.sample()?, run.sample()?);
            Some((100.0 * run.states as f64 / all.states as f64).round())
        };
        let shown = |run: &Run| percent(run).map_or("?".to_owned(), |percent| format!("{percent:.0}%"));
        let auto = &line.runs[0].1;
        let least = line.runs.iter().filter_map(|(_, run)| percent(run)).reduce(f64::min);
        let judgements = [percent(auto), least].map(|ours| match ours {
            None => "?",
            Some(ours) if ours <= best => "at most the best",
            Some(ours) if ours > worst => "ABOVE THE WORST",
            Some(_) => "between",
        });
        for (tally, judgement) in tallies.iter_mut().zip(judgements) {
            tally[0] += usize::from(judgement == "at most the best");
            tally[1] += usize::from(judgement == "ABOVE THE WORST");
        }
        let mut row = vec![line.name.clone(), line.states.show(|sample| grouped(sample.states))];
        row.extend(theirs.iter().map(|percent| format!("{percent}%")));
        row.extend([shown(auto), auto.show(|sample| format!("{:.2}", sample.seconds))]);
        row.extend(line.runs[1..].iter().map(|(_, run)| shown(run)));
        row.extend(judgements.map(str::to_owned));
        grid.add(row);
    }
    let told = |what: &str, [best, worse]: [usize; 2]| {
        let n = lines.len();
        format!("{what}: at most the best column on {best} of {n} models, above the worst on {worse}.\n")
    };
    format!("{grid}\n{}{}", told("Auto", tallies[0]), told("Our best", tallies[1]))
}
