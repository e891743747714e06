//! Which statements touch what, so that a row is computed from those that matter.
//!
//! With many processes of one type nearly all pairs of statements have nothing in common.
//! Whatever a relation looks for, it finds among the candidates named here; it still has to
//! look.

use hashbrown::HashMap;

use crate::access::{Access, Cell, Test};
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
pub(crate) enum Candidates {
    All,
    These(Vec<StatementId>),
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
    pub(crate) fn meeting(&self) -> Candidates {
        Candidates::These(self.may_meet.clone())
    }

    /// Those that may not accord with a statement of another process.
    pub(crate) fn conflicting(&self, own: &Grounded) -> Candidates {
        if own.run.reads_everything {
            return Candidates::All;
        }
        let mut found = self.touching(cells_of(own));
        found.extend_from_slice(&self.reads_everything);
        self.add_channels(own.run.any_channel, own.run.uses_channels, &mut found);
        if own.statement.waits_for_timeout {
            found.extend_from_slice(&self.waits_for_timeout);
        }
        Candidates::These(found)
    }

    /// The same for one that does not read everything, some of them more than twice, where no list of them is needed.
    pub(crate) fn each_conflicting(&self, own: &Grounded, mut look_at: impl FnMut(StatementId)) {
        let mut look_at_all = |ids: &[StatementId]| ids.iter().for_each(|&id| look_at(id));
        let mut last = None;
        for cell in cells_of(own) {
            if last.replace(cell) != Some(cell) {
                look_at_all(self.by_cell.get(&cell).map_or(&[], Vec::as_slice));
            }
        }
        look_at_all(&self.reads_everything);
        if own.run.any_channel {
            look_at_all(&self.uses_channels);
        }
        if own.run.uses_channels {
            look_at_all(&self.any_channel);
        }
        if own.statement.waits_for_timeout {
            look_at_all(&self.waits_for_timeout);
        }
    }

    /// Those that may change what a test looks at.
    pub(crate) fn changing(&self, test: &Test) -> Candidates {
        let any = matches!(test, Test::Other { any_channel: true, .. });
        self.changing_any(test.accesses().map(|(cell, _)| cell), any)
    }

    /// Those that may change any of the cells, or any channel.
    pub(crate) fn changing_cells(&self, accesses: &[(Cell, Access)], any_channel: bool) -> Candidates {
        self.changing_any(accesses.iter().map(|&(cell, _)| cell), any_channel)
    }

    fn changing_any(&self, cells: impl Iterator<Item = Cell>, any_channel: bool) -> Candidates {
        let mut found = self.touching(cells);
        self.add_channels(any_channel, true, &mut found);
        Candidates::These(found)
    }

    /// What may be about the same channel, where one of the two does not know which.
    fn add_channels(&self, any: bool, uses: bool, found: &mut Vec<StatementId>) {
        if any {
            found.extend_from_slice(&self.uses_channels);
        }
        if uses {
            found.extend_from_slice(&self.any_channel);
        }
    }

    fn touching(&self, cells: impl Iterator<Item = Cell>) -> Vec<StatementId> {
        let mut cells: Vec<Cell> = cells.collect();
        cells.sort_unstable();
        cells.dedup();
        let mut found = Vec::new();
        for statements in cells.iter().filter_map(|cell| self.by_cell.get(cell)) {
            found.extend_from_slice(statements);
        }
        found
    }
}

/// Everything a statement tests, and its run touches.
fn cells_of<'g>(g: &'g Grounded<'_>) -> impl Iterator<Item = Cell> + 'g {
    let tests = g.statement.tests.iter().flatten().flat_map(Test::accesses);
    tests.chain(g.run.accesses.iter().copied()).map(|(cell, _)| cell)
}
