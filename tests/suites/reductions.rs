//! Random models: every reduction, proviso and search order finds what the whole state graph has.
//!
//! `STUBBORN_REDUCE_SEEDS` says how many models, `STUBBORN_REDUCE_START` the first.

use stubborn_tests::campaign::Campaign;
use stubborn_tests::reductions::{Tally, compare};
use stubborn_tests::say;
use stubborn_tests::suite::Suite;

pub(crate) fn suite() -> Suite {
    Campaign { name: "REDUCE", seeds: 70, decide, decide_own, report }.suite()
}

/// The run must have looked at what can go wrong.
fn report(tally: &Tally) -> bool {
    let percent = |n: u64| n * 100 / tally.cases.max(1);
    let (violated, reduced, cyclic) =
        (percent(tally.violated), percent(tally.reduced), percent(tally.cyclic));
    say::note(&format!(
        "reductions: {} cases, {violated}% violated, {reduced}% reduced, {cyclic}% with cycles",
        tally.cases
    ));
    if violated < 30 || reduced < 50 || cyclic < 50 {
        say::note("reductions: at least 30% violated, 50% reduced and 50% with cycles are asked for");
        return false;
    }
    true
}

fn decide_own(text: &str) -> Result<(), String> {
    (0..2).try_for_each(|seed| decide(text, seed).map(drop))
}

/// A model that is too large, or cannot be reduced, counts for nothing.
fn decide(text: &str, seed: u64) -> Result<Tally, String> {
    Ok(compare(text, seed, None, |_, _| true)?.unwrap_or_default())
}
