//! What has to happen before a slot that holds a token can hold another: the one that is there must leave.
//!
//! A necessary disabling set that serves as an enabling set (§4.2), as leaving a location does for a process.

use std::cell::OnceCell;

use stubborn_ir::{Model, SlotType};

use super::Relations;
use crate::access::{Cell, Test};
use crate::bits::{self, Row};
use crate::direction::Over;
use crate::fault::Fault;

/// Rows by slot and the value it has, computed when first asked for.
#[derive(Debug, Default)]
pub(super) struct Leaving {
    /// By offset of a slot: where its rows begin; none if it holds no token.
    starts: Vec<Option<u32>>,
    rows: Vec<OnceCell<Over<Row>>>,
}

impl Leaving {
    pub(super) fn of(model: &Model) -> Self {
        let mut leaving = Leaving::default();
        for variable in &model.globals {
            let SlotType::Token { set, .. } = variable.ty else { continue };
            let offset = variable.slot.offset as usize;
            leaving.starts.resize(leaving.starts.len().max(offset + 1), None);
            leaving.starts[offset] = Some(leaving.rows.len() as u32);
            let n_values = model.symbols[usize::from(set)].len() + 1;
            leaving.rows.resize_with(leaving.rows.len() + n_values, OnceCell::new);
        }
        leaving
    }

    /// Rows are out of date.
    pub(super) fn forget(&mut self) {
        self.rows.iter_mut().for_each(|row| *row = OnceCell::new());
    }
}

impl Relations<'_> {
    /// A necessary enabling set of whatever needs a slot that holds a token to hold another than the one it does, which
    /// is `value`: the statements that may change it then. More is safe. None of a slot that holds no token.
    #[inline]
    pub fn leaving(&self, cell: Cell, value: i32) -> Option<&Over<Row>> {
        let start = (*self.leaving.starts.get(cell as usize)?)?;
        let row = self.leaving.rows.get(start as usize + usize::try_from(value).ok()?)?;
        Some(row.get_or_init(|| self.kept(self.compute_leaving(cell, value))))
    }

    fn compute_leaving(&self, cell: Cell, value: i32) -> Box<[u64]> {
        let row = self.row_among(|index| index.changing_cells([cell].into_iter(), false), |_, _, g| {
            let excludes = |test: &Test| {
                matches!(test, Test::Values(own, ranges) if *own == cell && !ranges.contains(value))
            };
            let accesses = &g.statement.accesses;
            accesses.iter().any(|&(own, access)| own == cell && access.writes())
                && !g.statement.tests.iter().flatten().any(excludes)
        });
        let mut row = self.with_drivers(row);
        if self.fault == Some(Fault::DropLeaving) {
            let first = bits::iter(&row).next();
            first.into_iter().for_each(|statement| bits::remove(&mut row, statement));
        }
        row
    }
}
