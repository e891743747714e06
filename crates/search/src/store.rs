//! The visited states: each once, packed, with a dense number.
//!
//! A state vector grows while a model is explored, and a state is the same with
//! zeros appended (see `stubborn_ir::layout`). So hashing and comparing leave
//! trailing zeros out, and a wider vector costs nothing: the chunks filled before
//! keep their narrower records. Only the chunk being filled is packed anew.

use rapidhash::v3::rapidhash_v3;
use stubborn_base::{Idx, define_index};

use crate::budget::{Budget, OutOfMemory};
use crate::prefetch::prefetch;
use crate::table::{Lookup, Table};

define_index! {
    /// A stored state; numbers are given in order of insertion, from 0.
    pub struct StateId;
}

/// Bytes that come from memory together.
const LINE: usize = 64;

/// Bytes of a chunk as long as the vector has its first width.
const CHUNK_BYTES: usize = 1 << 18;

/// The visited states.
#[derive(Debug)]
pub struct Store {
    table: Table,
    chunks: Vec<Chunk>,
    /// States per chunk, as a power of two.
    chunk_bits: u32,
    /// Width of new records.
    stride: usize,
    len: usize,
}

/// Records of one width.
#[derive(Debug)]
struct Chunk {
    stride: usize,
    records: Vec<u8>,
}

/// Whether a state was there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insert {
    /// It was.
    Old(StateId),
    /// It was not.
    New(StateId),
}

impl Insert {
    /// The state's number.
    pub fn id(self) -> StateId {
        match self {
            Insert::Old(id) | Insert::New(id) => id,
        }
    }
}

impl Store {
    /// No states; the first will be about `width` bytes wide.
    pub fn new(width: usize) -> Self {
        let chunk_bits = (CHUNK_BYTES / width.max(1)).max(16).ilog2();
        Store { table: Table::new(), chunks: Vec::new(), chunk_bits, stride: width, len: 0 }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of all records, without the table and room not used yet.
    pub fn record_bytes(&self) -> usize {
        self.chunks.iter().map(|c| c.records.len()).sum()
    }

    /// A state, as wide as states were when it was stored.
    #[inline]
    pub fn get(&self, id: StateId) -> &[u8] {
        let id = id.index();
        let chunk = &self.chunks[id >> self.chunk_bits];
        let at = (id & ((1 << self.chunk_bits) - 1)) * chunk.stride;
        &chunk.records[at..at + chunk.stride]
    }

    /// Whether a state is the stored one.
    #[inline]
    pub fn is(&self, id: StateId, state: &[u8]) -> bool {
        let stored = self.get(id);
        if stored.len() == state.len() {
            return stored == state;
        }
        let (short, long) = if stored.len() < state.len() { (stored, state) } else { (state, stored) };
        let (start, rest) = long.split_at(short.len());
        start == short && rest.iter().all(|&byte| byte == 0)
    }

    /// Finds a state, or adds it.
    pub fn insert(&mut self, state: &[u8], budget: &mut Budget) -> Result<Insert, OutOfMemory> {
        self.insert_hashed(state, Self::hash(state), budget)
    }

    /// The hash of a state, to insert it with.
    #[inline]
    pub(crate) fn hash(state: &[u8]) -> u32 {
        (rapidhash_v3(without_trailing_zeros(state)) >> 32) as u32
    }

    /// A state with this hash will be inserted: its entry of the table is fetched meanwhile.
    #[inline]
    pub(crate) fn fetch_entry(&self, hash: u32) {
        self.table.fetch(hash);
    }

    /// The same when the entry is likely to be at hand: the state that it leads to is fetched, to compare with.
    #[inline]
    pub(crate) fn fetch_state(&self, hash: u32) {
        if let Some(id) = self.table.first_entry(hash) {
            let record = self.get(StateId(id));
            let mut at = 0;
            while at < record.len() {
                prefetch(&record[at]);
                at += LINE;
            }
        }
    }

    /// Finds a state by its hash, or adds it.
    #[inline]
    pub(crate) fn insert_hashed(
        &mut self,
        state: &[u8],
        hash: u32,
        budget: &mut Budget,
    ) -> Result<Insert, OutOfMemory> {
        match self.table.find(hash, |id| self.is(StateId(id), state)) {
            Lookup::Found(id) => Ok(Insert::Old(StateId(id))),
            Lookup::Free(slot) => self.add(state, hash, slot, budget).map(Insert::New),
        }
    }

    fn add(
        &mut self,
        state: &[u8],
        hash: u32,
        slot: usize,
        budget: &mut Budget,
    ) -> Result<StateId, OutOfMemory> {
        let id = u32::try_from(self.len).ok().filter(|&id| id < u32::MAX).ok_or(OutOfMemory)?;
        let mut slot = slot;
        if self.table.reserve(budget)?
            && let Lookup::Free(new_slot) = self.table.find(hash, |_| false)
        {
            slot = new_slot;
        }
        if state.len() > self.stride {
            self.widen(state.len(), budget)?;
        }
        if self.len >> self.chunk_bits == self.chunks.len() {
            self.add_chunk(budget)?;
        }
        let stride = self.stride;
        let chunk = self.chunks.last_mut().expect("there is a chunk with room");
        budget.reserve(&mut chunk.records, stride)?;
        let end = chunk.records.len() + stride;
        chunk.records.extend_from_slice(state);
        chunk.records.resize(end, 0);
        self.table.fill(slot, hash, id);
        self.len += 1;
        Ok(StateId(id))
    }

    /// The first chunk grows as it is filled, so that small models take little
    /// memory; the others have their size from the start.
    fn add_chunk(&mut self, budget: &mut Budget) -> Result<(), OutOfMemory> {
        let mut records = Vec::new();
        if !self.chunks.is_empty() {
            budget.reserve(&mut records, self.stride << self.chunk_bits)?;
        }
        budget.push(&mut self.chunks, Chunk { stride: self.stride, records })
    }

    /// New records are `stride` bytes wide, and so are those of the chunk being filled.
    fn widen(&mut self, stride: usize, budget: &mut Budget) -> Result<(), OutOfMemory> {
        self.stride = stride;
        let is_full = self.len & ((1 << self.chunk_bits) - 1) == 0;
        let Some(last) = self.chunks.last_mut().filter(|_| !is_full) else { return Ok(()) };
        let capacity = last.records.capacity() / last.stride.max(1) * stride;
        budget.replace(last.records.capacity(), capacity)?;
        let mut records = Vec::with_capacity(capacity);
        for record in last.records.chunks_exact(last.stride.max(1)) {
            let end = records.len() + stride;
            records.extend_from_slice(record);
            records.resize(end, 0);
        }
        *last = Chunk { stride, records };
        Ok(())
    }
}

#[inline]
fn without_trailing_zeros(state: &[u8]) -> &[u8] {
    let mut end = state.len();
    while let Some((_, last)) = state[..end].split_last_chunk::<8>()
        && *last == [0; 8]
    {
        end -= 8;
    }
    while end > 0 && state[end - 1] == 0 {
        end -= 1;
    }
    &state[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(n: u32, width: usize) -> Vec<u8> {
        let mut state = vec![0; width];
        state[..4].copy_from_slice(&n.to_le_bytes());
        state
    }

    #[test]
    fn each_state_once_with_dense_numbers() {
        let mut budget = Budget::new(usize::MAX);
        let mut store = Store::new(6);
        for n in 0..100_000 {
            assert_eq!(store.insert(&state(n, 6), &mut budget), Ok(Insert::New(StateId(n))));
        }
        for n in 0..100_000 {
            assert_eq!(store.insert(&state(n, 6), &mut budget), Ok(Insert::Old(StateId(n))));
            assert_eq!(store.get(StateId(n)), state(n, 6));
        }
        assert_eq!(store.len(), 100_000);
        assert_eq!(store.record_bytes(), 600_000);
    }

    #[test]
    fn a_state_is_the_same_with_zeros_appended() {
        let mut budget = Budget::new(usize::MAX);
        let mut store = Store::new(4);
        // Widths go up and down; every hundredth state makes the vector wider.
        for n in 0..1000 {
            let width = 4 + (n as usize / 100) * (n as usize % 2);
            assert_eq!(store.insert(&state(n, width), &mut budget), Ok(Insert::New(StateId(n))));
        }
        for n in 0..1000 {
            for width in [4, 9, 200] {
                assert_eq!(store.insert(&state(n, width), &mut budget), Ok(Insert::Old(StateId(n))));
                assert!(store.is(StateId(n), &state(n, width)));
                assert!(!store.is(StateId(n), &state(n + 1, width)));
            }
        }
        assert_eq!(store.len(), 1000);
    }

    #[test]
    fn only_the_chunk_being_filled_is_widened() {
        let mut budget = Budget::new(usize::MAX);
        let mut store = Store::new(4);
        let per_chunk = CHUNK_BYTES as u32 / 4;
        for n in 0..per_chunk + 1 {
            store.insert(&state(n, 4), &mut budget).unwrap();
        }
        store.insert(&state(per_chunk + 1, 8), &mut budget).unwrap();
        assert_eq!(store.record_bytes(), CHUNK_BYTES + 2 * 8);
        assert_eq!(store.get(StateId(0)).len(), 4);
        assert_eq!(store.get(StateId(per_chunk)), state(per_chunk, 8));
    }

    #[test]
    fn a_full_budget_refuses_and_keeps_what_is_there() {
        let mut budget = Budget::new(1 << 20);
        let mut store = Store::new(8);
        let refused = (0..).find(|&n| store.insert(&state(n, 8), &mut budget).is_err()).unwrap();
        assert!(refused > 10_000, "refused after {refused} states");
        assert!(budget.peak() <= 1 << 20);
        assert_eq!(store.len(), refused as usize);
        for n in 0..refused {
            assert_eq!(store.insert(&state(n, 8), &mut budget), Ok(Insert::Old(StateId(n))));
        }
        assert_eq!(store.insert(&state(refused, 8), &mut budget), Err(OutOfMemory));
    }
}
