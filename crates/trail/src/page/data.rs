//! What the script of a page works on.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use stubborn_base::{Sources, Span};
use stubborn_ir::Value;

use crate::chart::Subject;
use crate::trail::Participant;
use crate::valuation::Valuation;

/// All of it. Places in a source are counted as the script counts: in UTF-16 units.
pub(super) fn data(subject: Subject<'_>, valuation: &Valuation) -> Json {
    let Subject { sources, trail, explanation, .. } = subject;
    let mut places = Places { sources, known: BTreeMap::new() };
    let initial = valuation.initial.iter().map(|(name, value)| json!([name.as_str(), show(value)]));
    let initial: Vec<Json> = initial.collect();
    let mut steps = Vec::with_capacity(trail.steps.len());
    for ((step, reason), updates) in trail.steps.iter().zip(&explanation.steps).zip(&valuation.updates) {
        let mut at = |participant: &Participant| places.of(participant.span);
        let mut spans = vec![at(&step.mover)];
        spans.extend(step.partner.as_ref().map(at));
        let causes = reason.causes.iter();
        let causes = causes.map(|c| json!([c.step, c.link.to_string(), c.in_round_before]));
        let updates = updates.iter();
        let updates = updates.map(|(name, value)| json!([name.as_str(), value.as_ref().map(show)]));
        let message = |&message: &usize| {
            let told = &explanation.messages[message];
            json!([told.channel.as_str(), told.text.as_str(), told.sent, told.received, told.received_later])
        };
        // Tokens are told by what a step rests on.
        let (sends, receives) = match step.mover.fires {
            Some(_) => (&[][..], &[][..]),
            None => (&*reason.sends, &*reason.receives),
        };
        steps.push(json!({
            "life": reason.life,
            "partner": reason.partner,
            "spans": spans,
            "causes": causes.collect::<Vec<_>>(),
            "set": updates.collect::<Vec<_>>(),
            "sends": sends.iter().map(message).collect::<Vec<_>>(),
            "receives": receives.iter().map(message).collect::<Vec<_>>(),
        }));
    }
    json!({ "prefix": trail.prefix, "cycle": trail.cycle, "initial": initial, "steps": steps })
}

fn show(value: &Value) -> Json {
    match value {
        Value::Number(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
    }
}

/// Spans as a file and two offsets.
struct Places<'a> {
    sources: &'a Sources,
    known: BTreeMap<Span, [usize; 3]>,
}

impl Places<'_> {
    fn of(&mut self, span: Span) -> [usize; 3] {
        *self.known.entry(span).or_insert_with(|| {
            let text = self.sources.file(span.file).text();
            let units = |end: u32| text.get(..end as usize).map_or(0, |text| text.encode_utf16().count());
            [span.file.0 as usize, units(span.start), units(span.end)]
        })
    }
}
