//! DVE systems by chance: every reduction, proviso and search order finds what the whole state graph has, formulas
//! included; the auditor finds nothing wrong; and planted faults are found.
//!
//! `STUBBORN_SYSTEM_SEEDS` says how many systems, `STUBBORN_SYSTEM_START` the first.

use std::sync::{Arc, Mutex};

use libtest_mimic::{Failed, Trial};
use stubborn_check::{AuditConfig, audit};
use stubborn_reduce::{Proviso, Purpose};
use stubborn_relations::Fault;
use stubborn_tests::audited::failure;
use stubborn_tests::dve::random::RandomSystem;
use stubborn_tests::environment::variable;
use stubborn_tests::graph::Graph;
use stubborn_tests::reductions::{Case, MAX_STATES, Tally, compare_model};
use stubborn_tests::runs::{self, Way};
use stubborn_tests::say;
use stubborn_tests::suite::Suite;

/// Systems in one test.
const BATCH: u64 = 10;

/// Systems with more states are not audited.
const MAX_AUDITED: usize = 300;

/// So many systems a fault may survive.
const SURVIVED: u64 = 1200;

/// Faults in what a DVE model is read as.
const FAULTS: [Fault; 5] =
    [Fault::DropEnabling, Fault::DropConflict, Fault::DropProviso, Fault::DropVisibility, Fault::EndlessRoom];

pub(crate) fn suite() -> Suite {
    let seeds = variable("STUBBORN_SYSTEM_SEEDS").unwrap_or(120);
    let start = variable("STUBBORN_SYSTEM_START").unwrap_or(0);
    let counts = Arc::new(Mutex::new(Counts::default()));
    let mut trials: Vec<Trial> = FAULTS
        .map(|fault| Trial::test(format!("{fault:?} is found"), move || hunt(fault)))
        .into_iter()
        .collect();
    for first in (start..start + seeds).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + seeds);
        let counts = counts.clone();
        trials.push(Trial::test(format!("systems {first} to {}", last - 1), move || {
            (first..last).try_for_each(|seed| add(seed, &counts))
        }));
    }
    Suite::with_report(trials, move || counts.lock().expect("no trial panics with it").report(seeds))
}

#[derive(Default)]
struct Counts {
    n_counted: u64,
    n_audited: u64,
    n_failing: u64,
    tally: Tally,
    runs: runs::Tally,
}

impl Counts {
    /// The run must have looked at what can go wrong.
    fn report(&self, seeds: u64) -> bool {
        let Counts { n_counted, n_audited, n_failing, tally, runs } = self;
        let percent = |n: u64| n * 100 / tally.cases.max(1);
        let (violated, reduced, cyclic) =
            (percent(tally.violated), percent(tally.reduced), percent(tally.cyclic));
        say::note(&format!(
            "systems: {n_counted} of {seeds} systems, {n_failing} with a value that does not fit, {n_audited} audited; \
             {} cases, {violated}% violated, {reduced}% reduced, {cyclic}% with cycles; {} formulas, {}% violated",
            tally.cases,
            runs.cases,
            runs.violated * 100 / runs.cases.max(1),
        ));
        if n_counted * 2 < seeds || n_failing * 10 < seeds || violated < 30 || reduced < 30 || cyclic < 50 {
            say::note(
                "systems: half of the systems, a tenth with errors, 30% violated, 30% reduced and 50% with \
                 cycles are asked for",
            );
            return false;
        }
        true
    }
}

fn add(seed: u64, counts: &Mutex<Counts>) -> Result<(), Failed> {
    let system = RandomSystem::new(seed);
    match decide(&system, seed) {
        Ok(Some(decided)) => {
            let mut counts = counts.lock().expect("no trial panics with it");
            counts.n_counted += 1;
            counts.n_audited += u64::from(decided.was_audited);
            counts.n_failing += u64::from(decided.fails);
            counts.tally += decided.tally;
            counts.runs += decided.runs;
            Ok(())
        }
        Ok(None) => Ok(()),
        Err(_) => {
            let small = system.shrunk(&mut |system| decide(system, seed).is_err());
            let why = decide(&small, seed).err().unwrap_or_default();
            Err(format!("system {seed}: {why}\n{small}").into())
        }
    }
}

struct Decided {
    tally: Tally,
    runs: runs::Tally,
    was_audited: bool,
    /// Some value does not fit.
    fails: bool,
}

/// None if the system is too large.
fn decide(system: &RandomSystem, seed: u64) -> Result<Option<Decided>, String> {
    let model = system.model().ok_or("it has errors")?;
    let Some(graph) = Graph::build(&model, MAX_STATES) else { return Ok(None) };
    let Some(tally) = compare_model(&model, seed, None, |_, _| true)? else { return Ok(None) };
    // Formulas take longer: some of the ways each. Of runs that end in an error nobody says more than that they do.
    let picked = |i: usize, _: &Way| (i as u64 + seed).is_multiple_of(5) && !graph.has_errors;
    let runs = runs::compare(&model, seed, None, MAX_STATES / 8, picked)?.unwrap_or_default();
    let was_audited = seed.is_multiple_of(4) && graph.states.len() <= MAX_AUDITED;
    if was_audited {
        let report =
            audit(&model, &AuditConfig::default(), &Arc::default()).map_err(|error| error.to_string())?;
        if let Some(why) = failure(&report) {
            return Err(why);
        }
    }
    Ok(Some(Decided { tally, runs, was_audited, fails: graph.has_errors }))
}

/// Looks for a system that shows a fault.
fn hunt(fault: Fault) -> Result<(), Failed> {
    let suits = |_: usize, case: &Case| match fault {
        Fault::DropProviso | Fault::DropVisibility | Fault::EndlessRoom => {
            case.purpose != Purpose::Deadlocks && case.plan.proviso != Proviso::None
        }
        _ => case.plan.proviso == Proviso::None,
    };
    for seed in 0..SURVIVED {
        let Some(model) = RandomSystem::new(seed).model() else { return Err("it has errors".into()) };
        if let Err(how) = compare_model(&model, seed, Some(fault), suits) {
            say::note(&format!("{fault:?}: found with system {seed}: {how}"));
            return Ok(());
        }
    }
    Err(format!("{fault:?} survives {SURVIVED} systems").into())
}
