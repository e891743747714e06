//! The models that are shipped with the project: for those in Promela the numbers in `models/promela/expected.tsv`,
//! breadth-first and depth-first, by one thread and by several, and where there is a SPIN, that it says the same, but for the exceptions; for those
//! in other languages the numbers in `models/expected.tsv`, counted by hand, and which of their properties are violated.

use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use stubborn_languages::{Belonging, language_of};
use stubborn_tests::binary;
use stubborn_tests::exceptions::Exceptions;
use stubborn_tests::say;
use stubborn_tests::spin::{Exploration, Options, Oracle, Outcome};
use stubborn_tests::suite::Suite;
use stubborn_tests::table::{self, Row};
use stubborn_tests::workspace;

/// Orders, and how many threads search in them.
const SEARCHES: [(&str, &str); 5] = [("bfs", "1"), ("bfs", "3"), ("dfs", "1"), ("dfs", "2"), ("dfs", "3")];

pub(crate) fn suite() -> Suite {
    let rows = table::read(&workspace::model("expected.tsv")).expect("the table is shipped with the models");
    let has_oracle = stubborn_tests::spin::is_available();
    if !has_oracle {
        say::skipped("own_models against the oracle", "spin and gcc are needed");
    }
    let mut trials = Vec::new();
    for row in rows {
        let name = table::text(&row, "path").to_string();
        for (order, threads) in SEARCHES {
            let row = row.clone();
            let path = workspace::model(table::text(&row, "path"));
            let title = format!("{name} {order}, {threads} threads");
            trials.push(Trial::test(title, move || Ok(numbers(&row, &path, order, threads)?)));
        }
        if has_oracle {
            let judged =
                move || Ok(Exceptions::of("own_models").judge(table::text(&row, "path"), theirs(&row))?);
            trials.push(Trial::test(format!("{name} spin"), judged));
        }
    }
    let rows = table::read(&workspace::file("models/expected.tsv")).expect("it is shipped, too");
    let told: Vec<PathBuf> = rows.iter().map(path_of).collect();
    trials.push(Trial::test("all models of other languages are in the table", move || {
        let is_promela = |path: &Path| language_of(path).name == "promela";
        let is_part = |path: &Path| language_of(path).belonging(path) != Belonging::ToNone;
        let mut models = workspace::models();
        models.retain(|path| !is_promela(path) && !is_part(path) && !told.contains(path));
        if models.is_empty() { Ok(()) } else { Err(format!("{models:?} are not").into()) }
    }));
    for row in rows {
        let name = table::text(&row, "path").to_string();
        trials.push(Trial::test(name, move || {
            let path = path_of(&row);
            SEARCHES.into_iter().try_for_each(|(order, threads)| numbers(&row, &path, order, threads))?;
            Ok(violations(&row)?)
        }));
    }
    Suite::of(trials)
}

/// A model of any language.
fn path_of(row: &Row) -> PathBuf {
    workspace::file("models").join(table::text(row, "path"))
}

/// Exactly the properties that should be violated are, with every search for cycles.
fn violations(row: &Row) -> Result<(), String> {
    let expected = table::text(row, "violated");
    for cycles in ["scc", "nested"] {
        let violated = binary::violated(&path_of(row), &["--cycles", cycles])?.join(", ");
        if violated != expected {
            return Err(format!("{cycles}: expected {expected:?} to be violated, found {violated:?}"));
        }
    }
    Ok(())
}

fn numbers(row: &Row, path: &Path, order: &str, threads: &str) -> Result<(), String> {
    let explored = binary::explore(path, order, &["--threads", threads])?;
    let verdict = if explored.failed_assertions > 0 { "violated" } else { "holds" };
    compare(row, explored.states, explored.transitions, explored.deadlocks, verdict)
}

fn theirs(row: &Row) -> Result<(), String> {
    let options = Options::small();
    let path = workspace::model(table::text(row, "path"));
    let oracle = Oracle::from_file(&path, &options).map_err(|error| error.to_string())?;
    let outcome = oracle.map_err(|outcome| format!("{outcome:?}"))?.explore(&options);
    let Ok(Outcome::Explored(e)) = outcome else { return Err(format!("{outcome:?}")) };
    let verdict = if Exploration::has_failed_assertion(&e) { "violated" } else { "holds" };
    let deadlocks =
        e.invalid_ends().ok_or("errors of several kinds, which SPIN's verifier does not count apart")?;
    compare(row, e.stored, e.transitions - 1, deadlocks, verdict)
}

fn compare(row: &Row, states: u64, transitions: u64, deadlocks: u64, assertion: &str) -> Result<(), String> {
    let seen = [("states", states), ("transitions", transitions), ("deadlocks", deadlocks)];
    for (column, value) in seen {
        let expected = table::number(row, column);
        if expected != Some(value) {
            return Err(format!("{column}: expected {expected:?}, found {value}"));
        }
    }
    let expected = table::text(row, "assertion");
    if expected == assertion {
        Ok(())
    } else {
        Err(format!("assertion: expected {expected}, found {assertion}"))
    }
}
