//! An open-addressing table from hash to state number.
//!
//! An entry is 32 bits of the hash beside the 32 bits of the number, so a probe
//! seldom looks at a state it does not find, and growing never looks at one. The
//! place of an entry follows from its 32 hash bits alone.

use crate::budget::{Budget, OutOfMemory};
use crate::prefetch::prefetch;

/// Slots of the smallest table, as a power of two.
const MIN_BITS: u32 = 8;

/// Hash bits and number plus one; zero is a free slot.
type Entry = u64;

/// The table. It never holds more than three quarters of its slots.
#[derive(Debug)]
pub(crate) struct Table {
    slots: Vec<Entry>,
    bits: u32,
    len: usize,
}

/// What a look-up found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lookup {
    Found(u32),
    /// Nothing; it would go into this slot.
    Free(usize),
}

impl Table {
    /// A table of the smallest size, which no budget counts.
    pub(crate) fn new() -> Self {
        Table { slots: vec![0; 1 << MIN_BITS], bits: MIN_BITS, len: 0 }
    }

    /// Looks for an entry with these hash bits that `is_it` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u32, mut is_it: impl FnMut(u32) -> bool) -> Lookup {
        let mask = self.slots.len() - 1;
        let mut at = self.home(hash);
        loop {
            let entry = self.slots[at & mask];
            if entry == 0 {
                return Lookup::Free(at & mask);
            }
            if (entry >> 32) as u32 == hash {
                let id = entry as u32 - 1;
                if is_it(id) {
                    return Lookup::Found(id);
                }
            }
            at += 1;
        }
    }

    /// The first slot that a look-up of this hash looks at will be looked at.
    #[inline]
    pub(crate) fn fetch(&self, hash: u32) {
        prefetch(&self.slots[self.home(hash)]);
    }

    /// The number in the first slot that a look-up of this hash looks at, if its
    /// hash is the same.
    #[inline]
    pub(crate) fn first_entry(&self, hash: u32) -> Option<u32> {
        let entry = self.slots[self.home(hash)];
        ((entry >> 32) as u32 == hash && entry != 0).then(|| entry as u32 - 1)
    }

    /// Makes room for one more entry. Slots found free before may not be so afterwards
    /// if this returns true.
    pub(crate) fn reserve(&mut self, budget: &mut Budget) -> Result<bool, OutOfMemory> {
        if (self.len + 1) * 4 <= self.slots.len() * 3 {
            return Ok(false);
        }
        if self.bits == u32::BITS {
            return Err(OutOfMemory); // the hash bits reach no further
        }
        let size = self.slots.len() * size_of::<Entry>();
        budget.replace(if self.bits == MIN_BITS { 0 } else { size }, 2 * size)?;
        self.bits += 1;
        let old = std::mem::replace(&mut self.slots, vec![0; 1 << self.bits]);
        let mask = self.slots.len() - 1;
        for entry in old.into_iter().filter(|&e| e != 0) {
            let mut at = self.home((entry >> 32) as u32);
            while self.slots[at & mask] != 0 {
                at += 1;
            }
            self.slots[at & mask] = entry;
        }
        Ok(true)
    }

    /// Fills a slot that [`Table::find`] found free.
    pub(crate) fn fill(&mut self, slot: usize, hash: u32, id: u32) {
        self.slots[slot] = u64::from(hash) << 32 | u64::from(id + 1);
        self.len += 1;
    }

    #[inline]
    fn home(&self, hash: u32) -> usize {
        (hash >> (u32::BITS - self.bits)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_filled_in_also_after_growing_and_with_equal_hashes() {
        let hash = |id: u32| (id / 3).wrapping_mul(0x9E37_79B9);
        let mut budget = Budget::new(usize::MAX);
        let mut table = Table::new();
        for id in 0..10_000 {
            table.reserve(&mut budget).unwrap();
            let Lookup::Free(slot) = table.find(hash(id), |found| found == id) else {
                panic!("{id} was there")
            };
            table.fill(slot, hash(id), id);
        }
        for id in 0..10_000 {
            assert_eq!(table.find(hash(id), |found| found == id), Lookup::Found(id));
        }
        assert_eq!(budget.used(), 16_384 * size_of::<Entry>());
    }
}
