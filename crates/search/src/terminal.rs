//! Valmari's proviso for a search that has no stack: when no state is left, the components of what was visited are found,
//! and of each that nothing leads out of, and in which some step is taken nowhere, one state is expanded fully.
//!
//! From every state of such a component that one can be reached, so nothing is put off there any more; states that are
//! found then are looked at by themselves later, with all others as known to be in order. So no state is looked at twice.
//! Components are Tarjan's, without recursion. Edges are kept while there are few, and found again otherwise.
//!
//! What is taken in a component is what would be chosen there now. That is what was taken, unless the reducer has come to
//! know more since: then a state is expanded again, or taken to put something off.

use std::ops::ControlFlow;

use stubborn_base::Idx;

use crate::exploration::{Exploration, Flow, Halt, Part};
use crate::observer::{Ignore, Observer};
use crate::store::StateId;

/// A state on the way. Its successors not yet looked at are `next..` of all on the stack.
struct Frame {
    state: usize,
    start: usize,
    next: usize,
    low: u32,
    leads_out: bool,
}

/// Bytes for each state that is looked at.
const BYTES_PER_STATE: usize = size_of::<u32>() * 2;

/// The component of a state is known.
const DONE: u32 = u32::MAX;

/// So many edges are kept at most, and no more than take up this part of the memory.
const MOST_EDGES: usize = 1 << 22;
const PART: usize = 64;

/// Where the edges of states lead that are expanded one after the other, as long as they are kept.
pub(crate) struct Edges {
    first: usize,
    /// Of each state, where its edges end; none if no edges are kept.
    ends: Option<Vec<u32>>,
    most: usize,
    /// The first state of those that were expanded since the reducer has come to know more.
    since: usize,
    n_known: usize,
}

impl Edges {
    /// Of the states from `first` on, if somebody needs them.
    pub(crate) fn from(first: usize, exploration: &mut Exploration<'_>, are_needed: bool) -> Self {
        exploration.states.clear_targets();
        let most = MOST_EDGES.min(exploration.budget.limit() / PART / size_of::<StateId>());
        let are_kept = are_needed && exploration.reducer.is_some();
        let n_known = exploration.n_incarnations();
        Edges { first, ends: are_kept.then(Vec::new), most, since: first, n_known }
    }

    /// Whether nobody must forget where edges lead.
    pub(crate) fn are_kept(&self) -> bool {
        self.ends.is_some()
    }

    /// The next state was expanded.
    #[inline]
    pub(crate) fn note(&mut self, exploration: &mut Exploration<'_>) -> Flow {
        let Some(ends) = &mut self.ends else { return ControlFlow::Continue(()) };
        let n_edges = exploration.states.n_edges();
        let noted = exploration.budget.push(ends, n_edges as u32);
        let n_known = exploration.n_incarnations();
        if n_known != self.n_known {
            // Who knows when in the course of the last expansion.
            (self.since, self.n_known) = (self.first + ends.len(), n_known);
        }
        if n_edges > self.most {
            self.forget(exploration);
        }
        exploration.flow(noted)
    }

    fn forget(&mut self, exploration: &mut Exploration<'_>) {
        let n_bytes = self.ends.take().map_or(0, |ends| ends.capacity() * size_of::<u32>());
        let targets = exploration.states.take_targets();
        exploration.budget.give_back(n_bytes + targets.capacity() * size_of::<StateId>());
    }

    /// Where the edges of a state lead, of which `targets` are all.
    fn of<'t>(&self, state: usize, targets: &'t [StateId]) -> Option<&'t [StateId]> {
        let ends = self.ends.as_ref().filter(|_| state >= self.since)?;
        let at = state - self.first;
        let start = at.checked_sub(1).map_or(0, |before| ends[before]);
        Some(&targets[start as usize..ends[at] as usize])
    }
}

/// Expands one state of each terminal component of the states from `first` on, if something is put off there. All before
/// are in order.
pub(crate) fn settle(
    exploration: &mut Exploration<'_>,
    first: usize,
    edges: Edges,
    observer: &mut dyn Observer,
) -> Flow {
    if exploration.reducer.is_none() {
        return ControlFlow::Continue(());
    }
    let end = exploration.states.store().len();
    let n_bytes = (end - first) * BYTES_PER_STATE;
    let given = exploration.budget.replace(0, n_bytes);
    exploration.flow(given)?;
    let mut search = Components {
        first,
        end,
        order: vec![0; end - first],
        n_entered: 0,
        component: Vec::new(),
        targets: if edges.are_kept() { exploration.states.take_targets() } else { Vec::new() },
        edges,
        n_known: exploration.n_incarnations(),
    };
    for root in first..end {
        if search.order[root - first] == 0 {
            search.visit(root, exploration, observer)?;
        }
    }
    let Components { targets, mut edges, .. } = search;
    exploration.budget.give_back(n_bytes + targets.capacity() * size_of::<StateId>());
    edges.forget(exploration);
    ControlFlow::Continue(())
}

struct Components {
    first: usize,
    end: usize,
    /// By state: when it was entered, from 1 on, or 0.
    order: Vec<u32>,
    n_entered: u32,
    /// States whose components are not known yet.
    component: Vec<u32>,
    edges: Edges,
    /// Where they lead, if they are kept.
    targets: Vec<StateId>,
    /// What the reducer knew of when it began.
    n_known: usize,
}

impl Components {
    fn visit(&mut self, root: usize, exploration: &mut Exploration<'_>, observer: &mut dyn Observer) -> Flow {
        let mut successors = Vec::new();
        let mut frames = vec![self.enter(root, exploration, &mut successors)?];
        while let Some(frame) = frames.last_mut() {
            match successors.get(frame.next).copied() {
                // What comes before is in order, and so is what was found since.
                Some(target) if target < self.first || target >= self.end => {
                    frame.next += 1;
                    frame.leads_out = true;
                }
                Some(target) => {
                    frame.next += 1;
                    match self.order[target - self.first] {
                        0 => frames.push(self.enter(target, exploration, &mut successors)?),
                        DONE => frame.leads_out = true,
                        order => frame.low = frame.low.min(order),
                    }
                }
                None => {
                    let Frame { state, start, low, leads_out, .. } = *frame;
                    successors.truncate(start);
                    frames.pop();
                    let is_root = low == self.order[state - self.first];
                    if is_root {
                        self.finish(state, leads_out, exploration, observer)?;
                    }
                    if let Some(below) = frames.last_mut() {
                        below.leads_out |= leads_out || is_root;
                        below.low = if is_root { below.low } else { below.low.min(low) };
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn enter(
        &mut self,
        state: usize,
        exploration: &mut Exploration<'_>,
        successors: &mut Vec<usize>,
    ) -> ControlFlow<Halt, Frame> {
        self.n_entered += 1;
        self.order[state - self.first] = self.n_entered;
        self.component.push(state as u32);
        let start = successors.len();
        match self.edges.of(state, &self.targets) {
            Some(targets) => successors.extend(targets.iter().map(|id| id.index())),
            None => {
                exploration.look_again(StateId::new(state))?;
                successors.extend(exploration.states.targets().iter().map(|id| id.index()));
            }
        }
        ControlFlow::Continue(Frame { state, start, next: start, low: self.n_entered, leads_out: false })
    }

    fn finish(
        &mut self,
        root: usize,
        leads_out: bool,
        exploration: &mut Exploration<'_>,
        observer: &mut dyn Observer,
    ) -> Flow {
        let at = self.component.iter().rposition(|&state| state as usize == root).expect("it was entered");
        let state = StateId::new(root);
        let is_ignored = |exploration: &mut Exploration<'_>| {
            exploration.n_incarnations() != self.n_known || exploration.ignores(state, &self.component[at..])
        };
        if !leads_out && is_ignored(exploration) {
            let is_full = exploration.look_again(state)?;
            if !is_full {
                exploration.expand(state, Part::Rest, observer)?;
                exploration.flush()?;
            }
        }
        for state in self.component.drain(at..) {
            self.order[state as usize - self.first] = DONE;
        }
        ControlFlow::Continue(())
    }
}

impl Exploration<'_> {
    /// Finds the edges of a state again that were taken before; whether these are all. Nothing is counted twice.
    fn look_again(&mut self, state: StateId) -> ControlFlow<Halt, bool> {
        let (counts, coverage) = (self.counts, self.coverage.take());
        let is_watched = std::mem::replace(&mut self.is_watched, false);
        self.states.clear_targets();
        let is_full = self.expand(state, Part::Chosen, &mut Ignore);
        (self.counts, self.coverage, self.is_watched) = (counts, coverage, is_watched);
        let is_full = is_full?;
        self.flush()?;
        ControlFlow::Continue(is_full)
    }
}
