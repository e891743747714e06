//! What the firings of a net wait for, shared by all that wait for the same.
//!
//! Guards of a net compare a slot with a constant, and are few: whoever lacks the same token has the same necessary
//! enabling set. So rows are kept by guard instead of by statement, and have numbers ([`Waiting`]) by which a search for
//! sets knows them again.

use std::cell::OnceCell;

use stubborn_base::Idx;
use stubborn_ir::{Compared, Comparison, Model, Transition};

use super::{Entry, Need, Relations};
use crate::bits::Row;
use crate::direction::Over;

/// The guards of a net, with rows that are computed when first asked for.
#[derive(Debug)]
pub struct Firings {
    guards: Vec<Comparison>,
    rows: Vec<OnceCell<Over<Row>>>,
    /// Numbers of rows are below this.
    pub n_rows: usize,
}

/// A necessary enabling set, by number.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'r> {
    /// The same for the same set in the same state.
    pub number: usize,
    /// One of these must be executed first.
    pub row: &'r Over<Row>,
}

impl Firings {
    /// Of a net; none of another model, and of a net with priorities.
    pub(super) fn of(model: &Model) -> Option<Self> {
        let is_plain = |t: &Transition| t.inhibitors.is_empty() && t.comm.is_none();
        let is_net = model.processes.iter().all(|process| process.is_stationary);
        if !is_net || !model.transitions.iter().all(is_plain) {
            return None;
        }
        let guards: Vec<Comparison> = model.guards.iter().map(Comparison::of).collect::<Option<_>>()?;
        let rows = guards.iter().map(|_| OnceCell::new()).collect();
        let n_rows = guards.len() + model.global_size as usize;
        Some(Firings { guards, rows, n_rows })
    }

    /// Rows are out of date.
    pub(super) fn forget(&mut self) {
        self.rows.iter_mut().for_each(|row| *row = OnceCell::new());
    }
}

impl Relations<'_> {
    /// What firings wait for, if the model is a net.
    #[inline]
    pub fn firings(&self) -> Option<&Firings> {
        self.firings.as_ref()
    }
}

impl<'r> Entry<'r, '_> {
    /// The necessary enabling sets of a disabled firing, until `found` breaks: what brings a token that it lacks, and
    /// with disabling sets what takes away the one that is there instead.
    #[inline]
    pub fn waits_for(
        &self,
        firings: &'r Firings,
        state: &[u8],
        disabling_sets: bool,
        mut found: impl FnMut(Waiting<'r>) -> std::ops::ControlFlow<()>,
    ) {
        for (i, &guard) in self.transition.guards.iter().enumerate() {
            let compared = firings.guards[guard.index()];
            if compared.holds(state) {
                continue;
            }
            let row = firings.rows[guard.index()].get_or_init(|| self.compute_guard_row(i));
            if found(Waiting { number: guard.index(), row }).is_break() {
                return;
            }
            let slot = compared.slot;
            if compared.how == Compared::Equal
                && disabling_sets
                && let Some(row) = self.relations().leaving(slot.offset, slot.read(state))
            {
                let number = firings.guards.len() + slot.offset as usize;
                if found(Waiting { number, row }).is_break() {
                    return;
                }
            }
        }
    }

    fn compute_guard_row(&self, guard: usize) -> Over<Row> {
        self.relations().guard_row(self.statement_id(), Need::Guard(guard))
    }
}
