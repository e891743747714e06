//! Why two statements do not accord: what both touch, and how.
//!
//! Follows `Grounded::conflicts_with`, which decides whether they do; this only tells why.

use std::fmt;

use crate::access::{Access, Cell, Test};
use crate::relations::Grounded;

/// How a statement uses something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Use {
    /// A guard looks at it.
    Tests,
    /// It is read.
    Reads,
    /// It is changed.
    Writes,
    /// A message is put in.
    Sends,
    /// A message is taken out.
    Receives,
}

impl Use {
    pub(crate) fn of(access: Access) -> Use {
        match access {
            Access::Read | Access::Look | Access::Head => Use::Reads,
            Access::Set(_) | Access::Add(_) | Access::Count(_) | Access::CountIfRoom(_) | Access::Write => {
                Use::Writes
            }
            Access::Send | Access::SendSorted => Use::Sends,
            Access::Take => Use::Receives,
        }
    }
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Use::Tests => "tests",
            Use::Reads => "reads",
            Use::Writes => "writes",
            Use::Sends => "sends",
            Use::Receives => "receives",
        })
    }
}

/// A cell that two statements use in ways that do not commute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clash {
    pub(crate) cell: Cell,
    pub(crate) here: Use,
    pub(crate) there: Use,
    /// Not by the statement itself, but by the atomic run it begins.
    pub(crate) in_run_here: bool,
    pub(crate) in_run_there: bool,
}

/// All such cells of two statements of different processes, in order of cells.
pub(crate) fn clashes(own: &Grounded, other: &Grounded) -> Vec<Clash> {
    let mut found = Vec::new();
    for &(cell, here) in &own.run.accesses {
        for &(other_cell, there) in &other.run.accesses {
            if cell == other_cell && !here.commutes(there) {
                found.push(Clash {
                    cell,
                    here: Use::of(here),
                    there: Use::of(there),
                    in_run_here: is_in_run(own, cell, here),
                    in_run_there: is_in_run(other, cell, there),
                });
            }
        }
    }
    let broken = |own: &Grounded, other: &Grounded| {
        let tests = own.statement.tests.iter().flatten();
        let broken = tests.flat_map(|test| {
            let does_not_survive = |&&(cell, access): &&(Cell, Access)| !test.survives(cell, access);
            other.run.accesses.iter().filter(does_not_survive).copied().collect::<Vec<_>>()
        });
        broken.collect::<Vec<_>>()
    };
    for (cell, there) in broken(own, other) {
        let in_run_there = is_in_run(other, cell, there);
        found.push(Clash { cell, here: Use::Tests, there: Use::of(there), in_run_here: false, in_run_there });
    }
    for (cell, here) in broken(other, own) {
        let in_run_here = is_in_run(own, cell, here);
        found.push(Clash { cell, here: Use::of(here), there: Use::Tests, in_run_here, in_run_there: false });
    }
    found.sort_by_key(|clash| clash.cell);
    found
}

/// Whether two of an unknown channel are what keeps the statements from according.
pub(crate) fn share_unknown_channel(own: &Grounded, other: &Grounded) -> bool {
    (own.run.any_channel && other.run.uses_channels) || (other.run.any_channel && own.run.uses_channels)
}

fn is_in_run(own: &Grounded, cell: Cell, access: Access) -> bool {
    let accesses = &own.statement.accesses;
    !accesses.contains(&(cell, access))
        && !accesses.iter().any(|&(c, a)| c == cell && a.writes() == access.writes())
}

/// The cells that a test looks at.
pub(crate) fn tested(test: &Test) -> Vec<Cell> {
    test.accesses().map(|(cell, _)| cell).collect()
}
