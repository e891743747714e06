//! Tables 1 and 2: a trail that a depth-first search finds, improved by directed and by uninformed searches.

use stubborn_reduce::Plan;
use stubborn_search::Guide;

use super::measure::{Bench, End, Found, Towards};
use super::paper::Paper;
use crate::grid::{Grid, versus};

/// The columns of the paper, with our figures.
pub(crate) fn tables(bench: &Bench<'_>, paper: &Paper, grids: &mut [Grid; 2]) -> Option<()> {
    let none = Plan::none();
    let first = bench.depth_first(&none)?;
    let known = first.moves.clone()?;
    let run = |guide, towards, same: bool| bench.run(guide, towards, same.then_some(End::of(&known)), &none);
    let (hamming, fsm) = (Towards::Hamming(End::of(&known)), Towards::Fsm(End::of(&known)));
    let directed = [
        ("f, H_d", run(Guide::AStar, hamming, false)),
        ("f, H_m", run(Guide::AStar, fsm, false)),
        ("f_e, H_d", run(Guide::AStar, hamming, true)),
        ("f_e, H_m", run(Guide::AStar, fsm, true)),
    ];
    let uninformed = [
        ("IDFS, f", run(Guide::Idfs, Towards::Nothing, false)),
        ("ADFS, f", run(Guide::Adfs, Towards::Nothing, false)),
        ("IDFS, f_e", run(Guide::Idfs, Towards::Nothing, true)),
        ("ADFS, f_e", run(Guide::Adfs, Towards::Nothing, true)),
    ];
    let columns = std::iter::once(("DFS", Some(first))).chain(directed);
    add(&mut grids[0], 1, bench, paper, columns);
    add(&mut grids[1], 2, bench, paper, uninformed.into_iter());
    Some(())
}

/// A row each of states, lengths, mebibytes and seconds.
pub(crate) fn add<'a>(
    grid: &mut Grid,
    table: u32,
    bench: &Bench<'_>,
    paper: &Paper,
    columns: impl Iterator<Item = (&'a str, Option<Found>)>,
) {
    let name = &bench.subject.name;
    let labels = [("states", "states"), ("length", "length"), ("MB", "memory"), ("s", "time")];
    let mut rows = labels.map(|(label, _)| vec![format!("{name} {label}")]);
    for (column, found) in columns {
        let ours = found.map_or(["-"; 4].map(str::to_owned), |found| {
            let unfinished = if found.is_finished { "" } else { "+" };
            [
                format!("{}{unfinished}", found.states),
                found.told_length(),
                found.bytes.map_or("-".to_owned(), |bytes| format!("{:.1}", bytes as f64 / 1048576.0)),
                format!("{:.1}", found.time.as_secs_f64()),
            ]
        });
        for (row, ((_, what), ours)) in rows.iter_mut().zip(labels.iter().zip(ours)) {
            row.push(versus(Some(paper.cell(table, name, column, what).to_owned()), &ours));
        }
    }
    rows.into_iter().for_each(|row| grid.add(row));
}
