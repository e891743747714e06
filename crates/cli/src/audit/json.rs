//! What `stubborn audit` writes for programs. The field names are a contract: add, never rename.

use serde::Serialize;
use stubborn_check::{AuditReport, Tally, tell_move};

use crate::json;
use crate::model::Source;

#[derive(Serialize)]
struct Audit<'a> {
    model: &'a str,
    language: &'a str,
    states: usize,
    clean: bool,
    violated: bool,
    complete: bool,
    incomplete_reason: Option<&'a str>,
    obstacle: Option<&'a str>,
    searches: Vec<Search<'a>>,
    declarations: Vec<Check<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct Search<'a> {
    reduction: String,
    proviso: String,
    search: String,
    proposition: Option<&'a str>,
    expansions: u64,
    conditions: Vec<Check<'a>>,
}

#[derive(Serialize)]
struct Check<'a> {
    condition: String,
    checked: u64,
    unit: &'a str,
    wrong: u64,
    incomplete_reason: Option<&'a str>,
    violations: Vec<Violation<'a>>,
}

#[derive(Serialize)]
struct Violation<'a> {
    what: &'a str,
    step: Option<String>,
    line: Option<u32>,
    state: &'a str,
    way: Vec<String>,
}

pub(crate) fn audit(source: &Source, report: &AuditReport) -> String {
    json::line(&Audit {
        model: &source.path,
        language: source.language,
        states: report.n_states,
        clean: !report.is_violated() && !report.is_incomplete(),
        violated: report.is_violated(),
        complete: !report.is_incomplete(),
        incomplete_reason: report.incomplete.as_deref(),
        obstacle: report.obstacle.as_deref(),
        searches: report
            .audited
            .iter()
            .map(|audited| Search {
                reduction: audited.combination.plan.reduction.to_string(),
                proviso: audited.combination.plan.proviso.to_string(),
                search: audited.combination.order.to_string(),
                proposition: audited.combination.proposition.as_deref(),
                expansions: audited.n_expansions,
                conditions: audited.tallies.iter().map(|tally| check(source, tally)).collect(),
            })
            .collect(),
        declarations: report.declarations.iter().map(|tally| check(source, tally)).collect(),
        seconds: report.time.as_secs_f64(),
    })
}

fn check<'a>(source: &Source, tally: &'a Tally) -> Check<'a> {
    Check {
        condition: tally.condition.to_string(),
        checked: tally.n_checked,
        unit: tally.condition.unit(),
        wrong: tally.n_violations,
        incomplete_reason: tally.incomplete.as_deref(),
        violations: tally
            .violations
            .iter()
            .map(|violation| Violation {
                what: &violation.what,
                step: violation.step.as_ref().map(|step| tell_move(&source.model, step)),
                line: violation.step.as_ref().map(|step| {
                    let span = source.model.transitions[step.transition].origin.span;
                    source.sources.position(span.file, span.start).line
                }),
                state: &violation.state,
                way: violation.way.iter().map(|step| tell_move(&source.model, step)).collect(),
            })
            .collect(),
    }
}
