//! A statement of a process, looked up once for all that a search for sets asks of it.

use stubborn_base::Idx;
use stubborn_ir::{Expr, LocationId, Place, Transition, TransitionId};

use super::{Departure, Grounded, Incarnation, IncarnationId, LANE, Need, Relations, StatementId, Ways};
use crate::access::Test;
use crate::bits::Row;
use crate::direction::Over;

/// A statement of a process, looked up.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'r, 'm> {
    relations: &'r Relations<'m>,
    statement: StatementId,
    own: &'r Grounded<'m>,
    inc: &'r Incarnation<'m>,
    /// Its process.
    pub incarnation: IncarnationId,
    /// What it is in the model.
    pub transition: &'m Transition,
}

impl<'m> Relations<'m> {
    /// Looks a statement up; none if it is a pseudo statement.
    #[inline(always)]
    pub fn entry(&self, statement: StatementId) -> Option<Entry<'_, 'm>> {
        let incarnation = self.by_lane[statement as usize / LANE]?;
        let inc = &self.incarnations[incarnation];
        let index = (statement - inc.base) as usize;
        let own = &inc.statements[index];
        let transition = &self.model.transitions[TransitionId::new(inc.first.index() + index)];
        Some(Entry { relations: self, statement, own, inc, incarnation, transition })
    }
}

impl<'r, 'm> Entry<'r, 'm> {
    /// How the process, which is at `at`, comes to where the statement is, and to other locations.
    #[inline]
    pub fn ways(&self, at: LocationId) -> (&'r Ways, &'r Departure) {
        let departure = self.relations.departure(self.inc, at);
        (self.relations.ways(self.inc, departure, at, self.own.from), departure)
    }

    /// The location it leaves: that of its transition, which need not be looked up for it.
    #[inline]
    pub fn from(&self) -> LocationId {
        self.own.from
    }

    /// Whether its process never moves.
    #[inline]
    pub fn is_stationary(&self) -> bool {
        self.relations.model.processes[self.inc.process].is_stationary
    }

    pub(super) fn relations(&self) -> &'r Relations<'m> {
        self.relations
    }

    pub(super) fn statement_id(&self) -> StatementId {
        self.statement
    }

    /// See [`Relations::unresolved`].
    #[inline]
    pub fn unresolved(&self) -> &'r [&'m Expr] {
        self.own.unresolved.values()
    }

    /// See [`Relations::assignment`].
    #[inline]
    pub fn assignment(&self) -> Option<(&'m Place, &'m Expr)> {
        self.own.assignment
    }

    /// Its guard, by index, if that is all that can be in its way where it is, and is the same in all states.
    #[inline]
    pub fn only_guard(&self) -> Option<usize> {
        self.own.only_guard.map(usize::from)
    }

    /// Whether it looks at data where it is, other than to know whether something else is possible there.
    #[inline]
    pub fn has_data_needs(&self) -> bool {
        self.own.has_data_needs
    }

    /// Its guards as tests; none for one that always holds.
    #[inline]
    pub fn tests(&self) -> &'r [Option<Test>] {
        &self.own.statement.tests
    }

    /// See [`Relations::necessary_enabling_set`].
    #[inline]
    pub fn necessary_enabling_set(&self, need: Need) -> &'r Over<Row> {
        self.relations.enabling_row(self.statement, self.own, need)
    }
}
