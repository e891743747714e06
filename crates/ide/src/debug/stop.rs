//! Why a run stands still, and what there is to tell of it.

use stubborn_base::Span;
use stubborn_ir::Pid;

use super::BreakpointId;

/// Asked between two steps: whether somebody wants the run to stop.
pub type Interrupt<'a> = &'a dyn Fn() -> bool;

/// Where a run stops by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filters {
    /// An assertion fails.
    pub assertion: bool,
    /// Nothing can move, and something has to.
    pub deadlock: bool,
    /// A cycle begins.
    pub cycle: bool,
}

/// Something to tell, besides where the run is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// What.
    pub text: String,
    /// The model itself shows it; otherwise the debugger says it.
    pub is_output: bool,
    /// The statement it is about.
    pub span: Option<Span>,
}

/// Why a run stands still.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// At its beginning, before anything happened.
    Entry,
    /// What was asked for is done.
    Step,
    /// Before a statement with a breakpoint.
    Breakpoint,
    /// An assertion failed in the last step.
    Assertion,
    /// The last step failed.
    Error,
    /// Nothing can move, and something has to.
    Deadlock,
    /// A cycle begins here.
    Cycle,
    /// Nothing comes next.
    End,
    /// It cannot be taken back any further.
    Beginning,
    /// Somebody asked for it.
    Pause,
    /// So many steps were made by chance.
    Limit,
}

/// Where and why a run stands still.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// Why.
    pub why: Why,
    /// More about it.
    pub text: String,
    /// The process to look at: the one that moves next, where that is known.
    pub pid: Option<Pid>,
    /// Breakpoints that are hit.
    pub breakpoints: Vec<BreakpointId>,
}
