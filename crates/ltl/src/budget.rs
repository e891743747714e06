//! A limit on work that does not depend on the machine: steps are counted, not seconds.

use std::cell::Cell;

use crate::Error;

/// How much work is left, and whether anybody still waits for the result.
pub(crate) struct Budget<'a> {
    left: Cell<u64>,
    spent: Cell<u64>,
    until_look: Cell<u64>,
    cancelled: &'a dyn Fn() -> bool,
    is_cancelled: Cell<bool>,
}

/// How many steps pass before it is asked again whether the work is called off.
const LOOK: u64 = 20_000;

impl<'a> Budget<'a> {
    pub(crate) fn new(steps: u64, cancelled: &'a dyn Fn() -> bool) -> Self {
        Budget {
            left: Cell::new(steps),
            spent: Cell::new(0),
            until_look: Cell::new(0),
            cancelled,
            is_cancelled: Cell::new(false),
        }
    }

    /// A part of this budget; what is spent there is spent here by [`Budget::charge`].
    pub(crate) fn part(&self, steps: u64) -> Budget<'a> {
        Budget::new(self.left.get().min(steps), self.cancelled)
    }

    /// Pays for what was spent of a part.
    pub(crate) fn charge(&self, part: &Budget) {
        self.left.set(self.left.get().saturating_sub(part.spent()));
        self.spent.set(self.spent.get() + part.spent());
        self.is_cancelled.set(self.is_cancelled.get() || part.is_cancelled.get());
    }

    /// Sees to it that there are at least so many steps left.
    pub(crate) fn refill(&self, steps: u64) {
        self.left.set(self.left.get().max(steps));
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
        self.spent.set(self.spent.get() + steps);
        Ok(())
    }

    /// How many steps were paid for.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.get()
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
        budget.charge(&part);
        assert_eq!((budget.spent(), budget.left.get()), (20, 80));
        assert_eq!(budget.spend(81), Err(Error::TooLarge));
        assert_eq!(budget.spend(1), Err(Error::TooLarge));
        budget.refill(5);
        assert_eq!(budget.spend(5), Ok(()));
        assert_eq!(Budget::new(10, &|| true).spend(1), Err(Error::Cancelled));
    }
}
