//! Claims about runs, decided by SPIN's verifier and by us: formulas, `never` claims, accept and progress
//! labels, of all runs and of the weakly fair ones.
//!
//! `STUBBORN_LARGE=1` gives the models of the corpus more time and memory. `STUBBORN_CLAIM_SEEDS` says how
//! many random models, `STUBBORN_CLAIM_START` the first.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::Arguments;
use stubborn_tests::{binary, say, spin};

#[path = "claims/corpus.rs"]
mod corpus;
#[path = "claims/own.rs"]
mod own;
#[path = "claims/random.rs"]
mod random;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Two large searches at a time are as much memory as a small machine has.
    arguments.test_threads = Some(arguments.test_threads.unwrap_or(2).min(2));
    if !spin::is_available() {
        say::skipped("claims", "spin and gcc are needed");
        return ExitCode::SUCCESS;
    }
    if !arguments.list {
        binary::path();
    }
    let (corpus, random) = (Arc::new(corpus::Tally::default()), Arc::new(random::Tally::default()));
    let mut trials = own::trials();
    trials.extend(corpus::trials(&corpus));
    trials.extend(random::trials(&random));
    let conclusion = libtest_mimic::run(&arguments, trials);
    let is_enough = arguments.list || (corpus.report() & random.report()) || arguments.filter.is_some();
    if is_enough { conclusion.exit_code() } else { ExitCode::FAILURE }
}
