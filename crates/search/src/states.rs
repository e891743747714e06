//! The states found so far and how each was reached.
//!
//! A search is bound by memory latency: a look-up in a large table waits for
//! memory once for the table and once for the state. So successors are collected
//! and stored in batches, and what a batch will look at is fetched while successors
//! are still being found: the entry of the table as soon as a successor is known, the
//! state it leads to some successors later. The order of storing is the order of
//! finding, whatever the size of a batch.

use stubborn_base::Idx;

use crate::budget::{Budget, OutOfMemory};
use crate::store::{Compression, Insert, Key, StateId, Store};

/// Successors in a full batch.
const BATCH: usize = 64;

/// An entry is at hand when so many more successors have been found.
const AHEAD: usize = 12;

/// Stored states with their parents, and successors still to be stored.
#[derive(Debug)]
pub(crate) struct States {
    store: Store,
    /// The state each state was reached from; the initial one from itself.
    parents: Vec<StateId>,
    /// Where the edges stored since [`States::clear_targets`] lead, in order.
    targets: Vec<StateId>,
    batch: Vec<Successor>,
    /// The bytes of the successors in `batch`, one after the other.
    bytes: Vec<u8>,
}

/// A successor still to be stored.
#[derive(Clone, Copy, Debug)]
struct Successor {
    source: StateId,
    key: Key,
    end: usize,
}

impl States {
    /// No states; the first will be about `width` bytes wide.
    pub(crate) fn new(width: usize, compression: Compression) -> Self {
        States {
            store: Store::new(width, compression),
            parents: Vec::new(),
            targets: Vec::new(),
            batch: Vec::with_capacity(BATCH),
            bytes: Vec::new(),
        }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn parent(&self, id: StateId) -> StateId {
        self.parents[id.index()]
    }

    /// Says that a stored state was reached from another one, too.
    pub(crate) fn set_parent(&mut self, id: StateId, parent: StateId) {
        self.parents[id.index()] = parent;
    }

    pub(crate) fn targets(&self) -> &[StateId] {
        &self.targets
    }

    pub(crate) fn clear_targets(&mut self) {
        self.targets.clear();
    }

    /// The same, where nobody else is to see them any more. What the budget gave for them goes with them.
    pub(crate) fn take_targets(&mut self) -> Vec<StateId> {
        std::mem::take(&mut self.targets)
    }

    /// How many edges there are since [`States::clear_targets`], with those that are still to be stored.
    pub(crate) fn n_edges(&self) -> usize {
        self.targets.len() + self.batch.len()
    }

    /// Stores the initial state.
    pub(crate) fn start(&mut self, state: &[u8], budget: &mut Budget) -> Result<StateId, OutOfMemory> {
        budget.push(&mut self.parents, StateId(0))?;
        Ok(self.store.insert(state, budget)?.id())
    }

    /// Adds a successor to the batch, which is stored if it is full.
    #[inline]
    pub(crate) fn add(
        &mut self,
        source: StateId,
        state: &[u8],
        budget: &mut Budget,
    ) -> Result<(), OutOfMemory> {
        if state.len() > self.store.width() {
            // Keys of narrower states are of no use afterwards.
            self.flush(budget)?;
        }
        let key = self.store.key(state, budget)?;
        self.bytes.extend_from_slice(state);
        self.store.fetch_entry(key);
        if let Some(before) = self.batch.len().checked_sub(AHEAD) {
            self.store.fetch_state(self.batch[before].key);
        }
        self.batch.push(Successor { source, key, end: self.bytes.len() });
        if self.batch.len() < BATCH { Ok(()) } else { self.flush(budget) }
    }

    /// Stores the batch.
    pub(crate) fn flush(&mut self, budget: &mut Budget) -> Result<(), OutOfMemory> {
        for successor in &self.batch[self.batch.len().saturating_sub(AHEAD)..] {
            self.store.fetch_state(successor.key);
        }
        let mut start = 0;
        for &Successor { source, key, end } in &self.batch {
            let insert = self.store.insert_by_key(&self.bytes[start..end], key, budget)?;
            if let Insert::New(id) = insert {
                debug_assert_eq!(id.index(), self.parents.len());
                budget.push(&mut self.parents, source)?;
            }
            budget.push(&mut self.targets, insert.id())?;
            start = end;
        }
        self.batch.clear();
        self.bytes.clear();
        self.store.compress(budget)
    }
}
