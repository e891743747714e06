//! Random models, explored by SPIN and by us: same states, same transitions, same errors.
//!
//! `STUBBORN_DIFF_SEEDS` says how many, `STUBBORN_DIFF_START` the first, `STUBBORN_DIFF_FEATURES` which
//! features. A model on which we differ is made smaller before it is shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use stubborn_tests::compare::{Verdict, compare_text};
use stubborn_tests::environment::variable;
use stubborn_tests::generate::{Budget, Features, generate, shrink};
use stubborn_tests::say;
use stubborn_tests::spin;
use stubborn_tests::suite::Suite;

const BATCH: u64 = 20;
/// More than this many models in a hundred that SPIN gives no answer to would make the suite look at too
/// little.
const MOST_DISCARDED: u64 = 10;

#[derive(Default)]
struct Tally {
    same: AtomicU64,
    discarded: AtomicU64,
    states: AtomicU64,
}

pub(crate) fn suite() -> Suite {
    if !spin::is_available() {
        say::skipped("differential", "spin and gcc are needed");
        return Suite::of(Vec::new());
    }
    let seeds = variable("STUBBORN_DIFF_SEEDS").unwrap_or(60);
    let start = variable("STUBBORN_DIFF_START").unwrap_or(0);
    let features = match std::env::var("STUBBORN_DIFF_FEATURES").map(|text| Features::parse(&text)) {
        Ok(Ok(features)) => features,
        Ok(Err(why)) => return Suite::of(vec![Trial::test("features", || Err(why.into()))]),
        Err(_) => Features::ALL,
    };
    let tally = Arc::new(Tally::default());
    let mut trials = Vec::new();
    for first in (start..start + seeds).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + seeds);
        let tally = tally.clone();
        trials.push(Trial::test(format!("seeds {first}..{last}"), move || {
            batch(first, last, features, &tally)
        }));
    }
    Suite::with_report(trials, move || {
        let (same, discarded) = (tally.same.load(Ordering::Relaxed), tally.discarded.load(Ordering::Relaxed));
        let states = tally.states.load(Ordering::Relaxed);
        say::note(&format!(
            "differential: {same} models alike, {states} states in all, {discarded} discarded"
        ));
        let is_enough = discarded * 100 <= seeds.max(50) * MOST_DISCARDED;
        if !is_enough {
            say::note("differential: too many models are discarded");
        }
        is_enough
    })
}

fn budget() -> Budget {
    let seconds = variable("STUBBORN_DIFF_SHRINK").unwrap_or(90);
    Budget { attempts: 20 * seconds as usize, time: Duration::from_secs(seconds) }
}

fn batch(first: u64, last: u64, features: Features, tally: &Tally) -> Result<(), Failed> {
    let mut failures = Vec::new();
    for seed in first..last {
        let model = generate(seed, features);
        match compare_text(&model.render()) {
            Verdict::Same(exploration) => {
                tally.same.fetch_add(1, Ordering::Relaxed);
                tally.states.fetch_add(exploration.stored, Ordering::Relaxed);
            }
            Verdict::Discarded(_) => {
                tally.discarded.fetch_add(1, Ordering::Relaxed);
            }
            Verdict::Different(difference) => {
                let differs = |text: &str| matches!(compare_text(text), Verdict::Different(_));
                // One failure in a batch is shrunk: the others are likely the same, and shrinking takes
                // its time.
                let smallest = if failures.is_empty() { shrink(model, budget(), differs) } else { model };
                let text = smallest.render();
                let now = match compare_text(&text) {
                    Verdict::Different(now) => now,
                    _ => difference,
                };
                failures.push(format!("seed {seed} ({}): {now}\n{text}", smallest.features()));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}
