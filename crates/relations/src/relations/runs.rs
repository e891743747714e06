//! Atomic runs: what may happen inside the run a statement begins, and which statements begin a run that
//! may contain another.
//!
//! Invariant: a statement that may be executed inside a run has the run's first statement among its drivers.

use hashbrown::HashSet;
use stubborn_base::Idx;
use stubborn_ir::{ProcessTypeId, TransitionId};

use super::grounded::{Grounded, RunSummary};
use super::{LANE, Relations, StatementId};
use crate::access::Access;
use crate::bits::{self, Row};
use crate::direction::Over;
use crate::index::Index;
use crate::scope::n_processes_cell;
use crate::statement::Statement;

/// On the way through a run.
#[derive(Default)]
struct Walk {
    /// Statements of the run, in the order in which they were come to; the same as words.
    inside: Vec<StatementId>,
    is_inside: Vec<u64>,
    /// Those whose ends were not looked at yet.
    work: Vec<StatementId>,
}

impl Walk {
    fn begin(&mut self, first: StatementId, n_words: usize) {
        for id in self.inside.drain(..) {
            bits::remove(&mut self.is_inside, id);
        }
        self.is_inside.resize(n_words, 0);
        self.work.push(first);
    }

    /// Comes to statements of a word.
    fn enter(&mut self, at: u32, word: u64) {
        let known = &mut self.is_inside[at as usize];
        let new = word & !*known;
        *known |= new;
        for bit in bits::iter(&[new]) {
            self.inside.push(at * 64 + bit);
            self.work.push(at * 64 + bit);
        }
    }
}

impl<'m> Relations<'m> {
    /// Finds what may happen inside the atomic runs that these statements begin, which are
    /// all or those of a new incarnation.
    pub(super) fn find_runs(&mut self, ids: Vec<(StatementId, TransitionId)>) {
        for &(id, _) in &ids {
            if self.statement(id).comm.as_ref().is_some_and(|comm| comm.may_meet) {
                self.index.add_meeting(id);
            }
        }
        let mut walk = Walk::default();
        for &(id, transition) in &ids {
            let mut inside = Vec::new();
            if self.model.transitions[transition].atomic && !self.is_over() {
                self.runs_meet |= self.find_inside(id, &mut walk);
                inside = walk.inside.clone();
            }
            let run = self.summarise(&self.grounded(id).statement, &inside);
            let n_bytes = size_of_val(&*run.accesses) + 2 * size_of_val(&*inside);
            self.effort.invest(1 + inside.len(), n_bytes + size_of::<Grounded>());
            self.grounded_mut(id).set_run(run);
            if !inside.is_empty() {
                self.driven.resize(self.n_words(), 0);
            }
            for &inner in &inside {
                self.grounded_mut(inner).drivers.push(id);
                bits::insert(&mut self.driven, inner);
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

    /// Writes down what statements of processes that do not exist yet touch.
    pub(super) fn index_future(&mut self) {
        let Relations { control, future, future_index, .. } = self;
        *future_index = Index::default();
        for (process, statements) in future.iter_enumerated() {
            for (id, g) in (control[process].first.0..).zip(statements.iter().flatten()) {
                if g.statement.comm.as_ref().is_some_and(|comm| comm.may_meet) {
                    future_index.add_meeting(id);
                }
                future_index.add(id, g);
            }
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

    /// Finds the statements that may be executed after `first` in the run it begins. Whether that
    /// depends on who may take part in a rendezvous.
    fn find_inside(&self, first: StatementId, walk: &mut Walk) -> bool {
        let mut asked_for_partners = false;
        walk.begin(first, self.n_words());
        while let Some(id) = walk.work.pop() {
            let (inc, transition) = self.decode(id);
            let t = &self.model.transitions[transition];
            let meets = self.statement(id).comm.as_ref().filter(|comm| comm.may_meet && comm.is_send);
            if id != first && meets.is_some() {
                // The other process moves too, and may go on.
                asked_for_partners = true;
                for partner in self.partners(id).candidates() {
                    if self.created(partner).is_none() {
                        walk.enter(partner / 64, 1 << (partner % 64));
                    }
                }
            }
            let hands_over = meets.is_some_and(|comm| comm.must_meet);
            let Some(to) = t.to.filter(|_| t.atomic && !hands_over) else { continue };
            let base = self.incarnations[inc].base;
            for &(at, word) in self.at(inc, to).sparse() {
                walk.enter(base / 64 + at, word << (base % 64));
            }
        }
        asked_for_partners
    }

    /// The statements of a process, whose first one is `base`, that have these places among its own, with those that
    /// begin runs in which one of them may be executed.
    pub(super) fn row_with_drivers(&self, base: StatementId, own: impl Iterator<Item = u32>) -> Over<Row> {
        self.has_rows.set(true);
        let row = Row::of_numbers(own.map(|index| base + index));
        let is_driven = |&(at, word): &(u32, u64)| word & self.driven_at(at as usize) != 0;
        if !row.sparse().iter().any(is_driven) {
            return Over::new(row);
        }
        let mut words = self.empty_row();
        row.add_to(&mut words);
        Over::row(self.with_drivers(words))
    }

    /// Those statements of a word that have drivers.
    fn driven_at(&self, at: usize) -> u64 {
        self.driven.get(at).copied().unwrap_or(0)
    }

    /// With the statements that begin runs in which one of the row may be executed.
    pub(crate) fn with_drivers(&self, mut row: Box<[u64]>) -> Box<[u64]> {
        self.add_drivers(&mut row);
        row
    }

    /// Adds the statements that begin runs in which one of the row may be executed.
    #[inline]
    pub fn add_drivers(&self, row: &mut [u64]) {
        for word in 0..row.len() {
            for bit in bits::iter(&[row[word] & self.driven_at(word)]) {
                let id = word as StatementId * 64 + bit;
                for &driver in &self.grounded(id).drivers {
                    bits::insert(row, driver);
                }
            }
        }
    }
}
