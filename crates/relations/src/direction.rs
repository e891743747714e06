//! Which way an approximation errs, in its type.
//!
//! What is found without looking at states is seldom exact. Whether more or less than the
//! truth is safe depends on the relation (LTSmin calls it strictness), and mixing the two up
//! is unsound without any test noticing at once. So an answer is an [`Over`] or an [`Under`],
//! and has only the conclusions that are safe to draw from it.

use crate::bits::Row;
use crate::relations::StatementId;

/// May contain more than the truth, never less. Sound where more is safe: do-not-accord,
/// necessary enabling and disabling sets, visibility, sticky transitions, test, read and
/// write sets, may-be-co-enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

impl Over<Row> {
    /// A row that was computed.
    pub(crate) fn row(words: Box<[u64]>) -> Self {
        Over(words.into())
    }

    /// One statement.
    pub fn of_statement(statement: StatementId) -> Self {
        Over(Row::of_parts(std::iter::once((statement / 64, 1 << (statement % 64)))))
    }

    /// What is in one of several rows of so many words.
    pub fn union(n_words: usize, rows: impl IntoIterator<Item = Over<Row>>) -> Self {
        let mut words = vec![0; n_words].into_boxed_slice();
        rows.into_iter().for_each(|row| row.add_to(&mut words));
        Over::row(words)
    }

    /// The statement may be one of them.
    #[inline]
    pub fn may_contain(&self, statement: StatementId) -> bool {
        self.0.contains(statement)
    }

    /// No statement is one of them, for certain.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.sparse().is_empty()
    }

    /// Whatever may be one of these may be one of the others.
    pub(crate) fn is_subset(&self, others: &Over<Row>) -> bool {
        self.sparse().iter().all(|&(at, word)| word & !others.word(at as usize) == 0)
    }

    /// One of these may be one of them.
    pub fn may_intersect(&self, words: &[u64]) -> bool {
        self.0.intersects(words)
    }

    /// Those that may be.
    pub fn candidates(&self) -> impl Iterator<Item = StatementId> + '_ {
        self.0.iter()
    }

    /// Those that may be, as words that are not 0, each with its place.
    #[inline]
    pub fn sparse(&self) -> &[(u32, u64)] {
        self.0.sparse()
    }

    /// Those that may be, as far as one word goes.
    #[inline]
    pub fn word(&self, at: usize) -> u64 {
        self.0.word(at)
    }

    /// Adds those that may be to a set.
    #[inline]
    pub fn add_to(&self, words: &mut [u64]) {
        self.0.add_to(words);
    }
}

impl Under<Row> {
    /// A row that was computed.
    pub(crate) fn row(words: Box<[u64]>) -> Self {
        Under(words.into())
    }

    /// The statement is one of them, for certain.
    pub fn contains(&self, statement: StatementId) -> bool {
        self.0.contains(statement)
    }

    /// Those that are, as far as that is known.
    pub fn members(&self) -> impl Iterator<Item = StatementId> + '_ {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contrary_errs_the_other_way() {
        assert!((!Over::new(false)).is_certain());
        assert!((!Under(false)).is_possible() && !(!Under(true)).is_possible());
        assert!(Over::new(false).is_impossible());
    }

    #[test]
    fn rows() {
        let over = Over::row([0b101].into());
        assert!(over.may_contain(2) && !over.may_contain(1) && !over.is_empty());
        assert_eq!(over.candidates().collect::<Vec<_>>(), [0, 2]);
        let under = Under::row([0b101].into());
        assert!(under.contains(0) && !under.contains(1));
        assert_eq!(under.members().count(), 2);
    }
}
