//! Which states were visited, as bits: a few of each, and nothing else.
//!
//! Holzmann's bitstate hashing ("An analysis of bitstate hashing", 1998), a Bloom filter: a state was there if all of its
//! bits are set. A state that was not may be taken for one that was; never the other way round. The bits of a state are
//! in one block, which comes from memory at once (Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom
//! filters", 2007).
//!
//! How many were taken for others is estimated as they come. The part `p` of all new states that would be is known: it
//! is what all blocks have on average of the ways to have three bits that are set. For each state that is told to be new,
//! `p / (1 - p)` were not.

use crate::prefetch::prefetch;
use crate::store::Key;
use crate::tree::hash_pair;

/// Bits of a state.
pub const HASH_FUNCTIONS: u32 = 3;

/// Bits of a block.
const BITS: u64 = 512;

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block([u64; 8]);

impl Block {
    fn n_set(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Sets a bit; whether it was not.
    #[inline]
    fn set(&mut self, bit: u64) -> bool {
        let word = &mut self.0[(bit / 64) as usize];
        let is_new = *word >> (bit % 64) & 1 == 0;
        *word |= 1 << (bit % 64);
        is_new
    }
}

/// How many triples of different things there are among so many, each in every order.
fn triples(n: u64) -> u64 {
    n * n.saturating_sub(1) * n.saturating_sub(2)
}

/// Visited states.
#[derive(Debug)]
pub(crate) struct Filter {
    blocks: Vec<Block>,
    n_set: u64,
    n_states: u64,
    /// Of all blocks: triples of bits that are set.
    n_triples: u128,
    omitted: f64,
}

/// What may have been missed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loss {
    /// Bits there are.
    pub n_bits: u64,
    /// Bits that are set.
    pub n_set: u64,
    /// States that were told apart.
    pub n_states: u64,
    /// How many more are expected to have been reached, and taken for others; in thousandths.
    pub omitted_thousandths: u64,
}

impl Loss {
    /// How much of all bits is set.
    pub fn fill(&self) -> f64 {
        self.n_set as f64 / self.n_bits.max(1) as f64
    }

    /// How many states are expected to have been reached and taken for others.
    pub fn omitted(&self) -> f64 {
        self.omitted_thousandths as f64 / 1000.0
    }

    /// How much of all states that were reached is expected to have been told apart.
    pub fn coverage(&self) -> f64 {
        let states = self.n_states as f64;
        if self.n_states == 0 { 1.0 } else { states / (states + self.omitted()) }
    }
}

/// Where the bits of a state are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    block: u64,
    bits: [u64; HASH_FUNCTIONS as usize],
}

impl Spot {
    /// Of a state, together with a number.
    #[inline]
    pub(crate) fn of(state: &[u8], number: u32) -> Self {
        let hash = Key::plain(state).hash() ^ u64::from(number) << 32;
        let block = hash_pair(hash);
        let mixed = hash_pair(block ^ hash.rotate_left(32));
        let first = mixed % BITS;
        // Three that are different: each a way on from the one before.
        let second = (first + 1 + (mixed >> 16) % (BITS - 1)) % BITS;
        let mut third = (mixed >> 40) % (BITS - 2);
        for other in [first.min(second), first.max(second)] {
            third += u64::from(third >= other);
        }
        Spot { block, bits: [first, second, third] }
    }
}

impl Filter {
    /// Nothing was there; takes so many bytes, if that is not too little.
    pub(crate) fn new(bytes: usize) -> Self {
        let n_blocks = (bytes / size_of::<Block>()).max(1);
        Filter { blocks: vec![Block([0; 8]); n_blocks], n_set: 0, n_states: 0, n_triples: 0, omitted: 0.0 }
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.blocks.len() * size_of::<Block>()
    }

    #[inline]
    fn place(&self, spot: Spot) -> usize {
        ((u128::from(spot.block) * self.blocks.len() as u128) >> 64) as usize
    }

    /// A state will be inserted: its bits are fetched meanwhile.
    #[inline]
    pub(crate) fn fetch(&self, spot: Spot) {
        prefetch(&self.blocks[self.place(spot)]);
    }

    /// Adds a state; whether it was not there.
    #[inline]
    pub(crate) fn insert(&mut self, spot: Spot) -> bool {
        let place = self.place(spot);
        let block = &mut self.blocks[place];
        let n_new: u64 = spot.bits.into_iter().map(|bit| u64::from(block.set(bit))).sum();
        if n_new == 0 {
            return false;
        }
        let n_set = block.n_set();
        let taken_for_old = self.n_triples as f64 / (self.blocks.len() as f64 * triples(BITS) as f64);
        self.omitted += taken_for_old / (1.0 - taken_for_old);
        self.n_triples += u128::from(triples(n_set) - triples(n_set - n_new));
        self.n_set += n_new;
        self.n_states += 1;
        true
    }

    /// States that were told apart.
    pub(crate) fn n_states(&self) -> u64 {
        self.n_states
    }

    /// What may have been missed.
    pub(crate) fn loss(&self) -> Loss {
        Loss {
            n_bits: self.blocks.len() as u64 * BITS,
            n_set: self.n_set,
            n_states: self.n_states,
            omitted_thousandths: (self.omitted * 1000.0).round() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(n_states: u32, bytes: usize) -> (Filter, u64) {
        let mut filter = Filter::new(bytes);
        let new = (0..n_states).filter(|n| filter.insert(Spot::of(&n.to_le_bytes(), 0))).count();
        (filter, new as u64)
    }

    #[test]
    fn what_was_there_is_always_told_to_have_been() {
        let (mut filter, new) = filled(10_000, 1 << 12);
        assert!(new < 10_000);
        assert!((0..10_000u32).all(|n| !filter.insert(Spot::of(&n.to_le_bytes(), 0))));
    }

    #[test]
    fn omissions_are_as_many_as_is_estimated() {
        for bytes in [1 << 16, 1 << 17, 1 << 18, 1 << 20] {
            let (filter, new) = filled(400_000, bytes);
            let (omitted, expected) = ((400_000 - new) as f64, filter.loss().omitted());
            assert!((omitted - expected).abs() < 0.05 * expected + 30.0, "{omitted} for {expected}");
            assert_eq!(filter.loss().n_states, new);
        }
    }

    #[test]
    fn a_state_is_the_same_with_zeros_appended_and_another_with_another_number() {
        let mut filter = Filter::new(1 << 20);
        assert!(filter.insert(Spot::of(&[1, 2], 0)));
        assert!(!filter.insert(Spot::of(&[1, 2, 0, 0], 0)));
        assert!(filter.insert(Spot::of(&[1, 2], 1)));
    }
}
