//! Random models beside what a search for deadlocks and failures leaves of them: the same steps, the same ends.
//!
//! `STUBBORN_UNFOLLOWED_SEEDS` says how many models, `STUBBORN_UNFOLLOWED_START` the first.

use libtest_mimic::Trial;
use stubborn_tests::campaign::Campaign;
use stubborn_tests::generate::{Features, generate};
use stubborn_tests::say;
use stubborn_tests::suite::Suite;
use stubborn_tests::unfollowed::{Fault, Tally, compare, is_reduced_as_well};

/// A planted fault is found in one of so many models.
const FAULT_SEEDS: u64 = 200;

pub(crate) fn suite() -> Suite {
    let faults = [Fault::LeaveOutRead, Fault::ForgetLive].map(|fault| {
        Trial::test(format!("planted: {fault:?}"), move || match find(fault) {
            Some(_) => Ok(()),
            None => Err(format!("no model shows it among {FAULT_SEEDS}").into()),
        })
    });
    Campaign { name: "UNFOLLOWED", seeds: 600, decide, decide_own, report }.suite_with(faults.into())
}

fn find(fault: Fault) -> Option<u64> {
    (0..FAULT_SEEDS).find(|&seed| compare(&generate(seed, Features::ALL).render(), Some(fault)).is_err())
}

/// The run must have looked at models of which much is left out.
fn report(tally: &Tally) -> bool {
    let Tally { models, shorter, pairs, states, left } = *tally;
    say::note(&format!(
        "unfollowed: something is left out of {shorter} of {models} models: {left} of {states} states left, {pairs} pairs"
    ));
    let is_enough = shorter * 2 >= models && left * 10 <= states * 9;
    if !is_enough {
        say::note("unfollowed: of half of the models something is to be left out, and a tenth of the states");
    }
    is_enough
}

fn decide(text: &str, _: u64) -> Result<Tally, String> {
    compare(text, None)
}

fn decide_own(text: &str) -> Result<(), String> {
    compare(text, None)?;
    is_reduced_as_well(text)
}
