//! Instances of the Model Checking Contest with the answers that are known.

use std::fmt;
use std::ops::AddAssign;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use stubborn_check::{Choice, Config, Job, Progress, Reduction, Verdict, check, explore, select};
use stubborn_ir::Model;

use crate::{corpus, front_end};

/// A net with what is known about it.
pub struct Instance {
    /// Its name.
    pub name: String,
    folder: PathBuf,
    /// States, firings, the most of one token in a place, the most tokens in a marking.
    sizes: Option<[u64; 4]>,
    /// By property: whether it holds.
    pub verdicts: Vec<(String, bool)>,
}

/// How an answer compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// As expected.
    Right,
    /// Not as expected.
    Wrong,
    /// There is none.
    Incomplete,
}

/// Answers, counted.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// As expected.
    pub right: usize,
    /// Not as expected.
    pub wrong: usize,
    /// Without an answer.
    pub incomplete: usize,
    /// Not asked.
    pub skipped: usize,
}

impl Tally {
    /// One more.
    pub fn add(&mut self, answer: Answer) {
        match answer {
            Answer::Right => self.right += 1,
            Answer::Wrong => self.wrong += 1,
            Answer::Incomplete => self.incomplete += 1,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.incomplete += other.incomplete;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { right, wrong, incomplete, skipped } = self;
        write!(f, "{right} right, {wrong} WRONG, {incomplete} incomplete, {skipped} skipped")
    }
}

/// All instances of the corpus; none if there is no corpus.
pub fn instances() -> Option<Vec<Instance>> {
    let folder = corpus::models().join("pnml");
    let verdicts = std::fs::read_to_string(folder.join("expected-verdicts.tsv")).ok()?;
    let sizes = std::fs::read_to_string(folder.join("expected-statespace.tsv")).ok()?;
    let mut all: Vec<Instance> = Vec::new();
    for line in sizes.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |i: usize| fields.get(i)?.parse().ok();
        let sizes = (|| Some([number(1)?, number(2)?, number(3)?, number(4)?]))();
        let name = fields[0].to_owned();
        all.push(Instance { folder: folder.join(&name), name, sizes, verdicts: Vec::new() });
    }
    for line in verdicts.lines().skip(1) {
        let [instance, property, verdict] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let found = all.iter_mut().find(|i| i.name == instance)?;
        found.verdicts.push((property.to_owned(), verdict == "true"));
    }
    Some(all)
}

impl Instance {
    /// How many questions there are.
    pub fn n_questions(&self) -> usize {
        self.verdicts.len() + 1
    }

    /// How many states there are, if that is known.
    pub fn n_states(&self) -> Option<u64> {
        self.sizes.map(|[states, ..]| states)
    }

    /// Its file, whether or not it is there.
    pub fn path(&self) -> PathBuf {
        self.folder.join("model.pnml")
    }

    /// The model, or why there is none.
    pub fn load(&self) -> Result<Model, String> {
        front_end::read_with(&self.path(), &[])
    }

    /// Compares the whole state space.
    pub fn explore(&self, model: &Model, time: Duration, memory: usize) -> (Answer, String) {
        let reduction = Choice::Named(Reduction::None);
        let config = Config { reduction, time: Some(time), memory, ..Config::default() };
        let report = match explore(model, &config, quiet()) {
            Ok(report) => report,
            Err(refused) => return (Answer::Wrong, refused.to_string()),
        };
        let fill = report.fill.unwrap_or_default();
        let ours = [
            report.counts.states,
            report.counts.transitions,
            fill.in_place.unsigned_abs(),
            fill.in_marking.unsigned_abs(),
        ];
        let told = format!("{ours:?} in {:.2} s", report.time.as_secs_f64());
        match (self.sizes, &report.incomplete) {
            (_, Some(why)) => (Answer::Incomplete, format!("{why} after {told}")),
            (Some(expected), None) if expected != ours => {
                (Answer::Wrong, format!("{told}, WRONG: {expected:?}"))
            }
            _ => (Answer::Right, told),
        }
    }

    /// Compares one verdict.
    pub fn decide(
        &self,
        model: &Model,
        property: &str,
        expected: bool,
        time: Duration,
        memory: usize,
    ) -> (Answer, String) {
        // The contest asks whether a deadlock can be reached.
        let (name, expected) =
            if property == "ReachabilityDeadlock" { ("deadlock", !expected) } else { (property, expected) };
        let config = Config { time: Some(time), memory, ..Config::default() };
        let results =
            select(model, &[name.to_owned()]).map_err(|unknown| unknown.to_string()).and_then(|wanted| {
                check(model, &wanted, &config, quiet()).map_err(|refused| refused.to_string())
            });
        let result = match &results {
            Ok(results) => &results[0],
            Err(why) => return (Answer::Wrong, why.clone()),
        };
        let told = format!(
            "{} after {} states in {:.2} s, {}: {}",
            result.verdict,
            result.counts.states,
            result.time.as_secs_f64(),
            result.reason.as_deref().unwrap_or_default(),
            result.strategy,
        );
        let answer = match (result.verdict, expected) {
            (Verdict::Incomplete, _) => Answer::Incomplete,
            (Verdict::Holds, true) | (Verdict::Violated, false) => Answer::Right,
            _ => Answer::Wrong,
        };
        let mark = if answer == Answer::Wrong { "WRONG: " } else { "" };
        (answer, format!("{mark}{told}"))
    }
}

/// Nobody listens.
pub fn quiet() -> Job<'static> {
    Job { cancel: Arc::default(), progress: Box::leak(Box::new(|_: &Progress| {})) }
}
