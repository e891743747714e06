//! Random claims about the runs of a random model, as text that SPIN reads too: formulas over what the model
//! declares, and accept and progress labels.

use stubborn_ir::{Channel, Model, SlotType};
use stubborn_ltl::{Formula, Proposition};

use super::{Random, formula, usual};
use crate::graph::Graph;

/// A formula over expressions.
#[derive(Clone, PartialEq, Debug)]
pub struct Stated {
    /// Without the next operator, which Debian builds SPIN without.
    pub formula: Formula,
    /// The text of each proposition.
    pub propositions: Vec<String>,
}

impl Stated {
    /// A random formula about values that occur, lengths of channels, and places of processes.
    pub fn random(model: &Model, graph: &Graph<'_>, text: &str, random: &mut Random) -> Stated {
        let n = [1, 2, 2, 3][random.below(4)];
        let propositions: Vec<String> = (0..n).map(|_| proposition(model, graph, text, random)).collect();
        let formula = match random.below(3) {
            0 => {
                let size = 3 + random.below(6);
                without_next(formula(random, size, n))
            }
            _ => usual(random, n),
        };
        Stated { formula, propositions }
    }

    /// As an `ltl` block.
    pub fn block(&self, name: &str) -> String {
        let named = |p: Proposition| format!("({})", self.propositions[p.0 as usize]);
        let formula = self.formula.display(&named);
        format!("ltl {name} {{ {formula} }}\n")
    }

    /// Formulas that are one step smaller.
    pub fn smaller(&self) -> Vec<Stated> {
        let all = smaller(&self.formula).into_iter();
        all.map(|formula| Stated { formula, propositions: self.propositions.clone() }).collect()
    }
}

pub(super) fn proposition(model: &Model, graph: &Graph<'_>, text: &str, random: &mut Random) -> String {
    let label = |random: &mut Random| {
        let places = places(text);
        random.pick(&places).map(|(process, label)| format!("{process}@{label}"))
    };
    let channels: Vec<&str> =
        model.channels.iter().filter(|c| c.capacity > 0).map(|c| c.name.as_str()).collect();
    match random.below(8) {
        0 | 1 => label(random),
        2 => random.pick(&channels).map(|name| format!("len({name}) {} 1", ["==", "<"][random.below(2)])),
        _ => None,
    }
    .unwrap_or_else(|| value(model, graph, random))
}

/// What a global is compared with is a value it has at some time.
fn value(model: &Model, graph: &Graph<'_>, random: &mut Random) -> String {
    let scalars: Vec<_> = model.globals.iter().filter(|v| !matches!(v.ty, SlotType::Chan)).collect();
    let Some(variable) = random.pick(&scalars) else { return "_nr_pr > 1".to_owned() };
    let values: Vec<i32> = graph.values(variable.slot).into_iter().collect();
    let value = values[random.below(values.len())];
    let operator = ["==", "==", "!=", "<", ">"][random.below(5)];
    format!("{} {operator} {value}", variable.name)
}

/// The labels in a text, with the process types they are in.
fn places(text: &str) -> Vec<(String, String)> {
    let mut process = None;
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some((_, rest)) = line.split_once("proctype ") {
            process = rest.split('(').next().map(str::to_owned);
        }
        let label = line.trim_start().split(':').next().unwrap_or_default();
        let is_label = is_jump_label(label) && line.contains(&format!("{label}:"));
        if let (Some(process), true) = (&process, is_label) {
            found.push((process.clone(), label.to_owned()));
        }
    }
    found
}

/// A random `trace` or `notrace` over the global buffered channels; nothing if there are none.
pub fn trace(model: &Model, random: &mut Random) -> String {
    // `pan` takes an offer for a send, even if nobody takes it: `traces/offer_not_taken.pml`.
    let buffered: Vec<&Channel> = model.channels.iter().filter(|c| c.capacity > 0).collect();
    if buffered.is_empty() {
        return String::new();
    }
    // Few channels, so that something happens in the order that is asked for.
    let channels: Vec<&Channel> =
        (0..1 + random.below(2)).map(|_| buffered[random.below(buffered.len())]).collect();
    let event = |random: &mut Random| {
        let channel = channels[random.below(channels.len())];
        let is_send = random.percent(60);
        let field = |random: &mut Random| match random.below(6) {
            0 => "1".to_owned(),
            1 => "0".to_owned(),
            2 if !is_send => format!("eval({})", random.below(2)),
            _ => "_".to_owned(),
        };
        let fields: Vec<String> = channel.fields.iter().map(|_| field(random)).collect();
        format!("{}{}{}", channel.name, if is_send { "!" } else { "?" }, fields.join(","))
    };
    let n_places = 1 + random.below(3);
    let mut text = format!("{} {{\n", if random.percent(50) { "trace" } else { "notrace" });
    for place in 0..n_places {
        let end = if random.percent(50) { "end" } else { "at" };
        text += &format!("{end}{place}: do\n");
        for _ in 0..1 + random.below(3) {
            let after = [" -> break", "", ""][random.below(3)];
            text += &format!("  :: {}{after}\n", event(random));
        }
        text += &format!("  :: {} -> break\n  od;\n", event(random));
    }
    text + &format!("  {}\n}}\n", event(random))
}

/// The text with some labels renamed to accept and progress labels.
pub fn with_labels(text: &str, random: &mut Random) -> String {
    let mut labels: Vec<&str> = words(text).into_iter().filter(|word| is_jump_label(word)).collect();
    labels.sort_unstable();
    labels.dedup();
    let renamed: Vec<(&str, String)> = labels
        .into_iter()
        .filter_map(|label| match random.below(5) {
            0 | 1 => Some((label, format!("accept_{label}"))),
            2 | 3 => Some((label, format!("progress_{label}"))),
            _ => None,
        })
        .collect();
    words(text)
        .into_iter()
        .map(|word| renamed.iter().find(|(label, _)| *label == word).map_or(word, |(_, new)| new))
        .collect()
}

/// Whether jumps lead to labels like this one.
fn is_jump_label(word: &str) -> bool {
    word.strip_prefix('L').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}

/// A text taken apart into names and what stands between them.
fn words(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_part(c) != is_part(first)).unwrap_or(rest.len());
        words.push(&rest[..end]);
        rest = &rest[end..];
    }
    words
}

fn without_next(formula: Formula) -> Formula {
    let of = |operand: Box<Formula>| Box::new(without_next(*operand));
    match formula {
        Formula::True | Formula::False | Formula::Atom(_) => formula,
        Formula::Next(f) => without_next(*f),
        Formula::Not(f) => Formula::Not(of(f)),
        Formula::Always(f) => Formula::Always(of(f)),
        Formula::Eventually(f) => Formula::Eventually(of(f)),
        Formula::And(f, g) => Formula::And(of(f), of(g)),
        Formula::Or(f, g) => Formula::Or(of(f), of(g)),
        Formula::Implies(f, g) => Formula::Implies(of(f), of(g)),
        Formula::Equivalent(f, g) => Formula::Equivalent(of(f), of(g)),
        Formula::Until(f, g) => Formula::Until(of(f), of(g)),
        Formula::WeakUntil(f, g) => Formula::WeakUntil(of(f), of(g)),
        Formula::Release(f, g) => Formula::Release(of(f), of(g)),
    }
}

/// Operands, and the same operator over smaller ones.
fn smaller(formula: &Formula) -> Vec<Formula> {
    type Unary = fn(Box<Formula>) -> Formula;
    type Binary = fn(Box<Formula>, Box<Formula>) -> Formula;
    let unary = |make: Unary, f: &Formula| {
        let inner = smaller(f).into_iter().map(|f| make(Box::new(f)));
        [f.clone()].into_iter().chain(inner).collect()
    };
    let binary = |make: Binary, f: &Formula, g: &Formula| {
        let left = smaller(f).into_iter().map(|f| make(Box::new(f), Box::new(g.clone())));
        let right = smaller(g).into_iter().map(|g| make(Box::new(f.clone()), Box::new(g)));
        [f.clone(), g.clone()].into_iter().chain(left).chain(right).collect()
    };
    match formula {
        Formula::True | Formula::False | Formula::Atom(_) => Vec::new(),
        Formula::Next(f) => unary(Formula::Next, f),
        Formula::Not(f) => unary(Formula::Not, f),
        Formula::Always(f) => unary(Formula::Always, f),
        Formula::Eventually(f) => unary(Formula::Eventually, f),
        Formula::And(f, g) => binary(Formula::And, f, g),
        Formula::Or(f, g) => binary(Formula::Or, f, g),
        Formula::Implies(f, g) => binary(Formula::Implies, f, g),
        Formula::Equivalent(f, g) => binary(Formula::Equivalent, f, g),
        Formula::Until(f, g) => binary(Formula::Until, f, g),
        Formula::WeakUntil(f, g) => binary(Formula::WeakUntil, f, g),
        Formula::Release(f, g) => binary(Formula::Release, f, g),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_jumps() {
        let text = "active proctype P() {\nL0:\n  goto L1;\nL1: skip; L = LL0 }";
        let renamed = (0..20).map(|seed| with_labels(text, &mut Random::new(seed)));
        let mut n_renamed = 0;
        for text in renamed {
            let n = |word: &str| text.matches(word).count();
            n_renamed += n("goto accept_L1") + n("goto progress_L1");
            assert_eq!(n("goto accept_L1"), n("\naccept_L1: skip"));
            assert!(text.ends_with("L = LL0 }"));
        }
        assert!(n_renamed > 5);
        assert_eq!(places(text), [("P".into(), "L0".into()), ("P".into(), "L1".into())]);
    }

    #[test]
    fn smaller_formulas_are_smaller() {
        let formula = Formula::atom(0).until(Formula::atom(1)).always();
        assert!(smaller(&formula).contains(&Formula::atom(1).always()));
        assert!(smaller(&formula).contains(&Formula::atom(0).until(Formula::atom(1))));
    }
}
