//! Obligation properties: the minimal weak deterministic Büchi automaton, if there is one (Dax, Eisinger,
//! Klaedtke 2007; Löding 2001).
//!
//! The subset construction forgets acceptance; in a component of it, either all cycles are accepting or
//! none is, if the language is an obligation. One cycle is asked. Whether the result is right is then
//! checked against the automata of the formula and of its negation.

use crate::Error;
use crate::automaton::{Automaton, Edge};
use crate::budget::Budget;
use crate::deterministic::{Deterministic, subsets};
use crate::graph::{Components, shortest_by_edge};
use crate::letters::Letters;
use crate::product::{Product, are_disjoint};

/// The minimal weak deterministic automaton; none if the language is no obligation.
pub(crate) fn weak_deterministic(
    automaton: &Automaton,
    complement: &Automaton,
    n_classes: usize,
    budget: &Budget,
) -> Result<Option<Automaton>, Error> {
    let (deterministic, sets) = subsets(automaton, n_classes, budget)?;
    let components = Components::new(&deterministic.rows);
    let colours = colours(automaton, &deterministic, &sets, &components, n_classes, budget)?;
    let (minimal, accepting) = deterministic.minimized(&colours);
    let rejecting: Vec<bool> = accepting.iter().map(|is_accepting| !is_accepting).collect();
    let result = minimal.automaton(&accepting, n_classes);
    let outside = minimal.automaton(&rejecting, n_classes);
    let is_right = are_disjoint(&result, complement, budget)? && are_disjoint(&outside, automaton, budget)?;
    Ok(is_right.then(|| result.trimmed()))
}

/// Whether each state should be accepting: those on accepting cycles must be, those on rejecting ones must
/// not, and the others follow their successors so that the minimisation can merge most (Löding).
fn colours(
    automaton: &Automaton,
    deterministic: &Deterministic,
    sets: &[Vec<usize>],
    components: &Components,
    n_classes: usize,
    budget: &Budget,
) -> Result<Vec<bool>, Error> {
    let largest = components.n_components | 1;
    let mut colour = vec![largest; components.n_components];
    let mut members = vec![Vec::new(); components.n_components];
    for (state, &component) in components.of.iter().enumerate() {
        members[component].push(state);
    }
    for component in 0..components.n_components {
        let steps = members[component].iter().flat_map(|&state| &deterministic.rows[state]);
        let outside = steps.map(|step| components.of[step.0]).filter(|&other| other != component);
        let least = outside.map(|other| colour[other]).min().unwrap_or(largest);
        let state = members[component][0];
        let inside = |step: &crate::deterministic::Step| components.of[step.0] == component;
        let cycle = shortest_by_edge(&deterministic.rows, state, inside, |step| step.0 == state);
        colour[component] = match cycle {
            None => least,
            Some((cycle, _)) => {
                let word: Vec<usize> = cycle.iter().map(|&(_, class)| class).collect();
                if accepts(automaton, &sets[state], &word, n_classes, budget)? {
                    least & !1
                } else {
                    least.saturating_sub(1) | 1
                }
            }
        };
    }
    Ok(components.of.iter().map(|&component| colour[component].is_multiple_of(2)).collect())
}

/// Whether the word, repeated for ever, is accepted from one of the states.
fn accepts(
    automaton: &Automaton,
    states: &[usize],
    word: &[usize],
    n_classes: usize,
    budget: &Budget,
) -> Result<bool, Error> {
    let edge = |position: usize| Edge {
        letters: Letters::one(n_classes, word[position]),
        marks: 1,
        target: (position + 1) % word.len(),
    };
    let rows = (0..word.len()).map(|position| vec![edge(position)]).collect();
    let cycle = Automaton { n_sets: 1, initial: 0, rows };
    let start: Vec<(usize, usize)> = states.iter().map(|&state| (state, 0)).collect();
    let product = Product::new(automaton, &cycle, &start, budget)?;
    let live = product.live();
    Ok((0..start.len()).any(|pair| live[pair]))
}
