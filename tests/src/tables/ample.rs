//! Table 6, all our reductions beside it, what is to be reached, and what reducing costs.

use stubborn_check::Purpose;
use stubborn_ide::lenses::grouped;
use stubborn_reduce::Proviso;

use super::grid::{Grid, versus};
use super::measure::{Run, Sample};
use super::pan;
use super::paper::Paper;
use super::strong::speed;
use super::study::{REDUCTIONS, Study, title};

/// Table 6: LTSmin's guard-based reduction and SPIN's ample sets beside our stubborn and ample sets. Each
/// cell has states, transitions and seconds.
pub(crate) fn table_6(studies: &[Study], paper: &Paper) -> String {
    let header =
        ["model", "states", "transitions", "none: LTSmin s", "SPIN s", "our s", "LTSmin", "ours, auto"];
    let mut grid = Grid::new(header.into_iter().chain(["SPIN", "pan here", "ours, ample"]));
    for study in studies {
        let name = study.subject.name;
        let published = |column: &str| paper.table_6.cell(name, column).map(String::from);
        let count = |column: &str| paper.table_6.number(name, column).map(|number| grouped(number as u64));
        let text = |column: &str| published(column).unwrap_or_else(|| "n/a".into());
        let theirs = |kind: &str| {
            let [states, transitions, seconds] =
                ["states", "transitions", "s"].map(|part| text(&format!("{kind} {part}")));
            format!("{states} {transitions} {seconds}")
        };
        let ours =
            |run: &Run| run.show(|sample| parts(study, sample.states, sample.transitions, sample.seconds));
        let pan = match &study.pan {
            None => "-".into(),
            Some(Ok(found)) => parts(study, found.stored, found.transitions - 1, found.seconds),
            Some(Err(why)) => why.clone(),
        };
        grid.add(vec![
            name.into(),
            versus(count("states"), &study.unreduced.show(|sample| grouped(sample.states))),
            versus(count("transitions"), &study.unreduced.show(|sample| grouped(sample.transitions))),
            text("ltsmin s"),
            text("spin s"),
            study.unreduced.show(|sample| format!("{:.1}", sample.seconds)),
            theirs("guard"),
            ours(study.automatic()),
            theirs("ample"),
            pan,
            study.run("ample", Proviso::None).map_or("-".into(), ours),
        ]);
    }
    grid.to_string()
}

/// Percent of the states, percent of the transitions, seconds; whole numbers where there is next to nothing.
fn parts(study: &Study, states: u64, transitions: u64, seconds: f64) -> String {
    let all = study.unreduced.sample().map(|sample| sample.transitions);
    match (study.all_states(), all) {
        (Some(all_states), Some(all)) if states * 1000 > all_states => {
            let percent = |part: u64, all: u64| 100.0 * part as f64 / all as f64;
            format!("{:.1}% {:.1}% {seconds:.1}", percent(states, all_states), percent(transitions, all))
        }
        _ => format!("{} {} {seconds:.1}", grouped(states), grouped(transitions)),
    }
}

/// What is to be reached, our best, and what is used where no reduction is named.
pub(crate) fn targets(studies: &[Study]) -> String {
    let header =
        ["model", "target", "best %", "best states", "by", "auto %", "auto states", "auto is", "deadlocks"];
    let mut grid = Grid::new(header.into_iter().chain(["best reaches it", "auto reaches it"]));
    for study in studies {
        let is_reached = |sample: Option<&Sample>| {
            let states = sample.map(|sample| sample.states);
            match states.and_then(|states| study.subject.target.is_reached(states, study.all_states())) {
                Some(true) => "yes".to_owned(),
                Some(false) => "NO".to_owned(),
                None => "?".to_owned(),
            }
        };
        let best = study.best(Purpose::Deadlocks);
        let sample = best.as_ref().map(|(_, sample)| *sample);
        let auto = study.automatic();
        let share = |sample: &Sample| study.percent(sample.states);
        let states = |sample: &Sample| grouped(sample.states);
        grid.add(vec![
            study.subject.name.into(),
            study.subject.target.to_string(),
            sample.map_or("?".into(), share),
            sample.map_or("?".into(), states),
            best.as_ref().map_or("?".into(), |(by, _)| by.clone()),
            auto.show(share),
            auto.show(states),
            title(&study.auto),
            auto.show(|sample| grouped(sample.deadlocks)),
            is_reached(sample),
            is_reached(auto.sample()),
        ]);
    }
    grid.to_string()
}

/// Percent of the states under each of our reductions.
pub(crate) fn all_reductions(studies: &[Study]) -> String {
    let mut grid = Grid::new(["model"].into_iter().chain(REDUCTIONS.iter().copied()));
    for study in studies {
        let cells = REDUCTIONS.iter().map(|reduction| {
            let run = study.run(reduction, Proviso::None);
            run.map_or("-".into(), |run| run.show(|sample| study.percent(sample.states)))
        });
        grid.add(std::iter::once(study.subject.name.to_owned()).chain(cells).collect());
    }
    grid.to_string()
}

/// States per second, and that as a part of what there are without reduction.
pub(crate) fn speeds(studies: &[Study], paper: &Paper) -> String {
    let kinds = [
        "stubborn:beam",
        "stubborn:deletion",
        "stubborn:closure",
        "ample",
        "two-phase:dfs2",
        "two-phase:dfs3",
    ];
    let header =
        ["model", "none"].into_iter().chain(kinds).chain(["LTSmin, none", "LTSmin, beam", "pan here"]);
    let mut grid = Grid::new(header);
    for study in studies {
        let name = study.subject.name;
        let base = study.unreduced.sample().and_then(Sample::speed);
        let with_ratio = |sample: &Sample| match (sample.speed(), base) {
            (Some(reduced), Some(base)) => format!("{} ({:.2})", grouped(reduced as u64), reduced / base),
            _ => speed(sample),
        };
        let mut row = vec![name.to_owned(), study.unreduced.show(speed)];
        row.extend(
            kinds
                .iter()
                .map(|kind| study.run(kind, Proviso::None).map_or("-".into(), |run| run.show(with_ratio))),
        );
        row.extend(ltsmin_speeds(name, paper));
        row.push(match &study.pan {
            Some(Ok(found)) if found.seconds >= pan::LONG => {
                grouped((found.stored as f64 / found.seconds) as u64)
            }
            _ => "n/a".into(),
        });
        grid.add(row);
    }
    grid.to_string()
}

/// LTSmin's speed without reduction and with beam search, and the ratio of the two.
fn ltsmin_speeds(model: &str, paper: &Paper) -> [String; 2] {
    let base = paper.unreduced_speed(model);
    let reduced = paper.speed.number(model, "stubborn:beam");
    let shown = match (reduced, base) {
        (Some(reduced), Some(base)) => format!("{} ({:.2})", grouped(reduced as u64), reduced / base),
        (Some(reduced), None) => grouped(reduced as u64),
        (None, _) => "n/a".into(),
    };
    [base.map_or("n/a".into(), |base| grouped(base as u64)), shown]
}
