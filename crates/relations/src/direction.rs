//! Which way an approximation errs, in its type.
//!
//! What is found without looking at states is seldom exact. Whether more or less than the
//! truth is safe depends on the relation (LTSmin calls it strictness), and mixing the two up
//! is unsound without any test noticing at once. So an answer is an [`Over`] or an [`Under`],
//! and has only the conclusions that are safe to draw from it.

use crate::bits;
use crate::relations::StatementId;

/// May contain more than the truth, never less. Sound where more is safe: do-not-accord,
/// necessary enabling and disabling sets, visibility, sticky transitions, test, read and
/// write sets, may-be-co-enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Over<T>(T);

/// May contain less than the truth, never more. Sound where less is safe: must-disable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Under<T>(T);

impl<T> Over<T> {
    pub(crate) fn new(value: T) -> Self {
        Over(value)
    }

    /// The approximation itself, for those who show it.
    pub fn approximation(&self) -> &T {
        &self.0
    }

    /// The approximation itself, for those who show it.
    pub fn into_approximation(self) -> T {
        self.0
    }
}

impl<T> Under<T> {
    pub(crate) fn new(value: T) -> Self {
        Under(value)
    }

    /// The approximation itself, for those who show it.
    pub fn approximation(&self) -> &T {
        &self.0
    }
}

impl Over<bool> {
    /// It is certain that it is not so.
    pub fn is_impossible(self) -> bool {
        !self.0
    }

    /// It may be so.
    pub fn is_possible(self) -> bool {
        self.0
    }
}

impl std::ops::Not for Over<bool> {
    type Output = Under<bool>;

    fn not(self) -> Under<bool> {
        Under(!self.0)
    }
}

impl std::ops::Not for Under<bool> {
    type Output = Over<bool>;

    fn not(self) -> Over<bool> {
        Over(!self.0)
    }
}

impl Under<bool> {
    /// It is certain that it is so.
    pub fn is_certain(self) -> bool {
        self.0
    }
}

impl<T: AsRef<[u64]>> Over<T> {
    /// The statement may be one of them.
    pub fn may_contain(&self, statement: StatementId) -> bool {
        bits::contains(self.0.as_ref(), statement)
    }

    /// No statement is one of them, for certain.
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().iter().all(|&word| word == 0)
    }

    /// Those that may be.
    pub fn candidates(&self) -> impl Iterator<Item = StatementId> + '_ {
        bits::iter(self.0.as_ref())
    }
}

impl<T: AsRef<[u64]>> Under<T> {
    /// The statement is one of them, for certain.
    pub fn contains(&self, statement: StatementId) -> bool {
        bits::contains(self.0.as_ref(), statement)
    }

    /// Those that are, as far as that is known.
    pub fn members(&self) -> impl Iterator<Item = StatementId> + '_ {
        bits::iter(self.0.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contrary_errs_the_other_way() {
        assert!((!Over::new(false)).is_certain());
        assert!((!Under::new(false)).is_possible() && !(!Under::new(true)).is_possible());
        assert!(Over::new(false).is_impossible());
    }

    #[test]
    fn rows() {
        let row: &[u64] = &[0b101];
        let over = Over::new(row);
        assert!(over.may_contain(2) && !over.may_contain(1) && !over.is_empty());
        assert_eq!(over.candidates().collect::<Vec<_>>(), [0, 2]);
        let under = Under::new(row);
        assert!(under.contains(0) && !under.contains(1));
        assert_eq!(under.members().count(), 2);
    }
}
