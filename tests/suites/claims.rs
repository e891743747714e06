//! Claims about runs, decided by SPIN's verifier and by us: formulas, `never` claims, accept and progress
//! labels, of all runs and of the weakly fair ones.
//!
//! `STUBBORN_LARGE=1` gives the models of the corpus more time and memory.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};
use stubborn_tests::{binary, say, spin};

#[path = "claims/corpus.rs"]
mod corpus;

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
    let is_partial = arguments.list || arguments.filter.is_some();
    let mut trials: Vec<Trial> = Vec::new();
    let corpus = Arc::new(corpus::Tally::default());
    trials.extend(corpus::trials(&corpus));
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !is_partial && !corpus.report() {
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}
