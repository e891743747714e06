//! Who listens to a search.

use std::ops::ControlFlow;

use stubborn_ir::{Interpreter, Step, Violation};
use stubborn_reduce::Reducer;

use crate::budget::Budget;
use crate::store::StateId;

/// What was visited and found so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// States stored.
    pub states: u64,
    /// Edges that lead to a state, new or old.
    pub transitions: u64,
    /// Breadth-first, the longest of all shortest ways from the initial state;
    /// depth-first, the longest way on the stack; in edges.
    pub depth: u64,
    /// States where nothing can move that are not valid end states.
    pub deadlocks: u64,
    /// Assertions that failed on an edge.
    pub failed_assertions: u64,
    /// Edges that end in a run-time error.
    pub errors: u64,
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What was visited and found so far.
    pub counts: Counts,
    /// Bytes in use.
    pub bytes: usize,
}

/// A violation at the moment it is found.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// What is wrong.
    pub violation: Violation,
    /// The stored state it was found from.
    pub state: StateId,
    /// The steps from there to the violation.
    pub steps: &'a [Step],
    /// What was visited until then.
    pub counts: Counts,
}

/// A violation to come back to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What is wrong.
    pub violation: Violation,
    /// The stored state it was found from.
    pub state: StateId,
    /// The steps from there to the violation.
    pub steps: Vec<Step>,
    /// What was visited until then.
    pub counts: Counts,
}

impl Found<'_> {
    /// The violation, to come back to.
    pub fn to_finding(&self) -> Finding {
        Finding {
            violation: self.violation,
            state: self.state,
            steps: self.steps.to_vec(),
            counts: self.counts,
        }
    }
}

/// A state as it is about to be expanded.
#[derive(Clone, Copy, Debug)]
pub struct Expanded<'a, 'm> {
    /// The state.
    pub bytes: &'a [u8],
    /// What is prepared there are the steps that will be taken.
    pub interpreter: &'a Interpreter<'m>,
    /// Who chose them, if somebody did; it keeps the set.
    pub chosen_by: Option<&'a Reducer<'m>>,
}

/// Listens to a search.
pub trait Observer {
    /// A violation was found. Breaking ends the search.
    fn violation(&mut self, found: Found<'_>) -> ControlFlow<()>;

    /// Called now and then.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// One process goes through the states of a model breadth-first, and all of a level are expanded; there are more.
    /// What is kept beside the search until it ends is asked for from the budget. Breaking ends the search.
    fn level(&mut self, counts: &Counts, budget: &mut Budget) -> ControlFlow<()> {
        let _ = (counts, budget);
        ControlFlow::Continue(())
    }

    /// Whether [`Observer::expanded`] is to be called. Asked once.
    fn watches_expansions(&self) -> bool {
        false
    }

    /// Whether a search by several threads tells every violation, not just one of each kind on a level or, depth-first, at
    /// all. Asked once.
    fn wants_every_violation(&self) -> bool {
        false
    }

    /// Whether it is to be noted what the search sees of the model. Asked once.
    fn wants_coverage(&self) -> bool {
        false
    }

    /// Part of a state, or all of it, is about to be expanded. Breaking ends the search.
    fn expanded(&mut self, expanded: &Expanded<'_, '_>) -> ControlFlow<()> {
        let _ = expanded;
        ControlFlow::Continue(())
    }
}

/// Lets a search go on to its end.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ignore;

impl Observer for Ignore {
    fn violation(&mut self, _: Found<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
