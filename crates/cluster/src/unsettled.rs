//! States that keep to part of their steps while it is not known whether one of these leads to the next level.

use hashbrown::HashMap;
use stubborn_search::{Budget, OutOfMemory, StateId};

/// States that wait for answers from owners, with what was chosen in them. They are counted in the budget.
#[derive(Debug)]
pub(crate) struct Unsettled {
    states: HashMap<StateId, Box<[bool]>>,
    /// Bytes of choices.
    n_choices: usize,
    /// Bytes of the table.
    table: usize,
    budget: Budget,
}

impl Unsettled {
    pub(crate) fn new(budget: &Budget) -> Self {
        Unsettled { states: HashMap::new(), n_choices: 0, table: 0, budget: budget.clone() }
    }

    /// A state waits.
    pub(crate) fn insert(&mut self, state: StateId, chosen: &[bool]) -> Result<(), OutOfMemory> {
        self.budget.replace(0, chosen.len())?;
        self.n_choices += chosen.len();
        if self.states.len() == self.states.capacity() {
            // It will be twice as large, and is copied.
            let table = 2 * self.states.allocation_size().max(64);
            self.budget.replace(self.table, table)?;
            self.states.reserve(1);
            self.table = table;
        }
        self.states.insert(state, chosen.into());
        Ok(())
    }

    /// A state does not wait any more.
    pub(crate) fn settle(&mut self, state: StateId) {
        if let Some(chosen) = self.states.remove(&state) {
            self.n_choices -= chosen.len();
            self.budget.give_back(chosen.len());
        }
    }

    /// What was chosen in a state that waits.
    pub(crate) fn chosen(&self, state: StateId) -> Option<&[bool]> {
        self.states.get(&state).map(|chosen| &**chosen)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// All of them, in order.
    pub(crate) fn all(&self) -> Vec<StateId> {
        let mut ids: Vec<StateId> = self.states.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// None waits any more.
    pub(crate) fn clear(&mut self) {
        self.states = HashMap::new();
        self.budget.give_back(self.n_choices + self.table);
        (self.n_choices, self.table) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_is_paid_for() {
        let budget = Budget::new(1 << 20);
        let mut unsettled = Unsettled::new(&budget);
        for id in 0..1000 {
            unsettled.insert(StateId(id), &[true, false, true]).unwrap();
        }
        assert!(budget.used() > 1000 * (3 + size_of::<(StateId, Box<[bool]>)>()), "{}", budget.used());
        assert!(budget.used() >= unsettled.states.allocation_size() + 3000);
        unsettled.settle(StateId(7));
        assert_eq!((unsettled.all().len(), unsettled.chosen(StateId(7))), (999, None));
        unsettled.clear();
        assert!(unsettled.is_empty());
        assert_eq!(budget.used(), 0);
        let mut little = Unsettled::new(&Budget::new(10_000));
        assert!((0..1000).any(|id| little.insert(StateId(id), &[true, false]).is_err()));
    }
}
