//! Packed states as they are, one after the other.
//!
//! A wider state vector costs nothing: the chunks filled before keep their narrower
//! records. Only the chunk being filled is packed anew.

use stubborn_base::Idx;

use crate::budget::{Budget, OutOfMemory};
use crate::store::StateId;

/// Bytes of a chunk as long as the vector has its first width.
const CHUNK_BYTES: usize = 1 << 18;

/// The records of all states.
#[derive(Debug)]
pub(crate) struct Records {
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

impl Records {
    /// No records; the first will be about `width` bytes wide.
    pub(crate) fn new(width: usize) -> Self {
        let chunk_bits = (CHUNK_BYTES / width.max(1)).max(16).ilog2();
        Records { chunks: Vec::new(), chunk_bits, stride: width, len: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Width of new records.
    pub(crate) fn width(&self) -> usize {
        self.stride
    }

    /// Bytes that the budget gave for them.
    pub(crate) fn bytes(&self) -> usize {
        let records: usize = self.chunks.iter().map(|chunk| chunk.records.capacity()).sum();
        records + self.chunks.capacity() * size_of::<Chunk>()
    }

    /// A record, as wide as states were when it was pushed.
    #[inline]
    pub(crate) fn get(&self, id: StateId) -> &[u8] {
        let id = id.index();
        let chunk = &self.chunks[id >> self.chunk_bits];
        let at = (id & ((1 << self.chunk_bits) - 1)) * chunk.stride;
        &chunk.records[at..at + chunk.stride]
    }

    /// Whether a state is the recorded one, but for zeros appended.
    #[inline]
    pub(crate) fn is(&self, id: StateId, state: &[u8]) -> bool {
        let stored = self.get(id);
        if stored.len() == state.len() {
            return stored == state;
        }
        let (short, long) = if stored.len() < state.len() { (stored, state) } else { (state, stored) };
        let (start, rest) = long.split_at(short.len());
        start == short && rest.iter().all(|&byte| byte == 0)
    }

    /// Adds a state.
    pub(crate) fn push(&mut self, state: &[u8], budget: &mut Budget) -> Result<StateId, OutOfMemory> {
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
        self.len += 1;
        Ok(StateId::new(self.len - 1))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_chunk_being_filled_is_widened() {
        let mut budget = Budget::new(usize::MAX);
        let mut records = Records::new(4);
        let per_chunk = CHUNK_BYTES / 4;
        for n in 0..per_chunk + 1 {
            records.push(&(n as u32).to_le_bytes(), &mut budget).unwrap();
        }
        records.push(&(per_chunk as u64 + 1).to_le_bytes(), &mut budget).unwrap();
        assert_eq!(records.get(StateId(0)).len(), 4);
        assert_eq!(records.get(StateId(per_chunk as u32)), (per_chunk as u64).to_le_bytes());
        assert_eq!(records.len(), per_chunk + 2);
    }
}
