//! Deterministic, complete automata over classes of letters: the subset construction, and minimisation by
//! refinement (Moore 1956).

use hashbrown::HashMap;

use crate::Error;
use crate::automaton::{Automaton, Edge};
use crate::budget::Budget;
use crate::graph::Arc;
use crate::letters::Letters;

/// Each state has one successor per class of letters. The first state is initial.
pub(crate) struct Deterministic {
    pub(crate) rows: Vec<Vec<Step>>,
}

/// The successor for a class of letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Step(pub(crate) usize);

impl Arc for Step {
    fn target(&self) -> usize {
        self.0
    }

    fn marks(&self) -> u128 {
        0
    }
}

/// Larger automata are not made.
const MAX_STATES: usize = 4000;

/// The subset construction; with it, the set of states that each state stands for.
pub(crate) fn subsets(
    automaton: &Automaton,
    n_classes: usize,
    budget: &Budget,
) -> Result<(Deterministic, Vec<Vec<usize>>), Error> {
    let first = vec![automaton.initial];
    let mut numbers: HashMap<_, usize> = HashMap::from([(first.clone(), 0)]);
    let mut sets = vec![first];
    let mut rows = Vec::new();
    while rows.len() < sets.len() {
        let set = sets[rows.len()].clone();
        let mut row = Vec::with_capacity(n_classes);
        for class in 0..n_classes {
            let mut next = Vec::new();
            for &state in &set {
                budget.spend(1 + automaton.rows[state].len() as u64)?;
                let edges = automaton.rows[state].iter().filter(|edge| edge.letters.contains(class));
                next.extend(edges.map(|edge| edge.target));
            }
            next.sort_unstable();
            next.dedup();
            let number = match numbers.get(&next) {
                Some(&number) => number,
                None => {
                    numbers.insert(next.clone(), sets.len());
                    sets.push(next);
                    sets.len() - 1
                }
            };
            row.push(Step(number));
        }
        rows.push(row);
        if sets.len() > MAX_STATES {
            return Err(Error::TooLarge);
        }
    }
    Ok((Deterministic { rows }, sets))
}

impl Deterministic {
    /// The smallest automaton that visits the same colours, and its colours.
    pub(crate) fn minimized(&self, colours: &[bool]) -> (Deterministic, Vec<bool>) {
        let mut blocks: Vec<usize> =
            colours.iter().map(|&colour| usize::from(colour != colours[0])).collect();
        let mut n_blocks = 1 + blocks.iter().max().copied().unwrap_or(0);
        loop {
            let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
            let mut finer = Vec::with_capacity(blocks.len());
            for (state, row) in self.rows.iter().enumerate() {
                let signature = std::iter::once(blocks[state]).chain(row.iter().map(|step| blocks[step.0]));
                let next = known.len();
                finer.push(*known.entry(signature.collect()).or_insert(next));
            }
            let n_finer = known.len();
            blocks = finer;
            if n_finer == n_blocks {
                break;
            }
            n_blocks = n_finer;
        }
        // Blocks are numbered in the order of their first states, so the first is initial.
        let (mut rows, mut of_block) = (Vec::new(), Vec::new());
        for (state, row) in self.rows.iter().enumerate() {
            if blocks[state] == rows.len() {
                rows.push(row.iter().map(|step| Step(blocks[step.0])).collect());
                of_block.push(colours[state]);
            }
        }
        (Deterministic { rows }, of_block)
    }

    /// As a Büchi automaton with acceptance on states.
    pub(crate) fn automaton(&self, accepting: &[bool], n_classes: usize) -> Automaton {
        let row = |(state, steps): (usize, &Vec<Step>)| {
            let mut row: Vec<Edge> = Vec::new();
            for (class, &Step(target)) in steps.iter().enumerate() {
                match row.iter_mut().find(|edge| edge.target == target) {
                    Some(edge) => edge.letters.insert(class),
                    None => row.push(Edge {
                        letters: Letters::one(n_classes, class),
                        marks: u64::from(accepting[state]),
                        target,
                    }),
                }
            }
            row
        };
        Automaton { n_sets: 1, initial: 0, rows: self.rows.iter().enumerate().map(row).collect() }
    }
}
