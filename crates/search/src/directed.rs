//! Directed search: A* and best-first, towards a violation or a state, by the number of statements.
//!
//! Edelkamp, Leue and Lluch Lafuente, "Partial-order reduction and trail improvement in directed model checking",
//! section 2. An edge may be a whole atomic run, so ways are measured in steps, not in edges, and a state that is
//! reached on a shorter way later is opened again.
//!
//! Invariant: `cost` of a state is the length of the way over its parents.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_ir::{Interpreter, Model, Move, RuntimeErrorKind, Violation};
use stubborn_reduce::{Demand, Guardian, Open, Plan, Reduction};

use crate::End;
use crate::exploration::{Exploration, Flow, Halt, Part};
use crate::limits::Limits;
use crate::observer::{Counts, Finding, Found, Observer, Progress};
use crate::store::StateId;

/// What is expanded first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guide {
    /// The state with the least sum of the way to it and the way that is estimated to be left.
    AStar,
    /// The state with the least way that is estimated to be left.
    BestFirst,
}

impl fmt::Display for Guide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Guide::AStar => "a-star",
            Guide::BestFirst => "best-first",
        })
    }
}

/// Estimates how many steps it takes from a state to a goal.
pub trait Heuristic {
    /// The estimate.
    fn estimate(&self, interpreter: &Interpreter<'_>, state: &[u8]) -> u32;

    /// Whether it never says more than there are: then what A* finds is a shortest way.
    fn is_admissible(&self) -> bool;
}

/// Knows nothing: with it, A* expands the states in order of their distance.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zero;

impl Heuristic for Zero {
    fn estimate(&self, _: &Interpreter<'_>, _: &[u8]) -> u32 {
        0
    }

    fn is_admissible(&self) -> bool {
        true
    }
}

/// Where it is to lead.
#[derive(Clone, Copy)]
pub enum Goal<'a> {
    /// To a violation of this kind.
    Violation(&'a dyn Fn(Violation) -> bool),
    /// To a state like this.
    State(&'a dyn Fn(&[u8]) -> bool),
}

/// A search with a direction.
#[derive(Clone, Copy)]
pub struct Directed<'a> {
    /// What is expanded first.
    pub guide: Guide,
    /// How far it is.
    pub heuristic: &'a dyn Heuristic,
    /// Where to.
    pub goal: Goal<'a>,
    /// Only ways with fewer steps are looked for.
    pub bound: u32,
}

/// A way to the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// The violation, if that was the goal.
    pub violation: Option<Violation>,
    /// The moves from the initial state.
    pub moves: Vec<Move>,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Directions {
    /// How the search ended; exhausted also if nothing better was left.
    pub end: End,
    /// The shortest way found.
    pub way: Option<Way>,
    /// No way is shorter: than this one, or than the bound if there is none.
    pub is_shortest: bool,
    /// What was visited.
    pub counts: Counts,
}

/// Looks for a way to the goal. Fails if there is no initial state.
pub fn search_directed(
    model: &Model,
    directed: &Directed<'_>,
    plan: &Plan,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Directions, RuntimeErrorKind> {
    let mut exploration = Exploration::new(model, limits, plan)?;
    exploration.record_edges();
    let guardian = Guardian::new(plan.proviso, plan.fault);
    let mut search =
        Search { exploration, directed, guardian, nodes: Nodes::default(), best: None, observer };
    let flow = search.run();
    let Search { mut exploration, best, .. } = search;
    let end = exploration.finish(flow);
    let is_exhaustive = end == End::Exhausted && plan.reduction == Reduction::None;
    let is_shortest = is_exhaustive && directed.guide == Guide::AStar && directed.heuristic.is_admissible();
    let way = best.map(|best| {
        let violation = matches!(directed.goal, Goal::Violation(_)).then_some(best.finding.violation);
        Way { violation, moves: exploration.moves_to(&best.finding) }
    });
    Ok(Directions { end, way, is_shortest, counts: *exploration.counts() })
}

/// The shortest way found so far.
struct Best {
    cost: u32,
    finding: Finding,
}

struct Search<'s, 'm> {
    exploration: Exploration<'m>,
    directed: &'s Directed<'s>,
    guardian: Guardian,
    nodes: Nodes,
    best: Option<Best>,
    observer: &'s mut dyn Observer,
}

/// What is known of the states found so far.
#[derive(Default)]
struct Nodes {
    /// By state: the length of the way to it.
    cost: Vec<u32>,
    estimate: Vec<u32>,
    is_closed: Vec<bool>,
    /// By key: states to be expanded, with the length of the way when they were put here.
    buckets: BTreeMap<u32, Vec<(StateId, u32)>>,
    /// States that were known before the one being expanded was.
    n_before: usize,
}

/// The way to a state that no way leads to yet.
const FAR: u32 = u32::MAX;

impl Nodes {
    const BYTES_PER_STATE: usize = 2 * size_of::<u32>() + 1 + size_of::<(StateId, u32)>();

    /// Of the states with the least key, the one put there last: the search goes on where it is.
    fn pop(&mut self) -> Option<(u32, StateId)> {
        while let Some(mut bucket) = self.buckets.first_entry() {
            let key = *bucket.key();
            match bucket.get_mut().pop() {
                Some((state, cost)) if cost == self.cost[state.index()] && !self.is_closed[state.index()] => {
                    return Some((key, state));
                }
                // It was expanded since, or reached on a shorter way.
                Some(_) => {}
                None => drop(bucket.remove()),
            }
        }
        None
    }

    fn push(&mut self, key: u32, state: StateId) {
        self.buckets.entry(key).or_default().push((state, self.cost[state.index()]));
    }
}

impl Open for Nodes {
    fn is_new(&self, state: u32) -> bool {
        state as usize >= self.n_before
    }

    fn is_open(&self, state: u32) -> bool {
        !self.is_closed[state as usize]
    }
}

impl Search<'_, '_> {
    fn run(&mut self) -> Flow {
        let initial = self.exploration.start()?;
        self.grow()?;
        self.reach(initial, initial, 0);
        while let Some((key, state)) = self.nodes.pop() {
            let limit = self.limit();
            let is_done = match self.directed.guide {
                // What is left is not better.
                Guide::AStar => key >= limit,
                Guide::BestFirst => self.best.is_some(),
            };
            if is_done {
                break;
            }
            self.expand(state)?;
        }
        ControlFlow::Continue(())
    }

    /// Only what is shorter is of interest.
    fn limit(&self) -> u32 {
        self.best.as_ref().map_or(self.directed.bound, |best| best.cost)
    }

    fn expand(&mut self, state: StateId) -> Flow {
        self.nodes.is_closed[state.index()] = true;
        let depth = u64::from(self.nodes.cost[state.index()]);
        self.exploration.counts.depth = self.exploration.counts.depth.max(depth);
        self.nodes.n_before = self.exploration.states.store().len();
        self.exploration.forget_edges();
        let is_full = self.expand_part(state, Part::Chosen)?;
        if !is_full && !self.guardian.is_idle() {
            let targets: Vec<u32> = self.exploration.states.targets().iter().map(|id| id.0).collect();
            if self.guardian.judge(&targets, &self.nodes) != Demand::Nothing {
                self.expand_part(state, Part::Rest)?;
            }
        }
        let cost = self.nodes.cost[state.index()];
        for i in 0..self.exploration.taken().len() {
            let (target, edge) = (self.exploration.states.targets()[i], self.exploration.taken()[i]);
            self.reach(state, target, cost.saturating_add(edge.length));
        }
        ControlFlow::Continue(())
    }

    fn expand_part(&mut self, state: StateId, part: Part) -> ControlFlow<Halt, bool> {
        let cost = self.nodes.cost[state.index()];
        let limit = self.limit();
        let mut catcher =
            Catcher { goal: self.directed.goal, cost, limit, best: None, observer: &mut *self.observer };
        let expanded = self.exploration.expand(state, part, &mut catcher);
        if let Some(best) = catcher.best {
            self.best = Some(best);
        }
        let is_full = expanded?;
        self.exploration.flush()?;
        self.grow()?;
        ControlFlow::Continue(is_full)
    }

    /// A way of that length leads to a state, by way of `parent`.
    fn reach(&mut self, parent: StateId, state: StateId, cost: u32) {
        let Search { exploration, directed, nodes, .. } = self;
        let at = state.index();
        if cost >= nodes.cost[at] {
            return;
        }
        let is_first = nodes.cost[at] == FAR;
        nodes.cost[at] = cost;
        nodes.is_closed[at] = false;
        exploration.states.set_parent(state, parent);
        let bytes = exploration.states.store().get(state);
        if is_first {
            nodes.estimate[at] = directed.heuristic.estimate(&exploration.interpreter, bytes);
        }
        let limit = self.best.as_ref().map_or(directed.bound, |best| best.cost);
        if let Goal::State(is_goal) = directed.goal
            && cost < limit
            && is_goal(bytes)
        {
            let finding = Finding {
                violation: Violation::InvalidEnd,
                state,
                steps: Vec::new(),
                counts: exploration.counts,
            };
            self.best = Some(Best { cost, finding });
        }
        let left = nodes.estimate[at];
        let total = cost.saturating_add(left);
        if total < limit {
            let key = match directed.guide {
                Guide::AStar => total,
                Guide::BestFirst => left,
            };
            nodes.push(key, state);
        }
    }

    /// Makes room for states that are new.
    fn grow(&mut self) -> Flow {
        let n_states = self.exploration.states.store().len();
        let nodes = &mut self.nodes;
        let n_new = n_states - nodes.cost.len();
        let given = self.exploration.budget.replace(0, n_new * Nodes::BYTES_PER_STATE);
        self.exploration.flow(given)?;
        nodes.cost.resize(n_states, FAR);
        nodes.estimate.resize(n_states, 0);
        nodes.is_closed.resize(n_states, false);
        ControlFlow::Continue(())
    }
}

/// Keeps the nearest violation of those that an expansion finds.
struct Catcher<'c> {
    goal: Goal<'c>,
    /// Of the state that is expanded.
    cost: u32,
    /// Only what is shorter counts.
    limit: u32,
    best: Option<Best>,
    observer: &'c mut dyn Observer,
}

impl Observer for Catcher<'_> {
    fn violation(&mut self, found: Found<'_>) -> ControlFlow<()> {
        let cost = self.cost.saturating_add(found.steps.len() as u32);
        if let Goal::Violation(is_wanted) = self.goal
            && cost < self.limit
            && is_wanted(found.violation)
        {
            self.limit = cost;
            self.best = Some(Best { cost, finding: found.to_finding() });
        }
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) {
        self.observer.progress(progress);
    }
}
