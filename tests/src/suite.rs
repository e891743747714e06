//! Suites whose tests are made while they run, one for a row of a table or a batch of seeds, in one program: linking it
//! once takes a thirtieth of linking each suite, and all cores have something to do until the last of them is over.
//!
//! `suites NAME` runs one suite, `suites WORD` every test with that word in its name, which begins with its suite's.
//! Invariant: what a suite asks of a whole run is asked whenever all of its tests have run.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// Large searches take much memory: no more tests than this at a time, unless somebody says so.
const THREADS: usize = 2;

/// What there is to do, and what is asked of all of it.
pub struct Suite {
    trials: Vec<Trial>,
    report: Box<dyn FnOnce() -> bool>,
}

impl Suite {
    /// A suite that is well if its tests are.
    pub fn of(trials: Vec<Trial>) -> Self {
        Self::with_report(trials, || true)
    }

    /// A suite that also tells whether it has looked at what can go wrong.
    pub fn with_report(trials: Vec<Trial>, report: impl FnOnce() -> bool + 'static) -> Self {
        Suite { trials, report: Box::new(report) }
    }
}

/// Makes a suite when it is asked for.
pub type Make = fn() -> Suite;

/// Runs those suites that the command line asks for.
pub fn run(suites: &[(&str, Make)]) -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(arguments.test_threads.unwrap_or(THREADS));
    let one = arguments.filter.clone().filter(|name| suites.iter().any(|(suite, _)| suite == name));
    if one.is_some() {
        arguments.filter = None;
    }
    let is_whole = !arguments.list && arguments.filter.is_none() && arguments.skip.is_empty();
    let mut trials = Vec::new();
    let mut reports = Vec::new();
    for (name, suite) in suites {
        if one.as_ref().is_none_or(|one| one == name) {
            let suite = suite();
            trials.extend(suite.trials.into_iter().map(|trial| trial.with_kind(*name)));
            reports.push(suite.report);
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    // Every suite tells, whatever the others said.
    let n_unwell =
        if is_whole { reports.into_iter().filter_map(|report| (!report()).then_some(())).count() } else { 0 };
    if n_unwell == 0 { conclusion.exit_code() } else { ExitCode::FAILURE }
}
