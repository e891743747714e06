//! A* and best-first search: the states that were found and not expanded wait in a list, the best one first.
//!
//! Edelkamp, Leue and Lluch Lafuente, figure 3. In A*, a state that is reached on a shorter way later is opened again;
//! best-first search does not look at lengths, so there no state is expanded twice.
//!
//! Invariant: `cost` of a state is the length of the way over its parents.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_reduce::Open;

use super::course::{Course, Nodes};
use super::{Best, FAR, Goal, Guide, Outcome};
use crate::exploration::Flow;
use crate::store::StateId;

pub(super) struct OpenList<'s, 'm> {
    course: Course<'s, 'm>,
    nodes: Known,
}

/// What is known of the states found so far.
#[derive(Default)]
struct Known {
    /// By state: the length of the way to it.
    cost: Vec<u32>,
    estimate: Vec<u32>,
    is_closed: Vec<bool>,
    /// By key: states to be expanded, with the length of the way when they were put here.
    buckets: BTreeMap<u32, Vec<(StateId, u32)>>,
    /// States that were known before the one being expanded was.
    n_before: usize,
}

impl Known {
    /// Of the states with the least key, the one put there last: the search goes on where it is.
    fn pop(&mut self) -> Option<(u32, StateId)> {
        while let Some(mut bucket) = self.buckets.first_entry() {
            let key = *bucket.key();
            match bucket.get_mut().pop() {
                Some((state, cost)) if cost == self.cost[state.index()] && !self.is_closed[state.index()] => {
                    return Some((key, state));
                }
                // It was expanded since, or reached on a shorter way.
                Some(_) => {}
                None => drop(bucket.remove()),
            }
        }
        None
    }

    fn push(&mut self, key: u32, state: StateId) {
        self.buckets.entry(key).or_default().push((state, self.cost[state.index()]));
    }
}

impl Open for Known {
    fn is_new(&self, state: u32) -> bool {
        state as usize >= self.n_before
    }

    fn is_open(&self, state: u32) -> bool {
        !self.is_closed[state as usize]
    }
}

impl Nodes for Known {
    const BYTES_PER_STATE: usize = 2 * size_of::<u32>() + 1 + size_of::<(StateId, u32)>();

    fn n_states(&self) -> usize {
        self.cost.len()
    }

    fn resize(&mut self, n_states: usize) {
        self.cost.resize(n_states, FAR);
        self.estimate.resize(n_states, 0);
        self.is_closed.resize(n_states, false);
    }
}

impl<'s, 'm> OpenList<'s, 'm> {
    pub(super) fn new(course: Course<'s, 'm>) -> Self {
        OpenList { course, nodes: Known::default() }
    }

    pub(super) fn search(mut self) -> Outcome<'m> {
        let flow = self.run();
        (self.course.exploration, flow, self.course.best)
    }

    fn run(&mut self) -> Flow {
        let initial = self.course.start(&mut self.nodes)?;
        self.reach(initial, initial, 0);
        while let Some((key, state)) = self.nodes.pop() {
            let is_done = match self.course.directed.guide {
                Guide::BestFirst => self.course.best.is_some(),
                // What is left is not better.
                _ => key >= self.course.limit(),
            };
            if is_done {
                break;
            }
            self.expand(state)?;
        }
        ControlFlow::Continue(())
    }

    fn expand(&mut self, state: StateId) -> Flow {
        let cost = self.nodes.cost[state.index()];
        self.nodes.is_closed[state.index()] = true;
        self.nodes.n_before = self.course.exploration.states.store().len();
        self.course.expand(state, cost, &mut self.nodes)?;
        for i in 0..self.course.exploration.taken().len() {
            let exploration = &self.course.exploration;
            let (target, edge) = (exploration.states.targets()[i], exploration.taken()[i]);
            self.reach(state, target, cost.saturating_add(edge.length));
        }
        ControlFlow::Continue(())
    }

    /// A way of that length leads to a state, by way of `parent`.
    fn reach(&mut self, parent: StateId, state: StateId, cost: u32) {
        let OpenList { course, nodes } = self;
        let limit = course.limit();
        let Course { exploration, directed, best, .. } = course;
        let at = state.index();
        let is_first = nodes.cost[at] == FAR;
        if cost >= nodes.cost[at] || (directed.guide == Guide::BestFirst && !is_first) {
            return;
        }
        nodes.cost[at] = cost;
        nodes.is_closed[at] = false;
        exploration.states.set_parent(state, parent);
        let bytes = &exploration.states.store().get(state);
        if is_first {
            nodes.estimate[at] = directed.heuristic.estimate(&exploration.interpreter, bytes);
        }
        if let Goal::State(is_goal) = directed.goal
            && cost < limit
            && is_goal(&exploration.interpreter, bytes)
        {
            *best = Some(Best::state(cost, state, exploration.counts));
        }
        let left = nodes.estimate[at];
        let total = cost.saturating_add(left);
        match directed.guide {
            // Another way to it may be within the limit.
            Guide::BestFirst if total >= limit => nodes.cost[at] = FAR,
            Guide::BestFirst => nodes.push(left, state),
            _ if total < limit => nodes.push(total, state),
            _ => {}
        }
    }
}
