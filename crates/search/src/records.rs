//! The bytes of all states, in the order in which they were found.
//!
//! States are packed a run at a time, see [`packed`](crate::packed); those of the last run are still as they are. A wider
//! state vector costs nothing: runs that are packed stay as they are, and only the last one is copied.

use stubborn_base::Idx;

use crate::budget::{Budget, OutOfMemory};
use crate::packed::{Means, Packed, is_same};
use crate::prefetch::prefetch;
use crate::store::StateId;

/// States of a run, as a power of two, unless they are wide.
const RUN_BITS: u32 = 10;

/// Bytes of a run before it is packed, as long as the vector has its first width, if it has many.
const RUN_BYTES: usize = 1 << 18;

/// Bytes that come from memory together.
const LINE: usize = 64;

/// The records of all states.
#[derive(Debug)]
pub(crate) struct Records {
    packed: Vec<Packed>,
    /// The states that are not packed yet, one after the other.
    open: Vec<u8>,
    /// Bytes of each of these, and of new ones.
    width: usize,
    /// States of a run, as a power of two.
    run_bits: u32,
    len: usize,
    /// Bytes of all that is packed.
    packed_bytes: usize,
    means: Means,
}

impl Records {
    /// No records; the first will be about `width` bytes wide.
    pub(crate) fn new(width: usize) -> Self {
        let run_bits = (RUN_BYTES / width.max(1)).max(16).ilog2().min(RUN_BITS);
        let means = Means::of_processor();
        Records { packed: Vec::new(), open: Vec::new(), width, run_bits, len: 0, packed_bytes: 0, means }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Width of new records.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Bytes that the budget gave for them.
    pub(crate) fn bytes(&self) -> usize {
        self.packed_bytes + self.packed.capacity() * size_of::<Packed>() + self.open.capacity()
    }

    /// Bytes that a state takes when it is packed, on average; 0 if none is.
    #[inline]
    pub(crate) fn bytes_per_packed(&self) -> usize {
        self.packed_bytes / (self.packed.len() << self.run_bits).max(1)
    }

    /// Which run a state is in, and where.
    #[inline]
    fn place(&self, id: StateId) -> (usize, usize) {
        let id = id.index();
        (id >> self.run_bits, id & ((1 << self.run_bits) - 1))
    }

    /// A state that is not packed.
    #[inline]
    fn open(&self, index: usize) -> &[u8] {
        &self.open[index * self.width..][..self.width]
    }

    /// Appends a state, as wide as states were when it was pushed, or wider.
    #[inline]
    pub(crate) fn read(&self, id: StateId, state: &mut Vec<u8>) {
        let (run, index) = self.place(id);
        match self.packed.get(run) {
            Some(packed) => packed.unpack(self.means, index, state),
            None => state.extend_from_slice(self.open(index)),
        }
    }

    /// Whether a state is the recorded one, but for zeros appended.
    #[inline]
    pub(crate) fn is(&self, id: StateId, state: &[u8]) -> bool {
        let (run, index) = self.place(id);
        let Some(packed) = self.packed.get(run) else {
            return is_same(self.open(index), state);
        };
        packed.is(self.means, index, state)
    }

    /// A state of no more than eight bytes.
    #[inline]
    pub(crate) fn word(&self, id: StateId) -> u64 {
        let (run, index) = self.place(id);
        let Some(packed) = self.packed.get(run) else {
            let mut word = [0; size_of::<u64>()];
            word[..self.width].copy_from_slice(self.open(index));
            return u64::from_le_bytes(word);
        };
        packed.word(self.means, index)
    }

    /// The state will be looked at soon.
    #[inline]
    pub(crate) fn fetch(&self, id: StateId) {
        let (run, index) = self.place(id);
        let record = match self.packed.get(run) {
            Some(packed) => packed.record(index),
            None => self.open(index),
        };
        record.iter().step_by(LINE).for_each(prefetch);
        record.last().into_iter().for_each(prefetch);
    }

    /// Adds a state.
    pub(crate) fn push(&mut self, state: &[u8], budget: &mut Budget) -> Result<StateId, OutOfMemory> {
        if self.len >> self.run_bits > self.packed.len() {
            self.pack(budget)?;
        }
        if state.len() > self.width {
            self.widen(state.len(), budget)?;
        }
        let width = self.width;
        budget.reserve(&mut self.open, width)?;
        let end = self.open.len() + width;
        self.open.extend_from_slice(state);
        self.open.resize(end, 0);
        self.len += 1;
        Ok(StateId::new(self.len - 1))
    }

    /// Packs the run that is complete.
    fn pack(&mut self, budget: &mut Budget) -> Result<(), OutOfMemory> {
        let survey = Packed::survey(self.width, &self.open);
        let n_bytes = survey.bytes(1 << self.run_bits);
        budget.replace(0, n_bytes)?;
        self.packed_bytes += n_bytes;
        budget.push(&mut self.packed, survey.pack(self.means, &self.open))?;
        self.open.clear();
        Ok(())
    }

    /// New records are `width` bytes wide, and so are those of the last run.
    fn widen(&mut self, width: usize, budget: &mut Budget) -> Result<(), OutOfMemory> {
        let n_open = self.len - (self.packed.len() << self.run_bits);
        budget.replace(self.open.capacity(), n_open * width)?;
        let mut open = Vec::with_capacity(n_open * width);
        for index in 0..n_open {
            open.extend_from_slice(self.open(index));
            open.resize((index + 1) * width, 0);
        }
        (self.open, self.width) = (open, width);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_run_is_widened() {
        let mut budget = Budget::new(usize::MAX);
        let mut records = Records::new(4);
        let per_run = 1 << RUN_BITS;
        for n in 0..per_run + 1 {
            records.push(&(n as u32).to_le_bytes(), &mut budget).unwrap();
        }
        records.push(&(per_run as u64 + 1).to_le_bytes(), &mut budget).unwrap();
        let read = |id: usize| {
            let mut state = Vec::new();
            records.read(StateId::new(id), &mut state);
            state
        };
        assert_eq!(read(7), 7u32.to_le_bytes());
        assert_eq!(read(per_run), (per_run as u64).to_le_bytes());
        assert_eq!(records.len(), per_run + 2);
        assert_eq!(records.bytes(), budget.used());
    }
}
