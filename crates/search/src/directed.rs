//! Directed search: towards a violation or a state, by the number of statements.
//!
//! Edelkamp, Leue and Lluch Lafuente, "Partial-order reduction and trail improvement in directed model checking",
//! section 2. An edge may be a whole atomic run, so ways are measured in steps, not in edges. `open_list` has A*
//! and best-first; `depth` is what `idfs`, `adfs` and `ida_star` share, which go depth-first within a bound;
//! `course` is what all share.

mod adfs;
mod course;
mod depth;
mod ida_star;
mod idfs;
mod open_list;

use std::fmt;
use std::ops::ControlFlow;

use stubborn_ir::{Interpreter, Model, Move, RuntimeErrorKind, Violation};
use stubborn_reduce::{Plan, Reduction};

use crate::End;
use crate::exploration::{Exploration, Flow};
use crate::limits::Limits;
use crate::observer::{Counts, Finding, Found, Observer, Progress};
use course::Course;
use depth::Depth;
use open_list::OpenList;

/// What is expanded first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guide {
    /// The state with the least sum of the way to it and the way that is estimated to be left.
    AStar,
    /// The state with the least way that is estimated to be left.
    BestFirst,
    /// The newest state, again and again within a bound that grows by what is estimated.
    IdaStar,
    /// The newest state, not as deep as the violations found so far; none twice.
    Idfs,
    /// The same, but again where a shorter way leads to a state.
    Adfs,
}

/// All guides, in the order they are listed.
pub const GUIDES: [Guide; 5] = [Guide::AStar, Guide::BestFirst, Guide::IdaStar, Guide::Idfs, Guide::Adfs];

impl Guide {
    /// Whether it asks a heuristic.
    pub fn is_informed(self) -> bool {
        !matches!(self, Guide::Idfs | Guide::Adfs)
    }

    /// Whether what it finds among all states is a shortest way, if the heuristic is admissible.
    fn is_admissible(self) -> bool {
        matches!(self, Guide::AStar | Guide::IdaStar | Guide::Adfs)
    }
}

impl fmt::Display for Guide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Guide::AStar => "a-star",
            Guide::BestFirst => "best-first",
            Guide::IdaStar => "ida-star",
            Guide::Idfs => "idfs",
            Guide::Adfs => "adfs",
        })
    }
}

/// Estimates how many steps it takes from a state to a goal.
pub trait Heuristic {
    /// The estimate.
    fn estimate(&self, interpreter: &Interpreter<'_>, state: &[u8]) -> u32;

    /// Whether it never says more than there are to a goal like this: then what A* finds is a shortest way.
    fn is_admissible(&self, goal: &Goal<'_>) -> bool;
}

/// Knows nothing: with it, A* expands the states in order of their distance.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zero;

impl Heuristic for Zero {
    fn estimate(&self, _: &Interpreter<'_>, _: &[u8]) -> u32 {
        0
    }

    fn is_admissible(&self, _: &Goal<'_>) -> bool {
        true
    }
}

/// Where it is to lead.
#[derive(Clone, Copy)]
pub enum Goal<'a> {
    /// To a violation of this kind.
    Violation(&'a dyn Fn(Violation) -> bool),
    /// To a state like this.
    State(&'a dyn Fn(&Interpreter<'_>, &[u8]) -> bool),
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
    /// The most memory in use at a time.
    pub peak_bytes: usize,
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
    let course = Course::new(exploration, directed, plan, observer);
    let (mut exploration, flow, best) = match directed.guide {
        Guide::AStar | Guide::BestFirst => OpenList::new(course).search(),
        Guide::IdaStar => Depth::new(course).search(ida_star::run),
        Guide::Idfs => Depth::new(course).search(idfs::run),
        Guide::Adfs => Depth::new(course).search(adfs::run),
    };
    let end = exploration.finish(flow);
    let is_exhaustive = end == End::Exhausted && plan.reduction == Reduction::None;
    let is_shortest =
        is_exhaustive && directed.guide.is_admissible() && directed.heuristic.is_admissible(&directed.goal);
    let way = best.map(|best| {
        let violation = matches!(directed.goal, Goal::Violation(_)).then_some(best.finding.violation);
        let moves = best.moves.unwrap_or_else(|| exploration.moves_to(&best.finding));
        Way { violation, moves }
    });
    let (counts, peak_bytes) = (*exploration.counts(), exploration.peak_bytes());
    Ok(Directions { end, way, is_shortest, counts, peak_bytes })
}

/// What a search leaves behind.
type Outcome<'m> = (Exploration<'m>, Flow, Option<Best>);

/// The shortest way found so far.
struct Best {
    cost: u32,
    finding: Finding,
    /// The moves, where the states will not tell them any more.
    moves: Option<Vec<Move>>,
}

impl Best {
    fn new(cost: u32, finding: Finding) -> Self {
        Best { cost, finding, moves: None }
    }

    /// The way to a state that is the goal.
    fn state(cost: u32, state: crate::store::StateId, counts: Counts) -> Self {
        let finding = Finding { violation: Violation::InvalidEnd, state, steps: Vec::new(), counts };
        Best::new(cost, finding)
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

/// The way to a state that no way leads to yet.
const FAR: u32 = u32::MAX;

impl Observer for Catcher<'_> {
    fn violation(&mut self, found: Found<'_>) -> ControlFlow<()> {
        let cost = self.cost.saturating_add(found.steps.len() as u32);
        if let Goal::Violation(is_wanted) = self.goal
            && cost < self.limit
            && is_wanted(found.violation)
        {
            self.limit = cost;
            self.best = Some(Best::new(cost, found.to_finding()));
        }
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) {
        self.observer.progress(progress);
    }
}
