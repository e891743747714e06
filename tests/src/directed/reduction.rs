//! Tables 4 to 7: directed search with partial-order reduction, and what is left out of trails afterwards.

use stubborn_reduce::{Plan, Proviso};
use stubborn_search::Guide;
use stubborn_trail::without_irrelevant;

use super::measure::{Bench, End, Found, Towards};
use super::paper::Paper;
use super::safety::add;
use super::subjects::Wrong;
use crate::grid::{Grid, versus};

/// Table 4: A* without reduction, and with two provisos; C3_0 is none, which may miss what is wrong.
pub(crate) fn table_4(bench: &Bench<'_>, paper: &Paper, grid: &mut Grid) -> Option<()> {
    let known = bench.depth_first(&Plan::none())?.moves?;
    let towards = towards(bench, &known);
    let run = |plan| bench.run(Guide::AStar, towards, None, &plan);
    let columns = [
        ("no", run(Plan::none())),
        ("C3_0", run(bench.plan(Proviso::None))),
        ("duplicate", run(bench.plan(Proviso::Duplicate))),
        ("sticky", run(bench.plan(Proviso::Sticky))),
    ];
    add(grid, 4, bench, paper, columns.into_iter());
    Some(())
}

/// The paper's choice, but for the formula of an invariant: there, the way to a known state.
fn towards<'a>(bench: &Bench<'_>, known: &'a [stubborn_ir::Move]) -> Towards<'a> {
    match bench.subject.wrong {
        Wrong::Deadlock if bench.subject.name.starts_with("marriers") => Towards::Hamming(End::of(known)),
        Wrong::Deadlock | Wrong::Assertion => Towards::Property,
        Wrong::Invariant | Wrong::Run => Towards::Fsm(End::of(known)),
    }
}

/// Table 5: by which factor states become fewer, by the heuristic and by the reduction, each with and without the
/// other.
pub(crate) fn table_5(bench: &Bench<'_>, paper: &Paper, grid: &mut Grid) -> Option<()> {
    let known = bench.depth_first(&Plan::none())?.moves?;
    let towards = towards(bench, &known);
    let states =
        |towards, plan| bench.run(Guide::AStar, towards, None, &plan).filter(|found| found.moves.is_some());
    let sticky = || bench.plan(Proviso::Sticky);
    let neither = states(Towards::Nothing, Plan::none());
    let heuristic = states(towards, Plan::none());
    let reduction = states(Towards::Nothing, sticky());
    let both = states(towards, sticky());
    let factor = |without: &Option<Found>, with: &Option<Found>| match (without, with) {
        (Some(without), Some(with)) => format!("{:.1}", without.states as f64 / with.states as f64),
        _ => "-".to_owned(),
    };
    let ours = [
        ("H N", factor(&neither, &heuristic)),
        ("H C", factor(&reduction, &both)),
        ("PO N", factor(&neither, &reduction)),
        ("PO C", factor(&heuristic, &both)),
        ("H+PO", factor(&neither, &both)),
    ];
    let name = &bench.subject.name;
    let cell = |(column, ours): (&str, String)| {
        versus(Some(paper.cell(5, name, column, "states").to_owned()), &ours)
    };
    grid.add(std::iter::once(name.clone()).chain(ours.map(cell)).collect());
    Some(())
}

/// Table 6: lengths before and after what is irrelevant is left out, and the shortest.
pub(crate) fn table_6(bench: &Bench<'_>, paper: &Paper, grid: &mut Grid) -> Option<()> {
    let name = &bench.subject.name;
    let depth_first = bench.depth_first(&bench.plan(Proviso::Duplicate))?;
    let known = depth_first.moves.clone()?;
    let run = |plan| bench.run(Guide::AStar, Towards::Fsm(End::of(&known)), None, &plan);
    let found = [
        ("stack", Some(depth_first)),
        ("duplicate", run(bench.plan(Proviso::Duplicate))),
        ("sticky", run(bench.plan(Proviso::Sticky))),
    ];
    let mut row = vec![name.clone()];
    for (column, found) in found {
        let ours = found.and_then(|found| improved(bench, found)).unwrap_or("-".to_owned());
        row.push(versus(Some(paper.cell(6, name, column, "length").to_owned()), &ours));
    }
    let shortest = bench.run(Guide::AStar, Towards::Nothing, None, &Plan::none());
    let shortest = shortest.filter(|found| found.is_finished).and_then(|found| found.length());
    let ours = shortest.map_or("-".to_owned(), |length| length.to_string());
    row.push(versus(Some(paper.cell(6, name, "opt.", "length").to_owned()), &ours));
    grid.add(row);
    Some(())
}

fn improved(bench: &Bench<'_>, found: Found) -> Option<String> {
    let before = found.length()?;
    let after = without_irrelevant(bench.model, found.moves?, found.violation?, &mut || true).len();
    Some(format!("{before} {after}"))
}

/// Table 7: A* to the very state that a depth-first search with reduction found.
pub(crate) fn table_7(bench: &Bench<'_>, paper: &Paper, grid: &mut Grid) -> Option<()> {
    let plan = bench.plan(Proviso::Duplicate);
    let first = bench.depth_first(&plan)?;
    let known = first.moves.clone()?;
    let run = |plan| bench.run(Guide::AStar, Towards::Fsm(End::of(&known)), Some(End::of(&known)), plan);
    let columns = [("A*+PO", run(&plan)), ("A*", run(&Plan::none()))];
    add(grid, 7, bench, paper, std::iter::once(("DFS+PO", Some(first))).chain(columns));
    Some(())
}
