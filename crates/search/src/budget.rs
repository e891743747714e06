//! Memory that a search may use. Whatever grows with the number of states asks
//! here first, so the limit ends a search instead of the process. Copies draw on the same memory, so threads can
//! each have one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of a vector that the allocator maps by itself, and so can move without copying.
const LARGE: usize = 1 << 20;

/// A growth would exceed the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

/// Memory given, in use and once in use, in bytes.
#[derive(Clone, Debug)]
pub struct Budget {
    limit: usize,
    /// What may be in use of it.
    most: usize,
    spent: Arc<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    used: AtomicUsize,
    peak: AtomicUsize,
}

impl Budget {
    /// Nothing of `limit` is used yet.
    pub fn new(limit: usize) -> Self {
        Budget { limit, most: limit, spent: Arc::default() }
    }

    /// The same for several threads. What they allocate lies side by side, and holes are left between: measured, a
    /// sixteenth is lost.
    pub fn of_threads(limit: usize) -> Self {
        Budget { most: limit - limit / 16, ..Budget::new(limit) }
    }

    /// What was given.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// What is in use.
    pub fn used(&self) -> usize {
        self.spent.used.load(Ordering::Relaxed)
    }

    /// The most that was ever in use.
    pub fn peak(&self) -> usize {
        self.spent.peak.load(Ordering::Relaxed)
    }

    /// Something of `from` bytes is about to be replaced by something of `to`
    /// bytes. Both exist while one is copied to the other.
    pub fn replace(&mut self, from: usize, to: usize) -> Result<(), OutOfMemory> {
        let grow = |used: usize| used.checked_add(to).filter(|&peak| peak <= self.most);
        let Spent { used, peak } = &*self.spent;
        let before = used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grow);
        peak.fetch_max(before.map_err(|_| OutOfMemory)? + to, Ordering::Relaxed);
        self.give_back(from);
        Ok(())
    }

    /// Something of so many bytes is gone.
    pub fn give_back(&mut self, bytes: usize) {
        self.spent.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Appends to a vector.
    #[inline]
    pub fn push<T>(&mut self, vec: &mut Vec<T>, value: T) -> Result<(), OutOfMemory> {
        if vec.len() == vec.capacity() {
            self.reserve(vec, 1)?;
        }
        vec.push(value);
        Ok(())
    }

    /// Makes room for `more` elements, and for some more: in all for twice as many as there was room for, or, where
    /// there are many, for an eighth more. Large vectors are not copied, their pages are moved.
    pub fn reserve<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
        let (from, needed) = (vec.capacity(), vec.len() + more);
        if needed > from {
            let is_large = from * size_of::<T>() >= LARGE;
            let to = needed.max(if is_large { from + from / 8 } else { 2 * from }).max(16);
            let (from, to) = (from * size_of::<T>(), to * size_of::<T>());
            if is_large {
                self.replace(0, to - from)?
            } else {
                self.replace(from, to)?
            }
            vec.reserve_exact(to / size_of::<T>() - vec.len());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_needs_room_for_both() {
        let mut budget = Budget::new(100);
        budget.replace(0, 40).unwrap();
        budget.replace(40, 60).unwrap();
        assert_eq!((budget.used(), budget.peak()), (60, 100));
        assert_eq!(budget.replace(60, 41), Err(OutOfMemory));
        assert_eq!(budget.used(), 60);
    }

    #[test]
    fn a_vector_stops_at_the_limit() {
        let mut budget = Budget::new(1000);
        let mut vec = Vec::new();
        let pushed = (0..1000u32).take_while(|&i| budget.push(&mut vec, i).is_ok()).count();
        assert_eq!(pushed, 128);
        assert_eq!(budget.used(), 512);
    }
}
