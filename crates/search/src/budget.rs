//! Memory that a search may use. Whatever grows with the number of states asks
//! here first, so the limit ends a search instead of the process.

/// A growth would exceed the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

/// Memory given, in use and once in use, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    limit: usize,
    used: usize,
    peak: usize,
}

impl Budget {
    /// Nothing of `limit` is used yet.
    pub fn new(limit: usize) -> Self {
        Budget { limit, used: 0, peak: 0 }
    }

    /// What was given.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// What is in use.
    pub fn used(&self) -> usize {
        self.used
    }

    /// The most that was ever in use.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// Something of `from` bytes is about to be replaced by something of `to`
    /// bytes. Both exist while one is copied to the other.
    pub fn replace(&mut self, from: usize, to: usize) -> Result<(), OutOfMemory> {
        let peak = self.used.checked_add(to).filter(|&peak| peak <= self.limit).ok_or(OutOfMemory)?;
        self.peak = self.peak.max(peak);
        self.used = peak - from;
        Ok(())
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

    /// Makes room for `more` elements, and in all for twice as many as there was room for.
    pub fn reserve<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
        let (from, needed) = (vec.capacity(), vec.len() + more);
        if needed > from {
            let to = needed.max(2 * from).max(16);
            self.replace(from * size_of::<T>(), to * size_of::<T>())?;
            vec.reserve_exact(to - vec.len());
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
