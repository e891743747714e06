//! What is known of a transition or a place of a net, in Markdown: one account for all bindings.

use std::fmt::Write;

use stubborn_base::{FileId, Span};
use stubborn_check::NetItem;
use stubborn_check::relations::net::{NetDescription, NetInput, PlaceDescription, Share, describe_place};
use stubborn_check::relations::obstacle;
use stubborn_ir::{Model, Net, TransitionId};

use crate::hover::{Link, MAX_ITEMS, Tell, code_span};
use crate::lenses::grouped;
use crate::names::net_item;

/// Tells what is declared or mentioned at a place, if that is a part of a net.
pub(crate) fn tell(tell: &mut Tell<'_>, file: FileId, offset: u32) -> Option<Span> {
    let analysis = tell.known.analysis;
    let model = analysis.model.as_ref()?;
    let net = model.net.as_ref()?;
    let span = match net_item(analysis, file, offset)? {
        NetItem::Transition(transition) => {
            let described = tell.known.survey?.describe_net(transition)?;
            tell.section();
            tell.transition(model, net, &described);
            described.span
        }
        NetItem::Place(place) => {
            let described = describe_place(net, place);
            tell.section();
            tell.place(model, net, &described);
            described.span
        }
    };
    Some(span)
}

impl Tell<'_> {
    fn link(&self, name: &str, span: Span) -> String {
        let Link { address, .. } = (self.known.link)(span);
        format!("[`{}`]({address})", code_span(name))
    }

    fn transitions(&self, net: &Net, transitions: &[u32]) -> String {
        let link = |&t: &u32| {
            let transition = &net.transitions[t as usize];
            self.link(&transition.name, transition.span)
        };
        list(transitions.iter().map(link), transitions.len())
    }

    fn places(&self, net: &Net, places: &[u32]) -> String {
        let link = |&p: &u32| {
            let place = &net.places[p as usize];
            self.link(&place.name, place.span)
        };
        list(places.iter().map(link), places.len())
    }

    fn transition(&mut self, model: &Model, net: &Net, d: &NetDescription) {
        self.code(&d.name);
        let examples: Vec<String> = d.examples.iter().map(|e| format!("`{}`", code_span(e))).collect();
        let more = if d.n_firings > d.examples.len() { ", …" } else { "" };
        match d.n_firings {
            0 => return self.line("firings", "none: no binding ever finds its tokens"),
            1 => self.line("firings", &format!("1: {}", examples.join(", "))),
            n => self
                .line("firings", &format!("{} bindings: {}{more}", grouped(n as u64), examples.join(", "))),
        }
        for input in &d.inputs {
            self.input(net, input);
        }
        if !d.outputs.is_empty() {
            self.line("puts to", &self.places(net, &d.outputs));
        }
        if !d.yields_to.is_empty() {
            self.line("goes after", &self.transitions(net, &d.yields_to));
        }
        self.conflicts(net, d);
        self.line(
            "sticky",
            &share(&d.sticky, "no: other transitions close the cycles it is on, or it is on none"),
        );
        if d.can_fail.n > 0 {
            self.line("can fail", &share(&d.can_fail, "no"));
        }
        let mut seen: Vec<String> =
            d.seen_by.iter().take(MAX_ITEMS).map(|(name, by)| seen_by(name, by)).collect();
        if d.seen_by.len() > MAX_ITEMS {
            seen.push(format!("{} more", d.seen_by.len() - MAX_ITEMS));
        }
        seen.push("deadlock".to_owned());
        self.line("seen by", &seen.join(", "));
        self.fired(&net.transitions[d.transition as usize].firings, &d.name, model);
        if d.n_told < d.n_firings {
            let _ = writeln!(
                self.text,
                "\n{} of {} bindings were looked at",
                d.n_told,
                grouped(d.n_firings as u64)
            );
        }
        if let Some(why) = obstacle(model) {
            let _ = writeln!(self.text, "\nno reduction can be used on this model: {why}");
        }
    }

    fn input(&mut self, net: &Net, input: &NetInput) {
        let place = &net.places[input.place as usize];
        let mut text = self.link(&place.name, place.span);
        let [filled, emptied] = match input.inhibits {
            false => ["filled by", "emptied by"],
            true => ["made way by", "blocked by"],
        };
        for (what, by) in [(filled, &input.enabled_by), (emptied, &input.disabled_by)] {
            if !by.is_empty() {
                let _ = write!(text, "; {what} {}", self.transitions(net, by));
            }
        }
        self.line(if input.inhibits { "inhibited by" } else { "takes from" }, &text);
    }

    fn conflicts(&mut self, net: &Net, d: &NetDescription) {
        if d.does_not_accord.is_empty() {
            return self.line("accords", "with everything");
        }
        self.line("does not accord with", "");
        for conflict in d.does_not_accord.iter().take(MAX_ITEMS) {
            let with = match conflict.with == d.transition {
                true => "itself, with another binding".to_owned(),
                false => self.transitions(net, &[conflict.with]),
            };
            let of = match conflict.share.n == conflict.share.of {
                true => String::new(),
                false => format!(" ({})", share(&conflict.share, "")),
            };
            let places = match conflict.places.is_empty() {
                true => "it cannot be told that they do".to_owned(),
                false => format!("through {}", self.places(net, &conflict.places)),
            };
            let _ = writeln!(self.text, "  - {with}: {places}{of}");
        }
        if d.does_not_accord.len() > MAX_ITEMS {
            let _ = writeln!(self.text, "  - {} more", d.does_not_accord.len() - MAX_ITEMS);
        }
    }

    /// How often the last complete search saw it fire.
    fn fired(&mut self, firings: &[u32], name: &str, model: &Model) {
        let Some(coverage) = self.known.verdicts.coverage() else { return };
        let executed = |firing: &u32| coverage.executed[TransitionId(*firing)];
        let total: u64 = firings.iter().map(executed).sum();
        let never: Vec<&u32> = firings.iter().filter(|&firing| executed(firing) == 0).collect();
        let text = match (total, never.first()) {
            (0, _) => "never".to_owned(),
            (n, Some(&&first)) => {
                let text = &model.transitions[TransitionId(first)].origin.text;
                let example = stubborn_check::relations::net::binding(name, text);
                let (of, never) = (grouped(firings.len() as u64), grouped(never.len() as u64));
                format!("{} times; {never} of {of} bindings never, e.g. `{}`", grouped(n), code_span(example))
            }
            (n, None) => format!("{} times", grouped(n)),
        };
        self.line("fired", &text);
    }

    fn place(&mut self, model: &Model, net: &Net, d: &PlaceDescription) {
        self.code(&format!("place {}", d.name));
        let bound = match d.most {
            Some(most) => {
                format!("at most {} token{}, proved", grouped(most), if most == 1 { "" } else { "s" })
            }
            None => "not proved".to_owned(),
        };
        self.line("bound", &bound);
        if let Some(most) = self.known.verdicts.coverage().and_then(|c| c.places.get(d.place as usize)) {
            let remark = self.known.verdicts.coverage_remark();
            self.line("seen", &format!("at most {}{remark}", grouped(*most)));
        }
        if !d.is_plain {
            let shown: Vec<String> = d.examples.iter().map(|e| format!("`{}`", code_span(e))).collect();
            let more = if d.n_tokens > shown.len() { ", …" } else { "" };
            self.line(
                "possible tokens",
                &format!("{}: {}{more}", grouped(d.n_tokens as u64), shown.join(", ")),
            );
        } else if d.n_tokens == 0 {
            self.line("possible tokens", "none: nothing ever puts one there");
        }
        let initial = stubborn_check::initial_marking(model);
        if let Some(tokens) = initial.as_ref().and_then(|marking| marking.0.get(d.place as usize)) {
            self.line("initially", &format!("`{}`", cut(&net.places[d.place as usize].show(tokens))));
        }
        for (what, transitions) in ["filled by", "emptied by", "inhibits"].iter().zip(&d.arcs) {
            if !transitions.is_empty() {
                self.line(what, &self.transitions(net, transitions));
            }
        }
    }
}

/// A name of a property, and of which bindings it looks at something.
fn seen_by(name: &str, by: &Share) -> String {
    match by.n == by.of {
        true => format!("`{name}`"),
        false => format!("`{name}` ({})", share(by, "")),
    }
}

/// `3 of 12 bindings, e.g. x=1`
fn share(share: &Share, none: &str) -> String {
    match (share.n, share.of) {
        (0, _) => none.to_owned(),
        (n, of) if n == of => "yes".to_owned(),
        (n, of) => format!("{n} of {of} bindings, e.g. `{}`", code_span(&share.example)),
    }
}

fn list(items: impl Iterator<Item = String>, n: usize) -> String {
    let mut shown: Vec<String> = items.take(MAX_ITEMS).collect();
    if n > MAX_ITEMS {
        shown.push(format!("{} more", n - MAX_ITEMS));
    }
    shown.join(", ")
}

fn cut(text: &str) -> String {
    const LONG: usize = 120;
    match text.chars().count() > LONG {
        true => text.chars().take(LONG).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
