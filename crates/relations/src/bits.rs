//! Sets of small numbers as words of bits.

use std::ops::Deref;

/// A set of numbers below 64 times its length.
pub type Words = [u64];

/// Whether `bit` is in the set.
#[inline]
pub fn contains(words: &Words, bit: u32) -> bool {
    words[bit as usize / 64] >> (bit % 64) & 1 != 0
}

/// Adds `bit`.
#[inline]
pub fn insert(words: &mut Words, bit: u32) {
    words[bit as usize / 64] |= 1 << (bit % 64);
}

/// Removes `bit`.
#[inline]
pub fn remove(words: &mut Words, bit: u32) {
    words[bit as usize / 64] &= !(1 << (bit % 64));
}

/// Adds all of `other`, which is not longer.
#[inline]
pub fn union(words: &mut Words, other: &Words) {
    for (word, other) in words.iter_mut().zip(other) {
        *word |= other;
    }
}

/// Whether the two have a number in common.
#[inline]
pub fn intersects(words: &Words, other: &Words) -> bool {
    words.iter().zip(other).any(|(a, b)| a & b != 0)
}

/// Whether every number of `words` is in `other`.
#[inline]
pub fn is_subset(words: &Words, other: &Words) -> bool {
    words.iter().zip(other).all(|(a, b)| a & !b == 0)
}

/// How many numbers there are.
#[inline]
pub fn count(words: &Words) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// The numbers, smallest first.
pub fn iter(words: &Words) -> impl Iterator<Item = u32> + '_ {
    words.iter().enumerate().flat_map(|(i, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(i as u32 * 64 + bit)
        })
    })
}

/// A set that does not change any more: as words, and as those of them that are not 0, which
/// are few. What is asked in every state goes through the latter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Row {
    words: Box<[u64]>,
    sparse: Box<[(u32, u64)]>,
}

impl Row {
    /// The words that are not 0, each with its place.
    #[inline]
    pub fn sparse(&self) -> &[(u32, u64)] {
        &self.sparse
    }
}

impl From<Box<[u64]>> for Row {
    fn from(words: Box<[u64]>) -> Self {
        let sparse = words.iter().enumerate().filter(|(_, word)| **word != 0);
        let sparse = sparse.map(|(i, word)| (i as u32, *word)).collect();
        Row { words, sparse }
    }
}

impl Deref for Row {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_numbers() {
        let mut a = [0u64; 3];
        for bit in [0, 63, 64, 130] {
            insert(&mut a, bit);
        }
        assert_eq!(iter(&a).collect::<Vec<_>>(), [0, 63, 64, 130]);
        assert_eq!(count(&a), 4);
        let mut b = [0u64; 3];
        insert(&mut b, 64);
        assert!(is_subset(&b, &a) && !is_subset(&a, &b) && intersects(&a, &b));
        remove(&mut a, 64);
        assert!(!contains(&a, 64) && !intersects(&a, &b));
        union(&mut a, &b);
        assert!(contains(&a, 64) && contains(&a, 130));
    }
}
