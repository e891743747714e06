//! Generalised Büchi automata over classes of letters, with acceptance on edges. A Büchi automaton with
//! acceptance on states is one with a single set, to which all edges of a state belong, or none.
//!
//! Invariant: no edge has an empty set of letters, and there is at least one acceptance set.

use hashbrown::HashMap;

use crate::bdd::{Bdd, Bdds};
use crate::graph::{Arc, Components};
use crate::letters::{Alphabet, Letters};
use crate::tableau::Tableau;

/// A run is accepting if it meets each acceptance set infinitely often.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    pub(crate) n_sets: usize,
    pub(crate) initial: usize,
    /// The edges of each state.
    pub(crate) rows: Vec<Vec<Edge>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub(crate) letters: Letters,
    /// The acceptance sets it belongs to.
    pub(crate) marks: u64,
    pub(crate) target: usize,
}

impl Arc for Edge {
    fn target(&self) -> usize {
        self.target
    }

    fn marks(&self) -> u128 {
        u128::from(self.marks)
    }
}

impl Automaton {
    /// The tableau, over classes of letters.
    pub(crate) fn of(tableau: &Tableau, alphabet: &Alphabet, bdds: &Bdds) -> Self {
        // Without acceptance sets every run is accepting.
        let (n_sets, always) = if tableau.n_sets == 0 { (1, 1) } else { (tableau.n_sets, 0) };
        let mut known: HashMap<Bdd, Letters> = HashMap::new();
        let mut rows = Vec::with_capacity(tableau.states.len());
        for state in &tableau.states {
            let mut row = Vec::with_capacity(state.len());
            for edge in state {
                let letters = known.entry(edge.guard).or_insert_with(|| alphabet.letters(edge.guard, bdds));
                let letters = letters.clone();
                row.push(Edge { letters, marks: edge.marks | always, target: edge.target });
            }
            rows.push(row);
        }
        Automaton { n_sets, initial: 0, rows }
    }

    /// The automaton that accepts nothing.
    pub(crate) fn empty() -> Self {
        Automaton { n_sets: 1, initial: 0, rows: vec![Vec::new()] }
    }

    pub(crate) fn n_states(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn n_edges(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// All acceptance sets.
    pub(crate) fn full(&self) -> u64 {
        if self.n_sets == 64 { u64::MAX } else { (1 << self.n_sets) - 1 }
    }

    /// Whether it accepts no word, if it is trimmed.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows[self.initial].is_empty()
    }

    /// Whether all edges of a state are marked: how acceptance on states is told.
    pub(crate) fn is_accepting(&self, state: usize) -> bool {
        let row = &self.rows[state];
        !row.is_empty() && row.iter().all(|edge| edge.marks == self.full())
    }

    /// Drops states that cannot be reached or from which nothing is accepted, and marks that do not
    /// matter. What remains of an automaton that accepts nothing is one state without edges.
    pub(crate) fn trimmed(&self) -> Self {
        let components = Components::new(&self.rows);
        let live = components.live(&self.rows, u128::from(self.full()));
        let is_live = |state: usize| live[components.of[state]];
        if !is_live(self.initial) {
            return Automaton::empty();
        }
        self.restricted(is_live)
    }

    /// The states that can be reached through states that are kept, in the order they are met.
    pub(crate) fn restricted(&self, is_kept: impl Fn(usize) -> bool) -> Self {
        let mut number = vec![usize::MAX; self.n_states()];
        number[self.initial] = 0;
        let mut order = vec![self.initial];
        let mut at = 0;
        while at < order.len() {
            for edge in &self.rows[order[at]] {
                if is_kept(edge.target) && number[edge.target] == usize::MAX {
                    number[edge.target] = order.len();
                    order.push(edge.target);
                }
            }
            at += 1;
        }
        let row = |&state: &usize| {
            let edges = self.rows[state].iter().filter(|edge| is_kept(edge.target));
            joined(edges.map(|edge| Edge { target: number[edge.target], ..edge.clone() }))
        };
        Automaton { n_sets: self.n_sets, initial: 0, rows: order.iter().map(row).collect() }
    }

    /// Every state stands for the one it is mapped to; edges of states that are not mapped to themselves
    /// are dropped.
    pub(crate) fn redirected(mut self, to: &[usize]) -> Self {
        for (state, row) in self.rows.iter_mut().enumerate() {
            if to[state] != state {
                row.clear();
                continue;
            }
            *row = joined(row.drain(..).map(|edge| Edge { target: to[edge.target], ..edge }));
        }
        self.initial = to[self.initial];
        self.restricted(|_| true)
    }
}

/// Edges to one target with the same marks are one edge; letters that also have an edge to the same
/// target with more marks need no edge with fewer.
pub(crate) fn joined(edges: impl Iterator<Item = Edge>) -> Vec<Edge> {
    let mut row: Vec<Edge> = Vec::new();
    for edge in edges {
        match row.iter_mut().find(|known| (known.target, known.marks) == (edge.target, edge.marks)) {
            Some(known) => known.letters.add(&edge.letters),
            None => row.push(edge),
        }
    }
    for i in 0..row.len() {
        for j in 0..row.len() {
            let (a, b) = (&row[i], &row[j]);
            if i != j && a.target == b.target && a.marks & !b.marks == 0 && a.letters.meets(&b.letters) {
                let letters = b.letters.clone();
                row[i].letters.remove(&letters);
            }
        }
    }
    row.retain(|edge| !edge.letters.is_empty());
    row
}
