//! Formulas: automata, classes, stutter-invariance and bad prefixes against direct evaluation on random
//! words, and against what Spot says.
//!
//! `STUBBORN_LTL_FORMULAS` says how many random formulas, `STUBBORN_LTL_START` the first.

use libtest_mimic::Trial;
use stubborn_tests::environment::variable;
use stubborn_tests::suite::Suite;

mod random;
mod spot;
mod text;

const BATCH: u64 = 2500;

pub(crate) fn suite() -> Suite {
    let formulas = variable("STUBBORN_LTL_FORMULAS").unwrap_or(40_000);
    let start = variable("STUBBORN_LTL_START").unwrap_or(0);
    let mut trials = vec![
        Trial::test("spot", spot::compare),
        Trial::test("never claims", text::never_claims),
        Trial::test("hoa", text::hoa_text),
    ];
    for first in (start..start + formulas).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + formulas);
        trials.push(Trial::test(format!("formulas {first}..{last}"), move || random::batch(first, last)));
    }
    Suite::of(trials)
}
