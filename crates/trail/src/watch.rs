//! What an automaton does along a run that it accepts.
//!
//! The automaton moves before each edge of the run: once for a step, and once for an atomic run. What holds at these
//! places is the [`Word`] of the run; the automaton accepts it if some way through it passes an accepting state again
//! and again, or comes to a final one. It may take several rounds of the run's cycle to get round its own.

use std::collections::VecDeque;

use stubborn_ir::{ClaimAutomaton, Model, Violation};

use crate::replay::{Replay, ReplayError};
use crate::trail::Trail;

/// What holds at each position of a run.
pub(crate) struct Word {
    pub(crate) letters: Vec<Vec<bool>>,
    /// The position that comes after the last one; none for a prefix, after which anything may come.
    pub(crate) back_to: Option<usize>,
}

/// States of an automaton, one before each of its moves: first some, then others again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    stem: Vec<u32>,
    cycle: Vec<u32>,
}

/// An automaton along a trail that it accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watch {
    way: Way,
    /// By number of steps, how often the automaton has moved.
    turns: Vec<usize>,
    /// Steps before the cycle, and of the cycle.
    prefix: usize,
    cycle: usize,
}

/// Follows a trail with an automaton; none if it does not accept it.
pub fn watch(model: &Model, automaton: &ClaimAutomaton, trail: &Trail) -> Result<Option<Watch>, ReplayError> {
    let mut replay = Replay::start(model)?;
    let (mut letters, mut turns) = (Vec::new(), Vec::new());
    for step in &trail.steps {
        turns.push(letters.len());
        if replay.is_between_runs() {
            letters.push(replay.letter(&automaton.propositions)?);
        }
        replay.make(step.made)?;
    }
    turns.push(letters.len());
    if trail.cycle == 0 {
        letters.push(replay.letter(&automaton.propositions)?);
    }
    let is_infinite = trail.violation == Violation::InfiniteRun;
    let back_to = is_infinite.then(|| turns[trail.prefix]);
    let way = accepting_way(automaton, &Word { letters, back_to });
    Ok(way.map(|way| Watch { way, turns, prefix: trail.prefix, cycle: trail.cycle }))
}

impl Watch {
    /// The state of the automaton after so many steps; inside an atomic run, it has moved already.
    pub fn state(&self, position: usize) -> u32 {
        self.way.state(self.turn(position))
    }

    /// The state it goes to by what holds there.
    pub fn next(&self, position: usize) -> u32 {
        self.way.state(self.turn(position) + 1)
    }

    /// How often the automaton has moved after so many steps.
    fn turn(&self, position: usize) -> usize {
        let last = self.turns.len() - 1;
        if position <= last || self.cycle == 0 {
            return self.turns[position.min(last)];
        }
        let (rounds, inside) = ((position - self.prefix) / self.cycle, (position - self.prefix) % self.cycle);
        self.turns[self.prefix + inside] + rounds * (self.turns[last] - self.turns[self.prefix])
    }
}

impl Way {
    /// The state before the move with that number, from 0; after the last one it stays where it is.
    fn state(&self, turn: usize) -> u32 {
        match turn.checked_sub(self.stem.len()) {
            Some(over) if !self.cycle.is_empty() => self.cycle[over % self.cycle.len()],
            Some(_) => self.stem[self.stem.len() - 1],
            None => self.stem[turn],
        }
    }
}

/// A short way on which an automaton accepts a word; none if it does not.
pub(crate) fn accepting_way(automaton: &ClaimAutomaton, word: &Word) -> Option<Way> {
    let product = Product { automaton, word };
    let states = |nodes: &[usize]| nodes.iter().map(|&node| product.state(node)).collect::<Vec<u32>>();
    let of = |node: usize| &automaton.states[product.state(node) as usize];
    let from_start = product.search(vec![automaton.initial as usize]);
    if let Some(&end) = from_start.order.iter().find(|&&node| of(node).is_final) {
        return Some(Way { stem: states(&from_start.path_to(end)), cycle: Vec::new() });
    }
    from_start.order.iter().filter(|&&node| of(node).accepting).find_map(|&node| {
        let from_here = product.search(product.successors(node));
        from_here.parents[node]?;
        let mut stem = from_start.path_to(node);
        stem.pop();
        let mut cycle = vec![node];
        cycle.extend(from_here.path_to(node));
        cycle.pop();
        Some(Way { stem: states(&stem), cycle: states(&cycle) })
    })
}

/// Positions of a word with states of an automaton, numbered.
struct Product<'a> {
    automaton: &'a ClaimAutomaton,
    word: &'a Word,
}

impl Product<'_> {
    fn state(&self, node: usize) -> u32 {
        (node % self.automaton.states.len()) as u32
    }

    fn successors(&self, node: usize) -> Vec<usize> {
        let n_states = self.automaton.states.len();
        // One position more than there are letters: the end of a prefix.
        let Some(letter) = self.word.letters.get(node / n_states) else { return Vec::new() };
        let next = match self.word.back_to {
            Some(back_to) if node / n_states + 1 == self.word.letters.len() => back_to,
            _ => node / n_states + 1,
        };
        let targets = self.automaton.successors(self.state(node), |p| letter[p as usize]);
        targets.into_iter().map(|target| next * n_states + target as usize).collect()
    }

    /// All nodes that can be reached, by breadth.
    fn search(&self, from: Vec<usize>) -> Reached {
        let n_nodes = (self.word.letters.len() + 1) * self.automaton.states.len();
        let mut reached = Reached { parents: vec![None; n_nodes], order: Vec::new() };
        let mut work = VecDeque::new();
        for node in from {
            reached.visit(node, node, &mut work);
        }
        while let Some(node) = work.pop_front() {
            for next in self.successors(node) {
                reached.visit(next, node, &mut work);
            }
        }
        reached
    }
}

/// What a search found.
struct Reached {
    /// Where a node was reached from; itself, for one to begin with.
    parents: Vec<Option<usize>>,
    /// As they were found.
    order: Vec<usize>,
}

impl Reached {
    fn visit(&mut self, node: usize, from: usize, work: &mut VecDeque<usize>) {
        if self.parents[node].is_none() {
            self.parents[node] = Some(from);
            self.order.push(node);
            work.push_back(node);
        }
    }

    /// From where it began to a node that was reached.
    fn path_to(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        let mut at = node;
        while let Some(from) = self.parents[at].filter(|&from| from != at) {
            path.push(from);
            at = from;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use stubborn_ir::{ClaimEdge, ClaimState, Literal};

    use super::*;

    /// Waits for the proposition, then accepts while it alternates: `<>(p && X !p && …)`.
    fn automaton() -> ClaimAutomaton {
        let edge = |holds: Option<bool>, target| ClaimEdge {
            literals: holds.into_iter().map(|holds| Literal { proposition: 0, holds }).collect(),
            unless: Box::new([]),
            target,
        };
        let state = |accepting, edges| ClaimState { accepting, is_final: false, edges };
        let states = vec![
            state(false, vec![edge(None, 0), edge(Some(true), 1)]),
            state(false, vec![edge(Some(false), 2)]),
            state(true, vec![edge(Some(true), 1)]),
        ];
        ClaimAutomaton { initial: 0, states, propositions: Vec::new() }
    }

    fn way(letters: &[bool], back_to: Option<usize>) -> Option<Vec<u32>> {
        let word = Word { letters: letters.iter().map(|&holds| vec![holds]).collect(), back_to };
        let way = accepting_way(&automaton(), &word)?;
        Some((0..8).map(|turn| way.state(turn)).collect())
    }

    #[test]
    fn the_automaton_goes_round_with_the_run() {
        assert_eq!(way(&[false, true, false], Some(1)), Some(vec![0, 0, 1, 2, 1, 2, 1, 2]));
        // It takes part in every other round only.
        assert_eq!(way(&[false, true, true], Some(0)), None);
        assert_eq!(way(&[true], Some(0)), None);
        assert_eq!(way(&[true, false], None), None, "no state is final");
    }

    #[test]
    fn what_is_final_ends_the_way() {
        let mut automaton = automaton();
        automaton.states[2].is_final = true;
        let letters = [false, true, false].map(|holds| vec![holds]).to_vec();
        let way = accepting_way(&automaton, &Word { letters, back_to: None }).unwrap();
        assert_eq!((0..5).map(|turn| way.state(turn)).collect::<Vec<_>>(), [0, 0, 1, 2, 2]);
    }
}
