//! Nets by chance: small, with few colours, mostly bounded; shown in Helena's language.
//!
//! Most transitions put as many tokens as they take, or fewer, so that most nets have few markings; those that have too
//! many are left to their callers to pass over. Most move tokens within one of three parts, so that there is something
//! to leave out.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc as Shared;

use stubborn_base::{FileId, Idx, Span};
use stubborn_nets::{
    Addend, Arc, Domain, Net, Notation, Pattern, Place, PlaceId, Transition, Value, Variable,
};

use super::naive;
use super::term::Term;
use crate::generate::Random;

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// A net that is easy to take apart.
#[derive(Clone, Debug)]
pub struct RandomNet {
    /// How many colours there are.
    n_colours: i64,
    /// By place: how many components its tokens have, and the initial ones.
    places: Vec<(usize, Vec<Vec<i64>>)>,
    transitions: Vec<RandomTransition>,
}

#[derive(Clone, Debug)]
struct RandomTransition {
    inputs: Vec<RandomArc>,
    outputs: Vec<RandomArc>,
    inhibitors: Vec<RandomArc>,
    guards: Vec<Term>,
    priority: i64,
}

#[derive(Clone, Debug)]
struct RandomArc {
    place: usize,
    count: u32,
    components: Vec<Term>,
}

impl RandomTransition {
    /// Whether an input arc gives a variable its value.
    fn is_bound(&self, v: usize) -> bool {
        self.inputs.iter().flat_map(|arc| &arc.components).any(|c| *c == Term::Variable(v))
    }

    fn is_mentioned(&self, v: usize) -> bool {
        let arcs = self.inputs.iter().chain(&self.outputs).chain(&self.inhibitors);
        let mut terms = arcs.flat_map(|arc| &arc.components).chain(&self.guards);
        terms.any(|term| {
            let mut found = false;
            stubborn_nets::Expression::variables(term, &mut |w| found |= w.index() == v);
            found
        })
    }
}

impl RandomNet {
    /// The net of a seed: the first of some with so many markings, if there is one.
    pub fn with_markings(seed: u64, sizes: RangeInclusive<usize>) -> Option<Self> {
        let nets = (0..32).map(|i| RandomNet::new(seed * 32 + i));
        let mut fitting = nets.filter(|net| {
            naive::explore(&net.net(), *sizes.end()).is_some_and(|found| sizes.contains(&found.states))
        });
        fitting.next()
    }

    /// The net of a seed, whatever its size.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let n_colours = 2 + random.below(2) as i64;
        let n_places = 4 + random.below(6);
        let (has_priorities, goes_back) = (random.below(12) == 0, random.below(3) != 0);
        let mut places = Vec::new();
        for _ in 0..n_places {
            let arity = [0, 0, 0, 1, 1, 2][random.below(6)];
            places.push((arity, Vec::new()));
        }
        for _ in 0..2 + random.below(4) {
            let place = random.below(n_places);
            let token = (0..places[place].0).map(|_| random.below(n_colours as usize) as i64).collect();
            places[place].1.push(token);
        }
        let mut net = RandomNet { n_colours, places, transitions: Vec::new() };
        for _ in 0..3 + random.below(6) {
            let mut t = net.transition(&mut random);
            if has_priorities {
                t.priority = random.below(2) as i64;
            }
            // And back again, so that there are cycles.
            if goes_back && random.below(3) != 0 {
                let back = RandomTransition {
                    inputs: t.outputs.clone(),
                    outputs: t.inputs.clone(),
                    inhibitors: Vec::new(),
                    guards: Vec::new(),
                    priority: t.priority,
                };
                net.transitions.push(back);
            }
            net.transitions.push(t);
        }
        net
    }

    fn transition(&self, random: &mut Random) -> RandomTransition {
        let mut t = RandomTransition {
            inputs: Vec::new(),
            outputs: Vec::new(),
            inhibitors: Vec::new(),
            guards: Vec::new(),
            priority: 0,
        };
        let mut bound = Vec::new();
        let part = if random.below(4) == 0 { None } else { Some(random.below(3)) };
        for _ in 0..if random.below(3) == 0 { 2 } else { 1 } {
            let arc = self.arc(random, part, &mut bound, true);
            t.inputs.push(arc);
        }
        let n_outputs = match random.below(10) {
            0 => t.inputs.len() + 1,
            1 | 2 => random.below(t.inputs.len() + 1),
            _ => t.inputs.len(),
        };
        for _ in 0..n_outputs {
            let arc = self.arc(random, part, &mut bound, false);
            t.outputs.push(arc);
        }
        if random.below(8) == 0 {
            let arc = self.arc(random, part, &mut bound, false);
            t.inhibitors.push(arc);
        }
        if !bound.is_empty() && random.below(3) == 0 {
            let v = bound[random.below(bound.len())];
            let w = bound[random.below(bound.len())];
            let c = random.below(self.n_colours as usize) as i64;
            t.guards.push(match random.below(4) {
                0 if v != w => Term::Equal(v, w),
                1 if v != w => Term::Differ(v, w),
                2 => Term::Is(v, c),
                _ => Term::IsNot(v, c),
            });
        }
        t
    }

    fn arc(
        &self,
        random: &mut Random,
        part: Option<usize>,
        bound: &mut Vec<usize>,
        binds: bool,
    ) -> RandomArc {
        let place = match part {
            Some(part) => part + 3 * random.below((self.places.len() - part).div_ceil(3)),
            None => random.below(self.places.len()),
        };
        let components = (0..self.places[place].0).map(|_| self.component(random, bound, binds)).collect();
        let count = if random.below(12) == 0 { 2 } else { 1 };
        RandomArc { place, count, components }
    }

    fn component(&self, random: &mut Random, bound: &mut Vec<usize>, binds: bool) -> Term {
        if binds && random.below(5) != 0 {
            let v = random.below(3);
            if !bound.contains(&v) {
                bound.push(v);
            }
            return Term::Variable(v);
        }
        if bound.is_empty() || random.below(6) == 0 {
            return Term::Constant(random.below(self.n_colours as usize) as i64);
        }
        let v = bound[random.below(bound.len())];
        if random.below(3) == 0 { Term::Next(v, self.n_colours) } else { Term::Variable(v) }
    }

    /// As the engine sees it.
    pub fn net(&self) -> Net<Term> {
        let plain = || Notation(Shared::new(|value: &Value| format!("{value:?}")));
        let place = |(i, (_, initial)): (usize, &(usize, Vec<Vec<i64>>))| {
            let mut tokens: Vec<(Value, u32)> = Vec::new();
            for token in initial {
                let token = Value::seq(token.iter().map(|&c| Value::Int(c)));
                match tokens.iter_mut().find(|(other, _)| *other == token) {
                    Some((_, count)) => *count += 1,
                    None => tokens.push((token, 1)),
                }
            }
            Place {
                name: format!("p{i}").into(),
                span: NOWHERE,
                initial: tokens,
                capacity: None,
                notation: plain(),
            }
        };
        let arcs = |arcs: &[RandomArc]| -> Vec<Arc<Term>> {
            let arc = |arc: &RandomArc| Arc {
                place: PlaceId::new(arc.place),
                addends: vec![Addend::Pattern(Pattern {
                    count: arc.count,
                    components: arc.components.clone(),
                })],
            };
            arcs.iter().map(arc).collect()
        };
        let transition = |(i, t): (usize, &RandomTransition)| {
            // What no input arc binds by itself is anything.
            let variable = |v: usize| Variable {
                name: ["x", "y", "z"][v].into(),
                domain: if t.is_bound(v) {
                    Domain::Pattern
                } else if t.is_mentioned(v) {
                    Domain::Values((0..self.n_colours).map(Value::Int).collect())
                } else {
                    Domain::Values([Value::Int(0)].into())
                },
                notation: plain(),
            };
            Transition {
                name: format!("t{i}").into(),
                span: NOWHERE,
                variables: (0..3).map(variable).collect(),
                inputs: arcs(&t.inputs),
                outputs: arcs(&t.outputs),
                inhibitors: arcs(&t.inhibitors),
                guards: t.guards.clone(),
                priority: (t.priority != 0).then_some(Term::Constant(t.priority)),
            }
        };
        Net {
            name: "by_chance".into(),
            span: NOWHERE,
            places: self.places.iter().enumerate().map(place).collect(),
            transitions: self.transitions.iter().enumerate().map(transition).collect(),
        }
    }

    /// A smaller net that still fails, as long as there is one.
    pub fn shrunk(mut self, fails: &mut dyn FnMut(&RandomNet) -> bool) -> RandomNet {
        loop {
            let Some(smaller) = self.smaller().into_iter().find(|net| fails(net)) else { return self };
            self = smaller;
        }
    }

    /// Without one thing each.
    fn smaller(&self) -> Vec<RandomNet> {
        let mut found = Vec::new();
        for i in 0..self.transitions.len() {
            let mut net = self.clone();
            net.transitions.remove(i);
            found.push(net);
        }
        for i in 0..self.places.len() {
            for j in 0..self.places[i].1.len() {
                let mut net = self.clone();
                net.places[i].1.remove(j);
                found.push(net);
            }
        }
        let parts: [fn(&mut RandomTransition) -> &mut Vec<RandomArc>; 3] =
            [|t| &mut t.outputs, |t| &mut t.inhibitors, |t| &mut t.inputs];
        for i in 0..self.transitions.len() {
            for part in parts {
                for j in 0..part(&mut self.transitions[i].clone()).len() {
                    let mut net = self.clone();
                    part(&mut net.transitions[i]).remove(j);
                    found.push(net);
                }
            }
            for j in 0..self.transitions[i].guards.len() {
                let mut net = self.clone();
                net.transitions[i].guards.remove(j);
                found.push(net);
            }
        }
        found
    }
}

impl fmt::Display for RandomNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "by_chance {{\n   type c : mod {};", self.n_colours)?;
        for (i, (arity, initial)) in self.places.iter().enumerate() {
            let domain = if *arity == 0 { "epsilon".to_owned() } else { vec!["c"; *arity].join(" * ") };
            write!(f, "   place p{i} {{ dom: {domain};")?;
            let tokens: Vec<String> = initial.iter().map(|token| tuple(1, token)).collect();
            if !tokens.is_empty() {
                write!(f, " init: {};", tokens.join(" + "))?;
            }
            writeln!(f, " }}")?;
        }
        for (i, t) in self.transitions.iter().enumerate() {
            writeln!(f, "   transition t{i} {{")?;
            for (word, arcs) in [("in", &t.inputs), ("out", &t.outputs), ("inhibit", &t.inhibitors)] {
                if !arcs.is_empty() || word != "inhibit" {
                    writeln!(f, "      {word} {{ {} }}", in_words(arcs))?;
                }
            }
            let picked = (0..3).filter(|&v| t.is_mentioned(v) && !t.is_bound(v));
            let picked: Vec<String> = picked.map(|v| format!("{} in c;", Term::Variable(v))).collect();
            if !picked.is_empty() {
                writeln!(f, "      pick {{ {} }}", picked.join(" "))?;
            }
            let guards: Vec<String> = t.guards.iter().map(ToString::to_string).collect();
            if !guards.is_empty() {
                writeln!(f, "      guard: {};", guards.join(" and "))?;
            }
            if t.priority != 0 {
                writeln!(f, "      priority: {};", t.priority)?;
            }
            writeln!(f, "   }}")?;
        }
        writeln!(f, "}}")
    }
}

/// All arcs with one place are one sum.
fn in_words(arcs: &[RandomArc]) -> String {
    let mut places: Vec<usize> = arcs.iter().map(|arc| arc.place).collect();
    places.sort_unstable();
    places.dedup();
    let sum = |place: usize| {
        let tuples =
            arcs.iter().filter(|arc| arc.place == place).map(|arc| tuple(arc.count, &arc.components));
        format!("p{place}: {};", tuples.collect::<Vec<_>>().join(" + "))
    };
    places.into_iter().map(sum).collect::<Vec<_>>().join(" ")
}

fn tuple(count: u32, components: &[impl fmt::Display]) -> String {
    let factor = if count == 1 { String::new() } else { format!("{count} * ") };
    if components.is_empty() {
        return format!("{factor}epsilon");
    }
    let components: Vec<String> = components.iter().map(ToString::to_string).collect();
    format!("{factor}<( {} )>", components.join(", "))
}
