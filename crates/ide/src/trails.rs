//! Trails as text and as places, and the values at a step of one.

use std::collections::BTreeMap;
use std::fmt::Write;

use stubborn_base::{FileId, Sources, Span};
use stubborn_check::{PropertyResult, Trail, TrailStep};
use stubborn_ir::{Change, Value};

use crate::root::Root;

/// A statement of a step, in one line.
pub fn statement(step: &TrailStep) -> String {
    match &step.partner {
        Some(partner) => format!("{} → {partner}", step.mover),
        None => step.mover.to_string(),
    }
}

/// What a step changed, in one line; empty if it is nothing.
pub fn changes(step: &TrailStep) -> String {
    Change::in_a_row(&step.changes)
}

/// A value as it is shown.
pub fn value(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text.to_string(),
    }
}

/// What variables are after a step: those that any step of the trail changes, before or after.
pub fn values_at(trail: &Trail, step: usize) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    for (i, made) in trail.steps.iter().enumerate() {
        for change in &made.changes {
            if i <= step {
                values.insert(change.name.to_string(), value(&change.to));
            } else {
                values.entry(change.name.to_string()).or_insert_with(|| value(&change.from));
            }
        }
    }
    values
}

/// The whole trail as a text with a place in every line, for an editor that opens it.
pub fn document(root: &Root, result: &PropertyResult) -> String {
    let sources = &root.analysis.sources;
    let blocked = root.verdicts.get(&result.property.name).map_or(&[][..], |entry| &entry.blocked);
    let Some(trail) = &result.trail else { return String::new() };
    let mut text = format!("{}: {}\n", result.property.name, result.reason.as_deref().unwrap_or_default());
    let n = trail.steps.len();
    let shortest = if trail.is_shortest { ", no counterexample is shorter" } else { "" };
    let _ = writeln!(text, "{n} step{}{shortest}\n", if n == 1 { "" } else { "s" });
    for (i, step) in trail.steps.iter().enumerate() {
        if trail.cycle > 0 && i == trail.prefix {
            let _ = writeln!(text, "from here on for ever:");
        }
        let _ = write!(text, "{:>4}  {}  {}", i + 1, place(sources, step.mover.span), statement(step));
        let changes = changes(step);
        let _ = if changes.is_empty() { writeln!(text) } else { writeln!(text, "  [{changes}]") };
    }
    if trail.is_of_net() {
        for blocked in blocked {
            let _ = writeln!(text, "      {}  {}", place(sources, blocked.span), blocked.what);
        }
        return text;
    }
    let waiting = trail.waiting.iter().filter(|waiting| !waiting.is_end);
    for waiting in waiting {
        let at = place(sources, waiting.span);
        let _ = writeln!(text, "      {at}  {}({}) is here", waiting.process, waiting.pid);
    }
    text
}

/// `model.pml:3:5`, which editors make a link of.
fn place(sources: &Sources, span: Span) -> String {
    let position = sources.position(span.file, span.start);
    let path = sources.file(span.file).path();
    let name = match span.file {
        FileId(0) => {
            path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into())
        }
        _ => path.display().to_string(),
    };
    format!("{name}:{}:{}", position.line, position.column)
}
