//! Results for programs. The field names are a contract: add, never rename.

use serde::Serialize;
use stubborn_base::{Sources, Span};
use stubborn_check::{Config, ExploreReport, Participant, PropertyResult, Purpose, Trail, TrailStep};
use stubborn_ir::Value;

use crate::model::Source;

#[derive(Serialize)]
struct Explore<'a> {
    model: &'a str,
    language: &'a str,
    search: String,
    reduction: String,
    proviso: String,
    why_reduction: &'a str,
    states: u64,
    transitions: u64,
    deadlocks: u64,
    assertion_violations: u64,
    errors: u64,
    depth: u64,
    complete: bool,
    incomplete_reason: Option<String>,
    seconds: f64,
    peak_bytes: usize,
    bytes_per_state: f64,
}

#[derive(Serialize)]
struct Check<'a> {
    model: &'a str,
    language: &'a str,
    properties: Vec<Property<'a>>,
}

#[derive(Serialize)]
struct Property<'a> {
    name: &'a str,
    kind: String,
    verdict: String,
    reason: Option<&'a str>,
    states: u64,
    transitions: u64,
    search: String,
    reduction: String,
    proviso: String,
    why_reduction: &'a str,
    seconds: f64,
    trail: Option<TrailJson<'a>>,
}

#[derive(Serialize)]
pub(crate) struct TrailJson<'a> {
    prefix: usize,
    cycle: usize,
    /// No counterexample has fewer steps.
    shortest: bool,
    steps: Vec<Step<'a>>,
}

#[derive(Serialize)]
struct Step<'a> {
    #[serde(flatten)]
    mover: Statement<'a>,
    changes: Vec<Change<'a>>,
    /// The receiver of a rendezvous.
    partner: Option<Statement<'a>>,
}

#[derive(Serialize)]
struct Statement<'a> {
    process: &'a str,
    pid: u16,
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: &'a str,
}

#[derive(Serialize)]
struct Change<'a> {
    name: &'a str,
    from: serde_json::Value,
    to: serde_json::Value,
}

/// What `stubborn explore --format json` writes.
pub(crate) fn explore(source: &Source, config: &Config, report: &ExploreReport) -> String {
    line(&Explore {
        model: &source.path,
        language: source.language,
        search: config.order_for(Purpose::Deadlocks).to_string(),
        reduction: report.strategy.plan.reduction.to_string(),
        proviso: report.strategy.plan.proviso.to_string(),
        why_reduction: &report.strategy.why,
        states: report.counts.states,
        transitions: report.counts.transitions,
        deadlocks: report.counts.deadlocks,
        assertion_violations: report.counts.failed_assertions,
        errors: report.counts.errors,
        depth: report.counts.depth,
        complete: report.incomplete.is_none(),
        incomplete_reason: report.incomplete.map(|why| why.to_string()),
        seconds: report.time.as_secs_f64(),
        peak_bytes: report.peak_bytes,
        bytes_per_state: report.bytes_per_state,
    })
}

/// What `stubborn check --format json` writes.
pub(crate) fn check(source: &Source, results: &[PropertyResult]) -> String {
    line(&Check {
        model: &source.path,
        language: source.language,
        properties: results.iter().map(|result| property(&source.sources, result)).collect(),
    })
}

/// A value as one line.
pub(crate) fn line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("numbers, strings and lists can be written");
    text + "\n"
}

fn property<'a>(sources: &'a Sources, result: &'a PropertyResult) -> Property<'a> {
    Property {
        name: &result.property.name,
        kind: result.property.kind.to_string(),
        verdict: result.verdict.to_string(),
        reason: result.reason.as_deref(),
        states: result.counts.states,
        transitions: result.counts.transitions,
        search: result.guide.map_or_else(|| result.order.to_string(), |guide| guide.to_string()),
        reduction: result.strategy.plan.reduction.to_string(),
        proviso: result.strategy.plan.proviso.to_string(),
        why_reduction: &result.strategy.why,
        seconds: result.time.as_secs_f64(),
        trail: result.trail.as_ref().map(|t| trail(sources, t)),
    }
}

fn trail<'a>(sources: &'a Sources, trail: &'a Trail) -> TrailJson<'a> {
    TrailJson {
        prefix: trail.prefix,
        cycle: trail.cycle,
        shortest: trail.is_shortest,
        steps: trail.steps.iter().map(|s| step(sources, s)).collect(),
    }
}

/// A run that is no counterexample.
pub(crate) fn run<'a>(sources: &'a Sources, steps: &'a [TrailStep]) -> TrailJson<'a> {
    let told = steps.iter().map(|s| step(sources, s)).collect();
    TrailJson { prefix: steps.len(), cycle: 0, shortest: false, steps: told }
}

fn step<'a>(sources: &'a Sources, step: &'a TrailStep) -> Step<'a> {
    let changes = step.changes.iter();
    Step {
        mover: statement(sources, &step.mover),
        changes: changes.map(|c| Change { name: &c.name, from: value(&c.from), to: value(&c.to) }).collect(),
        partner: step.partner.as_ref().map(|partner| statement(sources, partner)),
    }
}

fn statement<'a>(sources: &'a Sources, participant: &'a Participant) -> Statement<'a> {
    let Participant { process, pid, span, text } = participant;
    let (start, end) = sources.positions(*span);
    Statement {
        process,
        pid: *pid,
        file: file(sources, *span),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        text,
    }
}

/// The path of the file of a span.
pub(crate) fn file(sources: &Sources, span: Span) -> String {
    sources.file(span.file).path().display().to_string()
}

fn value(value: &Value) -> serde_json::Value {
    match value {
        Value::Number(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
    }
}
