//! What has to happen before a disabled statement can be enabled.

use std::cell::OnceCell;

use stubborn_ir::{LocationId, ProcessTypeId};

use super::{Grounded, Incarnation, Relations, StatementId};
use crate::access::{Access, Cell, Test};
use crate::bits::Row;
use crate::direction::Over;
use crate::fault::Fault;
use crate::index::Candidates;
use crate::statement::Statement;

/// What has to change for a statement to become enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// The guard with that index among the transition's must become true.
    Guard(usize),
    /// A buffer must change: get room for a send, a message for a receive.
    Level,
    /// A receive finds messages, but none that matches.
    Match,
    /// A statement that must not be enabled is.
    Inhibitor,
    /// A rendezvous that is ready needs another process to be: each of those that could be must
    /// get so, or, where both are and do not fit, what is sent or accepted must change. Valid only
    /// for a statement that lacks nothing else: two could wait for each other otherwise, and
    /// nobody for what they need.
    Partner,
}

/// Two necessary enabling sets for a process to come to where a statement is.
#[derive(Debug)]
pub struct Ways {
    /// The statements by which it leaves where it is for the last time before it is there.
    pub leaving: Over<Row>,
    /// The statements by which it comes there for the first time.
    pub arriving: Over<Row>,
    better: Option<Better>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Better {
    Leaving,
    Arriving,
}

impl Ways {
    fn new(leaving: Over<Row>, arriving: Over<Row>) -> Self {
        let better = if leaving.is_subset(&arriving) {
            Some(Better::Leaving)
        } else {
            arriving.is_subset(&leaving).then_some(Better::Arriving)
        };
        Ways { leaving, arriving, better }
    }

    /// The one that is a part of the other, if one is: whatever else there is, it brings no more with it.
    #[inline]
    pub fn better(&self) -> Option<&Over<Row>> {
        match self.better? {
            Better::Leaving => Some(&self.leaving),
            Better::Arriving => Some(&self.arriving),
        }
    }
}

impl<'m> Relations<'m> {
    /// The statements that may make this one possible by what they do to data.
    pub(super) fn may_enable(&self, statement: StatementId) -> Box<[u64]> {
        let mut row = self.empty_row();
        let n_guards = self.statement(statement).tests.len();
        for guard in 0..n_guards {
            self.necessary_enabling_set(statement, Need::Guard(guard)).add_to(&mut row);
        }
        for need in [Need::Level, Need::Match, Need::Inhibitor] {
            self.necessary_enabling_set(statement, need).add_to(&mut row);
        }
        row
    }

    /// A necessary enabling set (Definitions 9 and 10): one of these statements must be
    /// executed before what is needed can be there. More is safe.
    #[inline]
    pub fn necessary_enabling_set(&self, statement: StatementId, need: Need) -> &Over<Row> {
        self.enabling_row(statement, self.grounded(statement), need)
    }

    /// The row of a guard, which is the same for every statement that has it.
    pub(super) fn guard_row(&self, statement: StatementId, guard: Need) -> Over<Row> {
        self.kept(self.compute_enabling(statement, guard, self.statement(statement)))
    }

    #[inline]
    pub(super) fn enabling_row<'a>(
        &'a self,
        statement: StatementId,
        own: &'a Grounded<'m>,
        need: Need,
    ) -> &'a Over<Row> {
        let n_guards = own.statement.tests.len();
        let index = match need {
            Need::Guard(guard) => guard,
            Need::Level => n_guards,
            Need::Match => n_guards + 1,
            Need::Inhibitor => n_guards + 2,
            Need::Partner => n_guards + 3,
        };
        own.enabling[index].get_or_init(|| self.kept(self.compute_enabling(statement, need, &own.statement)))
    }

    pub(super) fn compute_enabling(&self, statement: StatementId, need: Need, own: &Statement) -> Box<[u64]> {
        let row = match need {
            Need::Partner => {
                let mut row = self.empty_row();
                self.partners(statement).add_to(&mut row);
                self.necessary_enabling_set(statement, Need::Level).add_to(&mut row);
                self.necessary_enabling_set(statement, Need::Inhibitor).add_to(&mut row);
                row
            }
            _ => match self.serving(own, need) {
                Some(candidates) => self.row_among(candidates, |_, _, g| may_serve(&g.statement, own, need)),
                None => self.empty_row(),
            },
        };
        let mut row = self.with_drivers(row);
        if self.fault == Some(Fault::DropEnabling) {
            self.drop_one(&mut row, statement);
        }
        row
    }

    /// Those among which is what may bring a statement what it needs, other than partners; none if it needs nothing.
    pub(super) fn serving(&self, own: &Statement, need: Need) -> Option<Candidates> {
        match need {
            Need::Guard(guard) => own.tests[guard].as_ref().map(|test| self.index.changing(test)),
            Need::Level | Need::Match => own.comm.as_ref().map(|comm| {
                let buffers = comm.buffers.iter().map(|&cell| (cell, Access::Look));
                let looks: Vec<(Cell, Access)> = buffers.chain(comm.reads.iter().copied()).collect();
                self.index.changing_cells(&looks, comm.channels.is_none())
            }),
            Need::Inhibitor if own.reads_everything => Some(Candidates::All),
            Need::Inhibitor => Some(self.index.changing_cells(&own.inhibitors, own.any_channel)),
            Need::Partner => None,
        }
    }

    /// The statements that may create a process of a type, and the creations of processes
    /// that may do so.
    pub fn creators(&self, process: ProcessTypeId) -> &Over<Row> {
        self.creators[process].get_or_init(|| {
            let row = self.row_of(|id, _, s| s.spawns.contains(&process).then_some(id));
            Over::row(self.with_drivers(row))
        })
    }

    /// How a process that is at `at` comes to `target`, by the control flow.
    #[inline]
    pub(super) fn ways<'a>(
        &'a self,
        inc: &'a Incarnation<'m>,
        at: LocationId,
        target: LocationId,
    ) -> &'a Ways {
        let n = inc.ways.len();
        let by_target = inc.ways[at.0 as usize].get_or_init(|| {
            // With how far others are.
            self.effort.spend(n, n * (size_of::<OnceCell<Ways>>() + size_of::<u16>()));
            (0..n).map(|_| OnceCell::new()).collect()
        });
        by_target[target.0 as usize].get_or_init(|| {
            let control = &self.control[inc.process];
            let row = |own: Row| self.row_with_drivers(inc.base, &own);
            let ways = Ways::new(row(control.leading(at, target)), row(control.arriving(at, target)));
            let n_bytes = |row: &Over<Row>| row.approximation().n_bytes();
            self.effort.spend(n, n_bytes(&ways.leaving) + n_bytes(&ways.arriving));
            ways
        })
    }
}

/// Whether a statement may bring another one what it needs, other than by being its partner.
pub(super) fn may_serve(other: &Statement, own: &Statement, need: Need) -> bool {
    match need {
        Need::Guard(guard) => own.tests[guard].as_ref().is_some_and(|test| may_make_true(test, other)),
        Need::Level | Need::Match => own.comm.as_ref().is_some_and(|comm| {
            let changes = |access: Access| match (need, comm.is_send, access) {
                (_, _, Access::Write) => true,
                (Need::Level, true, access) => access == Access::Take,
                (Need::Level, false, access) => matches!(access, Access::Send | Access::SendSorted),
                (_, _, access) => matches!(access, Access::Take | Access::SendSorted),
            };
            let mut accesses = other.accesses.iter();
            let buffer = accesses.any(|&(cell, access)| comm.buffers.contains(&cell) && changes(access));
            let decides = writes_any(other, &comm.reads);
            let any = other.any_channel || (comm.channels.is_none() && other.uses_channels);
            buffer || decides || any
        }),
        Need::Inhibitor => {
            let any = own.any_channel && other.uses_channels || other.any_channel;
            own.reads_everything || any || writes_any(other, &own.inhibitors)
        }
        Need::Partner => false,
    }
}

pub(crate) fn may_make_true(test: &Test, other: &Statement) -> bool {
    if let Test::Other { any_channel: true, .. } = test
        && other.uses_channels
    {
        return true;
    }
    let looks_at_channel = matches!(test, Test::Level(..))
        || matches!(test, Test::Other { accesses, .. } if accesses.iter().any(|(_, a)| matches!(a, Access::Look | Access::Head)));
    (other.any_channel && looks_at_channel)
        || other.accesses.iter().any(|&(cell, access)| test.enabled_by(cell, access))
}

pub(crate) fn writes_any(statement: &Statement, cells: &[(Cell, Access)]) -> bool {
    statement
        .accesses
        .iter()
        .any(|&(cell, access)| access.writes() && cells.iter().any(|&(own, _)| own == cell))
}
