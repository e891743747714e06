//! Tables 2, 3 and 4: kinds of stubborn sets, LTSmin's figure and ours in each cell.

use stubborn_ide::lenses::grouped;
use stubborn_reduce::Proviso;

use super::grid::{Grid, versus};
use super::measure::Sample;
use super::paper::{Paper, Published};
use super::study::Study;

/// Table 2: deletion, beam and closure, and what heuristics do.
pub(crate) fn table_2(studies: &[Study], paper: &Paper) -> String {
    let columns = [
        "stubborn:deletion",
        "stubborn:beam",
        "stubborn:closure",
        "beam, no heuristics",
        "closure, no heuristics",
    ];
    states_and_speed(studies, paper, &columns)
}

/// Table 4: strong and weak, with and without necessary disabling sets.
pub(crate) fn table_4(studies: &[Study], paper: &Paper) -> String {
    let columns = [
        "stubborn:deletion",
        "stubborn:beam",
        "stubborn:deletion-nds",
        "stubborn:beam-nds",
        "stubborn:deletion+weak",
        "stubborn:beam+weak",
    ];
    states_and_speed(studies, paper, &columns)
}

/// Table 3: transitions per state.
pub(crate) fn table_3(studies: &[Study], paper: &Paper) -> String {
    let columns = [
        "none",
        "stubborn:deletion",
        "stubborn:beam",
        "stubborn:closure",
        "beam, no heuristics",
        "closure, no heuristics",
        "stubborn:deletion+weak",
        "stubborn:beam+weak",
        "stubborn:deletion-nds",
        "stubborn:beam-nds",
    ];
    let mut grid = Grid::new(["model"].into_iter().chain(columns));
    for study in studies.iter().filter(|study| paper.branching.cell(study.subject.name, "none").is_some()) {
        let show = |sample: &Sample| format!("{:.2}", sample.branching());
        let cells = columns.iter().map(|column| cell(study, &paper.branching, column, show));
        grid.add(std::iter::once(study.subject.name.to_owned()).chain(cells).collect());
    }
    grid.to_string()
}

fn states_and_speed(studies: &[Study], paper: &Paper, columns: &[&str]) -> String {
    let speeds = columns.iter().map(|column| format!("{column} st/s"));
    let percents = columns.iter().map(|column| format!("{column} %"));
    let fixed = ["model", "states", "unreduced st/s"].map(String::from);
    let mut shares = Grid::new(fixed[..2].iter().cloned().chain(percents));
    let mut rates = Grid::new([&fixed[0], &fixed[2]].into_iter().cloned().chain(speeds));
    for study in studies {
        let name = study.subject.name;
        let Some(theirs) = paper.states.number(name, "none") else { continue };
        let ours = study.unreduced.show(|sample| grouped(sample.states));
        let mut share = vec![name.to_owned(), versus(Some(grouped(theirs as u64)), &ours)];
        let percent = |sample: &Sample| study.percent(sample.states);
        share.extend(columns.iter().map(|column| cell(study, &paper.states, column, percent)));
        shares.add(share);
        let rate = paper.unreduced_speed(name).map(|speed| grouped(speed as u64));
        let mut rates_row = vec![name.to_owned(), versus(rate, &study.unreduced.show(speed))];
        rates_row.extend(columns.iter().map(|column| cell(study, &paper.speed, column, speed)));
        rates.add(rates_row);
    }
    format!("{shares}\n{rates}")
}

/// States per second.
pub(crate) fn speed(sample: &Sample) -> String {
    sample.speed().map_or("n/a".into(), |speed| grouped(speed as u64))
}

/// LTSmin's figure and ours; LTSmin's alone if we have nothing of the kind.
fn cell(study: &Study, published: &Published, column: &str, show: impl Fn(&Sample) -> String) -> String {
    let theirs = published.cell(study.subject.name, column);
    let theirs = theirs.map(|text| text.parse().map_or(text.to_owned(), grouped));
    match study.run(column, Proviso::None) {
        Some(run) => versus(theirs, &run.show(show)),
        None => theirs.unwrap_or_else(|| "n/a".into()),
    }
}
