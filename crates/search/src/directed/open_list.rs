//! A* and best-first search: the states that were found and not expanded wait in a list, the best one first.
//!
//! Edelkamp, Leue and Lluch Lafuente, figure 3. A state that is reached on a shorter way later is opened again.
//!
//! Invariant: `cost` of a state is the length of the way over its parents.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_reduce::{Demand, Guardian, Open, Plan};

use super::{Best, Catcher, Directed, FAR, Goal, Guide, Outcome};
use crate::exploration::{Exploration, Flow, Halt, Part};
use crate::observer::Observer;
use crate::store::StateId;

pub(super) struct OpenList<'s, 'm> {
    exploration: Exploration<'m>,
    directed: &'s Directed<'s>,
    guardian: Guardian,
    nodes: Nodes,
    best: Option<Best>,
    observer: &'s mut dyn Observer,
}

/// What is known of the states found so far.
#[derive(Default)]
struct Nodes {
    /// By state: the length of the way to it.
    cost: Vec<u32>,
    estimate: Vec<u32>,
    is_closed: Vec<bool>,
    /// By key: states to be expanded, with the length of the way when they were put here.
    buckets: BTreeMap<u32, Vec<(StateId, u32)>>,
    /// States that were known before the one being expanded was.
    n_before: usize,
}

impl Nodes {
    const BYTES_PER_STATE: usize = 2 * size_of::<u32>() + 1 + size_of::<(StateId, u32)>();

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

impl Open for Nodes {
    fn is_new(&self, state: u32) -> bool {
        state as usize >= self.n_before
    }

    fn is_open(&self, state: u32) -> bool {
        !self.is_closed[state as usize]
    }
}

impl<'s, 'm> OpenList<'s, 'm> {
    pub(super) fn new(
        exploration: Exploration<'m>,
        directed: &'s Directed<'s>,
        plan: &Plan,
        observer: &'s mut dyn Observer,
    ) -> Self {
        let guardian = Guardian::new(plan.proviso, plan.fault);
        OpenList { exploration, directed, guardian, nodes: Nodes::default(), best: None, observer }
    }

    pub(super) fn search(mut self) -> Outcome<'m> {
        let flow = self.run();
        (self.exploration, flow, self.best)
    }

    fn run(&mut self) -> Flow {
        let initial = self.exploration.start()?;
        self.grow()?;
        self.reach(initial, initial, 0);
        while let Some((key, state)) = self.nodes.pop() {
            let limit = self.limit();
            let is_done = match self.directed.guide {
                Guide::BestFirst => self.best.is_some(),
                // What is left is not better.
                _ => key >= limit,
            };
            if is_done {
                break;
            }
            self.expand(state)?;
        }
        ControlFlow::Continue(())
    }

    /// Only what is shorter is of interest.
    fn limit(&self) -> u32 {
        self.best.as_ref().map_or(self.directed.bound, |best| best.cost)
    }

    fn expand(&mut self, state: StateId) -> Flow {
        self.nodes.is_closed[state.index()] = true;
        let depth = u64::from(self.nodes.cost[state.index()]);
        self.exploration.counts.depth = self.exploration.counts.depth.max(depth);
        self.nodes.n_before = self.exploration.states.store().len();
        self.exploration.forget_edges();
        let is_full = self.expand_part(state, Part::Chosen)?;
        if !is_full && !self.guardian.is_idle() {
            let targets: Vec<u32> = self.exploration.states.targets().iter().map(|id| id.0).collect();
            if self.guardian.judge(&targets, &self.nodes) != Demand::Nothing {
                self.expand_part(state, Part::Rest)?;
            }
        }
        let cost = self.nodes.cost[state.index()];
        for i in 0..self.exploration.taken().len() {
            let (target, edge) = (self.exploration.states.targets()[i], self.exploration.taken()[i]);
            self.reach(state, target, cost.saturating_add(edge.length));
        }
        ControlFlow::Continue(())
    }

    fn expand_part(&mut self, state: StateId, part: Part) -> ControlFlow<Halt, bool> {
        let cost = self.nodes.cost[state.index()];
        let limit = self.limit();
        let mut catcher =
            Catcher { goal: self.directed.goal, cost, limit, best: None, observer: &mut *self.observer };
        let expanded = self.exploration.expand(state, part, &mut catcher);
        if let Some(best) = catcher.best {
            self.best = Some(best);
        }
        let is_full = expanded?;
        self.exploration.flush()?;
        self.grow()?;
        ControlFlow::Continue(is_full)
    }

    /// A way of that length leads to a state, by way of `parent`.
    fn reach(&mut self, parent: StateId, state: StateId, cost: u32) {
        let OpenList { exploration, directed, nodes, .. } = self;
        let at = state.index();
        if cost >= nodes.cost[at] {
            return;
        }
        let is_first = nodes.cost[at] == FAR;
        nodes.cost[at] = cost;
        nodes.is_closed[at] = false;
        exploration.states.set_parent(state, parent);
        let bytes = exploration.states.store().get(state);
        if is_first {
            nodes.estimate[at] = directed.heuristic.estimate(&exploration.interpreter, bytes);
        }
        let limit = self.best.as_ref().map_or(directed.bound, |best| best.cost);
        if let Goal::State(is_goal) = directed.goal
            && cost < limit
            && is_goal(&exploration.interpreter, bytes)
        {
            self.best = Some(Best::state(cost, state, exploration.counts));
        }
        let left = nodes.estimate[at];
        let total = cost.saturating_add(left);
        if total < limit {
            let key = match directed.guide {
                Guide::BestFirst => left,
                _ => total,
            };
            nodes.push(key, state);
        }
    }

    /// Makes room for states that are new.
    fn grow(&mut self) -> Flow {
        let n_states = self.exploration.states.store().len();
        let nodes = &mut self.nodes;
        let n_new = n_states - nodes.cost.len();
        let given = self.exploration.budget.replace(0, n_new * Nodes::BYTES_PER_STATE);
        self.exploration.flow(given)?;
        nodes.cost.resize(n_states, FAR);
        nodes.estimate.resize(n_states, 0);
        nodes.is_closed.resize(n_states, false);
        ControlFlow::Continue(())
    }
}
