//! Whether sets are worth the time they take, where all steps of a state would do as well: to lead to a goal, or to find
//! all deadlocks.
//!
//! Where they are not for a while, all steps are taken for a while, and for twice as long the next time. What sets come to
//! is counted, not timed: the same search takes the same steps on every machine. To take all steps of a state may open a
//! part of the state space that sets would have kept shut: where it is about time alone, more states have to tell.

/// Whether to go on with sets.
#[derive(Debug)]
pub(crate) struct Worth {
    n_states: usize,
    sum: Effort,
    /// All steps are taken for so many states more.
    n_resting: u32,
    /// ... and the next time for so many times the shortest while.
    factor: u32,
}

/// What a set came to.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Effort {
    /// Steps of the state.
    pub(crate) n_steps: usize,
    /// Those in the set.
    pub(crate) n_chosen: usize,
    /// Statements that had to be looked at to close it; 0 where that is not to count.
    pub(crate) n_closed: usize,
}

impl Default for Worth {
    fn default() -> Self {
        Worth { n_states: 0, sum: Effort::default(), n_resting: 0, factor: 1 }
    }
}

impl Worth {
    /// On the way to a goal so many states tell, and sets are left for so many.
    const GOAL: (usize, u32) = (256, 4096);
    /// The same for deadlocks.
    const DEADLOCKS: (usize, u32) = (1024, 1024);
    const LONGEST: u32 = 1 << 20;
    /// To expand a state takes as long as to close so many statements, and so many more for each of its steps.
    const STATE: usize = 10;
    const STEP: usize = 2;
    /// A search may take so many times as long as one that takes all steps, as far as can be told.
    const PATIENCE: usize = 3;

    #[inline]
    pub(crate) fn is_resting(&mut self) -> bool {
        let rests = self.n_resting > 0;
        self.n_resting -= u32::from(rests);
        rests
    }

    /// Notes what a set came to.
    pub(crate) fn note(&mut self, effort: Effort) {
        self.n_states += 1;
        self.sum.n_steps += effort.n_steps;
        self.sum.n_chosen += effort.n_chosen;
        self.sum.n_closed += effort.n_closed;
        let (n_tried, shortest) = if self.sum.n_closed > 0 { Self::GOAL } else { Self::DEADLOCKS };
        if self.n_states >= n_tried {
            let n_resting = (shortest * self.factor).min(Self::LONGEST);
            *self = match self.is_in_vain() {
                true => Worth { n_resting, factor: (2 * self.factor).min(1 << 10), ..Worth::default() },
                false => Worth::default(),
            };
        }
    }

    /// Nothing is left out; or, where time counts, too little for what it takes. The states that are not visited are taken
    /// to be as many as the steps that are not taken.
    fn is_in_vain(&self) -> bool {
        let Effort { n_steps, n_chosen, n_closed } = self.sum;
        let whole = Self::STATE * self.n_states + Self::STEP * n_steps;
        n_chosen == n_steps
            || (n_closed > 0 && (whole + n_closed) * n_chosen > Self::PATIENCE * whole * n_steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(n_states: usize, effort: Effort) -> Worth {
        let mut worth = Worth::default();
        (0..n_states).for_each(|_| worth.note(effort));
        worth
    }

    #[test]
    fn sets_that_leave_out_nothing_rest_for_longer_and_longer() {
        let all = Effort { n_steps: 3, n_chosen: 3, n_closed: 0 };
        assert!(!after(1023, all).is_resting());
        let mut worth = after(1024, all);
        assert_eq!((0..5000).filter(|_| worth.is_resting()).count(), 1024);
        (0..1024).for_each(|_| worth.note(all));
        assert_eq!((0..5000).filter(|_| worth.is_resting()).count(), 2048);
        (0..20).for_each(|_| (0..2048).for_each(|_| worth.note(all)));
        assert_eq!((0..2 << 20).filter(|_| worth.is_resting()).count(), 1 << 20);
    }

    #[test]
    fn what_is_left_out_is_weighed_against_what_it_takes() {
        let part = |n_closed| Effort { n_steps: 5, n_chosen: 3, n_closed };
        assert!(!after(1024, part(0)).is_resting(), "nobody counts");
        assert!(!after(256, part(60)).is_resting());
        assert!(after(256, part(200)).is_resting());
        assert!(!after(256, Effort { n_chosen: 1, ..part(200) }).is_resting());
    }
}
