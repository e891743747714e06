//! Small systems of BEEM: sizes, and every goal and property with a known answer, as they are decided where nobody names
//! a reduction. Counterexamples are no longer than BEEM's.
//!
//! Of the systems of table 5 of Laarman et al., however large, as little is left for deadlocks as in the best column of the
//! table, except where [`ABOVE_THE_BEST`] has it; never more than in the worst.
//!
//! `STUBBORN_DVE_STATES` says up to how many states; the program `beem` looks at all of them.

use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use stubborn_tests::beem::{Limits, System, systems};
use stubborn_tests::contest::Answer;
use stubborn_tests::environment::variable;
use stubborn_tests::suite::Suite;
use stubborn_tests::table::{self, Row};
use stubborn_tests::{say, workspace};

const LIMITS: Limits = Limits { time: Duration::from_secs(600), memory: 2 << 30 };

/// Systems of which more is left than in the best column; why is told in `src/tables/beem.rs`.
const ABOVE_THE_BEST: [&str; 16] = [
    "anderson.4",
    "at.1",
    "brp2.1",
    "exit.2",
    "extinction.2",
    "firewire_tree.1",
    "krebs.1",
    "lamport.1",
    "lamport.3",
    "mcs.1",
    "mcs.2",
    "mcs.4",
    "peterson.2",
    "protocols.3",
    "telephony.1",
    "telephony.2",
];

pub(crate) fn suite() -> Suite {
    let most: u64 = variable("STUBBORN_DVE_STATES").unwrap_or(20_000);
    let Some(systems) = systems() else {
        say::skipped("corpus_systems", "no corpus of DVE models");
        return Suite::of(Vec::new());
    };
    let mut trials = table_5(&systems);
    let small = systems.into_iter().filter(|system| system.n_states.is_some_and(|states| states <= most));
    for system in small.map(Arc::new) {
        trials.extend(of_system(&system));
    }
    Suite::of(trials)
}

fn table_5(systems: &[System]) -> Vec<Trial> {
    let path = workspace::file("src/tables/paper/table5.tsv");
    let rows = table::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let trial = |row: Row| {
        let name = table::text(&row, "model").to_owned();
        let system = systems.iter().find(|system| system.name == name).cloned();
        Trial::test(format!("{name} reduced"), move || {
            let ours = system.ok_or("there is no such system")?.reduced(LIMITS)?;
            let theirs: Vec<u64> = row.keys().filter_map(|column| table::number(&row, column)).collect();
            let is_excepted = ABOVE_THE_BEST.contains(&&*name);
            let most = if is_excepted { theirs.iter().max() } else { theirs.iter().min() };
            let most = *most.ok_or("the row is empty")?;
            match ours <= most {
                true => Ok(()),
                false => Err(Failed::from(format!("{ours} per cent is more than {most}"))),
            }
        })
    };
    rows.into_iter().map(trial).collect()
}

fn of_system(system: &Arc<System>) -> Vec<Trial> {
    let judge = |(answer, told): (Answer, String)| match answer {
        Answer::Right => Ok(()),
        Answer::Wrong | Answer::Incomplete => Err(Failed::from(told)),
    };
    let own = system.clone();
    let mut trials = vec![Trial::test(system.name.clone(), move || judge(own.explore(LIMITS)))];
    for (i, question) in system.questions.iter().enumerate() {
        let own = system.clone();
        let name = format!("{} {}", system.name, question.number);
        trials.push(Trial::test(name, move || {
            own.decide(&own.questions[i], &LIMITS.config()).map_or(Ok(()), judge)
        }));
    }
    trials
}
