//! Which statements touch what, so that a row is computed from those that matter.
//!
//! With many processes of one type nearly all pairs of statements have nothing in common.
//! Whatever a relation looks for, it finds among the candidates named here; it still has to
//! look. Statements of processes that do not exist yet have an index of their own, where they are numbered as transitions.

use hashbrown::HashMap;

use crate::access::{Cell, Test};
use crate::relations::{Grounded, StatementId};

/// Statements by what they touch.
#[derive(Default, Debug)]
pub(crate) struct Index {
    by_cell: HashMap<Cell, Vec<StatementId>>,
    may_meet: Vec<StatementId>,
    uses_channels: Vec<StatementId>,
    any_channel: Vec<StatementId>,
    reads_everything: Vec<StatementId>,
    waits_for_timeout: Vec<StatementId>,
}

/// Statements to look at, some of them perhaps twice.
#[derive(Debug)]
pub(crate) enum Candidates<'a> {
    All,
    /// Those of these lists, in each of which they are in order.
    These(Vec<&'a [StatementId]>),
}

impl Candidates<'_> {
    pub(crate) fn none() -> Self {
        Candidates::These(Vec::new())
    }
}

impl Index {
    /// Adds a statement, once what its run does is known.
    pub(crate) fn add(&mut self, id: StatementId, g: &Grounded) {
        for cell in cells_of(g) {
            let statements = self.by_cell.entry(cell).or_default();
            if statements.last() != Some(&id) {
                statements.push(id);
            }
        }
        let flags = [
            (g.run.uses_channels || g.statement.uses_channels, &mut self.uses_channels),
            (g.run.any_channel || g.statement.any_channel, &mut self.any_channel),
            (g.run.reads_everything, &mut self.reads_everything),
            (g.statement.waits_for_timeout, &mut self.waits_for_timeout),
        ];
        for (is_so, statements) in flags {
            if is_so {
                statements.push(id);
            }
        }
    }

    /// Adds a statement that may take part in a rendezvous.
    pub(crate) fn add_meeting(&mut self, id: StatementId) {
        self.may_meet.push(id);
    }

    /// Those that may take part in a rendezvous.
    pub(crate) fn meeting(&self) -> Candidates<'_> {
        Candidates::These(vec![&self.may_meet])
    }

    /// Those that may not accord with a statement of another process.
    pub(crate) fn conflicting(&self, own: &Grounded) -> Candidates<'_> {
        if own.run.reads_everything {
            return Candidates::All;
        }
        let mut found = self.touching(cells_of(own));
        add(&self.reads_everything, &mut found);
        self.add_channels(own.run.any_channel, own.run.uses_channels, &mut found);
        if own.statement.waits_for_timeout {
            add(&self.waits_for_timeout, &mut found);
        }
        Candidates::These(found)
    }

    /// Those that may change what a test looks at.
    pub(crate) fn changing(&self, test: &Test) -> Candidates<'_> {
        let any = matches!(test, Test::Other { any_channel: true, .. });
        self.changing_cells(test.accesses().map(|(cell, _)| cell), any)
    }

    /// Those that may change any of the cells, or any channel.
    pub(crate) fn changing_cells(
        &self,
        cells: impl Iterator<Item = Cell>,
        any_channel: bool,
    ) -> Candidates<'_> {
        let mut found = self.touching(cells);
        self.add_channels(any_channel, true, &mut found);
        Candidates::These(found)
    }

    /// What may be about the same channel, where one of the two does not know which.
    fn add_channels<'a>(&'a self, any: bool, uses: bool, found: &mut Vec<&'a [StatementId]>) {
        if any {
            add(&self.uses_channels, found);
        }
        if uses {
            add(&self.any_channel, found);
        }
    }

    fn touching(&self, cells: impl Iterator<Item = Cell>) -> Vec<&[StatementId]> {
        let mut found = Vec::new();
        let mut last = None;
        for cell in cells {
            if last.replace(cell) != Some(cell) {
                found.extend(self.by_cell.get(&cell).map(Vec::as_slice));
            }
        }
        found
    }
}

/// Adds a list that is not empty.
fn add<'a>(list: &'a [StatementId], lists: &mut Vec<&'a [StatementId]>) {
    if !list.is_empty() {
        lists.push(list);
    }
}

/// Everything a statement tests, and its run touches.
fn cells_of<'g>(g: &'g Grounded<'_>) -> impl Iterator<Item = Cell> + 'g {
    let tests = g.statement.tests.iter().flatten().flat_map(Test::accesses);
    tests.chain(g.run.accesses.iter().copied()).map(|(cell, _)| cell)
}
