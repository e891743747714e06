//! What the firings of a net wait for, shared by all that wait for the same.
//!
//! Guards of a net compare a slot with a constant, and are few: whoever lacks the same token has the same necessary
//! enabling set. So rows are kept by guard instead of by statement, and once such a set is in a stubborn set, all firings
//! that lack the same are done with at once ([`Relations::served_by`]).

use std::cell::OnceCell;

use stubborn_base::Idx;
use stubborn_ir::{Compared, Comparison, GuardId, Model, Transition};

use super::{Entry, Need, Relations};
use crate::access::Cell;
use crate::bits::{Row, Words};
use crate::direction::Over;

/// The guards of a net, with rows that are computed when first asked for.
#[derive(Debug)]
pub struct Firings {
    guards: Vec<Comparison>,
    rows: Vec<OnceCell<Over<Row>>>,
    /// By guard: the firings that have it.
    users: Vec<OnceCell<Row>>,
    /// The guards that ask for one value of a slot, in order of slots.
    exact: Vec<(Cell, usize)>,
}

/// What a firing lacks in a state.
#[derive(Clone, Copy, Debug)]
pub enum Lack {
    /// A guard, by index, to hold.
    Guard(usize),
    /// A slot to hold another token than it does.
    Leaving(Cell),
}

/// A necessary enabling set, and of what.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'r> {
    /// What it brings.
    pub lack: Lack,
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
        let users = guards.iter().map(|_| OnceCell::new()).collect();
        let is_exact = |(_, guard): &(usize, &Comparison)| guard.how == Compared::Equal;
        let exact = guards.iter().enumerate().filter(is_exact).map(|(i, guard)| (guard.slot.offset, i));
        let mut exact: Vec<(Cell, usize)> = exact.collect();
        exact.sort_unstable();
        Some(Firings { guards, rows, users, exact })
    }

    /// Rows are out of date.
    pub(super) fn forget(&mut self) {
        self.rows.iter_mut().for_each(|row| *row = OnceCell::new());
        self.users.iter_mut().for_each(|row| *row = OnceCell::new());
    }

    /// The guards that ask for one value of a slot.
    fn exact(&self, slot: Cell) -> impl Iterator<Item = usize> + '_ {
        let first = self.exact.partition_point(|&(other, _)| other < slot);
        self.exact[first..].iter().take_while(move |&&(other, _)| other == slot).map(|&(_, guard)| guard)
    }
}

impl Relations<'_> {
    /// What firings wait for, if the model is a net.
    #[inline]
    pub fn firings(&self) -> Option<&Firings> {
        self.firings.as_ref()
    }

    /// Adds all disabled firings for which what brings this is a necessary enabling set in a state.
    pub fn served_by(&self, firings: &Firings, lack: Lack, state: &[u8], found: &mut Words) {
        match lack {
            Lack::Guard(guard) => self.users(firings, guard).add_to(found),
            Lack::Leaving(slot) => {
                let lacking = firings.exact(slot).filter(|&guard| !firings.guards[guard].holds(state));
                lacking.for_each(|guard| self.users(firings, guard).add_to(found));
            }
        }
    }

    fn users<'r>(&self, firings: &'r Firings, guard: usize) -> &'r Row {
        firings.users[guard].get_or_init(|| {
            let slot = firings.guards[guard].slot.offset;
            let mut users = Vec::new();
            self.each_among(self.index.changing_cells(std::iter::once(slot), false), |id, _, _| {
                let (_, firing) = self.decode(id);
                if self.model.transitions[firing].guards.contains(&GuardId::new(guard)) {
                    users.push(id);
                }
                false
            });
            users.sort_unstable();
            users.dedup();
            let row = Row::of_numbers(users.iter().copied());
            self.effort.spend(users.len(), row.n_bytes());
            row
        })
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
            if found(Waiting { lack: Lack::Guard(guard.index()), row }).is_break() {
                return;
            }
            let slot = compared.slot;
            if compared.how == Compared::Equal
                && disabling_sets
                && let Some(row) = self.relations().leaving(slot.offset, slot.read(state))
                && found(Waiting { lack: Lack::Leaving(slot.offset), row }).is_break()
            {
                return;
            }
        }
    }

    fn compute_guard_row(&self, guard: usize) -> Over<Row> {
        self.relations().guard_row(self.statement_id(), Need::Guard(guard))
    }
}
