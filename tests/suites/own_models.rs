//! The models that are shipped with the project: the numbers in `models/promela/expected.tsv`,
//! breadth-first and depth-first, and where there is a SPIN, that it says the same, but for the exceptions.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use stubborn_tests::binary;
use stubborn_tests::exceptions::Exceptions;
use stubborn_tests::say;
use stubborn_tests::spin::{Exploration, Options, Oracle, Outcome};
use stubborn_tests::table::{self, Row};
use stubborn_tests::workspace;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let rows = table::read(&workspace::model("expected.tsv")).expect("the table is shipped with the models");
    let has_oracle = stubborn_tests::spin::is_available();
    if !has_oracle {
        say::skipped("own_models against the oracle", "spin and gcc are needed");
    }
    let mut trials = Vec::new();
    for row in rows {
        let name = table::text(&row, "path").to_string();
        for search in ["bfs", "dfs"] {
            let row = row.clone();
            trials.push(Trial::test(format!("{name} {search}"), move || Ok(ours(&row, search)?)));
        }
        if has_oracle {
            let judged =
                move || Ok(Exceptions::of("own_models").judge(table::text(&row, "path"), theirs(&row))?);
            trials.push(Trial::test(format!("{name} spin"), judged));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn ours(row: &Row, search: &str) -> Result<(), String> {
    let explored = binary::explore(&workspace::model(table::text(row, "path")), search, &[])?;
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
