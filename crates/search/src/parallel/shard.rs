//! The visited states, in parts that are locked one at a time.
//!
//! The last bits of a state's hash say which part it is in, and the last bits of its number; the rest of the number is
//! the one it has there. Tables place by the first bits of a hash, so both are well distributed.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use stubborn_base::Idx;

use super::{id_of, lock};
use crate::budget::{Budget, OutOfMemory};
use crate::store::{Compression, Insert, Key, StateId, Store};

/// Parts, as a power of two.
pub(crate) const BITS: u32 = 6;

/// Their number.
pub(crate) const N: usize = 1 << BITS;

/// All parts.
#[derive(Debug)]
pub(super) struct Shards {
    shards: Vec<Mutex<Shard<StateId>>>,
    n_states: AtomicU64,
}

/// One part: states, and where each was reached from, which is a `P`.
#[derive(Debug)]
pub struct Shard<P> {
    store: Store,
    /// Where each state was reached from; the initial one from itself.
    parents: Vec<P>,
    /// States of levels before, and of the one that is being expanded.
    n_before: usize,
    budget: Budget,
}

/// What became of a successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placed {
    /// It is new, under that number.
    New(StateId),
    /// It was found while this level was expanded.
    Next(StateId),
    /// It is on a level before the next one.
    Old(StateId),
}

impl Placed {
    /// The state's number.
    pub fn id(self) -> StateId {
        match self {
            Placed::New(id) | Placed::Next(id) | Placed::Old(id) => id,
        }
    }

    /// Whether it is on a level before the next one.
    pub fn is_old(self) -> bool {
        matches!(self, Placed::Old(_))
    }
}

impl<P: Copy> Shard<P> {
    /// No states; the first will be about `width` bytes wide.
    pub fn new(width: usize, compression: Compression, budget: &Budget) -> Self {
        let store = Store::new(width, compression);
        Shard { store, parents: Vec::new(), n_before: 0, budget: budget.clone() }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.store.is_empty()
    }

    /// Says that all states so far are on this level and those before; the states that are on this level. Keys made before
    /// are of no use afterwards.
    pub fn begin_level(&mut self) -> Result<Range<usize>, OutOfMemory> {
        self.store.compress(&mut self.budget)?;
        let before = std::mem::replace(&mut self.n_before, self.store.len());
        Ok(before..self.n_before)
    }

    /// Whether there are states of the next level.
    pub fn has_next(&self) -> bool {
        self.store.len() > self.n_before
    }

    /// What to place a state with: before the key of a wider state is made.
    #[inline]
    pub fn key(&mut self, state: &[u8]) -> Result<Key, OutOfMemory> {
        self.store.key(state, &mut self.budget)
    }

    /// Stores states, given with their keys and where they were reached from, and says what became of each.
    pub fn place<'s>(
        &mut self,
        states: impl Iterator<Item = (&'s [u8], Key, P)> + Clone,
        mut tell: impl FnMut(usize, Placed) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        let Shard { store, parents, n_before, budget } = self;
        states.clone().for_each(|(_, key, _)| store.fetch_entry(key));
        states.clone().for_each(|(_, key, _)| store.fetch_state(key));
        let mut states = states.enumerate();
        states.try_for_each(|(index, (state, key, parent))| {
            let placed = match store.insert_by_key(state, key, budget)? {
                Insert::New(id) => {
                    budget.push(parents, parent)?;
                    Placed::New(id)
                }
                Insert::Old(id) if id.index() >= *n_before => Placed::Next(id),
                Insert::Old(id) => Placed::Old(id),
            };
            tell(index, placed)
        })
    }

    /// Makes `state` a stored one.
    #[inline]
    pub fn read(&self, id: StateId, state: &mut Vec<u8>) {
        self.store.read(id, state);
    }

    /// A copy of a stored state.
    pub fn get(&self, id: StateId) -> Vec<u8> {
        self.store.get(id)
    }

    /// Where a state was reached from.
    pub fn parent(&self, id: StateId) -> P {
        self.parents[id.index()]
    }
}

/// The number of a state of a part; there are only so many.
fn number(shard: usize, local: StateId) -> Result<StateId, OutOfMemory> {
    if local.0 >> (u32::BITS - BITS) > 0 { Err(OutOfMemory) } else { Ok(id_of(shard, local)) }
}

/// The part that a state with that key is in.
pub(crate) fn of_key(key: Key) -> usize {
    key.hash() as usize & (N - 1)
}

impl Shards {
    /// No states; the first will be about `width` bytes wide.
    pub(super) fn new(width: usize, budget: &Budget) -> Self {
        // Keys are made before it is known how a part keeps its states: as they are.
        let shard = || Shard::new(width, Compression::Plain, budget);
        Shards { shards: (0..N).map(|_| Mutex::new(shard())).collect(), n_states: AtomicU64::new(0) }
    }

    /// Number of states.
    pub(super) fn len(&self) -> u64 {
        self.n_states.load(Ordering::Relaxed)
    }

    /// Stores the initial state, which is reached from itself.
    pub(super) fn start(&self, initial: &[u8]) -> Result<StateId, OutOfMemory> {
        let key = Key::plain(initial);
        let shard = of_key(key);
        let id = id_of(shard, StateId(0));
        self.place(shard, [(initial, key, id)].into_iter(), |_, _| Ok(()))?;
        Ok(id)
    }

    /// Says that all states so far are on this level and those before.
    pub(super) fn begin_level(&self) {
        for shard in &self.shards {
            // States that are kept as they are take no more memory when a level begins.
            let _ = lock(shard).begin_level();
        }
    }

    /// Stores states of one part, given with their keys and where they were reached from, and says what became of
    /// each.
    pub(super) fn place<'s>(
        &self,
        shard: usize,
        states: impl Iterator<Item = (&'s [u8], Key, StateId)> + Clone,
        mut tell: impl FnMut(usize, Placed) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        let mut n_new = 0;
        let result = lock(&self.shards[shard]).place(states, |index, placed| match placed {
            Placed::New(id) => {
                n_new += 1;
                tell(index, Placed::New(number(shard, id)?))
            }
            Placed::Next(id) => tell(index, Placed::Next(id_of(shard, id))),
            Placed::Old(id) => tell(index, Placed::Old(id_of(shard, id))),
        });
        self.n_states.fetch_add(n_new, Ordering::Relaxed);
        result
    }

    /// A state.
    pub(super) fn state(&self, id: StateId) -> Vec<u8> {
        lock(&self.shards[id.index() & (N - 1)]).get(StateId(id.0 >> BITS))
    }

    /// The states on the way from the initial one.
    pub(super) fn chain(&self, last: StateId) -> Vec<Vec<u8>> {
        let mut chain = Vec::new();
        let mut id = last;
        loop {
            let shard = lock(&self.shards[id.index() & (N - 1)]);
            let local = StateId(id.0 >> BITS);
            chain.push(shard.get(local));
            let parent = shard.parent(local);
            if parent == id {
                break;
            }
            id = parent;
        }
        chain.reverse();
        chain
    }

    /// Calls `see` with every state.
    pub(super) fn for_each_state(&self, mut see: impl FnMut(&[u8])) {
        for shard in &self.shards {
            let shard = lock(shard);
            (0..shard.len()).for_each(|id| see(&shard.get(StateId::new(id))));
        }
    }
}
