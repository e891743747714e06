//! Acceptance sets, component by component: marks that decide nothing are dropped, and sets that others
//! imply; the rest are numbered anew in each component (Babiak, Badie, Duret-Lutz, Křetínský, Strejček
//! 2013, "Compositional approach to suspension and other improvements to LTL translation").

use crate::automaton::Automaton;
use crate::graph::{Arc, Components};

/// The same language with as few acceptance sets as can be seen. The automaton must be trimmed.
pub(crate) fn with_few_sets(automaton: &Automaton) -> Automaton {
    let mut result = automaton.clone();
    let components = Components::new(&automaton.rows);
    let accepting = components.accepting(&automaton.rows, u128::from(automaton.full()));
    let mut needed: Vec<Vec<usize>> = Vec::with_capacity(components.n_components);
    for (component, &is_accepting) in accepting.iter().enumerate() {
        let is_weak = is_accepting && !has_rejecting_cycle(automaton, &components, component);
        needed.push(if !is_accepting || is_weak {
            Vec::new()
        } else {
            needed_sets(automaton, &components, component)
        });
    }
    result.n_sets = needed.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let full = result.full();
    for (state, row) in result.rows.iter_mut().enumerate() {
        let component = components.of[state];
        for edge in row {
            edge.marks = if !accepting[component] || components.of[edge.target] != component {
                0
            } else {
                let sets = &needed[component];
                let kept = sets.iter().enumerate().map(|(new, &old)| (edge.marks >> old & 1) << new);
                // Sets this component does not need are met by each of its edges.
                kept.sum::<u64>() | full & u64::MAX.checked_shl(sets.len() as u32).unwrap_or(0)
            };
        }
    }
    result
}

/// Whether some cycle in a component misses an acceptance set.
pub(crate) fn has_rejecting_cycle(automaton: &Automaton, components: &Components, component: usize) -> bool {
    (0..automaton.n_sets).any(|set| {
        let rows: Vec<Vec<Inner>> = automaton
            .rows
            .iter()
            .enumerate()
            .map(|(state, row)| {
                let edges = row.iter().filter(|edge| {
                    components.of[state] == component
                        && components.of[edge.target] == component
                        && edge.marks >> set & 1 == 0
                });
                edges.map(|edge| Inner(edge.target)).collect()
            })
            .collect();
        Components::new(&rows).marks(&rows).iter().any(Option::is_some)
    })
}

struct Inner(usize);

impl Arc for Inner {
    fn target(&self) -> usize {
        self.0
    }

    fn marks(&self) -> u128 {
        0
    }
}

/// The sets of an accepting component that are not met whenever another, kept, one is.
fn needed_sets(automaton: &Automaton, components: &Components, component: usize) -> Vec<usize> {
    let mut marks: Vec<u64> = Vec::new();
    for (state, row) in automaton.rows.iter().enumerate() {
        let edges = row.iter().filter(|edge| components.of[edge.target] == component);
        marks.extend(edges.filter(|_| components.of[state] == component).map(|edge| edge.marks));
    }
    let implies = |a: usize, b: usize| marks.iter().all(|marks| marks >> a & 1 <= marks >> b & 1);
    let is_everywhere = |set: usize| marks.iter().all(|marks| marks >> set & 1 == 1);
    let mut needed: Vec<usize> = (0..automaton.n_sets).filter(|&set| !is_everywhere(set)).collect();
    let mut at = 0;
    while at < needed.len() {
        let set = needed[at];
        if needed.iter().any(|&other| other != set && implies(other, set)) {
            needed.remove(at);
        } else {
            at += 1;
        }
    }
    needed
}
