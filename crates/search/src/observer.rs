//! Who listens to a search.

use std::ops::ControlFlow;

use stubborn_ir::{Step, Violation};

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

/// Listens to a search.
pub trait Observer {
    /// A violation was found. Breaking ends the search.
    fn violation(&mut self, found: Found<'_>) -> ControlFlow<()>;

    /// Called now and then.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
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
