//! Nets by chance: the engine counts what an explorer by the definitions counts, and every reduction, proviso and
//! search order finds what the whole state graph has. Each is written in Helena's language and read again. What is told of
//! their runs is looked at, too.
//!
//! `STUBBORN_NET_SEEDS` says how many nets, `STUBBORN_NET_START` the first.

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use stubborn_helena::read;
use stubborn_ir::Interpreter;
use stubborn_nets::{Bounds, Lowered, ground, lower};
use stubborn_relations::siphons::has_no_dead_marking;
use stubborn_tests::nets::random::RandomNet;
use stubborn_tests::nets::{naive, reachability, sizes, views};
use stubborn_tests::reductions::{MAX_STATES, NoFiles, Tally, compare_model};
use stubborn_tests::runs::{self, Way};
use stubborn_tests::say;
use stubborn_tests::suite::Suite;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Nets in one test.
const BATCH: u64 = 10;

pub(crate) fn suite() -> Suite {
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
    Suite::with_report(trials, move || counts.report(seeds))
}

#[derive(Default)]
struct Counts {
    n_counted: AtomicU64,
    tally: Mutex<Tally>,
    runs: Mutex<runs::Tally>,
    reached: Mutex<reachability::Tally>,
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
            Ok(Some((tally, runs, reached))) => {
                self.n_counted.fetch_add(1, Ordering::Relaxed);
                *self.tally.lock().expect("nobody panics with it") += tally;
                *self.runs.lock().expect("nobody panics with it") += runs;
                *self.reached.lock().expect("nobody panics with it") += reached;
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
    fn report(&self, seeds: u64) -> bool {
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
        let reached = *self.reached.lock().expect("nobody panics with it");
        say::note(&format!(
            "nets: {} markings asked for, {} can be reached, {} of the others with fewer states",
            reached.asked, reached.reached, reached.reduced,
        ));
        if n_counted * 2 < seeds || violated < 30 || reduced < 30 || cyclic < 50 {
            say::note("nets: half of the nets, 30% violated, 30% reduced and 50% with cycles are asked for");
            return false;
        }
        true
    }
}

type Found = (Tally, runs::Tally, reachability::Tally);

/// None if the net is too large.
fn decide(random: &RandomNet, seed: u64) -> Result<Option<Found>, String> {
    let net = random.net();
    let Some(expected) = naive::explore(&net, MAX_STATES) else { return Ok(None) };
    let grounded = ground(&net, &Bounds::default()).map_err(|limit| limit.to_string())?;
    let Lowered { model, .. } = lower(&net, &grounded);
    let ours = sizes::of(&model)?;
    if ours != expected {
        return Err(format!("{ours:?} instead of {expected:?}"));
    }
    // The same net, as its author would write it.
    let text = read(Path::new("net.lna"), random.to_string().into(), &NoFiles, &[]);
    let net = text.net.as_ref().ok_or_else(|| format!("as text: {:?}", text.diagnostics))?;
    if naive::explore(net, MAX_STATES) != Some(expected) {
        return Err(format!("its text has {:?} instead of {expected:?}", naive::explore(net, MAX_STATES)));
    }
    let grounded = ground(net, &Bounds::default()).map_err(|limit| limit.to_string())?;
    let ours = sizes::of(&lower(net, &grounded).model)?;
    if ours != expected {
        return Err(format!("by its text {ours:?} instead of {expected:?}"));
    }
    views::look(&model, seed)?;
    let initial = Interpreter::new(&model).initial().map_err(|kind| kind.to_string())?;
    if has_no_dead_marking(&model, &initial, None) && expected.dead > 0 {
        return Err(format!("by its structure it has no dead marking, and it has {}", expected.dead));
    }
    let tally = compare_model(&model, seed, None, |_, _| true)?.unwrap_or_default();
    // Formulas take longer: some of the ways each.
    let picked = |i: usize, _: &Way| (i as u64 + seed).is_multiple_of(5);
    let runs = runs::compare(&model, seed, None, MAX_STATES / 8, picked)?.unwrap_or_default();
    let reached = reachability::compare(&model, seed, None, MAX_STATES)?.unwrap_or_default();
    Ok(Some((tally, runs, reached)))
}
