//! Sets of small numbers as words of bits.

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

/// Adds the numbers of `other`, each `base` higher; `other` is one word that ends in the word where it begins, or
/// `base` begins a word.
#[inline]
pub fn place(words: &mut Words, base: u32, other: impl IntoIterator<Item = u64>) {
    for (word, other) in words[base as usize / 64..].iter_mut().zip(other) {
        *word |= other << (base % 64);
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
    words.iter().enumerate().flat_map(|(i, &word)| ones(word).map(move |bit| i as u32 * 64 + bit))
}

/// The bits that are set.
fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}

/// A set that does not change any more, as those of its words that are not 0, which are few
/// however many processes there are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Row(Box<[(u32, u64)]>);

impl Row {
    /// Of words, each with its place, in order.
    pub(crate) fn of_parts(words: impl Iterator<Item = (u32, u64)> + Clone) -> Self {
        let words = words.filter(|(_, word)| *word != 0);
        // No more room than it takes: rows are many, and most have one word.
        let mut row = Vec::with_capacity(words.clone().count());
        row.extend(words);
        Row(row.into())
    }

    /// Of numbers, in order.
    pub(crate) fn of_numbers(numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut numbers = numbers.into_iter();
        let Some(first) = numbers.next() else { return Row::default() };
        let (mut at, mut word) = (first / 64, 1 << (first % 64));
        let mut done = Vec::new();
        for number in numbers {
            if number / 64 != at {
                done.push((at, word));
                (at, word) = (number / 64, 0);
            }
            word |= 1 << (number % 64);
        }
        if done.is_empty() {
            return Row(Box::new([(at, word)]));
        }
        done.push((at, word));
        Row(done.into())
    }

    /// What it takes in memory, itself apart.
    pub(crate) fn n_bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    /// The words that are not 0, each with its place, in order.
    #[inline]
    pub fn sparse(&self) -> &[(u32, u64)] {
        &self.0
    }

    /// The word at a place.
    #[inline]
    pub fn word(&self, at: usize) -> u64 {
        self.0.binary_search_by_key(&(at as u32), |&(at, _)| at).map_or(0, |i| self.0[i].1)
    }

    /// Whether `bit` is in the set.
    #[inline]
    pub fn contains(&self, bit: u32) -> bool {
        self.word(bit as usize / 64) >> (bit % 64) & 1 != 0
    }

    /// Adds all of it to a set.
    #[inline]
    pub fn add_to(&self, words: &mut Words) {
        for &(at, word) in &self.0 {
            words[at as usize] |= word;
        }
    }

    /// Whether it has a number in common with a set.
    pub fn intersects(&self, words: &Words) -> bool {
        self.0.iter().any(|&(at, word)| words[at as usize] & word != 0)
    }

    /// The numbers, smallest first.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().flat_map(|&(at, word)| ones(word).map(move |bit| at * 64 + bit))
    }
}

impl From<Box<[u64]>> for Row {
    fn from(words: Box<[u64]>) -> Self {
        Row::of_parts((0..).zip(words.iter().copied()))
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
        place(&mut b, 72, [0b101]);
        place(&mut b, 64, [2, 1]);
        assert_eq!(iter(&b).collect::<Vec<_>>(), [64, 65, 72, 74, 128]);
    }

    #[test]
    fn rows_are_the_same_sets() {
        let mut a = [0u64; 4];
        for bit in [1, 129, 190] {
            insert(&mut a, bit);
        }
        let row = Row::from(Box::<[u64]>::from(a));
        assert_eq!(row.sparse().len(), 2);
        assert_eq!(row.iter().collect::<Vec<_>>(), [1, 129, 190]);
        assert!((0..256).all(|bit| row.contains(bit) == contains(&a, bit)));
        assert_eq!(Row::of_numbers([1, 129, 190]), row);
        let mut b = [0u64; 4];
        insert(&mut b, 130);
        assert!(!row.intersects(&b) && row.intersects(&a));
        row.add_to(&mut b);
        assert_eq!(iter(&b).collect::<Vec<_>>(), [1, 129, 130, 190]);
    }
}
