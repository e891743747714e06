//! What is wrong with a model, each thing at its place: errors in the text, violations with their trails, and what a
//! complete search never saw.

use std::collections::{BTreeMap, BTreeSet};

use stubborn_base::{Diagnostic, FileId, Fix, Severity, Span};
use stubborn_check::{Coverage, Incomplete, PropertyResult, Trail, TrailStep, Verdict, initial_marking};
use stubborn_ir::{Effect, Model, Net, NetTransition, Transition, TransitionId, Violation};

use crate::blocked::{Blocked, blocked};
use crate::root::Root;
use crate::trails::{changes, statement};
use crate::unused::unused;
use crate::verdicts::Status;

/// Of a longer trail the last steps are shown, and the rest is pointed to.
const MAX_STEPS: usize = 50;

/// Something to tell the author of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// How bad it is.
    pub severity: Severity,
    /// What kind of problem, in kebab-case.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// Other places that have to do with it; the steps of a trail.
    pub related: Vec<Related>,
    /// How it can be mended.
    pub fixes: Vec<Fix>,
    /// The property that is violated.
    pub property: Option<String>,
    /// The text does nothing.
    pub is_unnecessary: bool,
}

/// A place with a remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// Where.
    pub span: Span,
    /// What is to be seen there.
    pub message: String,
}

/// All problems of a model, in the order of its files.
pub fn problems(root: &Root) -> Vec<Problem> {
    let analysis = &root.analysis;
    let mut all: Vec<Problem> = analysis.diagnostics.iter().map(of_diagnostic).collect();
    if root.is_fragment {
        let message = "no model in the workspace includes this file, and it has no processes itself: \
                       it is read alone, and nothing in it is checked";
        let place = Span::new(FileId(0), 0, 0);
        all.push(Problem { severity: Severity::Note, ..problem(place, "no-model", message.to_owned()) });
    }
    if let Some(model) = &analysis.model {
        all.extend(unused(analysis));
        for entry in root.verdicts.entries() {
            match root.verdicts.result(&entry.property.name) {
                Some(result) if result.verdict == Verdict::Violated => {
                    all.extend(violation(model, result, &entry.blocked));
                }
                Some(result) if matches!(entry.status, Status::Decided(_)) => {
                    all.extend(incomplete(model, result));
                }
                _ => {}
            }
        }
        if let Some(coverage) = root.verdicts.coverage() {
            all.extend(match &model.net {
                Some(net) => never_fired(model, net, coverage),
                None => never_executed(model, coverage),
            });
        }
    }
    all.sort_by_key(|problem| problem.span);
    all
}

/// What is wrong by the result of a check: a violation at its places, or why nothing is known.
pub fn of_result(model: &Model, result: &PropertyResult) -> Vec<Problem> {
    match result.verdict {
        Verdict::Violated => violation(model, result, &blocked(model, result)),
        _ => incomplete(model, result).into_iter().collect(),
    }
}

/// What is wrong with the text.
pub fn of_diagnostic(diagnostic: &Diagnostic) -> Problem {
    let Diagnostic { severity, code, message, span, labels, help, fixes } = diagnostic;
    let message = match help {
        Some(help) => format!("{message}\nhelp: {help}"),
        None => message.clone(),
    };
    let related = labels.iter().map(|label| Related { span: label.span, message: label.message.clone() });
    Problem {
        severity: *severity,
        related: related.collect(),
        fixes: fixes.clone(),
        ..problem(*span, code, message)
    }
}

/// A warning at a place.
pub(crate) fn problem(span: Span, code: &str, message: String) -> Problem {
    Problem {
        span,
        severity: Severity::Warning,
        code: code.to_owned(),
        message,
        related: Vec::new(),
        fixes: Vec::new(),
        property: None,
        is_unnecessary: false,
    }
}

/// A violation, at the statement that fails; one per process that waits for ever.
fn violation(model: &Model, result: &PropertyResult, blocked: &[Blocked]) -> Vec<Problem> {
    let Some(trail) = &result.trail else { return Vec::new() };
    let property = &result.property;
    let start = Span::new(FileId(0), 0, 0);
    let wrong = result.reason.clone().unwrap_or_else(|| trail.violation.to_string());
    let steps = match trail.steps.len() {
        n if trail.cycle > 0 => format!("{}, by a cycle of {}", after(n - trail.cycle), trail.cycle),
        n => after(n),
    };
    let at = |span: Span, message: String| Problem {
        severity: Severity::Error,
        related: related(trail),
        property: Some(property.name.to_string()),
        ..problem(span, &property.kind.to_string(), message)
    };
    let last = trail.steps.last().map(|step| match &step.partner {
        Some(partner) if trail.violation != Violation::InvalidEnd => partner.span,
        _ => step.mover.span,
    });
    match trail.violation {
        Violation::InvalidEnd => {
            let tell = |b: &Blocked| at(b.span, format!("deadlock {steps}: {}", b.what));
            let told: Vec<Problem> = blocked.iter().map(tell).collect();
            match told.is_empty() {
                true => vec![at(last.unwrap_or(start), format!("{wrong} {steps}"))],
                false => told,
            }
        }
        Violation::FailedAssertion(_) | Violation::Error(_) => {
            let mover = trail.steps.last().map_or(start, |step| step.mover.span);
            vec![at(mover, format!("{wrong}, {steps}"))]
        }
        Violation::NoInitialState(_) => vec![at(start, wrong)],
        Violation::InfiniteRun | Violation::BadPrefix => {
            let span = property.span(model).unwrap_or(start);
            vec![at(span, format!("{}: {wrong}, {steps}", property.name))]
        }
    }
}

fn after(n_steps: usize) -> String {
    match n_steps {
        0 => "at once".to_owned(),
        1 => "after 1 step".to_owned(),
        n => format!("after {n} steps"),
    }
}

/// A property that was not decided, and what to do.
fn incomplete(model: &Model, result: &PropertyResult) -> Option<Problem> {
    let why = match (result.verdict, &result.reason) {
        (Verdict::Incomplete, Some(why)) => why,
        _ => return None,
    };
    let property = &result.property;
    let span = property.span(model).unwrap_or(Span::new(FileId(0), 0, 0));
    let message = format!("{} is not decided: {why}\nhelp: {}", property.name, advice(result));
    Some(Problem {
        severity: Severity::Note,
        property: Some(property.name.to_string()),
        ..problem(span, "incomplete", message)
    })
}

/// What to do where a search did not come to its end.
pub fn advice(result: &PropertyResult) -> &'static str {
    match result.limit {
        Some(Incomplete::Memory { .. }) => {
            "give it more `memory` in the settings, or make the model smaller: fewer processes or tokens, shorter \
             channels, smaller ranges"
        }
        Some(Incomplete::Time { .. }) => {
            "give it more `time` in the settings, or make the model smaller: fewer processes or tokens, shorter \
             channels, smaller ranges"
        }
        Some(Incomplete::Cancelled | Incomplete::Lost { .. }) => "check it again",
        Some(Incomplete::CutOff) => "make the atomic or d_step sequence shorter, or let it end",
        Some(Incomplete::Fairness { .. }) => "check it without weak fairness, or with fewer processes",
        Some(Incomplete::Proposition(_)) => "let the property look only at what always has a value",
        Some(Incomplete::Bitstate(_)) => "check it with a store that keeps all of every state",
        None => "see what hovering over the property tells",
    }
}

/// The steps of a trail as places.
fn related(trail: &Trail) -> Vec<Related> {
    let n = trail.steps.len();
    let left_out = n.saturating_sub(MAX_STEPS);
    let mut all = Vec::new();
    if let (true, Some(first)) = (left_out > 0, trail.steps.first()) {
        let message = format!("steps 1 to {left_out} are in the full trail: use the code lens to show it");
        all.push(Related { span: first.mover.span, message });
    }
    for (i, step) in trail.steps.iter().enumerate().skip(left_out) {
        let cycle = if trail.cycle > 0 && i >= trail.prefix { " ↻" } else { "" };
        all.push(Related { span: step.mover.span, message: format!("{}{cycle} {}", i + 1, tell(step)) });
    }
    all
}

fn tell(step: &TrailStep) -> String {
    let changes = changes(step);
    match changes.is_empty() {
        true => statement(step),
        false => format!("{}  [{changes}]", statement(step)),
    }
}

/// Transitions of a net that no run fires, and places that never get a token.
fn never_fired(model: &Model, net: &Net, coverage: &Coverage) -> Vec<Problem> {
    let fires =
        |t: &NetTransition| t.firings.iter().any(|&firing| coverage.executed[TransitionId(firing)] > 0);
    let note = |span, code: &str, message: &str| Problem {
        severity: Severity::Note,
        is_unnecessary: true,
        ..problem(span, code, message.to_owned())
    };
    let idle = net.transitions.iter().filter(|t| !fires(t));
    let mut all: Vec<Problem> =
        idle.map(|t| note(t.span, "never-fired", "no run fires this transition")).collect();
    let Some(initial) = initial_marking(model) else { return all };
    let mut is_filled: Vec<bool> = initial.0.iter().map(|tokens| !tokens.is_empty()).collect();
    for &place in net.transitions.iter().filter(|t| fires(t)).flat_map(|t| &t.arcs[1]) {
        is_filled[place as usize] = true;
    }
    let empty = net.places.iter().zip(is_filled).filter(|(_, is_filled)| !is_filled);
    all.extend(empty.map(|(p, _)| note(p.span, "never-marked", "this place never gets a token")));
    all
}

/// Statements that no run executes. A statement may have become several transitions.
fn never_executed(model: &Model, coverage: &Coverage) -> Vec<Problem> {
    let is_executed = |id: TransitionId| coverage.executed[id] > 0;
    let mut places: BTreeMap<Span, (bool, TransitionId)> = BTreeMap::new();
    let mut types_alive = BTreeSet::new();
    for (id, t) in model.transitions.iter_enumerated() {
        let place = places.entry(t.origin.span).or_insert((false, id));
        place.0 |= is_executed(id);
        if is_executed(id) || coverage.enabled[id] > 0 {
            types_alive.insert(t.process);
        }
    }
    let mut all = Vec::new();
    for (id, ty) in model.processes.iter_enumerated() {
        let is_created = model.initial.iter().any(|activation| activation.process == id);
        if !types_alive.contains(&id) && !is_created {
            let message = format!("no process of type `{}` is ever created", ty.name);
            all.push(Problem { is_unnecessary: true, ..problem(ty.span, "never-created", message) });
        }
    }
    for (span, (executed, id)) in places {
        let t = &model.transitions[id];
        if executed || !types_alive.contains(&t.process) || t.any_effect(|e| matches!(e, Effect::End)) {
            continue;
        }
        let (code, message) = kind(t);
        all.push(Problem {
            severity: Severity::Note,
            is_unnecessary: true,
            ..problem(span, code, message.to_owned())
        });
    }
    all
}

fn kind(t: &Transition) -> (&'static str, &'static str) {
    if t.any_effect(|effect| matches!(effect, Effect::Assert(_))) {
        ("assertion-never-reached", "no run reaches this assertion")
    } else if t.origin.text == "else" {
        ("else-never-taken", "no run takes this `else`")
    } else {
        ("never-executed", "no run executes this statement")
    }
}
