//! Letters that no guard tells apart form a class; automata are reduced over classes, not letters.
//!
//! Invariant: the classes are disjoint, none is empty, and together they hold every letter; each guard
//! the alphabet was made from is a union of classes.

use crate::bdd::{Bdd, Bdds};
use crate::budget::Budget;
use crate::{Error, Letter};

/// The classes of letters.
pub(crate) struct Alphabet {
    classes: Vec<Bdd>,
    /// A letter of each class.
    examples: Vec<Letter>,
}

/// More classes than this are too many.
const MAX_CLASSES: usize = 4096;

impl Alphabet {
    /// The coarsest classes for these guards.
    pub(crate) fn of(guards: &[Bdd], bdds: &mut Bdds, budget: &Budget) -> Result<Self, Error> {
        let mut classes = vec![Bdd::TRUE];
        for &guard in guards {
            budget.spend(classes.len() as u64)?;
            let mut finer = Vec::with_capacity(classes.len() + 1);
            for class in classes {
                let inside = bdds.and(class, guard);
                if inside == Bdd::FALSE || inside == class {
                    finer.push(class);
                } else {
                    finer.extend([inside, bdds.without(class, guard)]);
                }
            }
            classes = finer;
            budget.spend(bdds.take_steps())?;
            if classes.len() > MAX_CLASSES || bdds.is_full() {
                return Err(Error::TooLarge);
            }
        }
        let examples = classes.iter().map(|&class| bdds.some_letter(class)).collect();
        Ok(Alphabet { classes, examples })
    }

    pub(crate) fn len(&self) -> usize {
        self.classes.len()
    }

    /// The classes a guard is the union of: one letter of a class speaks for all.
    pub(crate) fn letters(&self, guard: Bdd, bdds: &Bdds) -> Letters {
        let mut letters = Letters::none(self.len());
        for (class, &letter) in self.examples.iter().enumerate() {
            if bdds.holds(guard, letter) {
                letters.insert(class);
            }
        }
        letters
    }

    /// The union of some classes.
    pub(crate) fn guard(&self, letters: &Letters, bdds: &mut Bdds) -> Bdd {
        let classes: Vec<Bdd> = letters.iter().map(|class| self.classes[class]).collect();
        classes.into_iter().fold(Bdd::FALSE, |guard, class| bdds.or(guard, class))
    }

    /// Some letter of a class.
    pub(crate) fn some_letter(&self, class: usize) -> Letter {
        self.examples[class]
    }
}

/// A set of classes of letters. All sets of one alphabet have the same form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Letters {
    /// At most 64 classes: nearly always.
    Few(u64),
    /// More.
    Many(Box<[u64]>),
}

impl Letters {
    pub(crate) fn none(n_classes: usize) -> Self {
        if n_classes <= 64 { Letters::Few(0) } else { Letters::Many(vec![0; n_classes.div_ceil(64)].into()) }
    }

    pub(crate) fn one(n_classes: usize, class: usize) -> Self {
        let mut letters = Self::none(n_classes);
        letters.insert(class);
        letters
    }

    /// How much work an operation on such sets is.
    pub(crate) fn weight(&self) -> u64 {
        match self {
            Letters::Few(_) => 1,
            Letters::Many(words) => 2 + words.len() as u64,
        }
    }

    fn words(&self) -> &[u64] {
        match self {
            Letters::Few(word) => std::slice::from_ref(word),
            Letters::Many(words) => words,
        }
    }

    fn words_mut(&mut self) -> &mut [u64] {
        match self {
            Letters::Few(word) => std::slice::from_mut(word),
            Letters::Many(words) => words,
        }
    }

    pub(crate) fn insert(&mut self, class: usize) {
        self.words_mut()[class / 64] |= 1 << (class % 64);
    }

    pub(crate) fn contains(&self, class: usize) -> bool {
        self.words()[class / 64] >> (class % 64) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    pub(crate) fn meets(&self, other: &Letters) -> bool {
        match (self, other) {
            (Letters::Few(a), Letters::Few(b)) => a & b != 0,
            _ => self.words().iter().zip(other.words()).any(|(a, b)| a & b != 0),
        }
    }

    pub(crate) fn add(&mut self, other: &Letters) {
        self.words_mut().iter_mut().zip(other.words()).for_each(|(a, b)| *a |= b);
    }

    pub(crate) fn remove(&mut self, other: &Letters) {
        self.words_mut().iter_mut().zip(other.words()).for_each(|(a, b)| *a &= !b);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.words().iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(i * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_part_the_letters() {
        let mut bdds = Bdds::new();
        let [a, b] = [0, 1].map(|variable| bdds.variable(variable));
        let both = bdds.and(a, b);
        let budget = Budget::new(1000, &|| false);
        let alphabet = Alphabet::of(&[a, both], &mut bdds, &budget).unwrap();
        assert_eq!(alphabet.len(), 3);
        for guard in [a, both, Bdd::TRUE, Bdd::FALSE] {
            let letters = alphabet.letters(guard, &bdds);
            assert_eq!(alphabet.guard(&letters, &mut bdds), guard);
        }
    }

    #[test]
    fn sets_of_any_size() {
        for n_classes in [10, 64, 65, 200] {
            let mut letters = Letters::one(n_classes, 3);
            letters.insert(n_classes - 1);
            assert_eq!(letters.iter().collect::<Vec<_>>(), [3, n_classes - 1]);
            let one = Letters::one(n_classes, n_classes - 1);
            assert!(letters.meets(&one) && letters.contains(n_classes - 1));
            letters.remove(&one);
            assert!(!letters.meets(&one) && !letters.is_empty());
            letters.remove(&Letters::one(n_classes, 3));
            assert!(letters.is_empty());
        }
    }
}
