//! Atomic runs: what may happen inside the run a statement begins, and which statements begin a run that
//! may contain another.
//!
//! Invariant: a statement that may be executed inside a run has the run's first statement among its drivers.

use hashbrown::HashSet;
use stubborn_base::Idx;
use stubborn_ir::{LocationId, ProcessTypeId, TransitionId};

use super::grounded::{Grounded, RunSummary};
use super::{IncarnationId, LANE, Relations, StatementId};
use crate::access::Access;
use crate::bits::{self, Row};
use crate::direction::Over;
use crate::scope::n_processes_cell;
use crate::statement::Statement;

impl<'m> Relations<'m> {
    /// Finds what may happen inside the atomic runs that these statements begin, which are
    /// all or those of a new incarnation.
    pub(super) fn find_runs(&mut self, ids: Vec<(StatementId, TransitionId)>) {
        for &(id, _) in &ids {
            if self.statement(id).comm.as_ref().is_some_and(|comm| comm.may_meet) {
                self.index.add_meeting(id);
            }
        }
        for &(id, transition) in &ids {
            let mut inside = Vec::new();
            if self.model.transitions[transition].atomic && !self.is_over() {
                self.runs_meet |= self.find_inside(id, &mut inside);
            }
            let run = self.summarise(&self.grounded(id).statement, &inside);
            let n_bytes = size_of_val(&*run.accesses) + 2 * size_of_val(&*inside);
            self.effort.invest(1 + inside.len(), n_bytes + size_of::<Grounded>());
            self.grounded_mut(id).set_run(run);
            for &inner in &inside {
                self.grounded_mut(inner).drivers.push(id);
            }
            self.grounded_mut(id).inside = inside;
            let inc = self.by_lane[id as usize / LANE].expect("not a pseudo statement");
            let inc = &self.incarnations[inc];
            self.index.add(id, &inc.statements[(id - inc.base) as usize]);
        }
    }

    /// The runs of a process that does not exist yet. Whom it may meet in one is not known, and
    /// neither is then what the run does.
    pub(super) fn find_future_runs(&mut self, process: ProcessTypeId) {
        let control = &self.control[process];
        let statements = self.future[process].as_deref().unwrap_or_default();
        let transition =
            |index: usize| &self.model.transitions[TransitionId::new(control.first.index() + index)];
        let runs: Vec<RunSummary> = (0..statements.len())
            .map(|first| {
                let mut run = RunSummary::of(&statements[first].statement);
                let mut work = if self.is_over() { Vec::new() } else { vec![first] };
                let mut entered = HashSet::new();
                while let Some(index) = work.pop() {
                    let t = transition(index);
                    let Some(to) = t.to.filter(|&to| t.atomic && entered.insert(to)) else { continue };
                    for next in control.at(to).iter() {
                        let inner = &statements[next as usize].statement;
                        run.go_on(inner);
                        run.reads_everything |= inner.comm.as_ref().is_some_and(|comm| comm.may_meet);
                        work.push(next as usize);
                    }
                }
                run.settle();
                self.effort.invest(1 + entered.len(), size_of_val(&*run.accesses) + size_of::<Grounded>());
                run
            })
            .collect();
        for (g, run) in self.future[process].iter_mut().flatten().zip(runs) {
            g.set_run(run);
        }
    }

    /// What a statement and those that may come after it in a run do.
    pub(super) fn summarise(&self, own: &Statement, inside: &[StatementId]) -> RunSummary {
        let mut run = RunSummary::of(own);
        if inside.is_empty() {
            // Its own accesses are in order.
            return run;
        }
        for &inner in inside {
            let inner = &self.grounded(inner).statement;
            run.go_on(inner);
            if inner.comm.as_ref().is_some_and(|comm| comm.may_meet && comm.is_send) {
                run.accesses.push((n_processes_cell(), Access::Read));
            }
        }
        run.settle();
        run
    }

    /// The statements that may be executed after `first` in the run it begins. Whether that
    /// depends on who may take part in a rendezvous.
    fn find_inside(&self, first: StatementId, inside: &mut Vec<StatementId>) -> bool {
        let mut asked_for_partners = false;
        let mut work = vec![first];
        let mut entered: HashSet<(IncarnationId, LocationId)> = HashSet::new();
        let mut is_inside: HashSet<StatementId> = HashSet::new();
        while let Some(id) = work.pop() {
            let (inc, transition) = self.decode(id);
            let t = &self.model.transitions[transition];
            let meets = self.statement(id).comm.as_ref().filter(|comm| comm.may_meet && comm.is_send);
            if id != first && meets.is_some() {
                // The other process moves too, and may go on.
                asked_for_partners = true;
                for partner in self.partners(id).candidates() {
                    if self.created(partner).is_none() && is_inside.insert(partner) {
                        inside.push(partner);
                        work.push(partner);
                    }
                }
            }
            let hands_over = meets.is_some_and(|comm| comm.must_meet);
            let Some(to) = t.to.filter(|_| t.atomic && !hands_over) else { continue };
            if !entered.insert((inc, to)) {
                continue;
            }
            let base = self.incarnations[inc].base;
            for index in self.at(inc, to).iter() {
                let next = base + index;
                if is_inside.insert(next) {
                    inside.push(next);
                    work.push(next);
                }
            }
        }
        asked_for_partners
    }

    /// The statements of a process, whose first one is `base`, that are in this row of its own, with those that
    /// begin runs in which one of them may be executed.
    pub(super) fn row_with_drivers(&self, base: StatementId, own: &Row) -> Over<Row> {
        self.has_rows.set(true);
        let words = own.sparse().iter().map(|(at, word)| (base / 64 + at, word << (base % 64)));
        let has_drivers = |at: u32, word: u64| {
            bits::iter(&[word]).any(|bit| !self.grounded(at * 64 + bit).drivers.is_empty())
        };
        if !self.has_runs || !words.clone().any(|(at, word)| has_drivers(at, word)) {
            return Over::new(Row::of_parts(words));
        }
        let mut row = self.empty_row();
        words.for_each(|(at, word)| row[at as usize] |= word);
        Over::row(self.with_drivers(row))
    }

    /// With the statements that begin runs in which one of the row may be executed.
    pub(crate) fn with_drivers(&self, mut row: Box<[u64]>) -> Box<[u64]> {
        self.add_drivers(&mut row);
        row
    }

    /// Adds the statements that begin runs in which one of the row may be executed.
    #[inline]
    pub fn add_drivers(&self, row: &mut [u64]) {
        if !self.has_runs {
            return;
        }
        for word in 0..row.len() {
            for bit in bits::iter(&[row[word]]) {
                let id = word as StatementId * 64 + bit;
                if self.created(id).is_none() {
                    for &driver in &self.grounded(id).drivers {
                        bits::insert(row, driver);
                    }
                }
            }
        }
    }
}
