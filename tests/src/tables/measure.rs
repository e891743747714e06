//! One run: a model searched in this process, its time taken: the processor's where the system tells it, so
//! that other programs count less.

use std::collections::BTreeSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use stubborn_base::Severity;
use stubborn_ide::lenses::grouped;
use stubborn_ir::{Model, TransitionId, Violation};
use stubborn_promela::Loader;
use stubborn_reduce::Plan;
use stubborn_search::{End, Found, Incomplete, Limits, Observer, Order, Progress, search};
use stubborn_tests::stopwatch::Stopwatch;

/// Bytes for a run.
pub(crate) const MEMORY: usize = 12 << 30;
/// A run that is shorter than this is made again: the best one counts.
const SHORT: Duration = Duration::from_millis(200);
/// How often a short run is made.
const ROUNDS: usize = 5;
/// Time between two signs of life.
const PAUSE: Duration = Duration::from_secs(10);

/// How a run ended.
#[derive(Clone, Debug)]
pub(crate) enum Run {
    /// It visited all that it had to.
    Done(Sample),
    /// It did not; why, and the states it had stored.
    Unfinished(String, u64),
    /// It visited too little, or too much.
    Wrong,
}

/// What a complete run counted.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) deadlocks: u64,
    pub(crate) failed: BTreeSet<TransitionId>,
    pub(crate) has_errors: bool,
    pub(crate) seconds: f64,
}

impl Sample {
    /// States per second, the time to find the relations included, unless it was too short to say.
    pub(crate) fn speed(&self) -> Option<f64> {
        (self.seconds >= 0.02).then(|| self.states as f64 / self.seconds)
    }

    /// Transitions per state.
    pub(crate) fn branching(&self) -> f64 {
        self.transitions as f64 / self.states as f64
    }
}

impl Run {
    pub(crate) fn sample(&self) -> Option<&Sample> {
        match self {
            Run::Done(sample) => Some(sample),
            Run::Unfinished(..) | Run::Wrong => None,
        }
    }

    /// What is shown of a complete run, or why there is nothing.
    pub(crate) fn show(&self, show: impl FnOnce(&Sample) -> String) -> String {
        match self {
            Run::Done(sample) => show(sample),
            Run::Unfinished(why, states) => format!("{why} at {}", grouped(*states)),
            Run::Wrong => "WRONG".into(),
        }
    }
}

/// Reads a model from a file.
pub(crate) fn read(path: &Path, defines: &[(String, String)]) -> Result<Model, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    read_text(path, &String::from_utf8_lossy(&bytes), defines)
}

/// Reads a model from a text that is, or nearly is, that of a file.
pub(crate) fn read_text(path: &Path, text: &str, defines: &[(String, String)]) -> Result<Model, String> {
    let loaded = stubborn_promela::load(path, text.into(), &Beside, defines);
    let mut errors =
        loaded.diagnostics.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    loaded.model.ok_or_else(|| match errors.next() {
        Some(error) => format!("{}: {}", path.display(), error.message),
        None => format!("{}: no model", path.display()),
    })
}

/// Finds included files beside the one that includes them.
struct Beside;

impl Loader for Beside {
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let path = includer.parent()?.join(name);
        let bytes = std::fs::read(&path).ok()?;
        Some((path, String::from_utf8_lossy(&bytes).into()))
    }
}

/// Searches a model, several times if that takes no time.
pub(crate) fn measure(model: &Model, order: Order, plan: &Plan, time: Duration, label: &str) -> Run {
    let mut best = search_once(model, order, plan, time, label);
    let started = Instant::now();
    for _ in 1..ROUNDS {
        let Run::Done(sample) = &mut best else { break };
        if Duration::from_secs_f64(sample.seconds) >= SHORT || started.elapsed() >= 5 * SHORT {
            break;
        }
        if let Run::Done(again) = search_once(model, order, plan, time, label) {
            sample.seconds = sample.seconds.min(again.seconds);
        }
    }
    let shown = best.show(|sample| {
        format!("{} states, {:.2} s, {} deadlocks", grouped(sample.states), sample.seconds, sample.deadlocks)
    });
    say(&format!("{label}: {shown}"));
    best
}

fn search_once(model: &Model, order: Order, plan: &Plan, time: Duration, label: &str) -> Run {
    let watch = Stopwatch::start();
    let limits = Limits { time: Some(time), ..Limits::memory(MEMORY) };
    let mut witness = Witness::new(label);
    let result = search(model, order, plan, &limits, &mut witness);
    let seconds = watch.seconds();
    match result {
        Err(kind) => Run::Unfinished(kind.to_string(), 0),
        Ok((exploration, End::Exhausted)) => {
            let counts = exploration.counts();
            Run::Done(Sample {
                states: counts.states,
                transitions: counts.transitions,
                deadlocks: counts.deadlocks,
                failed: witness.failed,
                has_errors: witness.has_errors,
                seconds,
            })
        }
        Ok((exploration, end)) => Run::Unfinished(unfinished(end), exploration.counts().states),
    }
}

/// Why a search did not visit all that it had to.
pub(crate) fn unfinished(end: End) -> String {
    match end {
        End::Incomplete(Incomplete::Time { .. }) => "out of time".to_owned(),
        End::Incomplete(Incomplete::Memory { .. }) => "out of memory".to_owned(),
        End::Incomplete(why) => why.to_string(),
        End::Exhausted | End::Stopped => "stopped".to_owned(),
    }
}

/// Keeps what was violated, and gives signs of life.
pub(crate) struct Witness<'a> {
    label: &'a str,
    told: Instant,
    failed: BTreeSet<TransitionId>,
    has_errors: bool,
}

impl<'a> Witness<'a> {
    /// For a run that is called so.
    pub(crate) fn new(label: &'a str) -> Witness<'a> {
        Witness { label, told: Instant::now(), failed: BTreeSet::new(), has_errors: false }
    }
}

impl Observer for Witness<'_> {
    fn violation(&mut self, found: Found<'_>) -> ControlFlow<()> {
        match found.violation {
            Violation::InvalidEnd => {}
            Violation::FailedAssertion(transition) => {
                self.failed.insert(transition);
            }
            Violation::Error(_) | Violation::NoInitialState(_) => self.has_errors = true,
            Violation::InfiniteRun | Violation::BadPrefix => {}
        }
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) {
        if self.told.elapsed() >= PAUSE {
            self.told = Instant::now();
            let (states, mebibytes) = (grouped(progress.counts.states), progress.bytes >> 20);
            say(&format!("{}: {states} states so far, {mebibytes} MiB", self.label));
        }
    }
}

/// A line for whoever is waiting.
pub(crate) fn say(line: &str) {
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(std::io::stderr(), "{line}");
}
