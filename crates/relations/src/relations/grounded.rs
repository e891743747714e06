//! A statement of an incarnation, with all that is computed of it on demand; which two of them accord.

use std::cell::OnceCell;

use stubborn_ir::{BinaryOp, Effect, Expr, LocationId, Place, Region, Transition};

use super::StatementId;
use super::in_state::Variants;
use crate::access::{Access, Cell, Test};
use crate::bits::Row;
use crate::direction::Over;
use crate::scope::Unresolved;
use crate::statement::{Statement, normalise};

/// A statement with what is computed of it on demand.
#[derive(Debug)]
pub(crate) struct Grounded<'m> {
    pub(crate) statement: Statement,
    pub(crate) run: RunSummary,
    /// Statements that may be executed inside the run it begins.
    pub(crate) inside: Vec<StatementId>,
    /// Statements that begin a run which may contain this one.
    pub(crate) drivers: Vec<StatementId>,
    filter: u64,
    pub(super) conflicts: OnceCell<Over<Row>>,
    pub(super) left_conflicts: OnceCell<Over<Row>>,
    pub(super) partners: OnceCell<Over<Row>>,
    pub(super) enabling: Vec<OnceCell<Over<Row>>>,
    /// Rows of it in states, see [`InState`](super::InState).
    pub(super) variants: OnceCell<Box<Variants>>,
    pub(super) unresolved: Unresolved<'m>,
    /// See [`Relations::assignment`](super::Relations::assignment).
    pub(super) assignment: Option<Assignment<'m>>,
    /// See [`Entry::only_guard`](super::Entry::only_guard).
    pub(super) only_guard: Option<u16>,
    /// See [`Entry::from`](super::Entry::from).
    pub(super) from: LocationId,
    /// See [`Entry::has_data_needs`](super::Entry::has_data_needs).
    pub(super) has_data_needs: bool,
}

/// A place, and what it is assigned.
pub(super) type Assignment<'m> = (&'m Place, &'m Expr);

/// Everything done by the run a statement begins, its own accesses as they are.
#[derive(Debug, Default)]
pub(crate) struct RunSummary {
    pub(crate) accesses: Vec<(Cell, Access)>,
    pub(crate) any_channel: bool,
    pub(crate) uses_channels: bool,
    pub(crate) reads_everything: bool,
}

impl RunSummary {
    pub(super) fn of(own: &Statement) -> Self {
        RunSummary {
            accesses: own.accesses.clone(),
            any_channel: own.any_channel,
            uses_channels: own.uses_channels,
            reads_everything: own.reads_everything,
        }
    }

    /// Adds a statement that may come later in the run.
    pub(super) fn go_on(&mut self, inner: &Statement) {
        for test in inner.tests.iter().flatten() {
            test.accesses().for_each(|(cell, access)| self.accesses.push((cell, access.coarse())));
        }
        self.accesses.extend(inner.accesses.iter().map(|&(cell, access)| (cell, access.coarse())));
        self.any_channel |= inner.any_channel;
        self.uses_channels |= inner.uses_channels;
        self.reads_everything |= inner.reads_everything;
    }

    pub(super) fn settle(&mut self) {
        normalise(&mut self.accesses);
    }
}

impl<'m> Grounded<'m> {
    pub(super) fn new(statement: Statement, unresolved: Unresolved<'m>) -> Self {
        let n_enabling = statement.tests.len() + 4;
        Grounded {
            statement,
            run: RunSummary::default(),
            inside: Vec::new(),
            drivers: Vec::new(),
            filter: 0,
            conflicts: OnceCell::new(),
            left_conflicts: OnceCell::new(),
            partners: OnceCell::new(),
            enabling: (0..n_enabling).map(|_| OnceCell::new()).collect(),
            variants: OnceCell::new(),
            unresolved,
            assignment: None,
            only_guard: None,
            from: LocationId(0),
            has_data_needs: true,
        }
    }

    /// With what is known of it as a transition.
    pub(super) fn of(statement: Statement, unresolved: Unresolved<'m>, t: &'m Transition) -> Self {
        let mut own = Grounded::new(statement, unresolved);
        own.assignment = assignment(t);
        own.has_data_needs = t.comm.is_some() || own.statement.tests.iter().any(Option::is_some);
        let is_bare = t.comm.is_none() && t.inhibitors.is_empty() && own.unresolved.is_empty();
        if let ([Some(test)], true) = (&*own.statement.tests, is_bare)
            && *test != Test::Timeout
        {
            own.only_guard = Some(0);
        }
        own
    }

    /// Rows are out of date.
    pub(super) fn forget_rows(&mut self) {
        self.conflicts = OnceCell::new();
        self.left_conflicts = OnceCell::new();
        self.partners = OnceCell::new();
        self.enabling.iter_mut().for_each(|row| *row = OnceCell::new());
        self.variants = OnceCell::new();
    }

    /// Rows and runs are out of date.
    pub(super) fn forget(&mut self) {
        let statement = std::mem::take(&mut self.statement);
        let unresolved = std::mem::take(&mut self.unresolved);
        let Grounded { assignment, only_guard, from, has_data_needs, .. } = *self;
        let new = Grounded::new(statement, unresolved);
        *self = Grounded { assignment, only_guard, from, has_data_needs, ..new };
    }

    pub(super) fn set_run(&mut self, run: RunSummary) {
        let tests = self.statement.tests.iter().flatten().flat_map(Test::accesses);
        let cells = tests.chain(run.accesses.iter().copied()).map(|(cell, _)| cell);
        self.filter = cells.fold(0, |filter, cell| filter | 1 << (cell.wrapping_mul(0x9E37_79B1) >> 26));
        self.run = run;
    }

    /// Whether the two are never possible together (criterion 2).
    pub(crate) fn never_with(&self, other: &Grounded<'_>) -> bool {
        let (a, b) = (&self.statement, &other.statement);
        if a.waits_for_timeout != b.waits_for_timeout {
            return true;
        }
        let excludes = |a: &Statement, b: &Statement| {
            a.tests.iter().flatten().any(|test| {
                b.tests.iter().flatten().any(|other| test.excludes(other))
                    || b.comm.as_ref().is_some_and(|comm| {
                        let access = if comm.is_send { Access::Send } else { Access::Take };
                        matches!(&*comm.buffers, [cell] if !comm.may_meet && test.excludes_access(*cell, access))
                    })
            })
        };
        excludes(a, b) || excludes(b, a)
    }

    /// Whether the two do not accord for certain; for statements of two processes.
    pub(crate) fn conflicts_with(&self, other: &Grounded<'_>) -> bool {
        if self.run.reads_everything || other.run.reads_everything {
            return true;
        }
        if self.statement.waits_for_timeout && other.statement.waits_for_timeout {
            return true;
        }
        let channels = (self.run.any_channel && other.run.uses_channels)
            || (other.run.any_channel && self.run.uses_channels);
        if !channels && self.filter & other.filter == 0 {
            return false;
        }
        if self.never_with(other) {
            return false;
        }
        channels
            || !runs_commute(&self.run.accesses, &other.run.accesses)
            || breaks(self, other)
            || breaks(other, self)
    }
}

/// The only thing a transition does, if that is to assign to something global, which may leave it as it is.
fn assignment(t: &Transition) -> Option<Assignment<'_>> {
    match (&*t.effects, &t.comm) {
        ([Effect::Assign(place, value)], None) if place.region == Region::Global => {
            (!steps_by_one(place, value)).then_some((place, value))
        }
        _ => None,
    }
}

/// `place + 1` or `place - 1`, which is another value however narrow the place is.
fn steps_by_one(place: &Place, value: &Expr) -> bool {
    let Expr::Binary(BinaryOp::Add | BinaryOp::Sub, operands) = value else { return false };
    matches!(&**operands, [Expr::Load(from), Expr::Const(1)] if from == place)
}

/// Whether all that is done to common cells commutes.
fn runs_commute(a: &[(Cell, Access)], b: &[(Cell, Access)]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                let cell = a[i].0;
                let a_end = i + a[i..].iter().take_while(|(c, _)| *c == cell).count();
                let b_end = j + b[j..].iter().take_while(|(c, _)| *c == cell).count();
                if a[i..a_end].iter().any(|(_, x)| b[j..b_end].iter().any(|(_, y)| !x.commutes(*y))) {
                    return false;
                }
                (i, j) = (a_end, b_end);
            }
        }
    }
    true
}

/// Whether `other` may make a guard of `own` false.
fn breaks(own: &Grounded<'_>, other: &Grounded<'_>) -> bool {
    own.statement
        .tests
        .iter()
        .flatten()
        .any(|test| other.run.accesses.iter().any(|&(cell, access)| !test.survives(cell, access)))
}
