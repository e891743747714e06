//! Depth-first search within a bound, which the estimates take part in: what IDFS, ADFS and IDA* share.
//!
//! A pass goes down as long as the way to a state and what is estimated to be left are within a threshold, and
//! shorter than the shortest way known. All states are kept, so a pass ends on every graph, and so does a search
//! whose passes reach more states each.
//!
//! Invariant: the parents of a state on the stack are the states below it.

use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_reduce::Open;

use super::course::{Course, Nodes};
use super::{Best, FAR, Goal, Outcome};
use crate::exploration::{Flow, Halt};
use crate::store::StateId;

pub(super) struct Depth<'s, 'm> {
    course: Course<'s, 'm>,
    nodes: Known,
    frames: Vec<Frame>,
    successors: Vec<Successor>,
}

/// How a pass treats what it comes to again, and where it turns back.
#[derive(Clone, Copy)]
pub(super) struct Pass {
    /// A state that a shorter way leads to is entered again.
    pub(super) reopens: bool,
    /// The most that a way and what is left of it may be.
    pub(super) threshold: u32,
    /// It ends at the first violation.
    pub(super) stops: bool,
}

/// A state on the stack. Its successors not yet looked at are `next..` of the shared stack of successors, up to
/// the next frame's `start`.
struct Frame {
    state: StateId,
    start: usize,
    next: usize,
}

#[derive(Clone, Copy)]
struct Successor {
    state: StateId,
    length: u32,
}

/// What is known of the states found so far.
#[derive(Default)]
struct Known {
    /// By state: the length of the way on which it was entered in this pass; [`FAR`] if it was not.
    cost: Vec<u32>,
    estimate: Vec<Option<u32>>,
    /// By state: whether it was found in this pass.
    is_found: Vec<bool>,
    /// By state: the length of the shortest way on which it was entered in any pass.
    least: Vec<u32>,
}

impl Nodes for Known {
    const BYTES_PER_STATE: usize = 2 * size_of::<u32>() + size_of::<Option<u32>>() + 1;

    fn n_states(&self) -> usize {
        self.cost.len()
    }

    fn resize(&mut self, n_states: usize) {
        self.cost.resize(n_states, FAR);
        self.estimate.resize(n_states, None);
        self.is_found.resize(n_states, false);
        self.least.resize(n_states, FAR);
    }
}

/// What this pass has not found or entered yet; what it will not enter has no violation that is near enough.
impl Open for Known {
    fn is_new(&self, state: u32) -> bool {
        !self.is_found[state as usize]
    }

    fn is_open(&self, state: u32) -> bool {
        self.cost[state as usize] == FAR
    }
}

impl<'s, 'm> Depth<'s, 'm> {
    pub(super) fn new(course: Course<'s, 'm>) -> Self {
        Depth { course, nodes: Known::default(), frames: Vec::new(), successors: Vec::new() }
    }

    pub(super) fn search(mut self, run: fn(&mut Self, StateId) -> Flow) -> Outcome<'m> {
        let flow = match self.course.start(&mut self.nodes) {
            ControlFlow::Continue(initial) => run(&mut self, initial),
            ControlFlow::Break(halt) => ControlFlow::Break(halt),
        };
        (self.course.exploration, flow, self.course.best)
    }

    /// How long the shortest way known is, or the bound.
    pub(super) fn limit(&self) -> u32 {
        self.course.limit()
    }

    /// Goes through what a pass reaches. The least sum over the threshold that it turned back at, if it did.
    pub(super) fn pass(&mut self, initial: StateId, pass: Pass) -> ControlFlow<Halt, Option<u32>> {
        self.nodes.cost.fill(FAR);
        self.nodes.is_found.fill(false);
        self.nodes.is_found[initial.index()] = true;
        let mut over = None;
        if self.is_within(initial, 0, pass, &mut over) {
            self.enter(initial, 0)?;
        }
        while let Some(frame) = self.frames.last_mut() {
            if pass.stops && self.course.best.is_some() {
                self.frames.clear();
                self.successors.clear();
                break;
            }
            let (parent, start) = (frame.state, frame.start);
            let Some(&Successor { state, length }) = self.successors.get(frame.next) else {
                self.successors.truncate(start);
                self.frames.pop();
                continue;
            };
            frame.next += 1;
            let cost = self.nodes.cost[parent.index()].saturating_add(length);
            let known = self.nodes.cost[state.index()];
            let is_wanted = match pass.reopens {
                true => cost < known && !self.comes_nearer(state, cost),
                false => known == FAR,
            };
            if is_wanted && self.is_within(state, cost, pass, &mut over) {
                self.course.exploration.states.set_parent(state, parent);
                self.enter(state, cost)?;
            }
        }
        ControlFlow::Continue(over)
    }

    /// Whether this pass will come to a state on a shorter way, since one before did. A proviso may have let that one
    /// take other steps.
    fn comes_nearer(&self, state: StateId, cost: u32) -> bool {
        self.course.guardian.is_idle() && cost > self.nodes.least[state.index()]
    }

    /// Finds out the moves of the best way, before another pass comes to its states on other ways.
    pub(super) fn keep_best(&mut self) {
        let Course { exploration, best, .. } = &mut self.course;
        if let Some(best) = best {
            best.moves.get_or_insert_with(|| exploration.moves_to(&best.finding));
        }
    }

    /// Forgets on which ways states were entered: a pass that enters none again does not find the shortest ones.
    pub(super) fn forget_lengths(&mut self) {
        self.nodes.least.fill(FAR);
    }

    /// What is estimated to be left from a state.
    pub(super) fn estimate(&mut self, state: StateId) -> u32 {
        let Depth { course: Course { exploration, directed, .. }, nodes, .. } = self;
        *nodes.estimate[state.index()].get_or_insert_with(|| {
            directed.heuristic.estimate(&exploration.interpreter, &exploration.states.store().get(state))
        })
    }

    fn is_within(&mut self, state: StateId, cost: u32, pass: Pass, over: &mut Option<u32>) -> bool {
        let total = cost.saturating_add(self.estimate(state));
        if total >= self.limit() {
            return false;
        }
        if total > pass.threshold {
            *over = Some(over.map_or(total, |least| least.min(total)));
        }
        total <= pass.threshold
    }

    fn enter(&mut self, state: StateId, cost: u32) -> Flow {
        self.nodes.cost[state.index()] = cost;
        let least = &mut self.nodes.least[state.index()];
        *least = cost.min(*least);
        let Course { exploration, directed, best, .. } = &mut self.course;
        if let Goal::State(is_goal) = directed.goal
            && is_goal(&exploration.interpreter, &exploration.states.store().get(state))
        {
            *best = Some(Best::state(cost, state, exploration.counts));
            return ControlFlow::Continue(());
        }
        self.course.expand(state, cost, &mut self.nodes)?;
        self.push(state)
    }

    /// Puts a state that was expanded on the stack.
    fn push(&mut self, state: StateId) -> Flow {
        let Depth { course: Course { exploration, .. }, nodes, frames, successors } = self;
        let start = successors.len();
        let n_new = exploration.states.targets().len();
        let reserved = exploration.budget.reserve(successors, n_new);
        exploration.flow(reserved)?;
        for (&state, edge) in exploration.states.targets().iter().zip(exploration.taken()) {
            nodes.is_found[state.index()] = true;
            successors.push(Successor { state, length: edge.length });
        }
        let pushed = exploration.budget.push(frames, Frame { state, start, next: start });
        exploration.flow(pushed)
    }
}
