//! Random models: every reduction, proviso and search order finds what the whole state graph has.
//!
//! `STUBBORN_REDUCE_SEEDS` says how many models, `STUBBORN_REDUCE_START` the first.

use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use stubborn_tests::environment::variable;
use stubborn_tests::generate::{Budget, generate, shrink, tangle};
use stubborn_tests::reductions::{Tally, compare, features};
use stubborn_tests::{say, table, workspace};

const BATCH: u64 = 20;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(arguments.test_threads.unwrap_or(2));
    let seeds = variable("STUBBORN_REDUCE_SEEDS").unwrap_or(160);
    let start = variable("STUBBORN_REDUCE_START").unwrap_or(0);
    let tally = Arc::new(Mutex::new(Tally::default()));
    let mut trials = Vec::new();
    for first in (start..start + seeds).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + seeds);
        let tally = tally.clone();
        trials.push(Trial::test(format!("seeds {first}..{last}"), move || batch(first, last, &tally)));
    }
    let rows = table::read(&workspace::model("expected.tsv")).expect("the table is shipped with the models");
    for row in rows {
        let name = table::text(&row, "path").to_string();
        trials.push(Trial::test(name.clone(), move || own_model(&name)));
    }
    let (is_listing, n_filtered) = (arguments.list, arguments.filter.is_some());
    let conclusion = libtest_mimic::run(&arguments, trials);
    if is_listing || n_filtered || conclusion.has_failed() {
        return conclusion.exit_code();
    }
    report(&tally.lock().expect("no trial panics while it counts"))
}

/// The run must have looked at what can go wrong.
fn report(tally: &Tally) -> ExitCode {
    let percent = |n: u64| n * 100 / tally.cases.max(1);
    let (violated, reduced, cyclic) =
        (percent(tally.violated), percent(tally.reduced), percent(tally.cyclic));
    say::note(&format!(
        "reductions: {} cases, {violated}% violated, {reduced}% reduced, {cyclic}% with cycles",
        tally.cases
    ));
    if violated < 30 || reduced < 50 || cyclic < 50 {
        say::note("reductions: at least 30% violated, 50% reduced and 50% with cycles are asked for");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// A model that is shipped, some of them for what once went wrong; if it is not too large.
fn own_model(name: &str) -> Result<(), Failed> {
    let text = std::fs::read_to_string(workspace::model(name)).map_err(|error| error.to_string())?;
    for seed in 0..2 {
        compare(&text, seed, None, |_, _| true)?;
    }
    Ok(())
}

fn batch(first: u64, last: u64, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut failures = Vec::new();
    for seed in first..last {
        let tangled = tangle(seed);
        match compare(&tangled, seed, None, |_, _| true) {
            Ok(found) => {
                tally.lock().expect("no trial panics while it counts").add(&found.unwrap_or_default())
            }
            Err(why) => failures.push(format!("tangle {seed}: {why}\n{tangled}")),
        }
        let model = generate(seed, features());
        match compare(&model.render(), seed, None, |_, _| true) {
            Ok(found) => {
                if let Some(found) = found {
                    tally.lock().expect("no trial panics while it counts").add(&found);
                }
            }
            Err(why) => {
                let fails = |text: &str| compare(text, seed, None, |_, _| true).is_err();
                let budget = Budget { attempts: 3000, time: Duration::from_secs(60) };
                let small =
                    if failures.is_empty() { shrink(model, budget, fails).render() } else { String::new() };
                let now = compare(&small, seed, None, |_, _| true).err();
                failures.push(format!("seed {seed}: {why}\nnow {}\n{small}", now.unwrap_or_default()));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}
