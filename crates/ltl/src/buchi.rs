//! Büchi automata as they are handed out: acceptance on states, guards on edges.

use crate::automaton::Automaton;
use crate::bdd::Bdds;
use crate::letters::Alphabet;
use crate::{Error, Guard, Letter};

/// A Büchi automaton. A word is accepted if some run from the initial state meets accepting states
/// infinitely often. A letter for which a state has no edge ends the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buchi {
    /// The state every run begins in.
    pub initial: usize,
    /// All states can be reached, and a word is accepted from each; the automaton that accepts nothing
    /// has one state without edges.
    pub states: Vec<State>,
}

/// A state of a [`Buchi`] automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// Whether a run that comes here infinitely often is accepting.
    pub accepting: bool,
    /// What it can do; at most one edge per target.
    pub edges: Vec<Edge>,
}

/// An edge of a [`Buchi`] automaton or of a [`Dfa`](crate::Dfa).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The letters it can be taken with.
    pub guard: Guard,
    /// Where it leads.
    pub target: usize,
}

impl Buchi {
    pub(crate) fn of(automaton: &Automaton, alphabet: &Alphabet, bdds: &mut Bdds) -> Result<Self, Error> {
        bdds.allow(1_000_000);
        let mut states = Vec::with_capacity(automaton.n_states());
        for (state, row) in automaton.rows.iter().enumerate() {
            let mut edges = Vec::with_capacity(row.len());
            for edge in row {
                let guard = alphabet.guard(&edge.letters, bdds);
                edges.push(Edge { guard: Guard { cubes: bdds.cubes(guard)? }, target: edge.target });
            }
            states.push(State { accepting: automaton.is_accepting(state), edges });
        }
        Ok(Buchi { initial: automaton.initial, states })
    }

    /// The number of edges.
    pub fn n_edges(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }

    /// Where a state can go with a letter.
    pub fn successors(&self, state: usize, letter: Letter) -> impl Iterator<Item = usize> {
        let edges = self.states[state].edges.iter();
        edges.filter(move |edge| edge.guard.holds(letter)).map(|edge| edge.target)
    }
}
