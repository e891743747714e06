//! Potentials: why transitions are on no cycle together.
//!
//! The rows of the incidence matrix are the locations of each process type, which count
//! the processes that are there, and the counters. A potential weights them. In a cycle of
//! states it ends where it began; so transitions that all raise it are on no cycle without
//! others. So are, by induction, those that raise the first in a list of potentials that
//! they change at all: a ranking.

use stubborn_base::{Idx, IndexVec};
use stubborn_ir::{Effect, Model, ProcessTypeId, TransitionId};

use super::counters::Counters;
use super::creates_process;

/// What transitions do to locations and counters.
pub(super) struct Incidence {
    pub(super) n_locations: usize,
    /// Locations first, by type; then counters.
    pub(super) n_rows: usize,
    pub(super) columns: IndexVec<TransitionId, Column>,
}

/// What one transition does.
pub(super) struct Column {
    /// The rows of the location it leaves and of the one it enters.
    pub(super) from: usize,
    pub(super) to: Option<usize>,
    /// Rows that it changes, with the amount, which is not 0.
    pub(super) changes: Vec<(usize, i64)>,
    /// Rows that it changes by an unknown amount.
    pub(super) unknown: Vec<usize>,
    /// Processes come, so nothing is known.
    is_unknown: bool,
}

/// A weight for each row.
pub(super) struct Potential(pub(super) Vec<i64>);

impl Incidence {
    pub(super) fn of(model: &Model, singletons: &IndexVec<ProcessTypeId, bool>) -> Self {
        let counters = Counters::of(model, singletons);
        let mut first = Vec::new();
        let mut n_locations = 0;
        for ty in model.processes.iter() {
            first.push(n_locations);
            n_locations += ty.locations.len();
        }
        let mut columns = IndexVec::new();
        for (id, t) in model.transitions.iter_enumerated() {
            let row = |location: u16| first[t.process.index()] + usize::from(location);
            let (from, to) = (row(t.from.0), t.to.map(|to| row(to.0)));
            let mut column = Column { from, to, changes: Vec::new(), unknown: Vec::new(), is_unknown: false };
            if to != Some(from) {
                column.changes.push((from, -1));
                column.changes.extend(to.map(|to| (to, 1)));
            }
            for &(counter, amount) in &counters.changes[id] {
                match amount {
                    Some(0) => {}
                    Some(amount) => column.changes.push((n_locations + counter, amount)),
                    None => column.unknown.push(n_locations + counter),
                }
            }
            // The locals of a process that ends are gone, so sums of locals change. What it does to
            // other counters does not matter: there are fewer processes afterwards.
            let ends = t.any_effect(|effect| matches!(effect, Effect::End));
            if ends {
                column.unknown.extend(n_locations..n_locations + counters.n_counters);
            }
            column.is_unknown = creates_process(t) || ends != t.to.is_none();
            columns.push(column);
        }
        Incidence { n_locations, n_rows: n_locations + counters.n_counters, columns }
    }

    /// The part that some transitions and their rows are, numbered anew in the same order; and
    /// those rows.
    pub(super) fn part(&self, transitions: &[TransitionId]) -> (Incidence, Vec<usize>) {
        let mut is_in = vec![false; self.n_rows];
        for &t in transitions {
            let column = &self.columns[t];
            [Some(column.from), column.to].into_iter().flatten().for_each(|row| is_in[row] = true);
            column.changes.iter().for_each(|&(row, _)| is_in[row] = true);
            column.unknown.iter().for_each(|&row| is_in[row] = true);
        }
        let rows: Vec<usize> = (0..self.n_rows).filter(|&row| is_in[row]).collect();
        let mut number = vec![0; self.n_rows];
        rows.iter().enumerate().for_each(|(i, &row)| number[row] = i);
        let columns = transitions.iter().map(|&t| {
            let column = &self.columns[t];
            Column {
                from: number[column.from],
                to: column.to.map(|to| number[to]),
                changes: column.changes.iter().map(|&(row, amount)| (number[row], amount)).collect(),
                unknown: column.unknown.iter().map(|&row| number[row]).collect(),
                is_unknown: column.is_unknown,
            }
        });
        let n_locations = rows.partition_point(|&row| row < self.n_locations);
        (Incidence { n_locations, n_rows: rows.len(), columns: columns.collect() }, rows)
    }

    /// One ranking from those of parts that have no rows in common.
    pub(super) fn side_by_side(&self, parts: Vec<(Vec<usize>, Vec<Potential>)>) -> Vec<Potential> {
        let mut all: Vec<Potential> = Vec::new();
        for (rows, ranking) in parts {
            for (level, Potential(weights)) in ranking.into_iter().enumerate() {
                if all.len() == level {
                    all.push(Potential(vec![0; self.n_rows]));
                }
                rows.iter().zip(weights).for_each(|(&row, weight)| all[level].0[row] = weight);
            }
        }
        all
    }

    /// Higher the fewer processes there are.
    pub(super) fn fewer_processes(&self) -> Potential {
        let mut weights = vec![0; self.n_rows];
        weights[..self.n_locations].fill(-1);
        Potential(weights)
    }

    /// Whether a transition raises the first of the potentials that it changes. This alone is
    /// what the proof rests on: an amount that is unknown, or too great to compute, is none.
    pub(super) fn is_ranked(&self, transition: TransitionId, ranking: &[Potential]) -> bool {
        let mut changes = ranking.iter().map(|potential| self.change(transition, potential));
        changes.find(|change| *change != Some(0)).flatten().is_some_and(|change| change > 0)
    }

    /// By how much a transition raises a potential, if that is known.
    pub(super) fn change(&self, transition: TransitionId, Potential(weights): &Potential) -> Option<i64> {
        let column = &self.columns[transition];
        if column.is_unknown || column.unknown.iter().any(|&row| weights[row] != 0) {
            return None;
        }
        column
            .changes
            .iter()
            .try_fold(0i64, |sum, &(row, amount)| sum.checked_add(weights[row].checked_mul(amount)?))
    }
}
