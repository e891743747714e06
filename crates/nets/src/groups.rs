//! Sets of tokens whose number never grows, and so bounds.
//!
//! A set of facts such that no firing puts more of them than it takes keeps at most as many as there are at the
//! beginning: a place invariant with weights 0 and 1, or one that loses tokens. Where that is one, the facts of the set
//! exclude each other, and can share a slot of the state: the finite-domain variables of Helmert, "Concise
//! finite-domain representations for PDDL planning tasks", §5, whose search for such sets this is: begin with one
//! fact, and as long as some firing puts one more than it takes, add something that it takes.
//!
//! Invariant: of every [`Group`], at most `most` tokens are there in every reachable marking.

use stubborn_base::{Idx, IndexVec};

use crate::ground::{FactId, Firing, Grounded};

/// Facts of which at most `most` tokens are there at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The facts, in ascending order.
    pub facts: Vec<FactId>,
    /// So many tokens of all of them together, at most.
    pub most: u32,
}

/// Facts that are added and taken out again, for one group.
const MAX_ATTEMPTS: usize = 20_000;

/// The same for all groups of a net.
const MAX_WORK: usize = 20_000_000;

/// Finds groups that together have as many facts as can be found, each fact in at most one group: those with at most
/// one token first, then others.
pub fn groups(net: &Grounded) -> Vec<Group> {
    let mut search = Search::new(net);
    let mut left: Vec<bool> = vec![true; net.facts.len()];
    let mut chosen = Vec::new();
    for only_one in [true, false] {
        let mut found: Vec<Group> = Vec::new();
        let mut covered = left.iter().map(|&left| !left).collect::<Vec<bool>>();
        // What is found last is farthest from the initial marking: its sets are the largest.
        for seed in net.facts.indices().collect::<Vec<_>>().into_iter().rev() {
            if covered[seed.index()] {
                continue;
            }
            if let Some(group) = search.group(seed, only_one) {
                group.facts.iter().for_each(|fact| covered[fact.index()] = true);
                found.push(group);
            }
        }
        // The one with most facts that are in none yet.
        while let Some(best) = best_of(&mut found, &left) {
            best.facts.iter().for_each(|fact| left[fact.index()] = false);
            chosen.push(best);
        }
    }
    chosen
}

/// The group with most facts that are left, without the others.
fn best_of(found: &mut Vec<Group>, left: &[bool]) -> Option<Group> {
    for group in found.iter_mut() {
        group.facts.retain(|fact| left[fact.index()]);
    }
    found.retain(|group| !group.facts.is_empty());
    let most = found.iter().map(|group| group.facts.len()).max()?;
    let at = found.iter().position(|group| group.facts.len() == most)?;
    Some(found.remove(at))
}

struct Search<'g> {
    net: &'g Grounded,
    initial: IndexVec<FactId, u32>,
    producers: IndexVec<FactId, Vec<u32>>,
    inside: IndexVec<FactId, bool>,
    /// The facts inside, in the order they were added.
    trail: Vec<FactId>,
    /// How many tokens of them there are at the beginning.
    total: u64,
    work: usize,
}

/// A firing that was mended by adding one of several facts.
struct Choice {
    n_trail: usize,
    total: u64,
    /// Which producer of which fact of the trail it is.
    cursor: (usize, usize),
    /// What else could be added, the best last.
    others: Vec<FactId>,
}

impl<'g> Search<'g> {
    fn new(net: &'g Grounded) -> Self {
        let mut initial: IndexVec<FactId, u32> = net.facts.iter().map(|_| 0).collect();
        for &(fact, count) in &net.initial {
            initial[fact] += count;
        }
        let mut producers: IndexVec<FactId, Vec<u32>> = net.facts.iter().map(|_| Vec::new()).collect();
        for (i, firing) in net.firings.iter().enumerate() {
            for &(fact, _) in &firing.outputs {
                producers[fact].push(i as u32);
            }
        }
        let inside = net.facts.iter().map(|_| false).collect();
        Search { net, initial, producers, inside, trail: Vec::new(), total: 0, work: 0 }
    }

    /// A group with `seed`; only one token is allowed, or any number.
    fn group(&mut self, seed: FactId, only_one: bool) -> Option<Group> {
        self.clear(0);
        self.total = 0;
        let most = if only_one { 1 } else { u64::from(u32::MAX) };
        if !self.add(seed, most) {
            return None;
        }
        let mut choices: Vec<Choice> = Vec::new();
        let mut cursor = (0, 0);
        let mut n_attempts = 0;
        while let Some(&fact) = self.trail.get(cursor.0) {
            // Its next producer.
            let Some(&producer) = self.producers[fact].get(cursor.1) else {
                cursor = (cursor.0 + 1, 0);
                continue;
            };
            self.work += 1;
            let net = self.net;
            let firing = &net.firings[producer as usize];
            let (taken, put) = (self.inside_of(&firing.inputs), self.inside_of(&firing.outputs));
            // A firing that takes more than there can be never happens.
            if put <= taken || (only_one && taken > 1) {
                cursor.1 += 1;
                continue;
            }
            let mut others = self.candidates(firing, put - taken, fact);
            loop {
                n_attempts += 1;
                if n_attempts > MAX_ATTEMPTS || self.work > MAX_WORK {
                    return None;
                }
                let Some(candidate) = others.pop() else {
                    // Back to the last choice.
                    let choice = choices.pop()?;
                    self.clear(choice.n_trail);
                    (self.total, cursor, others) = (choice.total, choice.cursor, choice.others);
                    continue;
                };
                let choice = Choice { n_trail: self.trail.len(), total: self.total, cursor, others };
                if self.add(candidate, most) {
                    choices.push(choice);
                    break;
                }
                others = choice.others;
            }
        }
        let mut facts = self.trail.clone();
        facts.sort_unstable();
        Some(Group { facts, most: self.total as u32 })
    }

    fn add(&mut self, fact: FactId, most: u64) -> bool {
        let total = self.total + u64::from(self.initial[fact]);
        if total > most {
            return false;
        }
        self.total = total;
        self.inside[fact] = true;
        self.trail.push(fact);
        true
    }

    fn clear(&mut self, n_trail: usize) {
        for fact in self.trail.drain(n_trail..) {
            self.inside[fact] = false;
        }
    }

    fn inside_of(&self, tokens: &[(FactId, u32)]) -> u64 {
        tokens.iter().filter(|(fact, _)| self.inside[*fact]).map(|&(_, count)| u64::from(count)).sum()
    }

    /// Facts that a firing takes as many of as it lacks, the best last: those whose token has most in common with what
    /// it puts, and which fewest firings put.
    fn candidates(&self, firing: &Firing, lacking: u64, put: FactId) -> Vec<FactId> {
        let token = self.net.facts[put].token.as_seq().unwrap_or_default();
        let score = |fact: FactId| {
            let other = self.net.facts[fact].token.as_seq().unwrap_or_default();
            let common = token.iter().zip(other).filter(|(a, b)| a == b).count();
            (common, std::cmp::Reverse(self.producers[fact].len()), std::cmp::Reverse(fact))
        };
        let is_one = |&&(fact, count): &&(FactId, u32)| u64::from(count) >= lacking && !self.inside[fact];
        let mut found: Vec<FactId> = firing.inputs.iter().filter(is_one).map(|&(fact, _)| fact).collect();
        found.sort_by_key(|&fact| score(fact));
        found
    }
}
