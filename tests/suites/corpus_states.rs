//! As many states as SPIN stores, for every model of the corpus that SPIN could finish; and the same
//! answer to whether there are errors. `STUBBORN_LARGE=1` adds the models that take longer than CI has.

use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use stubborn_tests::binary;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::exceptions::Exceptions;
use stubborn_tests::say;
use stubborn_tests::suite::Suite;
use stubborn_tests::table::{self, Row};

/// Models that take SPIN longer than the table's runs had, with the states it stores when it has the time.
const LARGE: &[(&str, u64)] = &[
    ("twente/brp/brp.prm", 3_280_269),
    ("twente/Tests/peterson4", 12_645_068),
    ("twente/i-protocol/code/spin/i0", 9_798_465),
    ("twente/i-protocol/code/spin/i2", 14_309_427),
    ("twente/phils/philo.pml", 1_640_881),
    ("twente/Tests/sort", 659_683),
];

pub(crate) fn suite() -> Suite {
    let corpus = match Corpus::find() {
        Ok(corpus) => Arc::new(corpus),
        Err(why) => {
            say::skipped("corpus_states", &why);
            return Suite::of(Vec::new());
        }
    };
    let exceptions = Arc::new(Exceptions::of("corpus_states"));
    let rows: Vec<&Row> = corpus.rows().iter().filter(|row| table::text(row, "raw_st") == "ok").collect();
    let names: Vec<String> = rows.iter().map(|row| table::text(row, "path").to_string()).collect();
    let mut trials = Vec::new();
    for row in rows {
        let (corpus, exceptions, row) = (corpus.clone(), exceptions.clone(), row.clone());
        let name = table::text(&row, "path").to_string();
        trials.push(Trial::test(name.clone(), move || {
            exceptions.judge(&name, agree(&corpus, &name, &row)).map_err(Failed::from)
        }));
    }
    trials.push(Trial::test("exceptions are few and have reasons", move || Ok(exceptions.check(&names)?)));
    let is_large = std::env::var_os("STUBBORN_LARGE").is_some_and(|value| value == "1");
    if !is_large {
        say::note(&format!("STUBBORN_LARGE=1 adds {} models that take long", LARGE.len()));
    }
    for &(name, states) in LARGE.iter().filter(|_| is_large) {
        let corpus = corpus.clone();
        trials
            .push(Trial::test(format!("large: {name}"), move || Ok(agree_on_states(&corpus, name, states)?)));
    }
    Suite::of(trials)
}

fn agree(corpus: &Corpus, name: &str, row: &Row) -> Result<(), String> {
    let ours = binary::explore(&corpus.path(name), "dfs", &["--time", "300s", "--memory", "6G"])?;
    let expected = |column: &str| table::number(row, column).ok_or_else(|| format!("no number in {column}"));
    let mut wrong = Vec::new();
    let mut compare = |what: &str, theirs: u64, ours: u64| {
        if theirs != ours {
            wrong.push(format!("{what}: spin {theirs}, stubborn {ours}"));
        }
    };
    compare("states", expected("raw_stored")?, ours.states);
    compare("transitions", expected("raw_trans")?.saturating_sub(1), ours.transitions);
    let has_errors = ours.deadlocks + ours.failed_assertions + ours.runtime_errors > 0;
    compare("errors?", (expected("raw_errors")? > 0).into(), has_errors.into());
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}

fn agree_on_states(corpus: &Corpus, name: &str, states: u64) -> Result<(), String> {
    let ours = binary::explore(&corpus.path(name), "bfs", &["--time", "3600s", "--memory", "10G"])?;
    if ours.states == states {
        Ok(())
    } else {
        Err(format!("states: spin {states}, stubborn {}", ours.states))
    }
}
