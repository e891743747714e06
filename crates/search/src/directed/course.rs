//! What every directed search does with a state: expands it, as far as a proviso demands, and keeps the nearest goal.

use std::ops::ControlFlow;

use stubborn_reduce::{Demand, Guardian, Open, Plan};

use super::{Best, Catcher, Directed};
use crate::exploration::{Exploration, Flow, Halt, Part};
use crate::observer::Observer;
use crate::store::StateId;

/// A directed search under way.
pub(super) struct Course<'s, 'm> {
    pub(super) exploration: Exploration<'m>,
    pub(super) directed: &'s Directed<'s>,
    pub(super) guardian: Guardian,
    pub(super) best: Option<Best>,
    observer: &'s mut dyn Observer,
}

/// What a search knows of the states found so far.
pub(super) trait Nodes: Open {
    const BYTES_PER_STATE: usize;

    fn n_states(&self) -> usize;

    /// Makes room for states that are new.
    fn resize(&mut self, n_states: usize);
}

impl<'s, 'm> Course<'s, 'm> {
    pub(super) fn new(
        exploration: Exploration<'m>,
        directed: &'s Directed<'s>,
        plan: &Plan,
        observer: &'s mut dyn Observer,
    ) -> Self {
        let guardian = Guardian::new(plan.proviso, plan.fault);
        Course { exploration, directed, guardian, best: None, observer }
    }

    pub(super) fn start(&mut self, nodes: &mut impl Nodes) -> ControlFlow<Halt, StateId> {
        let initial = self.exploration.start()?;
        self.grow(nodes)?;
        ControlFlow::Continue(initial)
    }

    /// How long the shortest way known is, or the bound: only what is shorter is of interest.
    pub(super) fn limit(&self) -> u32 {
        self.best.as_ref().map_or(self.directed.bound, |best| best.cost)
    }

    /// Finds the steps of a state that a way of `cost` leads to.
    pub(super) fn expand(&mut self, state: StateId, cost: u32, nodes: &mut impl Nodes) -> Flow {
        let counts = &mut self.exploration.counts;
        counts.depth = counts.depth.max(u64::from(cost));
        self.exploration.forget_edges();
        let is_full = self.expand_part(state, Part::Chosen, cost, nodes)?;
        if !is_full && !self.guardian.is_idle() {
            let targets: Vec<u32> = self.exploration.states.targets().iter().map(|id| id.0).collect();
            if self.guardian.judge(&targets, nodes) != Demand::Nothing {
                self.expand_part(state, Part::Rest, cost, nodes)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn expand_part(
        &mut self,
        state: StateId,
        part: Part,
        cost: u32,
        nodes: &mut impl Nodes,
    ) -> ControlFlow<Halt, bool> {
        let (goal, limit) = (self.directed.goal, self.limit());
        let mut catcher = Catcher { goal, cost, limit, best: None, observer: &mut *self.observer };
        let expanded = self.exploration.expand(state, part, &mut catcher);
        if let Some(best) = catcher.best {
            self.best = Some(best);
        }
        let is_full = expanded?;
        self.exploration.flush()?;
        self.grow(nodes)?;
        ControlFlow::Continue(is_full)
    }

    fn grow<N: Nodes>(&mut self, nodes: &mut N) -> Flow {
        let n_states = self.exploration.states.store().len();
        let n_new = n_states - nodes.n_states();
        let given = self.exploration.budget.replace(0, n_new * N::BYTES_PER_STATE);
        self.exploration.flow(given)?;
        nodes.resize(n_states);
        ControlFlow::Continue(())
    }
}
