//! A limit on work that does not depend on the machine: steps are counted, not seconds.

use std::cell::Cell;

use crate::Error;

/// How much work is left, and whether anybody still waits for the result.
pub(crate) struct Budget<'a> {
    left: Cell<u64>,
    until_look: Cell<u64>,
    cancelled: &'a dyn Fn() -> bool,
    is_cancelled: Cell<bool>,
}

/// How many steps pass before it is asked again whether the work is called off.
const LOOK: u64 = 20_000;

impl<'a> Budget<'a> {
    pub(crate) fn new(steps: u64, cancelled: &'a dyn Fn() -> bool) -> Self {
        Budget { left: Cell::new(steps), until_look: Cell::new(0), cancelled, is_cancelled: Cell::new(false) }
    }

    /// A part of this budget; what is spent there is spent here by [`Budget::charge`].
    pub(crate) fn part(&self, steps: u64) -> Budget<'a> {
        Budget::new(self.left.get().min(steps), self.cancelled)
    }

    /// Pays for what was spent of a part that had so many steps.
    pub(crate) fn charge(&self, part: &Budget, steps: u64) {
        let given = self.left.get().min(steps);
        self.left.set(self.left.get() - (given - part.left.get().min(given)));
        self.is_cancelled.set(self.is_cancelled.get() || part.is_cancelled.get());
    }

    /// Pays for some steps; an error if there are not so many left.
    pub(crate) fn spend(&self, steps: u64) -> Result<(), Error> {
        if self.until_look.get() <= steps {
            self.until_look.set(LOOK);
            if (self.cancelled)() {
                self.is_cancelled.set(true);
            }
        } else {
            self.until_look.set(self.until_look.get() - steps);
        }
        if self.is_cancelled.get() {
            return Err(Error::Cancelled);
        }
        if self.left.get() < steps {
            self.left.set(0);
            return Err(Error::TooLarge);
        }
        self.left.set(self.left.get() - steps);
        Ok(())
    }

    pub(crate) fn left(&self) -> u64 {
        self.left.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_charged_to_the_whole() {
        let budget = Budget::new(100, &|| false);
        let part = budget.part(30);
        assert_eq!(part.spend(20), Ok(()));
        assert_eq!(part.spend(20), Err(Error::TooLarge));
        budget.charge(&part, 30);
        assert_eq!(budget.left(), 70);
        assert_eq!(budget.spend(71), Err(Error::TooLarge));
        assert_eq!(Budget::new(10, &|| true).spend(1), Err(Error::Cancelled));
    }
}
