//! Vectors indexed by a type of their own, so that a transition number is never
//! used where a location number is meant.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index into an [`IndexVec`]. Implemented by [`define_index!`](crate::define_index).
pub trait Idx: Copy {
    /// From a position.
    fn new(index: usize) -> Self;
    /// To a position.
    fn index(self) -> usize;
}

/// Declares a 32-bit index type.
#[macro_export]
macro_rules! define_index {
    ($(#[$meta:meta])* $vis:vis struct $name:ident;) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis struct $name(pub u32);

        impl $crate::Idx for $name {
            #[inline]
            fn new(index: usize) -> Self {
                $name(index as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

/// A vector whose positions are of type `I`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexVec<I, T> {
    raw: Vec<T>,
    marker: PhantomData<fn(I)>,
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        IndexVec { raw: Vec::new(), marker: PhantomData }
    }
}

impl<I: Idx, T> IndexVec<I, T> {
    /// An empty vector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends and returns the position.
    pub fn push(&mut self, value: T) -> I {
        self.raw.push(value);
        I::new(self.raw.len() - 1)
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.raw.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    /// The element, if there is one at this position.
    pub fn get(&self, index: I) -> Option<&T> {
        self.raw.get(index.index())
    }

    /// The elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.raw.iter()
    }

    /// The elements in order, mutable.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.raw.iter_mut()
    }

    /// The elements with their positions.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.raw.iter().enumerate().map(|(i, t)| (I::new(i), t))
    }

    /// All positions.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.raw.len()).map(I::new)
    }
}

impl<I: Idx, T> Index<I> for IndexVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, index: I) -> &T {
        &self.raw[index.index()]
    }
}

impl<I: Idx, T> IndexMut<I> for IndexVec<I, T> {
    #[inline]
    fn index_mut(&mut self, index: I) -> &mut T {
        &mut self.raw[index.index()]
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        IndexVec { raw: iter.into_iter().collect(), marker: PhantomData }
    }
}
