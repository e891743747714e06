//! Random models and random formulas: every reduction, proviso, order and search for cycles decides as the
//! whole product does, and every counterexample replays.
//!
//! `STUBBORN_RUN_SEEDS` says how many models, `STUBBORN_RUN_START` the first.

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use stubborn_promela::load;
use stubborn_reduce::obstacle;
use stubborn_tests::environment::variable;
use stubborn_tests::generate::{Budget, generate, shrink, tangle};
use stubborn_tests::reductions::{NoFiles, features};
use stubborn_tests::runs::{Tally, compare, compare_own};
use stubborn_tests::{say, table, workspace};

const BATCH: u64 = 20;
/// Larger state graphs are left alone.
const MAX_STATES: usize = 400;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(arguments.test_threads.unwrap_or(2));
    let seeds = variable("STUBBORN_RUN_SEEDS").unwrap_or(160);
    let start = variable("STUBBORN_RUN_START").unwrap_or(0);
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
    let is_partial = arguments.list || arguments.filter.is_some();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if is_partial || conclusion.has_failed() {
        return conclusion.exit_code();
    }
    report(&tally.lock().expect("no trial panics while it counts"))
}

/// The run must have looked at what can go wrong.
fn report(tally: &Tally) -> ExitCode {
    let percent = |n: u64, of: u64| n * 100 / of.max(1);
    let violated = percent(tally.violated, tally.cases);
    let reduced = percent(tally.reduced, tally.reducible);
    let live = percent(tally.live, tally.cases);
    say::note(&format!(
        "runs: {} cases, {violated}% violated, {reduced}% reduced where all is visited, {live}% not safety",
        tally.cases
    ));
    if violated < 30 || reduced < 30 || live < 30 {
        say::note("runs: at least 30% violated, 30% reduced, and 30% not safety are asked for");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// What a model that is shipped states, in every way there is.
fn own_model(name: &str) -> Result<(), Failed> {
    let text = std::fs::read_to_string(workspace::model(name)).map_err(|error| error.to_string())?;
    let loaded = load(Path::new("model.pml"), text.into(), &NoFiles, &[]);
    if let Some(model) = loaded.model.filter(|model| obstacle(model).is_none()) {
        compare_own(&model, None, MAX_STATES, |_, _| true)?;
    }
    Ok(())
}

fn batch(first: u64, last: u64, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut failures = Vec::new();
    for seed in first..last {
        let tangled = tangle(seed);
        match decide(&tangled, seed) {
            Ok(found) => tally.lock().expect("no trial panics while it counts").add(&found),
            Err(why) => failures.push(format!("tangle {seed}: {why}\n{tangled}")),
        }
        let model = generate(seed, features());
        match decide(&model.render(), seed) {
            Ok(found) => tally.lock().expect("no trial panics while it counts").add(&found),
            Err(why) => {
                let budget = Budget { attempts: 3000, time: Duration::from_secs(60) };
                let small = match failures.is_empty() {
                    true => shrink(model, budget, |text| decide(text, seed).is_err()).render(),
                    false => String::new(),
                };
                let now = decide(&small, seed).err().unwrap_or_default();
                failures.push(format!("seed {seed}: {why}\nnow {now}\n{small}"));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

fn decide(text: &str, seed: u64) -> Result<Tally, String> {
    let loaded = load(Path::new("model.pml"), text.into(), &NoFiles, &[]);
    let Some(model) = loaded.model.filter(|model| obstacle(model).is_none()) else {
        return Ok(Tally::default());
    };
    // Each model is decided in every seventh way, which are other ones for the next.
    Ok(compare(&model, seed, None, MAX_STATES, |i, _| (i as u64 + seed).is_multiple_of(7))?
        .unwrap_or_default())
}
