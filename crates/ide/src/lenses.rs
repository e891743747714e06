//! A line over every property, and over the text for those that every model has: what is known, and what can be done.

use stubborn_base::{FileId, Span};
use stubborn_check::{PropertyResult, Verdict};

use crate::root::Root;
use crate::verdicts::{Entry, Status};

/// A line over a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lens {
    /// Under it.
    pub span: Span,
    /// What it says.
    pub title: String,
    /// What a click does.
    pub action: Action,
    /// The property.
    pub property: String,
}

/// What a click does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Checks the model.
    Check,
    /// Stops the check.
    Cancel,
    /// Shows the trail.
    ShowTrail,
    /// Tells which reduction was used, and why.
    Explain,
}

/// The lines of a file.
pub fn lenses(root: &Root, file: FileId) -> Vec<Lens> {
    let top = Span::new(FileId(0), 0, 0);
    let mut all = Vec::new();
    for entry in root.verdicts.entries() {
        let span = root.analysis.property_span(&entry.property).unwrap_or(top);
        let (title, action) = title(entry, root.verdicts.is_past());
        let property = entry.property.name.to_string();
        all.push(Lens { span, title: format!("{property}: {title}"), action, property });
    }
    all.retain(|lens| lens.span.file == file);
    all
}

fn title(entry: &Entry, is_past: bool) -> (String, Action) {
    match &entry.status {
        _ if is_past => ("stale: the text has errors".to_owned(), Action::Check),
        Status::Unknown => ("not checked yet".to_owned(), Action::Check),
        Status::Stale => ("stale".to_owned(), Action::Check),
        Status::Waiting => ("waiting".to_owned(), Action::Cancel),
        Status::Running { progress, time } => {
            let states = progress.counts.states;
            let rate = states as f64 / time.as_secs_f64().max(1e-3);
            let title = format!("running, {} states, {} states/s", grouped(states), grouped(rate as u64));
            (title, Action::Cancel)
        }
        Status::Bounded(result) => {
            (format!("bounded: nothing found in {} states", grouped(result.counts.states)), Action::Check)
        }
        Status::Failed(why) => (format!("not checked: {why}"), Action::Explain),
        Status::Decided(result) => decided(result),
    }
}

fn decided(result: &PropertyResult) -> (String, Action) {
    let states = grouped(result.counts.states);
    match result.verdict {
        Verdict::Holds => {
            let reduction = result.strategy.plan.reduction;
            (format!("verified, {states} states, {reduction}"), Action::Explain)
        }
        Verdict::Violated => {
            let n = result.trail.as_ref().map_or(0, |trail| trail.steps.len());
            (format!("violated, trail of {n} step{}", if n == 1 { "" } else { "s" }), Action::ShowTrail)
        }
        Verdict::Incomplete => {
            let why = result.reason.as_deref().unwrap_or("not all states were visited");
            (format!("incomplete after {states} states: {why}"), Action::Explain)
        }
    }
}

/// With commas.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}
