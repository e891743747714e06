//! What has to happen before a disabled statement can be enabled.

use std::cell::OnceCell;

use stubborn_ir::{LocationId, ProcessTypeId};

use super::{Grounded, Incarnation, Relations, StatementId};
use crate::access::{Access, Cell, Test};
use crate::bits::Row;
use crate::direction::Over;
use crate::fault::Fault;
use crate::index::{Candidates, Index};
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

/// A process that is at a location, on its way to others.
#[derive(Debug)]
pub struct Departure {
    /// All statements by which it can leave: a necessary enabling set of whatever it can do elsewhere, which contains
    /// every [`Ways::leaving`].
    pub leaving: Over<Row>,
    /// Its statements elsewhere, exactly.
    pub elsewhere: Row,
    by_target: Box<[OnceCell<Ways>]>,
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
            _ => self
                .row_among(|index| serving(index, own, need), |_, _, g| may_serve(&g.statement, own, need)),
        };
        let mut row = self.with_drivers(row);
        if self.fault == Some(Fault::DropEnabling) {
            self.drop_one(&mut row, statement);
        }
        row
    }

    /// The statements that may create a process of a type, and the creations of processes
    /// that may do so.
    pub fn creators(&self, process: ProcessTypeId) -> &Over<Row> {
        self.creators[process].get_or_init(|| {
            let row = self.row_of(|id, _, s| s.spawns.contains(&process).then_some(id));
            Over::row(self.with_drivers(row))
        })
    }

    /// What a process that is at `at` has to do with other locations.
    #[inline]
    pub(super) fn departure<'a>(&'a self, inc: &'a Incarnation<'m>, at: LocationId) -> &'a Departure {
        inc.departures[at.0 as usize].get_or_init(|| {
            let n = inc.departures.len();
            self.effort.spend(n, n * size_of::<OnceCell<Ways>>());
            let here = self.control[inc.process].at(at);
            let elsewhere = (0..inc.statements.len()).step_by(64).map(|start| {
                let n_more = inc.statements.len() - start;
                let all = if n_more < 64 { (1 << n_more) - 1 } else { u64::MAX };
                let word = (all & !here.word(start / 64)) << (inc.base % 64);
                ((inc.base / 64) + (start / 64) as u32, word)
            });
            Departure {
                leaving: self.row_with_drivers(inc.base, here.iter()),
                elsewhere: Row::of_parts(elsewhere),
                by_target: (0..n).map(|_| OnceCell::new()).collect(),
            }
        })
    }

    /// How a process that is at `at` comes to `target`, by the control flow.
    #[inline]
    pub(super) fn ways<'a>(
        &'a self,
        inc: &'a Incarnation<'m>,
        departure: &'a Departure,
        at: LocationId,
        target: LocationId,
    ) -> &'a Ways {
        departure.by_target[target.0 as usize].get_or_init(|| {
            let control = &self.control[inc.process];
            // What is found of a type stays.
            let told = |n: usize| self.effort.invest(n, n / 8);
            let leaving = self.row_with_drivers(inc.base, control.leading(at, target, told));
            let arriving = self.row_with_drivers(inc.base, control.arriving(at, target, told));
            let ways = Ways::new(leaving, arriving);
            let n_bytes = |row: &Over<Row>| row.approximation().n_bytes();
            self.effort.spend(1, n_bytes(&ways.leaving) + n_bytes(&ways.arriving));
            ways
        })
    }
}

/// Those among which is what may bring a statement what it needs, other than partners.
pub(super) fn serving<'a>(index: &'a Index, own: &Statement, need: Need) -> Candidates<'a> {
    match (need, &own.comm) {
        (Need::Guard(guard), _) => {
            own.tests[guard].as_ref().map_or_else(Candidates::none, |t| index.changing(t))
        }
        (Need::Level | Need::Match, Some(comm)) => {
            let looks = comm.buffers.iter().copied().chain(comm.reads.iter().map(|&(cell, _)| cell));
            index.changing_cells(looks, comm.channels.is_none())
        }
        (Need::Inhibitor, _) if own.reads_everything => Candidates::All,
        (Need::Inhibitor, _) => {
            index.changing_cells(own.inhibitors.iter().map(|&(cell, _)| cell), own.any_channel)
        }
        (Need::Level | Need::Match, None) | (Need::Partner, _) => Candidates::none(),
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
