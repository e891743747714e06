//! Nets by chance: the engine counts what an explorer by the definitions counts, and every reduction, proviso and
//! search order finds what the whole state graph has. What is told of their runs is looked at, too.
//!
//! `STUBBORN_NET_SEEDS` says how many nets, `STUBBORN_NET_START` the first.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use stubborn_check::{Config, Job, explore};
use stubborn_ir::Interpreter;
use stubborn_nets::{Bounds, Lowered, ground, lower};
use stubborn_relations::siphons::has_no_dead_marking;
use stubborn_tests::nets::random::RandomNet;
use stubborn_tests::nets::{naive, views};
use stubborn_tests::reductions::{MAX_STATES, Tally, compare_model};
use stubborn_tests::runs::{self, Way};
use stubborn_tests::say;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Nets in one test.
const BATCH: u64 = 10;

fn main() -> ExitCode {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
    };
    let (seeds, start) = (number("STUBBORN_NET_SEEDS", 120), number("STUBBORN_NET_START", 0));
    let counts = Arc::new(Counts::default());
    let mut trials = Vec::new();
    for first in (start..start + seeds).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + seeds);
        let counts = counts.clone();
        trials.push(Trial::test(format!("nets {first} to {}", last - 1), move || {
            (first..last).try_for_each(|seed| counts.add(seed))
        }));
    }
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    if conclusion.has_failed() {
        return ExitCode::FAILURE;
    }
    counts.report(seeds)
}

#[derive(Default)]
struct Counts {
    n_counted: AtomicU64,
    tally: Mutex<Tally>,
    runs: Mutex<runs::Tally>,
}

impl Counts {
    fn add(&self, seed: u64) -> Result<(), Failed> {
        // Every third is as it comes: also the smallest must be right.
        let net = match seed % 3 {
            0 => Some(RandomNet::new(seed)),
            _ => RandomNet::with_markings(seed, 12..=1500),
        };
        let Some(net) = net else { return Ok(()) };
        match decide(&net, seed) {
            Ok(Some((tally, runs))) => {
                self.n_counted.fetch_add(1, Ordering::Relaxed);
                *self.tally.lock().expect("nobody panics with it") += tally;
                *self.runs.lock().expect("nobody panics with it") += runs;
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(_) => {
                let net = net.shrunk(&mut |net| decide(net, seed).is_err());
                let why = decide(&net, seed).err().unwrap_or_default();
                Err(format!("net {seed}: {why}\n{net}").into())
            }
        }
    }

    /// The run must have looked at what can go wrong.
    fn report(&self, seeds: u64) -> ExitCode {
        let n_counted = self.n_counted.load(Ordering::Relaxed);
        let tally = *self.tally.lock().expect("nobody panics with it");
        let percent = |n: u64| n * 100 / tally.cases.max(1);
        let (violated, reduced, cyclic) =
            (percent(tally.violated), percent(tally.reduced), percent(tally.cyclic));
        say::note(&format!(
            "nets: {n_counted} of {seeds} nets, {} cases, {violated}% violated, {reduced}% reduced, {cyclic}% with \
             cycles",
            tally.cases
        ));
        let runs = *self.runs.lock().expect("nobody panics with it");
        say::note(&format!(
            "nets: {} formulas decided, {}% violated, {} of {} that took a whole search reduced, {} not safety",
            runs.cases,
            runs.violated * 100 / runs.cases.max(1),
            runs.reduced,
            runs.reducible,
            runs.live,
        ));
        // Some tests may have been left out on the command line.
        if std::env::args().len() == 1
            && (n_counted * 2 < seeds || violated < 30 || reduced < 30 || cyclic < 50)
        {
            say::note("nets: half of the nets, 30% violated, 30% reduced and 50% with cycles are asked for");
            return ExitCode::FAILURE;
        }
        ExitCode::SUCCESS
    }
}

/// None if the net is too large.
fn decide(random: &RandomNet, seed: u64) -> Result<Option<(Tally, runs::Tally)>, String> {
    let net = random.net();
    let Some(sizes) = naive::explore(&net, MAX_STATES) else { return Ok(None) };
    let grounded = ground(&net, &Bounds::default()).map_err(|limit| limit.to_string())?;
    let Lowered { model, .. } = lower(&net, &grounded);
    let config = Config { reduction: "none".parse().map_err(|_| "no reduction")?, ..Config::default() };
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    let report = explore(&model, &config, job).map_err(|refused| refused.to_string())?;
    let fill = report.fill.unwrap_or_default();
    let ours = naive::Sizes {
        states: report.counts.states as usize,
        edges: report.counts.transitions as usize,
        dead: report.counts.deadlocks as usize,
        errors: report.counts.errors as usize,
        in_place: fill.in_place as u32,
        in_marking: fill.in_marking as u32,
    };
    if ours != sizes {
        return Err(format!("{ours:?} instead of {sizes:?}"));
    }
    views::look(&model, seed)?;
    let initial = Interpreter::new(&model).initial().map_err(|kind| kind.to_string())?;
    if has_no_dead_marking(&model, &initial) && sizes.dead > 0 {
        return Err(format!("by its structure it has no dead marking, and it has {}", sizes.dead));
    }
    let tally = compare_model(&model, seed, None, |_, _| true)?.unwrap_or_default();
    // Formulas take longer: some of the ways each.
    let picked = |i: usize, _: &Way| (i as u64 + seed).is_multiple_of(5);
    let runs = runs::compare(&model, seed, None, MAX_STATES / 8, picked)?.unwrap_or_default();
    Ok(Some((tally, runs)))
}
