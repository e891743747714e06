//! The auditor over random models and the small models of the corpus: every reduction keeps to its definition.
//!
//! `STUBBORN_AUDIT_SEEDS` says how many random models, `STUBBORN_AUDIT_START` the first.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use stubborn_check::{AuditConfig, audit};
use stubborn_promela::{Loader, load};
use stubborn_reduce::obstacle;
use stubborn_tests::audited::failure;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::environment::variable;
use stubborn_tests::generate::{Budget, generate, shrink};
use stubborn_tests::graph::Graph;
use stubborn_tests::reductions::features;
use stubborn_tests::{say, table};

const BATCH: u64 = 10;

/// Random models with more states take too long for a run of many.
const MAX_RANDOM: usize = 500;

/// So do models of the corpus.
const MAX_CORPUS: u64 = 3000;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(arguments.test_threads.unwrap_or(2));
    let seeds = variable("STUBBORN_AUDIT_SEEDS").unwrap_or(60);
    let start = variable("STUBBORN_AUDIT_START").unwrap_or(0);
    let n_audited = Arc::new(AtomicU64::new(0));
    let mut trials = Vec::new();
    for first in (start..start + seeds).step_by(BATCH as usize) {
        let last = (first + BATCH).min(start + seeds);
        let n_audited = n_audited.clone();
        trials.push(Trial::test(format!("seeds {first}..{last}"), move || batch(first, last, &n_audited)));
    }
    match Corpus::find() {
        Ok(corpus) => trials.extend(corpus_trials(&corpus)),
        Err(why) => say::skipped("audits of the corpus", &why),
    }
    let (is_listing, is_filtered) = (arguments.list, arguments.filter.is_some());
    let conclusion = libtest_mimic::run(&arguments, trials);
    let n_audited = n_audited.load(Ordering::Relaxed);
    if !is_listing && !is_filtered && !conclusion.has_failed() {
        say::note(&format!("audits: {n_audited} of {seeds} random models were small enough to be audited"));
        if n_audited * 3 < seeds {
            say::note("audits: at least a third must be");
            return ExitCode::FAILURE;
        }
    }
    conclusion.exit_code()
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
    let Some(model) = &loaded.model else { return Ok(false) };
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
