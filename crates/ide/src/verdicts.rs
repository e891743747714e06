//! What is known of the properties of a model, and of which version of it.

use std::sync::Arc;
use std::time::Duration;

use stubborn_base::Span;
use stubborn_check::{Coverage, Progress, Property, PropertyResult, Reduction, Trail, Verdict};
use stubborn_ir::{Effect, Fingerprint, Model, Origin, TransitionId};

use crate::analysis::Analysis;
use crate::blocked::Blocked;
use crate::checking::{Found, News, Report, TaskId};

/// What is known of a property.
#[derive(Clone, Debug)]
pub enum Status {
    /// Nothing yet.
    Unknown,
    /// It waits for a thread.
    Waiting,
    /// It is being checked.
    Running {
        /// How far the search is.
        progress: Progress,
        /// Since it began.
        time: Duration,
    },
    /// It was checked before the model changed.
    Stale,
    /// Nothing was found while one typed, but not everything was looked at.
    Bounded(Arc<PropertyResult>),
    /// Holds, violated or incomplete.
    Decided(Arc<PropertyResult>),
    /// It could not be checked.
    Failed(String),
}

/// What is known of a property of a model.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The property.
    pub property: Property,
    /// What is known.
    pub status: Status,
    /// Who waits for ever, if that is what is wrong.
    pub blocked: Vec<Blocked>,
    /// What it says, if it is a claim.
    claim: Option<Fingerprint>,
    /// It is, or will be, checked by this task.
    task: Option<TaskId>,
}

/// What is known of a model.
#[derive(Clone, Default, Debug)]
pub struct Verdicts {
    entries: Vec<Entry>,
    /// The model they are about; trails are in its places.
    model: Option<(Fingerprint, Arc<Model>)>,
    /// The text has errors: what is known is of a text that was there before.
    is_past: bool,
}

impl Verdicts {
    /// In the order of the properties.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether the text has errors, so that what is known is of a text that was there before.
    pub fn is_past(&self) -> bool {
        self.is_past
    }

    /// Other questions are asked now: nothing that was found answers them.
    pub fn forget(&mut self) {
        for entry in &mut self.entries {
            entry.status = stale(&entry.status);
            entry.task = None;
        }
    }

    /// What is known of a property.
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.property.name == name)
    }

    /// The result of a property, if there is one for the model as it is.
    pub fn result(&self, name: &str) -> Option<&Arc<PropertyResult>> {
        match &self.get(name).filter(|_| !self.is_past)?.status {
            Status::Decided(result) | Status::Bounded(result) => Some(result),
            _ => None,
        }
    }

    /// What the last complete search saw of the model.
    pub fn coverage(&self) -> Option<&Arc<Coverage>> {
        self.entries.iter().filter(|_| !self.is_past).find_map(|entry| match &entry.status {
            Status::Decided(result) | Status::Bounded(result) => result.coverage.as_ref(),
            _ => None,
        })
    }

    /// What is to be said beside figures of [`Verdicts::coverage`]: nothing, if they are of all states. What a reduced
    /// search never executes is never executed; values and counts may be other ones in the states that it leaves out.
    pub fn coverage_remark(&self) -> &'static str {
        let covers = |result: &&Arc<PropertyResult>| result.coverage.is_some();
        let mut results = self.entries.iter().filter_map(|entry| self.result(&entry.property.name));
        match results.find(covers) {
            Some(result) if result.strategy.plan.reduction != Reduction::None => {
                " (in the states that reduction left)"
            }
            _ => "",
        }
    }

    /// The text was read again: what is still true is kept.
    pub fn update(&mut self, analysis: &Analysis) {
        let (Some(model), Some(fingerprint)) = (&analysis.model, analysis.fingerprint) else {
            // There is no model: what was known may be true again.
            self.is_past = true;
            return;
        };
        self.is_past = false;
        let old = self.model.replace((fingerprint, model.clone()));
        let is_same = old.as_ref().is_some_and(|(old, _)| *old == fingerprint);
        let before = std::mem::take(&mut self.entries);
        for property in &analysis.properties {
            let claim = property.claim.map(|claim| model.claims[claim].fingerprint());
            let known = before.iter().find(|e| e.property.name == property.name);
            let (status, blocked, task) = match (known, &old) {
                (Some(known), Some((_, old))) if is_same && known.claim == claim => {
                    let blocked = moved_blocked(&known.blocked, old, model);
                    (moved(&known.status, old, model), blocked, known.task)
                }
                (Some(known), _) => (stale(&known.status), Vec::new(), None),
                (None, _) => (Status::Unknown, Vec::new(), None),
            };
            self.entries.push(Entry { property: property.clone(), status, blocked, claim, task });
        }
    }

    /// The properties that have to be checked, but those with these names.
    pub fn open(&self, skip: &[String], is_bounded: bool) -> Vec<Property> {
        let is_open = |entry: &&Entry| match &entry.status {
            Status::Unknown | Status::Stale => true,
            Status::Bounded(_) => !is_bounded,
            // More time or memory may be given now.
            Status::Decided(result) => result.verdict == Verdict::Incomplete && !is_bounded,
            Status::Failed(_) => !is_bounded,
            Status::Waiting | Status::Running { .. } => false,
        };
        let wanted =
            self.entries.iter().filter(is_open).filter(|e| !skip.iter().any(|s| e.property.name == *s));
        wanted.map(|entry| entry.property.clone()).collect()
    }

    /// All properties, but those with these names.
    pub fn all(&self, skip: &[String]) -> Vec<Property> {
        let all = self.entries.iter().map(|entry| &entry.property);
        all.filter(|property| !skip.iter().any(|name| property.name == *name)).cloned().collect()
    }

    /// A task was started for some properties.
    pub fn begin(&mut self, properties: &[Property], task: TaskId) {
        for entry in self.entries.iter_mut().filter(|e| properties.iter().any(|p| p.name == e.property.name))
        {
            entry.status = Status::Waiting;
            entry.task = Some(task);
        }
    }

    /// Nothing is being checked any more; what was, is not known.
    pub fn interrupt(&mut self) {
        for entry in &mut self.entries {
            entry.task = None;
            if matches!(entry.status, Status::Waiting | Status::Running { .. }) {
                entry.status = Status::Unknown;
            }
        }
    }

    /// Takes in what a task reports, unless the model has changed since; whether something is new.
    pub fn take(&mut self, report: &Report) -> bool {
        let task = &report.task;
        let Some((fingerprint, model)) = &self.model else { return false };
        if *fingerprint != task.fingerprint {
            return false;
        }
        let model = model.clone();
        let mut of_task = self.entries.iter_mut().filter(|entry| entry.task == Some(task.id));
        match &report.news {
            News::Progress { properties, progress, time } => {
                for entry in of_task.filter(|e| names(&task.properties[properties.clone()], e)) {
                    entry.status = Status::Running { progress: *progress, time: *time };
                }
            }
            News::Decided(found) => {
                for entry in of_task {
                    let is_it = |found: &&Found| found.result.property.name == entry.property.name;
                    let Some(Found { result, blocked }) = found.iter().find(is_it) else { continue };
                    entry.blocked = moved_blocked(blocked, &task.model, &model);
                    let result = Arc::new(result.clone());
                    let is_open = task.is_bounded && result.verdict == Verdict::Incomplete;
                    let status = if is_open { Status::Bounded(result) } else { Status::Decided(result) };
                    entry.status = moved(&status, &task.model, &model);
                    entry.task = None;
                }
            }
            News::Failed { properties, why } => {
                for entry in of_task.filter(|e| names(&task.properties[properties.clone()], e)) {
                    entry.status = Status::Failed(why.clone());
                    entry.task = None;
                }
            }
            News::Finished { .. } => return of_task.next().is_some(),
        }
        true
    }
}

fn names(properties: &[Property], entry: &Entry) -> bool {
    properties.iter().any(|property| property.name == entry.property.name)
}

fn stale(status: &Status) -> Status {
    match status {
        Status::Unknown | Status::Waiting | Status::Running { .. } => Status::Unknown,
        Status::Stale | Status::Bounded(_) | Status::Decided(_) | Status::Failed(_) => Status::Stale,
    }
}

/// What is known, in the places of the same model as it is written now.
fn moved(status: &Status, old: &Arc<Model>, new: &Arc<Model>) -> Status {
    if Arc::ptr_eq(old, new) {
        return status.clone();
    }
    let moved = |result: &PropertyResult| {
        let mut result = result.clone();
        result.trail.iter_mut().for_each(|trail| move_trail(trail, old, new));
        Arc::new(result)
    };
    match status {
        Status::Decided(result) => Status::Decided(moved(result)),
        Status::Bounded(result) => Status::Bounded(moved(result)),
        other => other.clone(),
    }
}

fn move_trail(trail: &mut Trail, old: &Model, new: &Model) {
    for step in &mut trail.steps {
        let made = step.made;
        step.mover.span = moved_statement(step.mover.span, made.transition, old, new);
        if let (Some(partner), Some((_, transition))) = (&mut step.partner, made.partner) {
            partner.span = moved_statement(partner.span, transition, old, new);
        }
    }
    for waiting in &mut trail.waiting {
        waiting.span = moved_location(waiting.span, &waiting.process, old, new);
    }
}

fn moved_blocked(blocked: &[Blocked], old: &Model, new: &Model) -> Vec<Blocked> {
    let moved = |b: &Blocked| Blocked { span: moved_location(b.span, &b.process, old, new), ..b.clone() };
    blocked.iter().map(moved).collect()
}

/// Where a process of a type is now that waited somewhere.
fn moved_location(span: Span, process: &str, old: &Model, new: &Model) -> Span {
    let types = old.processes.iter().zip(new.processes.iter());
    let same_type = types.filter(|(ty, _)| ty.name == process);
    let mut locations = same_type.flat_map(|(old, new)| old.locations.iter().zip(&new.locations));
    locations.find(|(then, _)| then.span == span).map_or(span, |(_, now)| now.span)
}

/// Where a statement is now; what fails may be inside of a `d_step`.
fn moved_statement(span: Span, transition: TransitionId, old: &Model, new: &Model) -> Span {
    let places = |model: &Model| {
        let t = &model.transitions[transition];
        let mut all = vec![t.origin.span];
        t.effects.iter().for_each(|effect| inner(effect, &mut |origin| all.push(origin.span)));
        all
    };
    let (then, now) = (places(old), places(new));
    let at = then.iter().position(|&place| place == span).unwrap_or(0);
    now[at]
}

fn inner(effect: &Effect, found: &mut dyn FnMut(&Origin)) {
    if let Effect::DStep(dstep) = effect {
        for alternative in dstep.nodes.iter().flatten() {
            found(&alternative.origin);
            alternative.effects.iter().for_each(|effect| inner(effect, found));
        }
    }
}
