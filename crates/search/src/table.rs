//! An open-addressing table from hash to number.
//!
//! A slot has 32 bits: the number plus one in as many as numbers need by now, and in the others the same bits of the
//! hash, so that a probe seldom looks at something it does not find. The table is cut into segments by the first bits
//! of a hash; each grows by itself when it is four fifths full, so that growing takes little memory besides.
//!
//! Numbers are given from 0 on, without gaps. What a slot is found by is not kept here: who knows the numbers knows it.

use crate::budget::{Budget, OutOfMemory};
use crate::prefetch::prefetch;

/// Segments, as a power of two.
const SEGMENT_BITS: u32 = 6;

/// Slots of the smallest segment.
const MIN_SLOTS: usize = 16;

/// Slots of a segment that doubles no more, but grows by less.
const LARGE: usize = 1 << 14;

/// By how much of its slots a large segment grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Growth {
    /// By half of them.
    Half,
    /// By a quarter, which takes less memory and more time.
    Quarter,
}

/// What has a number is at hand when so many more slots have been looked at.
const AHEAD: usize = 12;

/// Bits of the smallest numbers.
const MIN_ID_BITS: u32 = 8;

/// The table.
#[derive(Debug)]
pub(crate) struct Table {
    segments: Vec<Segment>,
    /// Bits of a slot that the number has.
    id_bits: u32,
    len: usize,
    growth: Growth,
}

#[derive(Debug)]
struct Segment {
    slots: Vec<u32>,
    len: usize,
}

/// What the numbers of a table are of.
pub(crate) trait Numbered {
    /// The [place](place) that the hash of what has this number tells.
    fn place(&self, id: u32) -> u32;

    /// What has this number will be asked for its place.
    fn fetch(&self, id: u32);
}

/// What a look-up found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lookup {
    Found(u32),
    /// Nothing; it would go into this slot of its segment.
    Free(usize),
}

impl Table {
    /// A table of the smallest size, which no budget counts.
    pub(crate) fn new(growth: Growth) -> Self {
        let segment = || Segment { slots: vec![0; MIN_SLOTS], len: 0 };
        let segments = (0..1 << SEGMENT_BITS).map(|_| segment()).collect();
        Table { segments, id_bits: MIN_ID_BITS, len: 0, growth }
    }

    /// Looks for a number with this hash that `is_it` accepts.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Lookup {
        let slots = &*self.segments[segment(hash)].slots;
        let mask = self.id_mask();
        let mut at = home(place(hash), slots.len());
        loop {
            let slot = slots[at];
            if slot == 0 {
                return Lookup::Free(at);
            }
            if (slot ^ hash as u32) & !mask == 0 {
                let id = (slot & mask) - 1;
                if is_it(id) {
                    return Lookup::Found(id);
                }
            }
            at += 1;
            if at == slots.len() {
                at = 0;
            }
        }
    }

    /// The first slot that a look-up of this hash looks at will be looked at.
    #[inline]
    pub(crate) fn fetch(&self, hash: u64) {
        let slots = &*self.segments[segment(hash)].slots;
        prefetch(&slots[home(place(hash), slots.len())]);
    }

    /// The number in the first slot that a look-up of this hash looks at, if it may have that hash.
    #[inline]
    pub(crate) fn first_entry(&self, hash: u64) -> Option<u32> {
        let slots = &*self.segments[segment(hash)].slots;
        let (slot, mask) = (slots[home(place(hash), slots.len())], self.id_mask());
        (slot != 0 && (slot ^ hash as u32) & !mask == 0).then(|| (slot & mask) - 1)
    }

    /// Makes room for one more with this hash. Slots found free before may not be so afterwards if this returns true.
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        hash: u64,
        numbered: &impl Numbered,
        budget: &mut Budget,
    ) -> Result<bool, OutOfMemory> {
        // The number plus one has to have room.
        if (self.len as u64 + 1) >> self.id_bits != 0 {
            self.widen_ids()?;
        }
        let Segment { slots, len } = &self.segments[segment(hash)];
        if (len + 1) * 5 <= slots.len() * 4 {
            return Ok(false);
        }
        self.grow(segment(hash), numbered, budget)?;
        Ok(true)
    }

    /// Fills a slot that [`Table::find`] found free with the next number, for which room was made.
    #[inline]
    pub(crate) fn fill(&mut self, slot: usize, hash: u64) {
        let mask = self.id_mask();
        let segment = &mut self.segments[segment(hash)];
        self.len += 1;
        segment.slots[slot] = hash as u32 & !mask | self.len as u32;
        segment.len += 1;
    }

    /// Bytes that the budget gave for it.
    pub(crate) fn bytes(&self) -> usize {
        let slots =
            self.segments.iter().map(|segment| segment.slots.len()).filter(|&slots| slots > MIN_SLOTS);
        slots.sum::<usize>() * size_of::<u32>()
    }

    #[inline]
    fn id_mask(&self) -> u32 {
        // All 32 bits are never needed: the last number has no room.
        (1 << self.id_bits) - 1
    }

    /// One more bit of every slot is the number's.
    #[cold]
    fn widen_ids(&mut self) -> Result<(), OutOfMemory> {
        if self.id_bits == u32::BITS - 1 {
            return Err(OutOfMemory);
        }
        let old = self.id_mask();
        self.id_bits += 1;
        let new = self.id_mask();
        for slot in self.segments.iter_mut().flat_map(|segment| &mut segment.slots) {
            *slot = *slot & old | *slot & !new;
        }
        Ok(())
    }

    #[cold]
    fn grow(
        &mut self,
        segment: usize,
        numbered: &impl Numbered,
        budget: &mut Budget,
    ) -> Result<(), OutOfMemory> {
        let mask = self.id_mask();
        let segment = &mut self.segments[segment];
        let from = segment.slots.len();
        let more = match self.growth {
            _ if from < LARGE => from,
            Growth::Half => from / 2,
            Growth::Quarter => from / 4,
        };
        let to = from + more;
        let counted = if from == MIN_SLOTS { 0 } else { from };
        budget.replace(counted * size_of::<u32>(), to * size_of::<u32>())?;
        let old = std::mem::replace(&mut segment.slots, vec![0; to]);
        let id = |slot: u32| (slot & mask).checked_sub(1);
        for (place, &slot) in old.iter().enumerate() {
            if let Some(next) = old.get(place + AHEAD).copied().and_then(id) {
                numbered.fetch(next);
            }
            let Some(id) = id(slot) else { continue };
            let mut at = home(numbered.place(id), to);
            while segment.slots[at] != 0 {
                at += 1;
                if at == to {
                    at = 0;
                }
            }
            segment.slots[at] = slot;
        }
        Ok(())
    }
}

#[inline]
fn segment(hash: u64) -> usize {
    (hash >> (u64::BITS - SEGMENT_BITS)) as usize
}

/// What of a hash tells where in its segment something goes: the bits behind those of the segment.
#[inline]
pub(crate) fn place(hash: u64) -> u32 {
    ((hash << SEGMENT_BITS) >> 32) as u32
}

/// The first slot of so many that is looked at.
#[inline]
fn home(place: u32, n_slots: usize) -> usize {
    ((u64::from(place) * n_slots as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    struct By<F>(F);

    impl<F: Fn(u32) -> u64> Numbered for By<F> {
        fn place(&self, id: u32) -> u32 {
            place(self.0(id))
        }

        fn fetch(&self, _: u32) {}
    }

    #[test]
    fn finds_what_was_filled_in_also_after_growing_and_with_equal_hashes() {
        let hash = |id: u32| u64::from(id / 3).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let numbered = By(hash);
        let mut budget = Budget::new(usize::MAX);
        let mut table = Table::new(Growth::Half);
        for id in 0..100_000 {
            table.reserve(hash(id), &numbered, &mut budget).unwrap();
            let Lookup::Free(slot) = table.find(hash(id), |found| found == id) else {
                panic!("{id} was there")
            };
            table.fill(slot, hash(id));
        }
        for id in 0..100_000 {
            assert_eq!(table.find(hash(id), |found| found == id), Lookup::Found(id));
        }
        let per_entry = budget.used() as f64 / 100_000.0;
        assert!((4.0 / 0.8..=4.0 * 2.0 / 0.8).contains(&per_entry), "{per_entry} bytes");
    }

    #[test]
    fn a_look_up_goes_on_at_the_beginning_of_its_segment() {
        // All in the last slot of one segment.
        let hash = |id: u32| u64::from(u32::MAX >> SEGMENT_BITS) << 32 | u64::from(id) << 28;
        let numbered = By(hash);
        let mut budget = Budget::new(usize::MAX);
        let mut table = Table::new(Growth::Half);
        for id in 0..200 {
            table.reserve(hash(id), &numbered, &mut budget).unwrap();
            let Lookup::Free(slot) = table.find(hash(id), |found| found == id) else {
                panic!("{id} was there")
            };
            table.fill(slot, hash(id));
        }
        assert!((0..200).all(|id| table.find(hash(id), |found| found == id) == Lookup::Found(id)));
    }
}
