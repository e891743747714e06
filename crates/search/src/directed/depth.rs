//! Depth-first search within a bound, which the estimates take part in: what IDFS, ADFS and IDA* share.
//!
//! A pass goes down as long as the way to a state and what is estimated to be left are within a threshold, and
//! shorter than the shortest way known. All states are kept, so a pass ends on every graph, and so does a search
//! whose passes reach more states each.
//!
//! Invariant: the parents of a state on the stack are the states below it.

use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_reduce::{Demand, Guardian, Open, Plan};

use super::{Best, Catcher, Directed, FAR, Goal, Outcome};
use crate::exploration::{Exploration, Flow, Halt, Part};
use crate::observer::Observer;
use crate::store::StateId;

pub(super) struct Depth<'s, 'm> {
    exploration: Exploration<'m>,
    directed: &'s Directed<'s>,
    guardian: Guardian,
    nodes: Nodes,
    frames: Vec<Frame>,
    successors: Vec<Successor>,
    best: Option<Best>,
    observer: &'s mut dyn Observer,
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
struct Nodes {
    /// By state: the length of the way on which it was entered in this pass; [`FAR`] if it was not.
    cost: Vec<u32>,
    estimate: Vec<Option<u32>>,
    /// By state: whether it was found in this pass.
    is_found: Vec<bool>,
    /// By state: the length of the shortest way on which it was entered in any pass.
    least: Vec<u32>,
}

impl Nodes {
    const BYTES_PER_STATE: usize = 2 * size_of::<u32>() + size_of::<Option<u32>>() + 1;
}

/// What this pass has not found or entered yet; what it will not enter has no violation that is near enough.
impl Open for Nodes {
    fn is_new(&self, state: u32) -> bool {
        !self.is_found[state as usize]
    }

    fn is_open(&self, state: u32) -> bool {
        self.cost[state as usize] == FAR
    }
}

impl<'s, 'm> Depth<'s, 'm> {
    pub(super) fn new(
        exploration: Exploration<'m>,
        directed: &'s Directed<'s>,
        plan: &Plan,
        observer: &'s mut dyn Observer,
    ) -> Self {
        Depth {
            exploration,
            directed,
            guardian: Guardian::new(plan.proviso, plan.fault),
            nodes: Nodes::default(),
            frames: Vec::new(),
            successors: Vec::new(),
            best: None,
            observer,
        }
    }

    pub(super) fn search(mut self, run: fn(&mut Self, StateId) -> Flow) -> Outcome<'m> {
        let flow = match self.start() {
            ControlFlow::Continue(initial) => run(&mut self, initial),
            ControlFlow::Break(halt) => ControlFlow::Break(halt),
        };
        (self.exploration, flow, self.best)
    }

    fn start(&mut self) -> ControlFlow<Halt, StateId> {
        let initial = self.exploration.start()?;
        self.grow()?;
        ControlFlow::Continue(initial)
    }

    /// How long the shortest way known is, or the bound.
    pub(super) fn limit(&self) -> u32 {
        self.best.as_ref().map_or(self.directed.bound, |best| best.cost)
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
            if pass.stops && self.best.is_some() {
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
                self.exploration.states.set_parent(state, parent);
                self.enter(state, cost)?;
            }
        }
        ControlFlow::Continue(over)
    }

    /// Whether this pass will come to a state on a shorter way, since one before did. A proviso may have let that one
    /// take other steps.
    fn comes_nearer(&self, state: StateId, cost: u32) -> bool {
        self.guardian.is_idle() && cost > self.nodes.least[state.index()]
    }

    /// Finds out the moves of the best way, before another pass comes to its states on other ways.
    pub(super) fn keep_best(&mut self) {
        let Depth { exploration, best, .. } = self;
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
        let Depth { exploration, directed, nodes, .. } = self;
        *nodes.estimate[state.index()].get_or_insert_with(|| {
            directed.heuristic.estimate(&exploration.interpreter, exploration.states.store().get(state))
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
        let counts = &mut self.exploration.counts;
        counts.depth = counts.depth.max(u64::from(cost));
        if let Goal::State(is_goal) = self.directed.goal
            && is_goal(&self.exploration.interpreter, self.exploration.states.store().get(state))
        {
            self.best = Some(Best::state(cost, state, self.exploration.counts));
            return ControlFlow::Continue(());
        }
        self.exploration.forget_edges();
        let is_full = self.expand(state, Part::Chosen)?;
        if !is_full && !self.guardian.is_idle() {
            let targets: Vec<u32> = self.exploration.states.targets().iter().map(|id| id.0).collect();
            if self.guardian.judge(&targets, &self.nodes) != Demand::Nothing {
                self.expand(state, Part::Rest)?;
            }
        }
        self.push(state)
    }

    fn expand(&mut self, state: StateId, part: Part) -> ControlFlow<Halt, bool> {
        let mut catcher = Catcher {
            goal: self.directed.goal,
            cost: self.nodes.cost[state.index()],
            limit: self.limit(),
            best: None,
            observer: &mut *self.observer,
        };
        let expanded = self.exploration.expand(state, part, &mut catcher);
        if let Some(best) = catcher.best {
            self.best = Some(best);
        }
        let is_full = expanded?;
        self.exploration.flush()?;
        self.grow()?;
        ControlFlow::Continue(is_full)
    }

    /// Puts a state that was expanded on the stack.
    fn push(&mut self, state: StateId) -> Flow {
        let Depth { exploration, nodes, frames, successors, .. } = self;
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

    /// Makes room for states that are new.
    fn grow(&mut self) -> Flow {
        let n_states = self.exploration.states.store().len();
        let nodes = &mut self.nodes;
        let n_new = n_states - nodes.cost.len();
        let given = self.exploration.budget.replace(0, n_new * Nodes::BYTES_PER_STATE);
        self.exploration.flow(given)?;
        nodes.cost.resize(n_states, FAR);
        nodes.estimate.resize(n_states, None);
        nodes.is_found.resize(n_states, false);
        nodes.least.resize(n_states, FAR);
        ControlFlow::Continue(())
    }
}
