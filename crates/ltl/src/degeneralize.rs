//! From several acceptance sets on edges to one on states, component by component (Gastin, Oddoux 2001;
//! Babiak, Badie, Duret-Lutz, Křetínský, Strejček 2013).
//!
//! A state is copied per level: the number of sets met, in a fixed order, since the last accepting copy.
//! All copies accept the same words, so an edge into a component may lead to whichever copy there is.

use hashbrown::HashMap;

use crate::acceptance::has_rejecting_cycle;
use crate::automaton::{Automaton, Edge};
use crate::graph::Components;

/// The same language with acceptance on states, sets met in the given order. The automaton must be
/// trimmed.
pub(crate) fn degeneralized(automaton: &Automaton, order: &[usize]) -> Automaton {
    let components = Components::new(&automaton.rows);
    let accepting = components.accepting(&automaton.rows, u128::from(automaton.full()));
    let kinds: Vec<Kind> = (0..components.n_components)
        .map(|component| match accepting[component] {
            false => Kind::Rejecting,
            true if has_rejecting_cycle(automaton, &components, component) => Kind::Mixed,
            true => Kind::Accepting,
        })
        .collect();
    let mut copies = Copies { numbers: HashMap::new(), order: Vec::new() };
    let last = order.len();
    let entry = |state: usize| match kinds[components.of[state]] {
        Kind::Accepting => last,
        Kind::Rejecting | Kind::Mixed => 0,
    };
    copies.number(automaton.initial, entry(automaton.initial));
    let mut rows: Vec<Vec<Edge>> = Vec::new();
    // Copies that an edge of their own component leads to.
    let mut inner: Vec<Vec<usize>> = vec![Vec::new(); automaton.n_states()];
    while rows.len() < copies.order.len() {
        let (state, level) = copies.order[rows.len()];
        let component = components.of[state];
        let mut row = Vec::new();
        for edge in &automaton.rows[state] {
            let is_inner = components.of[edge.target] == component;
            let target_level = match kinds[component] {
                Kind::Mixed if is_inner => {
                    let from = if level == last { 0 } else { level };
                    let met = order[from..].iter().take_while(|&&set| edge.marks >> set & 1 == 1).count();
                    from + met
                }
                _ => entry(edge.target),
            };
            let target = copies.number(edge.target, target_level);
            if is_inner && !inner[edge.target].contains(&target) {
                inner[edge.target].push(target);
            }
            row.push(Edge { letters: edge.letters.clone(), marks: u64::from(level == last), target });
        }
        rows.push(row);
    }
    // Copies that only edges from outside lead to give way to one that there is anyway.
    let to = |copy: usize| match inner[copies.order[copy].0].as_slice() {
        known if known.is_empty() || known.contains(&copy) => copy,
        known => known[0],
    };
    let to: Vec<usize> = (0..copies.order.len()).map(to).collect();
    Automaton { n_sets: 1, initial: 0, rows }.redirected(&to).trimmed()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// No cycle is accepting.
    Rejecting,
    /// Every cycle is.
    Accepting,
    /// Some are.
    Mixed,
}

struct Copies {
    numbers: HashMap<(usize, usize), usize>,
    order: Vec<(usize, usize)>,
}

impl Copies {
    fn number(&mut self, state: usize, level: usize) -> usize {
        let next = self.order.len();
        let number = *self.numbers.entry((state, level)).or_insert(next);
        if number == next {
            self.order.push((state, level));
        }
        number
    }
}
