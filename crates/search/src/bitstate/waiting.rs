//! The states that wait to be expanded, on top of the way to the last of them, and the bits of all.

use std::mem::{Discriminant, discriminant};
use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_ir::{Edge, Outcome, Step, Violation};

use crate::budget::{Budget, OutOfMemory};
use crate::exploration::{Flow, Halt};
use crate::filter::{Filter, Loss, Spot};
use crate::limits::Incomplete;
use crate::observer::{Counts, Found, Observer, Progress};
use crate::store::StateId;

/// States, each reached from the one before.
pub(super) type Way = Vec<Vec<u8>>;

/// A state that waits, or is on the way to one that does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Where its bytes begin; they end where those of the next begin.
    start: usize,
    pub(super) claim_state: u32,
    is_waiting: bool,
    /// It is the state that it was reached from: a run that has ended stays there.
    stays: bool,
}

/// A successor still to be looked for among the visited.
#[derive(Clone, Copy, Debug)]
struct Successor {
    start: usize,
    end: usize,
    claim_state: u32,
    spot: Spot,
    stays: bool,
}

/// What waits, and what was seen.
#[derive(Debug)]
pub(super) struct Waiting {
    filter: Filter,
    pub(super) budget: Budget,
    pub(super) counts: Counts,
    entries: Vec<Entry>,
    /// Of all entries, one after the other.
    bytes: Vec<u8>,
    depth: u64,
    /// Where the claim can go from the state being expanded; without one, to its only state.
    pub(super) claim_moves: Vec<u32>,
    found: Vec<Successor>,
    found_bytes: Vec<u8>,
    /// By successor of the state being expanded: whether it is new.
    pub(super) is_new: Vec<bool>,
    /// The way to each violation that was told of, by the number it was told with.
    pub(super) ways: Vec<Way>,
    told: Vec<Discriminant<Violation>>,
    pub(super) cut_off: bool,
}

impl Waiting {
    /// Nothing waits. Most of the memory is for bits, the rest for states that wait.
    pub(super) fn new(memory: usize) -> Self {
        Waiting {
            filter: Filter::new(memory / 4 * 3),
            budget: Budget::new(memory),
            counts: Counts::default(),
            entries: Vec::new(),
            bytes: Vec::new(),
            depth: 0,
            claim_moves: vec![0],
            found: Vec::new(),
            found_bytes: Vec::new(),
            is_new: Vec::new(),
            ways: Vec::new(),
            told: Vec::new(),
            cut_off: false,
        }
    }

    /// The initial state waits.
    pub(super) fn start(&mut self, initial: &[u8], claim_state: u32) -> Flow {
        let given = self.budget.replace(0, self.filter.bytes());
        self.flow(given)?;
        self.find(initial, claim_state, false);
        self.note()
    }

    /// The state that is next.
    pub(super) fn next(&mut self) -> Option<Entry> {
        while let Some(entry) = self.entries.last_mut() {
            if std::mem::replace(&mut entry.is_waiting, false) {
                self.counts.depth = self.counts.depth.max(self.depth);
                self.depth += 1;
                return Some(*entry);
            }
            // All that it led to has been expanded.
            self.depth -= 1;
            self.bytes.truncate(entry.start);
            self.entries.pop();
        }
        None
    }

    /// Makes `state` the one of the last entry.
    pub(super) fn read(&self, last: Entry, state: &mut Vec<u8>) {
        state.clear();
        state.extend_from_slice(&self.bytes[last.start..]);
    }

    /// Takes in an edge of the state being expanded.
    pub(super) fn visit(&mut self, edge: &Edge<'_>, observer: &mut dyn Observer) -> Flow {
        for failed in edge.failed {
            self.counts.failed_assertions += 1;
            let violation = Violation::FailedAssertion(failed.transition);
            self.report(violation, &edge.steps[..=failed.step], observer)?;
        }
        match edge.outcome {
            Outcome::State(target) => {
                self.counts.transitions += self.claim_moves.len() as u64;
                for at in 0..self.claim_moves.len() {
                    self.find(target, self.claim_moves[at], false);
                }
            }
            Outcome::Error(error) => {
                self.counts.errors += 1;
                self.report(Violation::Error(*error), edge.steps, observer)?;
            }
            Outcome::Endless => {}
            Outcome::CutOff => self.cut_off = true,
        }
        ControlFlow::Continue(())
    }

    /// A run that has ended stays in the state being expanded.
    pub(super) fn stay(&mut self, state: &[u8]) {
        self.counts.transitions += self.claim_moves.len() as u64;
        for at in 0..self.claim_moves.len() {
            self.find(state, self.claim_moves[at], true);
        }
    }

    /// The state being expanded is no valid end.
    pub(super) fn dead_end(&mut self, observer: &mut dyn Observer) -> Flow {
        self.counts.deadlocks += 1;
        self.report(Violation::InvalidEnd, &[], observer)
    }

    #[inline]
    fn find(&mut self, state: &[u8], claim_state: u32, stays: bool) {
        let spot = Spot::of(state, claim_state);
        self.filter.fetch(spot);
        let start = self.found_bytes.len();
        self.found_bytes.extend_from_slice(state);
        self.found.push(Successor { start, end: self.found_bytes.len(), claim_state, spot, stays });
    }

    /// Looks for the successors among the visited; those that are new wait.
    pub(super) fn note(&mut self) -> Flow {
        let noted = self.note_found();
        self.counts.states = self.filter.n_states();
        self.flow(noted)
    }

    fn note_found(&mut self) -> Result<(), OutOfMemory> {
        let Waiting { filter, budget, entries, bytes, found, found_bytes, is_new, .. } = self;
        for &Successor { start, end, claim_state, spot, stays } in &*found {
            let new = filter.insert(spot);
            is_new.push(new);
            if new {
                budget.push(entries, Entry { start: bytes.len(), claim_state, is_waiting: true, stays })?;
                budget.reserve(bytes, end - start)?;
                bytes.extend_from_slice(&found_bytes[start..end]);
            }
        }
        found.clear();
        found_bytes.clear();
        Ok(())
    }

    fn report(&mut self, violation: Violation, steps: &[Step], observer: &mut dyn Observer) -> Flow {
        let kind = discriminant(&violation);
        if self.told.contains(&kind) {
            return ControlFlow::Continue(());
        }
        self.told.push(kind);
        let state = StateId::new(self.ways.len());
        let way = self.way();
        self.ways.push(way);
        match observer.violation(Found { violation, state, steps, counts: self.counts }) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Halt::Observer),
        }
    }

    /// The entries on the way to the state being expanded, with where their bytes are.
    fn on_the_way(&self) -> impl Iterator<Item = (&Entry, std::ops::Range<usize>)> {
        let end = |at: usize| self.entries.get(at + 1).map_or(self.bytes.len(), |next| next.start);
        let entries = self.entries.iter().enumerate().filter(|(_, entry)| !entry.is_waiting);
        entries.map(move |(at, entry)| (entry, entry.start..end(at)))
    }

    /// The way to the state being expanded; where it stays in a state, that is there once.
    pub(super) fn way(&self) -> Way {
        let moving = self.on_the_way().filter(|(entry, _)| !entry.stays);
        moving.map(|(_, bytes)| self.bytes[bytes].to_vec()).collect()
    }

    /// Whether the state being expanded was reached by a run that has ended.
    pub(super) fn way_stays(&self) -> bool {
        self.on_the_way().any(|(entry, _)| entry.stays)
    }

    pub(super) fn tell_progress(&self, observer: &mut dyn Observer) {
        observer.progress(&Progress { counts: self.counts, bytes: self.budget.used() });
    }

    /// What waits is not needed any more.
    pub(super) fn finish(&mut self) {
        let bytes = self.entries.capacity() * size_of::<Entry>() + self.bytes.capacity();
        (self.entries, self.bytes) = (Vec::new(), Vec::new());
        self.budget.give_back(bytes);
    }

    pub(super) fn loss(&self) -> Loss {
        self.filter.loss()
    }

    fn flow(&self, result: Result<(), OutOfMemory>) -> Flow {
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(OutOfMemory) => {
                ControlFlow::Break(Halt::Incomplete(Incomplete::Memory { limit: self.budget.limit() }))
            }
        }
    }
}
