//! Tables 1 and 2: a trail that a depth-first search finds, improved by directed and by uninformed searches.

use stubborn_reduce::Plan;
use stubborn_search::Guide;

use super::measure::{Bench, Found, Towards};
use super::paper::Paper;
use crate::grid::{Grid, versus};

/// The columns of the paper, with our figures.
pub(crate) fn tables(bench: &Bench<'_>, paper: &Paper, grids: &mut [Grid; 2]) -> Option<()> {
    let none = Plan::none();
    let first = bench.depth_first(&none)?;
    let known = first.moves.clone()?;
    let run = |guide, towards, same: bool| bench.run(guide, towards, same.then_some(&known[..]), &none);
    let (hamming, fsm) = (Towards::Hamming(&known), Towards::Fsm(&known));
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

/// A row of states and a row of lengths.
pub(crate) fn add<'a>(
    grid: &mut Grid,
    table: u32,
    bench: &Bench<'_>,
    paper: &Paper,
    columns: impl Iterator<Item = (&'a str, Option<Found>)>,
) {
    let name = &bench.subject.name;
    let mut rows = [vec![format!("{name} states")], vec![format!("{name} length")]];
    for (column, found) in columns {
        let states = found.as_ref().map_or("-".to_owned(), |found| {
            format!("{}{}", found.states, if found.is_finished { "" } else { "+" })
        });
        let length = found.and_then(|found| found.length());
        let length = length.map_or("-".to_owned(), |length| length.to_string());
        rows[0].push(versus(Some(paper.states(table, name, column).to_owned()), &states));
        rows[1].push(versus(Some(paper.length(table, name, column).to_owned()), &length));
    }
    rows.into_iter().for_each(|row| grid.add(row));
}
