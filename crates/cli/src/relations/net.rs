//! What is known of the transitions and places of a net, for people and for programs.
//!
//! In JSON the object has no `statements`, but `transitions` and `places`. Both have `name`, `file`, `line`, `column`,
//! `end_line` and `end_column`; without `--at` a transition also `firings`, how many there are. With `--at`:
//!
//! - a transition: `firings`, `told_of` (how many of them were looked at), `examples`; `inputs`, each with `place`,
//!   `inhibits`, `enabled_by` and `disabled_by`; `outputs`; `yields_to`; `does_not_accord`, each with `transition`,
//!   `places` and the share of firings that do not; the share that is `sticky` and that `can_fail`; `seen_by`, each with
//!   `property` and a share. A *share* is `firings`, `of` and the binding of an `example`.
//! - a place: `bound` (null if none is proved), `tokens` (how many different ones are possible), `examples`, `initial`,
//!   `filled_by`, `emptied_by` and `inhibits`.

use std::fmt::Write;

use serde_json::{Value, json};
use stubborn_base::{FileId, Span};
use stubborn_check::relations::net::{NetDescription, PlaceDescription, Share};
use stubborn_check::relations::obstacle;
use stubborn_check::{NetItem, RelationsReport, net_item_at};
use stubborn_ir::Net;

use super::human::place;
use crate::args::Format;
use crate::json::{file, line};
use crate::model::Source;
use crate::output::{BOLD, DIM, UNKNOWN};

/// The transition or the place that is declared at an offset. Fails with the nearest.
pub(super) fn find(source: &Source, net: &Net, file: FileId, offset: u32) -> Result<NetItem, String> {
    if let Some(item) = net_item_at(&source.model, file, offset) {
        return Ok(item);
    }
    let nodes = net.transitions.iter().map(|t| (t.span, &t.name));
    let nodes = nodes.chain(net.places.iter().map(|p| (p.span, &p.name)));
    let distance = |span: Span| span.start.saturating_sub(offset).max(offset.saturating_sub(span.end));
    let nearest = nodes.filter(|(span, _)| span.file == file).min_by_key(|(span, _)| distance(*span));
    Err(nearest.map_or_else(String::new, |(span, name)| {
        format!("; the nearest is `{name}` at {}", place(&source.sources, span))
    }))
}

/// Where, as it is shown; a name; what it is.
type Row<'a> = (Span, String, &'a str, String);

/// All transitions and places.
pub(super) fn list(source: &Source, net: &Net, format: Format) -> String {
    if format == Format::Json {
        let transitions = net
            .transitions
            .iter()
            .map(|t| with(node(source, &t.name, t.span), json!({ "firings": t.firings.len() })));
        let places = net.places.iter().map(|p| node(source, &p.name, p.span));
        return report_json(source, transitions.collect(), places.collect());
    }
    let mut rows: Vec<Row<'_>> = Vec::new();
    for t in &net.transitions {
        let n = t.firings.len();
        let firings = format!("{n} firing{}", if n == 1 { "" } else { "s" });
        rows.push((t.span, place(&source.sources, t.span), &t.name, firings));
    }
    for p in &net.places {
        rows.push((p.span, place(&source.sources, p.span), &p.name, "place".to_owned()));
    }
    rows.sort();
    let width = |of: fn(&Row<'_>) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let (w0, w1) = (width(|row| row.1.chars().count()), width(|row| row.2.chars().count()));
    let mut text = String::new();
    for (_, at, name, what) in &rows {
        let _ = writeln!(text, "{DIM}{at:w0$}{DIM:#}  {name:w1$}  {DIM}{what}{DIM:#}");
    }
    text
}

/// What is known of some of them.
pub(super) fn report(source: &Source, net: &Net, report: &RelationsReport, format: Format) -> String {
    if format == Format::Json {
        let transitions = report.transitions.iter().map(|d| transition_json(source, net, d));
        let places = report.places.iter().map(|(d, initial)| place_json(source, net, d, initial));
        return report_json(source, transitions.collect(), places.collect());
    }
    let mut text = String::new();
    if let Some(why) = report.no_reduction {
        let _ = writeln!(text, "{UNKNOWN}no reduction{UNKNOWN:#} can be used on this model: {why}");
    }
    let mut tell = Tell { source, net, text };
    report.transitions.iter().for_each(|d| tell.transition(d));
    report.places.iter().for_each(|(d, initial)| tell.place(d, initial));
    tell.text
}

struct Tell<'a> {
    source: &'a Source,
    net: &'a Net,
    text: String,
}

impl Tell<'_> {
    fn line(&mut self, what: &str, text: &str) {
        let _ = writeln!(self.text, "{}", format!("  {DIM}{what:13}{DIM:#}{text}").trim_end());
    }

    fn head(&mut self, name: &str, what: &str, span: Span) {
        let at = place(&self.source.sources, span);
        let _ = writeln!(self.text, "{BOLD}{name}{BOLD:#}  {what}, {at}");
    }

    fn transitions(&self, transitions: &[u32]) -> String {
        let tell = |&t: &u32| {
            let t = &self.net.transitions[t as usize];
            format!("{} ({})", t.name, place(&self.source.sources, t.span))
        };
        transitions.iter().map(tell).collect::<Vec<_>>().join(", ")
    }

    fn places(&self, places: &[u32]) -> String {
        places.iter().map(|&p| &*self.net.places[p as usize].name).collect::<Vec<_>>().join(", ")
    }

    fn transition(&mut self, d: &NetDescription) {
        self.head(&d.name, "transition", d.span);
        let more = if d.n_firings > d.examples.len() { ", …" } else { "" };
        self.line("firings", &format!("{}: {}{more}", d.n_firings, d.examples.join(", ")));
        if d.n_told < d.n_firings {
            self.line("", &format!("{} of them were looked at", d.n_told));
        }
        for input in &d.inputs {
            let name = self.places(&[input.place]);
            self.line(if input.inhibits { "inhibited by" } else { "takes from" }, &name);
            for (what, by) in [("enabled by", &input.enabled_by), ("disabled by", &input.disabled_by)] {
                if !by.is_empty() {
                    let by = self.transitions(by);
                    let _ = writeln!(self.text, "    {what} {by}");
                }
            }
        }
        self.line("puts to", &self.places(&d.outputs));
        if !d.yields_to.is_empty() {
            self.line("goes after", &self.transitions(&d.yields_to));
        }
        self.line("accords", if d.does_not_accord.is_empty() { "with everything" } else { "not with" });
        for conflict in &d.does_not_accord {
            let with = match conflict.with == d.transition {
                true => "itself, with another binding".to_owned(),
                false => self.transitions(&[conflict.with]),
            };
            let places = match conflict.places.is_empty() {
                true => "it cannot be told that they do".to_owned(),
                false => format!("through {}", self.places(&conflict.places)),
            };
            let _ = writeln!(self.text, "    {with}: {places}; {}", share(&conflict.share));
        }
        self.line("sticky", &share(&d.sticky));
        self.line("can fail", &share(&d.can_fail));
        let seen = d.seen_by.iter().map(|(name, by)| format!("{name} ({})", share(by)));
        let seen: Vec<String> = seen.chain(["deadlock".to_owned()]).collect();
        self.line("seen by", &seen.join(", "));
    }

    fn place(&mut self, d: &PlaceDescription, initial: &str) {
        self.head(&d.name, "place", d.span);
        self.line("bound", &d.most.map_or("not proved".to_owned(), |most| format!("{most}, proved")));
        if !d.is_plain {
            let more = if d.n_tokens > d.examples.len() { ", …" } else { "" };
            self.line("tokens", &format!("{} possible: {}{more}", d.n_tokens, d.examples.join(", ")));
        }
        self.line("initially", initial);
        for (what, transitions) in ["filled by", "emptied by", "inhibits"].iter().zip(&d.arcs) {
            if !transitions.is_empty() {
                self.line(what, &self.transitions(transitions));
            }
        }
    }
}

fn share(share: &Share) -> String {
    match (share.n, share.of) {
        (0, _) => "no".to_owned(),
        (n, of) if n == of => "yes".to_owned(),
        (n, of) => format!("{n} of {of} bindings, e.g. {}", share.example),
    }
}

fn share_json(share: &Share) -> Value {
    json!({ "firings": share.n, "of": share.of, "example": share.example.as_str() })
}

fn node(source: &Source, name: &str, span: Span) -> Value {
    let (start, end) = source.sources.positions(span);
    json!({
        "name": name, "file": file(&source.sources, span), "line": start.line, "column": start.column,
        "end_line": end.line, "end_column": end.column,
    })
}

fn with(mut object: Value, more: Value) -> Value {
    if let (Value::Object(object), Value::Object(more)) = (&mut object, more) {
        object.extend(more);
    }
    object
}

fn report_json(source: &Source, transitions: Vec<Value>, places: Vec<Value>) -> String {
    let no_statements: [Value; 0] = [];
    line(&json!({
        "model": source.path, "language": source.language, "no_reduction": obstacle(&source.model),
        "statements": no_statements, "transitions": transitions, "places": places,
    }))
}

fn transition_json(source: &Source, net: &Net, d: &NetDescription) -> Value {
    let transitions =
        |all: &[u32]| -> Vec<&str> { all.iter().map(|&t| &*net.transitions[t as usize].name).collect() };
    let places = |all: &[u32]| -> Vec<&str> { all.iter().map(|&p| &*net.places[p as usize].name).collect() };
    let inputs = d.inputs.iter().map(|input| {
        json!({
            "place": net.places[input.place as usize].name.as_str(), "inhibits": input.inhibits,
            "enabled_by": transitions(&input.enabled_by), "disabled_by": transitions(&input.disabled_by),
        })
    });
    let conflicts = d.does_not_accord.iter().map(|conflict| {
        let name = net.transitions[conflict.with as usize].name.as_str();
        with(json!({ "transition": name, "places": places(&conflict.places) }), share_json(&conflict.share))
    });
    let seen_by =
        d.seen_by.iter().map(|(name, by)| with(json!({ "property": name.as_str() }), share_json(by)));
    let examples: Vec<&str> = d.examples.iter().map(AsRef::as_ref).collect();
    let told = json!({
        "firings": d.n_firings, "told_of": d.n_told, "examples": examples,
        "inputs": inputs.collect::<Vec<_>>(), "outputs": places(&d.outputs),
        "yields_to": transitions(&d.yields_to), "does_not_accord": conflicts.collect::<Vec<_>>(),
        "sticky": share_json(&d.sticky), "can_fail": share_json(&d.can_fail),
        "seen_by": seen_by.collect::<Vec<_>>(),
    });
    with(node(source, &d.name, d.span), told)
}

fn place_json(source: &Source, net: &Net, d: &PlaceDescription, initial: &str) -> Value {
    let [filled, emptied, inhibits] = &d.arcs;
    let transitions =
        |all: &[u32]| -> Vec<&str> { all.iter().map(|&t| &*net.transitions[t as usize].name).collect() };
    let examples: Vec<&str> = d.examples.iter().map(AsRef::as_ref).collect();
    let told = json!({
        "bound": d.most, "tokens": d.n_tokens, "examples": examples, "initial": initial,
        "filled_by": transitions(filled), "emptied_by": transitions(emptied), "inhibits": transitions(inhibits),
    });
    with(node(source, &d.name, d.span), told)
}
