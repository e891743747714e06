//! Direct simulation, forwards and backwards, and what it allows: states that simulate each other are
//! one state, and an edge that a better one stands beside is dropped (Etessami, Wilke, Schuller 2001;
//! Clemente, Mayr 2013; with acceptance on edges, Babiak et al. 2013).
//!
//! The relation is taken letter by letter: an edge may be matched by several edges together.
//!
//! Invariant: the language stays the same. Quotient and pruning use the same relation, whose equivalence
//! has become equality by then, so no two edges can drop each other.

use crate::Error;
use crate::automaton::{Automaton, Edge};
use crate::budget::Budget;

/// Reduces until nothing changes. The automaton must be trimmed; so is the result. `on_states` says that
/// acceptance is on states and must stay so.
pub(crate) fn reduced(automaton: &Automaton, on_states: bool, budget: &Budget) -> Result<Automaton, Error> {
    let mut best = automaton.clone();
    loop {
        let forwards = quotient(&best, Direction::Forwards, on_states, budget)?.trimmed();
        let next = quotient(&forwards, Direction::Backwards, on_states, budget)?.trimmed();
        let size = |automaton: &Automaton| (automaton.n_states(), automaton.n_edges());
        if size(&next) >= size(&best) {
            return Ok(best);
        }
        best = next;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forwards,
    Backwards,
}

fn quotient(
    automaton: &Automaton,
    direction: Direction,
    on_states: bool,
    budget: &Budget,
) -> Result<Automaton, Error> {
    let simulated = simulation(automaton, direction, on_states, budget)?;
    let n = automaton.n_states();
    // The first of the states that simulate each other stands for all.
    let to: Vec<usize> =
        (0..n).map(|p| (0..p).find(|&q| simulated[p * n + q] && simulated[q * n + p]).unwrap_or(p)).collect();
    let mut merged = automaton.clone();
    if direction == Direction::Backwards {
        // They can be reached by the same words: each keeps its edges.
        for state in (0..n).filter(|&state| to[state] != state) {
            let moved = std::mem::take(&mut merged.rows[state]);
            merged.rows[to[state]].extend(moved);
        }
    }
    for (state, row) in merged.rows.iter_mut().enumerate() {
        if to[state] != state {
            row.clear();
        }
        let edges = row.drain(..).map(|edge| Edge { target: to[edge.target], ..edge });
        *row = crate::automaton::joined(edges);
    }
    merged.initial = to[merged.initial];
    match direction {
        Direction::Forwards => prune_forwards(&mut merged, &simulated, n),
        Direction::Backwards => prune_backwards(&mut merged, &simulated, n),
    }
    Ok(merged)
}

/// `result[p * n + q]`: whether `q` simulates `p`.
fn simulation(
    automaton: &Automaton,
    direction: Direction,
    on_states: bool,
    budget: &Budget,
) -> Result<Vec<bool>, Error> {
    let n = automaton.n_states();
    let rows = match direction {
        Direction::Forwards => automaton.rows.clone(),
        Direction::Backwards => reversed(automaton),
    };
    let weight = rows.iter().flatten().next().map_or(1, |edge| edge.letters.weight());
    let mut simulated = vec![true; n * n];
    if direction == Direction::Backwards {
        for p in 0..n {
            for q in 0..n {
                let is_start = p != automaton.initial || q == automaton.initial;
                let is_marked = !on_states || !automaton.is_accepting(p) || automaton.is_accepting(q);
                simulated[p * n + q] = is_start && is_marked;
            }
        }
    }
    loop {
        let mut has_changed = false;
        for p in 0..n {
            for q in 0..n {
                if p == q || !simulated[p * n + q] {
                    continue;
                }
                budget.spend((1 + rows[p].len() * rows[q].len()) as u64 * weight)?;
                let matched = rows[p].iter().all(|edge| is_matched(edge, &rows[q], &simulated, n));
                if !matched {
                    simulated[p * n + q] = false;
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            return Ok(simulated);
        }
    }
}

/// Whether some of the edges, taken together, can do what the edge does.
fn is_matched(edge: &Edge, edges: &[Edge], simulated: &[bool], n: usize) -> bool {
    let mut left = edge.letters.clone();
    for other in edges {
        if edge.marks & !other.marks == 0 && simulated[edge.target * n + other.target] {
            left.remove(&other.letters);
        }
    }
    left.is_empty()
}

fn reversed(automaton: &Automaton) -> Vec<Vec<Edge>> {
    let mut rows = vec![Vec::new(); automaton.n_states()];
    for (state, row) in automaton.rows.iter().enumerate() {
        for edge in row {
            rows[edge.target].push(Edge { target: state, ..edge.clone() });
        }
    }
    rows
}

/// Drops letters of edges beside an edge that leads to a larger state.
fn prune_forwards(automaton: &mut Automaton, simulated: &[bool], n: usize) {
    for row in &mut automaton.rows {
        for i in 0..row.len() {
            for j in 0..row.len() {
                let (a, b) = (&row[i], &row[j]);
                let is_smaller = a.marks & !b.marks == 0 && simulated[a.target * n + b.target];
                if i != j && is_smaller && a.letters.meets(&b.letters) {
                    let letters = b.letters.clone();
                    row[i].letters.remove(&letters);
                }
            }
        }
        row.retain(|edge| !edge.letters.is_empty());
    }
}

/// Drops letters of edges to a state that also has such an edge from a state with a larger past.
fn prune_backwards(automaton: &mut Automaton, simulated: &[bool], n: usize) {
    for p in 0..n {
        for i in 0..automaton.rows[p].len() {
            for q in (0..n).filter(|&q| q != p && simulated[p * n + q]) {
                for j in 0..automaton.rows[q].len() {
                    let (a, b) = (&automaton.rows[p][i], &automaton.rows[q][j]);
                    if a.target == b.target && a.marks & !b.marks == 0 && a.letters.meets(&b.letters) {
                        let letters = b.letters.clone();
                        automaton.rows[p][i].letters.remove(&letters);
                    }
                }
            }
        }
        automaton.rows[p].retain(|edge| !edge.letters.is_empty());
    }
}
