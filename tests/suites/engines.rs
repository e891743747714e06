//! The interpreter and machine code, on every model that is shipped, on the small models of the corpus, and on random
//! models and nets: the same edges of every state, in the same order.
//!
//! `STUBBORN_ENGINE_SEEDS` says how many random models and nets, `STUBBORN_ENGINE_START` the first. Faults planted in
//! machine code must be found by them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use stubborn_native::Fault;
use stubborn_nets::{Bounds, Lowered, ground, lower};
use stubborn_promela::load;
use stubborn_tests::corpus::{self, Corpus};
use stubborn_tests::engines::{Tally, compare};
use stubborn_tests::environment::variable;
use stubborn_tests::generate::{Budget, Features, generate, shrink, tangle};
use stubborn_tests::nets::random::RandomNet;
use stubborn_tests::reductions::NoFiles;
use stubborn_tests::suite::Suite;
use stubborn_tests::{front_end, say, table, workspace};

/// States of one model.
const MOST: usize = 3000;
/// Seeds in one test.
const BATCH: u64 = 20;
/// Of a hundred locations and transitions of random models, so many are compiled at least.
const COMPILED: u64 = 90;
/// Of a hundred steps, so many are taken by machine code at least.
const TAKEN: u64 = 85;

type Shared = Arc<Mutex<Tally>>;

pub(crate) fn suite() -> Suite {
    let seeds = variable("STUBBORN_ENGINE_SEEDS").unwrap_or(200);
    let start = variable("STUBBORN_ENGINE_START").unwrap_or(0);
    let (random, others) = (Shared::default(), Shared::default());
    let mut trials = Vec::new();
    for path in workspace::models() {
        let name = path.strip_prefix(workspace::file("models")).unwrap_or(&path).display().to_string();
        trials.push(file(name, path, &others));
    }
    match Corpus::find() {
        Ok(corpus) => {
            for row in corpus.rows().iter().filter(|row| table::text(row, "parse") == "ok") {
                let name = table::text(row, "path");
                trials.push(file(format!("corpus {name}"), corpus.path(name), &others));
            }
        }
        Err(why) => say::skipped("engines on the corpus", &why),
    }
    for path in other_languages() {
        trials.push(file(format!("corpus {}", path.display()), path, &others));
    }
    for first in (start..start + seeds).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + seeds);
        let tally = random.clone();
        trials.push(Trial::test(format!("seeds {first}..{last}"), move || batch(first, last, &tally)));
    }
    for fault in [Fault::WrapByte, Fault::Inhibitors, Fault::LastField] {
        trials.push(Trial::test(format!("{fault:?} is found"), move || hunt(fault, seeds)));
    }
    Suite::with_report(trials, move || is_enough(&random, &others))
}

/// Machine code has to have been tried.
fn is_enough(random: &Shared, others: &Shared) -> bool {
    let report = |what: &str, tally: &Shared| {
        let t = *tally.lock().expect("no trial panics while it counts");
        let compiled = t.compiled * 100 / t.parts.max(1);
        let taken = t.taken * 100 / (t.taken + t.declined).max(1);
        say::note(&format!(
            "engines: {what}: {} states, {} edges; {compiled}% compiled, {taken}% of {} steps taken by machine code, the \
             interpreter asked {} times for the steps of a process",
            t.states,
            t.edges,
            t.taken + t.declined,
            t.asked
        ));
        compiled >= COMPILED && taken >= TAKEN
    };
    let is_enough = report("random", random) & report("files", others);
    if !is_enough {
        say::note(&format!("engines: at least {COMPILED}% compiled and {TAKEN}% taken are asked for"));
    }
    is_enough
}

fn file(name: String, path: PathBuf, tally: &Shared) -> Trial {
    let tally = tally.clone();
    Trial::test(name, move || {
        let Some(model) = front_end::read(&path) else { return Ok(()) };
        *tally.lock().expect("no trial panics while it counts") += compare(&model, None, MOST)?;
        Ok(())
    })
}

/// Models of other languages in the corpus: not all, for there are hundreds.
fn other_languages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (folder, extension, every) in [("dve", "dve", 5), ("helena", "lna", 1)] {
        let mut folders = vec![corpus::models().join(folder)];
        let mut here = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|found| found == extension) {
                    here.push(path);
                }
            }
        }
        here.sort();
        found.extend(here.into_iter().step_by(every));
    }
    found
}

fn batch(first: u64, last: u64, tally: &Shared) -> Result<(), Failed> {
    let mut failures = Vec::new();
    for seed in first..last {
        let model = generate(seed, Features::ALL);
        for (what, text) in [("tangle", tangle(seed)), ("seed", model.render())] {
            match decide(&text, None) {
                Ok(found) => *tally.lock().expect("no trial panics while it counts") += found,
                Err(why) => {
                    let budget = Budget { attempts: 2000, time: Duration::from_secs(60) };
                    let is_first = failures.is_empty() && what == "seed";
                    let small = match is_first {
                        true => shrink(model.clone(), budget, |text| decide(text, None).is_err()).render(),
                        false => text,
                    };
                    let now = decide(&small, None).err().unwrap_or_default();
                    failures.push(format!("{what} {seed}: {why}\nnow {now}\n{small}"));
                }
            }
        }
        let net = RandomNet::new(seed);
        match decide_net(&net) {
            Ok(found) => *tally.lock().expect("no trial panics while it counts") += found,
            Err(why) => failures.push(format!("net {seed}: {why}\n{net}")),
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

fn decide(text: &str, fault: Option<Fault>) -> Result<Tally, String> {
    let loaded = load(Path::new("model.pml"), text.into(), &NoFiles, &[]);
    loaded.model.as_ref().map_or(Ok(Tally::default()), |model| compare(model, fault, MOST))
}

fn decide_net(random: &RandomNet) -> Result<Tally, String> {
    let net = random.net();
    let Ok(grounded) = ground(&net, &Bounds::default()) else { return Ok(Tally::default()) };
    let Lowered { model, .. } = lower(&net, &grounded);
    compare(&model, None, MOST)
}

fn hunt(fault: Fault, seeds: u64) -> Result<(), Failed> {
    for seed in 0..seeds {
        if let Err(how) = decide(&generate(seed, Features::ALL).render(), Some(fault)) {
            let how: String = how.chars().take(200).collect();
            say::note(&format!("{fault:?}: found with seed {seed}: {how}"));
            return Ok(());
        }
    }
    Err(format!("{fault:?} survives {seeds} models").into())
}
