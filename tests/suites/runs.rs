//! Random models and random formulas: every reduction, proviso, order and search for cycles decides as the
//! whole product does, and every counterexample replays.
//!
//! `STUBBORN_RUN_SEEDS` says how many models, `STUBBORN_RUN_START` the first.

use std::path::Path;

use stubborn_ir::Model;
use stubborn_promela::load;
use stubborn_reduce::obstacle;
use stubborn_tests::campaign::Campaign;
use stubborn_tests::reductions::NoFiles;
use stubborn_tests::runs::{Tally, compare, compare_own};
use stubborn_tests::say;
use stubborn_tests::suite::Suite;

/// Larger state graphs are left alone.
const MAX_STATES: usize = 400;

pub(crate) fn suite() -> Suite {
    Campaign { name: "RUN", seeds: 70, decide, decide_own, report }.suite()
}

/// The run must have looked at what can go wrong.
fn report(tally: &Tally) -> bool {
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
        return false;
    }
    true
}

/// A model that can be reduced.
fn reducible(text: &str) -> Option<Model> {
    load(Path::new("model.pml"), text.into(), &NoFiles, &[]).model.filter(|model| obstacle(model).is_none())
}

/// What a model that is shipped states, in every way there is.
fn decide_own(text: &str) -> Result<(), String> {
    if let Some(model) = reducible(text) {
        compare_own(&model, None, MAX_STATES, |_, _| true)?;
    }
    Ok(())
}

fn decide(text: &str, seed: u64) -> Result<Tally, String> {
    let Some(model) = reducible(text) else { return Ok(Tally::default()) };
    // Each model is decided in every seventh way, which are other ones for the next.
    Ok(compare(&model, seed, None, MAX_STATES, |i, _| (i as u64 + seed).is_multiple_of(7))?
        .unwrap_or_default())
}
