//! Results for what shows them in reviews: SARIF 2.1.0, the Static Analysis Results Interchange Format (OASIS).
//!
//! A violation is a result of the rule that is its kind, at the places where an editor would underline it; its trail is
//! a code flow, a step a location. A property that is not decided is a note, and never no result at all.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use stubborn_base::{Diagnostic, FileId, Severity, Sources, Span};
use stubborn_check::{PropertyResult, Trail};
use stubborn_ide::problems::{Problem, Related, of_diagnostic, of_result};
use stubborn_ide::trails::{changes, statement};

use crate::model::{GOAL, Reading, Source};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// What `stubborn check --format sarif` writes.
pub(crate) fn check(source: &Source, results: &[PropertyResult]) -> String {
    let sources = &source.sources;
    let mut found = remarks(sources, &source.diagnostics);
    for result in results {
        let problems = of_result(&source.model, result);
        found.extend(problems.iter().map(|problem| of_problem(sources, problem, result.trail.as_ref())));
    }
    log(&source.path, &found)
}

/// The same of a model that cannot be checked.
pub(crate) fn errors(read: &Reading) -> String {
    log(&read.path, &remarks(&read.sources, &read.diagnostics))
}

fn remarks(sources: &Sources, diagnostics: &[Diagnostic]) -> Vec<Value> {
    diagnostics.iter().map(|diagnostic| of_problem(sources, &of_diagnostic(diagnostic), None)).collect()
}

/// The results of one model. Its path tells them from those of others: whoever collects several files, as GitHub does,
/// takes files of the same tool without such a name for one, and refuses them.
fn log(model: &str, results: &[Value]) -> String {
    let rules: BTreeSet<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    let rules: Vec<Value> = rules.iter().map(|id| json!({ "id": id })).collect();
    let driver = json!({
        "name": "Stubborn",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    let run = json!({
        "tool": { "driver": driver },
        "automationDetails": { "id": format!("stubborn/{}/", uri(Path::new(model))) },
        "columnKind": "unicodeCodePoints",
        "results": results,
    });
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
    format!("{log:#}\n")
}

fn of_problem(sources: &Sources, problem: &Problem, trail: Option<&Trail>) -> Value {
    let level = match problem.severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let mut result = json!({
        "ruleId": problem.code,
        "level": level,
        "message": { "text": problem.message },
        "locations": [location(sources, problem.span)],
    });
    match trail.filter(|trail| !trail.steps.is_empty()) {
        Some(trail) => result["codeFlows"] = json!([flow(sources, trail)]),
        None if !problem.related.is_empty() => {
            let related = |related: &Related| remark(sources, related.span, &related.message);
            result["relatedLocations"] = problem.related.iter().map(related).collect();
        }
        None => {}
    }
    result
}

/// The steps of a trail, one after the other.
fn flow(sources: &Sources, trail: &Trail) -> Value {
    let locations = trail.steps.iter().enumerate().map(|(i, step)| {
        let mut text = statement(step);
        let changes = changes(step);
        if !changes.is_empty() {
            text += &format!("  [{changes}]");
        }
        let mut at = json!({ "location": remark(sources, step.mover.span, &text) });
        if trail.cycle > 0 && i >= trail.prefix {
            at["kinds"] = json!(["cycle"]);
        }
        at
    });
    json!({ "threadFlows": [{ "locations": locations.collect::<Vec<Value>>() }] })
}

fn remark(sources: &Sources, span: Span, text: &str) -> Value {
    let mut place = location(sources, span);
    place["message"] = json!({ "text": text });
    place
}

/// A place in a file. What is on the command line is shown where the model begins.
fn location(sources: &Sources, span: Span) -> Value {
    let is_goal = sources.file(span.file).path() == Path::new(GOAL);
    let span = if is_goal { Span::new(FileId(0), 0, 0) } else { span };
    let (start, end) = sources.positions(span);
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(sources.file(span.file).path()) },
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        }
    })
}

/// A path as a reference: relative to where the program was started, if it was given so.
fn uri(path: &Path) -> String {
    let mut text = String::from(if path.is_absolute() { "file://" } else { "" });
    for byte in path.to_string_lossy().trim_start_matches("./").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                text.push(byte.into())
            }
            b'\\' if cfg!(windows) => text.push('/'),
            _ => text += &format!("%{byte:02X}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri(Path::new("./models/a b.pml")), "models/a%20b.pml");
        assert_eq!(uri(Path::new("/tmp/ä.pml")), "file:///tmp/%C3%A4.pml");
    }
}
