//! The auditor over random models and nets and the small ones of the corpus: every reduction keeps to its definition.
//!
//! `STUBBORN_AUDIT_SEEDS` says how many random models and nets, `STUBBORN_AUDIT_START` the first.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use stubborn_check::{AuditConfig, audit};
use stubborn_ir::Model;
use stubborn_nets::{Bounds, ground, lower};
use stubborn_promela::{Loader, load};
use stubborn_reduce::obstacle;
use stubborn_tests::audited::failure;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::environment::variable;
use stubborn_tests::generate::{Budget, generate, shrink};
use stubborn_tests::graph::Graph;
use stubborn_tests::nets::random::RandomNet;
use stubborn_tests::reductions::features;
use stubborn_tests::suite::Suite;
use stubborn_tests::{contest, front_end, helena, say, table};

const BATCH: u64 = 10;

/// Random models with more states take too long for a run of many.
const MAX_RANDOM: usize = 500;

/// So do models of the corpus.
const MAX_CORPUS: u64 = 3000;

/// Nets have more firings than processes have statements.
const MAX_RANDOM_NET: usize = 200;
const MAX_NET: u64 = 200;

pub(crate) fn suite() -> Suite {
    let seeds = variable("STUBBORN_AUDIT_SEEDS").unwrap_or(60);
    let start = variable("STUBBORN_AUDIT_START").unwrap_or(0);
    let [n_audited, n_nets] = [(); 2].map(|()| Arc::new(AtomicU64::new(0)));
    let mut trials = Vec::new();
    for first in (start..start + seeds).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + seeds);
        let n_audited = n_audited.clone();
        trials.push(Trial::test(format!("seeds {first}..{last}"), move || batch(first, last, &n_audited)));
    }
    for first in (start..start + seeds).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + seeds);
        let n_nets = n_nets.clone();
        trials.push(Trial::test(format!("nets {first}..{last}"), move || net_batch(first, last, &n_nets)));
    }
    trials.extend(net_trials());
    match Corpus::find() {
        Ok(corpus) => trials.extend(corpus_trials(&corpus)),
        Err(why) => say::skipped("audits of the corpus", &why),
    }
    Suite::with_report(trials, move || {
        let (n_audited, n_nets) = (n_audited.load(Ordering::Relaxed), n_nets.load(Ordering::Relaxed));
        say::note(&format!(
            "audits: {n_audited} of {seeds} random models, and {n_nets} random nets, were small enough to be audited"
        ));
        let is_enough = n_audited.min(n_nets) * 3 >= seeds;
        if !is_enough {
            say::note("audits: at least a third must be");
        }
        is_enough
    })
}

fn corpus_trials(corpus: &Corpus) -> Vec<Trial> {
    let is_small = |row: &&table::Row| {
        table::text(row, "raw_st") == "ok"
            && table::number(row, "raw_stored").is_some_and(|states| states <= MAX_CORPUS)
    };
    let rows = corpus.rows().iter().filter(is_small);
    rows.map(|row| {
        let name = table::text(row, "path").to_string();
        let path = corpus.path(&name);
        Trial::test(name, move || {
            let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            look(&text, path.parent(), usize::MAX).map(|_| ()).map_err(Failed::from)
        })
    })
    .collect()
}

/// The small nets of the corpus.
fn net_trials() -> Vec<Trial> {
    let Some((helena, contest)) = helena::instances().zip(contest::instances()) else {
        say::skipped("audits of nets", "no corpus");
        return Vec::new();
    };
    let helena = helena.into_iter().filter(|net| net.states <= MAX_NET);
    let contest = contest.into_iter().filter(|net| net.n_states().is_some_and(|n| n <= MAX_NET));
    let nets = helena.map(|net| (net.name, net.path, net.parameters));
    let nets = nets.chain(contest.map(|net| (net.name.clone(), net.path(), Vec::new())));
    let present = nets.filter(|(_, path, _)| path.exists());
    let trial = |(name, path, parameters): (String, PathBuf, Vec<(String, String)>)| {
        Trial::test(format!("net {name}"), move || {
            let model = front_end::read_with(&path, &parameters)?;
            audit_model(&model, usize::MAX).map(|_| ()).map_err(Failed::from)
        })
    };
    present.map(trial).collect()
}

fn net_batch(first: u64, last: u64, n_audited: &AtomicU64) -> Result<(), Failed> {
    for seed in first..last {
        let Some(net) = RandomNet::with_markings(seed, 4..=MAX_RANDOM_NET) else { continue };
        match look_at_net(&net) {
            Ok(was_audited) => {
                n_audited.fetch_add(was_audited.into(), Ordering::Relaxed);
            }
            Err(_) => {
                let net = net.shrunk(&mut |net| look_at_net(net).is_err());
                let why = look_at_net(&net).err().unwrap_or_default();
                return Err(format!("net {seed}: {why}\n{net}").into());
            }
        }
    }
    Ok(())
}

fn look_at_net(random: &RandomNet) -> Result<bool, String> {
    let net = random.net();
    let grounded = ground(&net, &Bounds::default()).map_err(|limit| limit.to_string())?;
    audit_model(&lower(&net, &grounded).model, MAX_RANDOM_NET)
}

fn batch(first: u64, last: u64, n_audited: &AtomicU64) -> Result<(), Failed> {
    let mut failures = Vec::new();
    for seed in first..last {
        let model = generate(seed, features());
        match look(&model.render(), None, MAX_RANDOM) {
            Ok(was_audited) => {
                n_audited.fetch_add(was_audited.into(), Ordering::Relaxed);
            }
            Err(why) => {
                let fails = |text: &str| look(text, None, MAX_RANDOM).is_err();
                let budget = Budget { attempts: 1000, time: Duration::from_secs(60) };
                let small =
                    if failures.is_empty() { shrink(model, budget, fails).render() } else { String::new() };
                let now = look(&small, None, MAX_RANDOM).err();
                failures.push(format!("seed {seed}: {why}\nnow {}\n{small}", now.unwrap_or_default()));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// Audits a model; whether there was anything to audit. The error says what is wrong.
fn look(text: &str, folder: Option<&Path>, max_states: usize) -> Result<bool, String> {
    let loader = Folder(folder.map(Path::to_path_buf));
    let loaded = load(Path::new("model.pml"), text.into(), &loader, &[]);
    loaded.model.as_ref().map_or(Ok(false), |model| audit_model(model, max_states))
}

fn audit_model(model: &Model, max_states: usize) -> Result<bool, String> {
    if obstacle(model).is_some() {
        return Ok(false);
    }
    if max_states != usize::MAX && Graph::build(model, max_states).is_none() {
        return Ok(false);
    }
    let report = audit(model, &AuditConfig::default(), &Arc::default()).map_err(|error| error.to_string())?;
    match failure(&report) {
        Some(why) => Err(why),
        None => Ok(report.obstacle.is_none()),
    }
}

/// Finds included files beside the model.
struct Folder(Option<PathBuf>);

impl Loader for Folder {
    fn load(&self, _: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let path = self.0.as_ref()?.join(name);
        let bytes = std::fs::read(&path).ok()?;
        Some((path, String::from_utf8_lossy(&bytes).into()))
    }
}
