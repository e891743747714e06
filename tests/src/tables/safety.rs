//! What preserving assertions costs beyond preserving deadlocks.

use stubborn_check::Purpose;
use stubborn_ide::lenses::grouped;
use stubborn_reduce::Proviso;

use super::grid::Grid;
use super::measure::{Run, Sample};
use super::study::Study;
use super::subjects::{SUBJECTS, Subject, Target};

/// More than this many times the states for deadlocks is marked.
const DEAR: f64 = 1.5;

/// States with assertions preserved, beside those with deadlocks preserved.
pub(crate) fn table(studies: &[Study]) -> String {
    let header = [
        "model",
        "failing assertions",
        "deadlocks only",
        "safe-flags",
        "ratio",
        "stack",
        "ratio",
        "scc",
        "ratio",
    ];
    let mut grid = Grid::new(header.into_iter().chain(["best", "by", "target", "beam + safe-flags", "best"]));
    for study in studies {
        let states = |run: Option<&Run>| run.map_or("-".into(), |run| run.show(|s| grouped(s.states)));
        let beam = |proviso: Proviso| study.run("stubborn:beam", proviso);
        let base = beam(Proviso::None);
        let failing = study.unreduced.show(|sample| sample.failed.len().to_string());
        let mut row = vec![study.subject.name.to_owned(), failing, states(base)];
        for proviso in [Proviso::SafeFlags, Proviso::Stack, Proviso::Scc] {
            row.extend([states(beam(proviso)), ratio(beam(proviso), base)]);
        }
        let best = study.best(Purpose::Safety);
        row.push(best.as_ref().map_or("?".into(), |(_, sample)| grouped(sample.states)));
        row.push(best.as_ref().map_or("?".into(), |(by, _)| by.clone()));
        match target(study.subject) {
            Some(target) => {
                let samples =
                    [beam(Proviso::SafeFlags).and_then(Run::sample), best.map(|(_, sample)| sample)];
                row.push(target.to_string());
                row.extend(samples.map(|sample| reached(target, sample).to_owned()));
            }
            None => row.extend(["", "", ""].map(String::from)),
        }
        grid.add(row);
    }
    grid.to_string()
}

fn ratio(run: Option<&Run>, base: Option<&Run>) -> String {
    let states = |run: Option<&Run>| Some(run?.sample()?.states as f64);
    match states(run).zip(states(base)) {
        Some((reduced, base)) => {
            let ratio = reduced / base;
            format!("{ratio:.2}{}", if ratio > DEAR { " !" } else { "" })
        }
        None => "?".into(),
    }
}

/// The targets of table 6 are for deadlocks: they do not count here.
fn target(subject: &Subject) -> Option<Target> {
    let is_of_table_6 = SUBJECTS.iter().any(|other| other.name == subject.name);
    (!is_of_table_6).then_some(subject.target)
}

fn reached(target: Target, sample: Option<&Sample>) -> &'static str {
    match sample.and_then(|sample| target.is_reached(sample.states, None)) {
        Some(true) => "yes",
        Some(false) => "NO",
        None => "?",
    }
}
