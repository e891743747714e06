//! Nets that are free of dead markings by their structure: every siphon that could run dry contains a marked trap.
//!
//! In a dead marking every firing lacks a token. If arcs take one token each, the facts that are not there meet what every
//! firing takes; such a set is a siphon, and as it has no tokens, neither has any trap in it. A trap that has a token
//! keeps one for ever (Commoner; see Murata, "Petri nets: properties, analysis and applications", §VI). So if every set
//! that meets what all firings take contains a trap that is marked at the beginning, no marking is dead. Sets are
//! extended fact by fact: a trap in a set is one in every larger set, so whatever contains a marked one is not gone on
//! with.
//!
//! Invariant: errs by saying nothing.

use hashbrown::HashMap;
use stubborn_ir::{Compared, Comparison, Effect, Expr, Model, Region, Transition};

use crate::fault::Fault;

/// How many sets are looked at, and how much is done for them.
const MAX_SETS: usize = 20_000;
const MAX_WORK: u64 = 100_000_000;

/// Sets have at most so many facts.
const MAX_DEPTH: usize = 1000;

/// Whether a model is a net without dead markings; that it does not say so means nothing.
pub fn has_no_dead_marking(model: &Model, initial: &[u8], fault: Option<Fault>) -> bool {
    let is_net = model.net.is_some() && model.processes.iter().all(|process| process.is_stationary);
    if !is_net {
        return false;
    }
    let Some(mut structure) = Structure::of(model, initial) else { return false };
    if fault == Some(Fault::UnmarkedTraps) {
        structure.marked.fill(true);
    }
    structure.is_live()
}

/// A token: a slot that counts it, or a slot and the value it has when it is there.
type Fact = (u32, Option<i32>);

/// A net all of whose arcs take one token.
#[derive(Default)]
struct Structure {
    numbers: HashMap<Fact, usize>,
    /// By firing: what it takes, and what it puts.
    taken: Vec<Vec<usize>>,
    put: Vec<Vec<usize>>,
    /// By fact: the firings that take it.
    takers: Vec<Vec<usize>>,
    marked: Vec<bool>,
}

impl Structure {
    /// None if it is not that simple.
    fn of(model: &Model, initial: &[u8]) -> Option<Self> {
        let mut structure = Structure::default();
        for t in model.transitions.iter() {
            let (taken, put) = structure.firing(model, t, initial)?;
            let id = structure.taken.len();
            taken.iter().for_each(|&fact| structure.takers[fact].push(id));
            structure.taken.push(taken);
            structure.put.push(put);
        }
        Some(structure)
    }

    fn fact(&mut self, fact: Fact, is_marked: bool) -> usize {
        let next = self.numbers.len();
        let number = *self.numbers.entry(fact).or_insert(next);
        if number == next {
            self.takers.push(Vec::new());
            self.marked.push(is_marked);
        }
        number
    }

    fn firing(&mut self, model: &Model, t: &Transition, initial: &[u8]) -> Option<(Vec<usize>, Vec<usize>)> {
        let (mut taken, mut put) = (Vec::new(), Vec::new());
        for &guard in &t.guards {
            let Comparison { slot, how, value } = Comparison::of(&model.guards[guard])?;
            let is_marked = slot.read(initial);
            let mut writes = t.effects.iter().filter(|effect| match effect {
                Effect::Assign(place, _) | Effect::Count { place, .. } => place.slot == slot,
                _ => false,
            });
            let (fact, is_kept) = match (how, value, writes.next()) {
                (Compared::Equal, _, write) => {
                    (self.fact((slot.offset, Some(value)), is_marked == value), write.is_none())
                }
                (Compared::AtLeast, 1, write) => {
                    let kept =
                        write.is_none_or(|write| matches!(write, Effect::Count { by, .. } if *by >= 0));
                    (self.fact((slot.offset, None), is_marked > 0), kept)
                }
                _ => return None,
            };
            taken.push(fact);
            if is_kept {
                put.push(fact);
            }
        }
        for effect in &t.effects {
            match effect {
                Effect::Assign(place, Expr::Const(0)) if place.region == Region::Global => {}
                Effect::Assign(place, Expr::Const(value)) if place.region == Region::Global => {
                    let is_marked = place.slot.read(initial) == *value;
                    put.push(self.fact((place.slot.offset, Some(*value)), is_marked));
                }
                Effect::Count { place, by, most: None } => {
                    if *by > 0 {
                        let is_marked = place.slot.read(initial) > 0;
                        put.push(self.fact((place.slot.offset, None), is_marked));
                    }
                }
                _ => return None,
            }
        }
        Some((taken, put))
    }

    /// Whether every set that meets what all firings take contains a marked trap.
    fn is_live(&self) -> bool {
        let n = self.marked.len();
        let mut search = Search {
            net: self,
            inside: vec![false; n],
            outside: vec![false; n],
            trap: vec![false; n],
            n_sets: 0,
            work: 0,
        };
        search.fails_everywhere(0) == Some(true)
    }
}

struct Search<'s> {
    net: &'s Structure,
    inside: Vec<bool>,
    /// Not to be added: what contains it is looked at elsewhere.
    outside: Vec<bool>,
    trap: Vec<bool>,
    n_sets: usize,
    work: u64,
}

impl Search<'_> {
    /// Whether no extension of the set is without a marked trap; none if that takes too long.
    fn fails_everywhere(&mut self, depth: usize) -> Option<bool> {
        self.n_sets += 1;
        if depth > MAX_DEPTH || self.n_sets > MAX_SETS || self.work > MAX_WORK {
            return None;
        }
        if self.has_marked_trap() {
            return Some(true);
        }
        // The firing with the fewest ways to be kept from happening.
        let mut least: Option<(usize, usize)> = None;
        for (id, taken) in self.net.taken.iter().enumerate() {
            self.work += taken.len() as u64;
            if taken.iter().any(|&fact| self.inside[fact]) {
                continue;
            }
            let n_ways = taken.iter().filter(|&&fact| !self.outside[fact]).count();
            if least.is_none_or(|(fewest, _)| n_ways < fewest) {
                least = Some((n_ways, id));
            }
        }
        // All are kept from happening, and nothing is marked.
        let Some((_, firing)) = least else { return Some(false) };
        let ways: Vec<usize> =
            self.net.taken[firing].iter().copied().filter(|&fact| !self.outside[fact]).collect();
        let mut tried = Vec::new();
        let mut answer = Some(true);
        for fact in ways {
            if self.outside[fact] {
                continue;
            }
            self.inside[fact] = true;
            let fails = self.fails_everywhere(depth + 1);
            self.inside[fact] = false;
            if fails != Some(true) {
                answer = fails;
                break;
            }
            self.outside[fact] = true;
            tried.push(fact);
        }
        tried.into_iter().for_each(|fact| self.outside[fact] = false);
        answer
    }

    /// Whether the greatest trap in the set is marked.
    fn has_marked_trap(&mut self) -> bool {
        self.trap.clone_from(&self.inside);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for fact in 0..self.trap.len() {
                if !self.trap[fact] {
                    continue;
                }
                let loses = |&firing: &usize| !self.net.put[firing].iter().any(|&other| self.trap[other]);
                self.work += self.net.takers[fact].len() as u64 + 1;
                if self.net.takers[fact].iter().any(loses) {
                    self.trap[fact] = false;
                    changed = true;
                }
            }
        }
        self.trap.iter().zip(&self.net.marked).any(|(&inside, &marked)| inside && marked)
    }
}
