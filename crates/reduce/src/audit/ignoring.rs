//! The provisos on the reduced graph as it was built.
//!
//! C2^S and C2^L' of Evangelista and Pajault, §3: for safety, whatever is enabled in a state
//! is executed in some state that is reached from there; for liveness, every cycle has a state
//! that is fully expanded. C3' of Laarman et al. asks for less: on every cycle, each step that the
//! property sees is in the set of some state, enabled there or not. What a step is to be the same step later: process number and transition.

use crate::audit::graph::{Graph, Label, Node, Target};
use crate::audit::record::Record;
use crate::audit::report::Tally;

/// The reduced graph.
pub(crate) struct Reduced<'a, 'm> {
    graph: &'a Graph<'m>,
    record: &'a Record,
    nodes: Vec<Node>,
    /// By state, in the order of `nodes`: where taken steps lead. None if that is not all known.
    successors: Vec<Option<Vec<usize>>>,
}

impl<'a, 'm> Reduced<'a, 'm> {
    pub(crate) fn new(graph: &'a Graph<'m>, record: &'a Record) -> Self {
        let nodes: Vec<Node> = record.taken.keys().copied().collect();
        let successors = record
            .taken
            .iter()
            .map(|(&node, taken)| {
                let edges = graph.edges(node)?.iter().filter(|edge| taken.binary_search(&edge.label).is_ok());
                let states = edges.filter_map(|edge| match edge.target {
                    Target::State(target) => Some(target),
                    Target::Error(_) | Target::Endless => None,
                });
                states.map(|target| nodes.binary_search(&target).ok()).collect()
            })
            .collect();
        Reduced { graph, record, nodes, successors }
    }

    fn taken(&self, index: usize) -> &[Label] {
        &self.record.taken[&self.nodes[index]]
    }

    fn is_full(&self, index: usize) -> bool {
        let enabled = self.graph.enabled(self.nodes[index]);
        enabled.is_some_and(|labels| labels.iter().all(|l| self.taken(index).contains(l)))
    }

    /// C2^S.
    pub(crate) fn check_safety(&self, tally: &mut Tally) {
        let n_words = self.graph.n_labels().div_ceil(64);
        let components = components(self.nodes.len(), |i| self.successors[i].as_deref().unwrap_or_default());
        // By component: what is executed there and after; none if that is not all known.
        let mut executed: Vec<Option<Vec<u64>>> = Vec::new();
        let mut component_of = vec![usize::MAX; self.nodes.len()];
        for component in &components {
            let number = executed.len();
            component.iter().for_each(|&i| component_of[i] = number);
            let mut row = Some(vec![0u64; n_words]);
            for &i in component {
                let Some(successors) = &self.successors[i] else {
                    row = None;
                    continue;
                };
                if let Some(row) = &mut row {
                    self.taken(i).iter().for_each(|&l| row[l as usize / 64] |= 1 << (l % 64));
                }
                for &target in successors.iter().filter(|&&target| component_of[target] != number) {
                    row = row.zip(executed[component_of[target]].as_ref()).map(|(mut row, other)| {
                        row.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
                        row
                    });
                }
            }
            executed.push(row);
        }
        for (i, &node) in self.nodes.iter().enumerate() {
            tally.n_checked += 1;
            let (Some(enabled), Some(row)) = (self.graph.enabled(node), &executed[component_of[i]]) else {
                tally.cut("not all states of the reduced graph are known");
                continue;
            };
            if let Some(&ignored) = enabled.iter().find(|&&l| row[l as usize / 64] >> (l % 64) & 1 == 0) {
                tally.violated(|| {
                    let what = format!(
                        "{} is possible here, but is executed neither here nor in any state that is \
                         visited after this one",
                        self.graph.tell(ignored)
                    );
                    self.graph.violation(node, Some(ignored), what)
                });
            }
        }
    }

    /// C2^L'.
    pub(crate) fn check_liveness(&self, tally: &mut Tally) {
        let partial: Vec<bool> = (0..self.nodes.len()).map(|i| !self.is_full(i)).collect();
        tally.n_checked += self.nodes.len() as u64;
        self.note_unknown(tally);
        for cycle in self.cycles(|i| partial[i]) {
            let first = cycle[0];
            tally.violated(|| {
                let node = self.nodes[first];
                let enabled = self.graph.enabled(node).unwrap_or_default();
                let ignored = enabled.into_iter().find(|label| !self.taken(first).contains(label));
                let mut what = format!(
                    "{}, none of which is fully expanded, form a cycle",
                    if cycle.len() == 1 {
                        "this state".to_owned()
                    } else {
                        format!("{} states", cycle.len())
                    }
                );
                if let Some(ignored) = ignored {
                    what += &format!("; not taken here: {}", self.graph.tell(ignored));
                }
                self.graph.violation(node, ignored, what)
            });
        }
    }

    /// Whether a step is in a set that was chosen in a state, or all steps were taken.
    fn is_in_set(&self, index: usize, label: Label) -> bool {
        let node = self.nodes[index];
        let low = self.graph.n_processes(node);
        let mut sets = self.record.sets_of(node);
        self.is_full(index)
            || self.taken(index).contains(&label)
            || sets.any(|set| set.statements.contains(self.graph, label, low))
    }

    /// C3': for each visible step, no cycle where it is enabled and in no set.
    pub(crate) fn check_visible(&self, values: &[Vec<bool>], tally: &mut Tally) {
        tally.n_checked += self.nodes.len() as u64;
        self.note_unknown(tally);
        for label in (0..self.graph.n_labels() as Label).filter(|&label| self.is_visible(label, values)) {
            let outside: Vec<bool> = (0..self.nodes.len()).map(|i| !self.is_in_set(i, label)).collect();
            for cycle in self.cycles(|i| outside[i]) {
                let is_enabled =
                    |i: usize| self.graph.enabled(self.nodes[i]).unwrap_or_default().contains(&label);
                if let Some(&at) = cycle.iter().find(|&&i| is_enabled(i)) {
                    tally.violated(|| {
                        let what = format!(
                            "the property sees {}, which is possible here but in no set of the states of a cycle",
                            self.graph.tell(label)
                        );
                        self.graph.violation(self.nodes[at], Some(label), what)
                    });
                }
            }
        }
    }

    /// Whether some edge with that label changes a proposition.
    fn is_visible(&self, label: Label, values: &[Vec<bool>]) -> bool {
        (0..self.graph.n_states() as Node).any(|node| {
            self.graph.edges_of(node, label).into_iter().flatten().any(|edge| match edge.target {
                Target::State(target) => values.iter().any(|v| v[node as usize] != v[target as usize]),
                Target::Error(_) | Target::Endless => false,
            })
        })
    }

    fn note_unknown(&self, tally: &mut Tally) {
        if self.successors.iter().any(Option::is_none) {
            tally.cut("not all states of the reduced graph are known");
        }
    }

    /// Strongly connected components with a cycle, among the states that are `wanted`.
    fn cycles(&self, wanted: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let restricted: Vec<Vec<usize>> = (0..self.nodes.len())
            .map(|i| match &self.successors[i] {
                Some(successors) if wanted(i) => successors.iter().copied().filter(|&t| wanted(t)).collect(),
                _ => Vec::new(),
            })
            .collect();
        let mut found = components(self.nodes.len(), |i| &restricted[i]);
        found.retain(|component| component.len() > 1 || restricted[component[0]].contains(&component[0]));
        found.iter_mut().for_each(|component| component.sort_unstable());
        found
    }
}

/// Strongly connected components, each after those it leads to (Tarjan).
fn components<'s>(n: usize, successors: impl Fn(usize) -> &'s [usize]) -> Vec<Vec<usize>> {
    let (mut order, mut low) = (vec![0usize; n], vec![0usize; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut found, mut n_entered) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if order[root] != 0 {
            continue;
        }
        let mut frames = vec![(root, 0)];
        while let Some((node, next)) = frames.last_mut() {
            let node = *node;
            if *next == 0 {
                n_entered += 1;
                (order[node], low[node]) = (n_entered, n_entered);
                on_stack[node] = true;
                stack.push(node);
            }
            if let Some(&target) = successors(node).get(*next) {
                *next += 1;
                if order[target] == 0 {
                    frames.push((target, 0));
                } else if on_stack[target] {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            frames.pop();
            if let Some(&(below, _)) = frames.last() {
                low[below] = low[below].min(low[node]);
            }
            if low[node] == order[node] {
                let start = stack.iter().rposition(|&other| other == node).expect("it is on the stack");
                let component: Vec<usize> = stack.drain(start..).collect();
                component.iter().for_each(|&member| on_stack[member] = false);
                found.push(component);
            }
        }
    }
    found
}
