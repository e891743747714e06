//! Results for programs. The field names are a contract: add, never rename.

pub(crate) mod trail;

use serde::Serialize;
use stubborn_base::{Sources, Span};
use stubborn_check::{
    Config, ExploreReport, HASH_FUNCTIONS, Incomplete, PropertyResult, Purpose, Used, explain,
};

use crate::model::Source;
use crate::system;
use trail::TrailJson;

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
    /// Of the whole process, as the system saw it.
    #[serde(skip_serializing_if = "Option::is_none")]
    process_peak_bytes: Option<usize>,
    /// Only if states were kept as bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    bitstate: Option<Bits>,
    /// Only if several processes searched together, and by process.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    processes: Vec<Process>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_token_in_place: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_token_per_marking: Option<i64>,
}

/// One of several processes.
#[derive(Serialize)]
struct Process {
    states: u64,
    peak_bytes: usize,
    sent_bytes: u64,
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
    threads: usize,
    seconds: f64,
    /// Only if states were kept as bits, and it is not violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    bitstate: Option<Bits>,
    trail: Option<TrailJson>,
}

fn process(used: &Used) -> Process {
    Process { states: used.states, peak_bytes: used.peak_bytes, sent_bytes: used.sent_bytes }
}

/// What may have been missed.
#[derive(Serialize)]
struct Bits {
    bits: u64,
    bits_set: u64,
    hash_functions: u32,
    expected_omissions: f64,
    expected_coverage: f64,
}

fn bits(incomplete: Incomplete) -> Option<Bits> {
    let Incomplete::Bitstate(loss) = incomplete else { return None };
    Some(Bits {
        bits: loss.n_bits,
        bits_set: loss.n_set,
        hash_functions: HASH_FUNCTIONS,
        expected_omissions: loss.omitted(),
        expected_coverage: loss.coverage(),
    })
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
        process_peak_bytes: system::peak_memory(),
        bitstate: report.incomplete.and_then(bits),
        processes: report.used.iter().map(process).collect(),
        max_token_in_place: report.fill.map(|fill| fill.in_place),
        max_token_per_marking: report.fill.map(|fill| fill.in_marking),
    })
}

/// What `stubborn check --format json` writes.
pub(crate) fn check(source: &Source, results: &[PropertyResult]) -> Result<String, String> {
    let properties: Result<_, _> = results.iter().map(|result| property(source, result)).collect();
    Ok(line(&Check { model: &source.path, language: source.language, properties: properties? }))
}

/// A value as one line.
pub(crate) fn line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("numbers, strings and lists can be written");
    text + "\n"
}

fn property<'a>(source: &'a Source, result: &'a PropertyResult) -> Result<Property<'a>, String> {
    let trail = result.trail.as_ref().map(|trail| {
        let explanation = explain(&source.model, &result.property, trail);
        explanation.map(|explanation| trail::of(&source.sources, trail, &explanation))
    });
    Ok(Property {
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
        threads: result.threads,
        seconds: result.time.as_secs_f64(),
        bitstate: result.limit.and_then(bits),
        trail: trail.transpose().map_err(|error| error.to_string())?,
    })
}

/// The path of the file of a span.
pub(crate) fn file(sources: &Sources, span: Span) -> String {
    sources.file(span.file).path().display().to_string()
}
