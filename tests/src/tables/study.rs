//! All runs on one model, held against each other: as many deadlocks as without reduction, and the same failed
//! assertions where the reduction promises that. A run that finds less is wrong, and nothing else is said
//! about it.

use std::path::Path;
use std::time::Duration;

use stubborn_check::{Choice, Config, Purpose};
use stubborn_ide::lenses::grouped;
use stubborn_ir::Model;
use stubborn_reduce::{Discipline, Plan, Proviso, Reduction, refusal};
use stubborn_search::Order;
use stubborn_tests::spin::Exploration;

use super::measure::{Run, Sample, measure, read, say};
use super::subjects::Subject;

/// A search without reduction gets so many times as long.
const PATIENCE: u32 = 5;

/// Our reductions for deadlocks, with no proviso.
pub(crate) const REDUCTIONS: &[&str] = &[
    "stubborn:closure",
    "stubborn:beam",
    "stubborn:deletion",
    "stubborn:closure+weak",
    "stubborn:beam+weak",
    "stubborn:deletion+weak",
    "stubborn:closure-nds",
    "stubborn:beam-nds",
    "stubborn:deletion-nds",
    "ample",
    "two-phase:dfs2",
    "two-phase:dfs3",
];

/// Our reductions for assertions, with their provisos.
pub(crate) const SAFE: &[(&str, Proviso)] = &[
    ("stubborn:beam", Proviso::SafeFlags),
    ("stubborn:deletion", Proviso::SafeFlags),
    ("ample", Proviso::SafeFlags),
    ("stubborn:beam", Proviso::Scc),
    ("stubborn:deletion", Proviso::Scc),
    ("ample", Proviso::Scc),
    ("stubborn:beam", Proviso::Stack),
];

/// All runs on one model.
pub(crate) struct Study {
    pub(crate) subject: &'static Subject,
    /// Without reduction.
    pub(crate) unreduced: Run,
    runs: Vec<(Plan, Run)>,
    /// What is used for deadlocks where no reduction is named.
    pub(crate) auto: Plan,
    /// What `pan` says; none if it was not asked.
    pub(crate) pan: Option<Result<Exploration, String>>,
    /// What must not be.
    pub(crate) problems: Vec<String>,
}

impl Study {
    /// Makes the runs that `reductions` and [`SAFE`] name.
    pub(crate) fn make(
        subject: &'static Subject,
        path: &Path,
        reductions: &[&str],
        time: Duration,
    ) -> Result<Study, String> {
        let model = read(path, &[])?;
        let name = subject.name;
        let auto = automatic(&model, Purpose::Deadlocks)?;
        let mut plans: Vec<Plan> = reductions.iter().map(|name| plan(name, Proviso::None)).collect();
        if !plans.contains(&auto) {
            plans.push(auto.clone());
        }
        plans.extend(SAFE.iter().map(|(name, proviso)| plan(name, *proviso)));
        let unreduced =
            measure(&model, subject.order, &Plan::none(), PATIENCE * time, &format!("{name} none"));
        let mut study = Study { subject, unreduced, runs: Vec::new(), auto, pan: None, problems: Vec::new() };
        study.judge_unreduced();
        for plan in plans {
            let label = format!("{name} {}", title(&plan));
            let run = measure(&model, Order::DepthFirst, &plan, time, &label);
            let run = study.judge(&plan, run);
            study.runs.push((plan, run));
        }
        Ok(study)
    }

    /// The number of states without reduction, if all were visited and it is what is expected.
    pub(crate) fn all_states(&self) -> Option<u64> {
        self.unreduced.sample().map(|sample| sample.states)
    }

    /// A run by its reduction and proviso.
    pub(crate) fn run(&self, reduction: &str, proviso: Proviso) -> Option<&Run> {
        if reduction == Reduction::None.to_string() {
            return Some(&self.unreduced);
        }
        let reduction: Reduction = reduction.parse().ok()?;
        let found = self.runs.iter().find(|(plan, _)| (plan.reduction, plan.proviso) == (reduction, proviso));
        found.map(|(_, run)| run)
    }

    /// The run that is made where no reduction is named.
    pub(crate) fn automatic(&self) -> &Run {
        let found = self.runs.iter().find(|(plan, _)| *plan == self.auto);
        found.map_or(&self.unreduced, |(_, run)| run)
    }

    /// The reduction with the fewest states among those that preserve deadlocks, or assertions.
    pub(crate) fn best(&self, purpose: Purpose) -> Option<(String, &Sample)> {
        let is_for = |plan: &Plan| match purpose {
            Purpose::Deadlocks => plan.proviso == Proviso::None,
            Purpose::Safety | Purpose::Prefixes | Purpose::Liveness => {
                matches!(plan.proviso, Proviso::SafeFlags | Proviso::Scc)
            }
        };
        let runs = self.runs.iter().filter(|(plan, _)| is_for(plan));
        let samples = runs.filter_map(|(plan, run)| Some((plan, run.sample()?)));
        samples.min_by_key(|(_, sample)| sample.states).map(|(plan, sample)| (title(plan), sample))
    }

    /// A number of states in percent of all.
    pub(crate) fn percent(&self, states: u64) -> String {
        match self.all_states() {
            Some(all) => format!("{:.1}", 100.0 * states as f64 / all as f64),
            None => "?".into(),
        }
    }

    fn judge_unreduced(&mut self) {
        let Some(expected) = self.subject.states else { return };
        let (found, is_wrong) = match &self.unreduced {
            Run::Done(sample) => (sample.states, sample.states != expected),
            Run::Unfinished(_, states) => (*states, *states > expected),
            Run::Wrong => return,
        };
        if is_wrong {
            let why = format!("{} states without reduction instead of {}", grouped(found), grouped(expected));
            self.blame("none", &why);
            self.unreduced = Run::Wrong;
        }
    }

    /// The run, unless it found less than a complete one; without reduction if that one is.
    fn judge(&mut self, plan: &Plan, run: Run) -> Run {
        let others = self.runs.iter().map(|(_, run)| run);
        let Run::Done(sample) = &run else { return run };
        let Some(reference) = std::iter::once(&self.unreduced).chain(others).find_map(Run::sample) else {
            return run;
        };
        let mut why = None;
        if sample.deadlocks != reference.deadlocks {
            why = Some(format!("{} of {} deadlocks", sample.deadlocks, reference.deadlocks));
        }
        let knows_assertions = self.unreduced.sample().is_some();
        // What comes after an error is cut off: only that there is one is the same.
        let is_alike = sample.has_errors == reference.has_errors
            && (reference.has_errors || sample.failed == reference.failed);
        let preserves_assertions = refusal(plan, Discipline::Stack, Purpose::Safety).is_none();
        if preserves_assertions && knows_assertions && !is_alike {
            let (found, all) = (sample.failed.len(), reference.failed.len());
            why = Some(format!("{found} of {all} failing assertions, or not the same errors"));
        }
        match why {
            Some(why) => {
                self.blame(&title(plan), &why);
                Run::Wrong
            }
            None => run,
        }
    }

    fn blame(&mut self, what: &str, why: &str) {
        let problem = format!("WRONG: {} {what}: {why}", self.subject.name);
        say(&problem);
        self.problems.push(problem);
    }
}

/// What is used for a question where no reduction is named.
pub(crate) fn automatic(model: &Model, purpose: Purpose) -> Result<Plan, String> {
    let config = Config { order: Some(Order::DepthFirst), reduction: Choice::Auto, ..Config::default() };
    let strategy = config.strategy(model, purpose).map_err(|refused| refused.to_string())?;
    Ok(strategy.plan)
}

/// A plan by the name of its reduction.
pub(crate) fn plan(reduction: &str, proviso: Proviso) -> Plan {
    Plan::new(reduction.parse().expect("the lists above name reductions"), proviso)
}

/// The reduction, and its proviso if there is one.
pub(crate) fn title(plan: &Plan) -> String {
    match plan.proviso {
        Proviso::None => plan.reduction.to_string(),
        proviso => format!("{} {proviso}", plan.reduction),
    }
}
