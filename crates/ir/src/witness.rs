//! What a search claims and a replay confirms: moves, and the violation they lead to.

use std::fmt;

use crate::eval::{RuntimeError, RuntimeErrorKind};
use crate::layout::{Layout, Pid};
use crate::model::{Model, TransitionId};
use crate::step::Step;

/// A [`Step`] that names processes by their numbers, so that it means the same
/// under every layout. The transition tells the process type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The process that moves; in a rendezvous, the sender.
    pub pid: Pid,
    /// Its transition.
    pub transition: TransitionId,
    /// In a rendezvous, the receiver and its transition.
    pub partner: Option<(Pid, TransitionId)>,
}

impl Layout {
    /// A step of this layout as a move.
    pub fn move_of(&self, step: &Step) -> Move {
        Move {
            pid: self.instance(step.process).pid,
            transition: step.transition,
            partner: step.partner.map(|(process, with)| (self.instance(process).pid, with)),
        }
    }
}

/// What is wrong at the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violation {
    /// Nothing can move, and some process is where it may not stay for ever.
    InvalidEnd,
    /// The last step fails an assertion of this transition.
    FailedAssertion(TransitionId),
    /// The last step does something undefined.
    Error(RuntimeError),
    /// There is no initial state.
    NoInitialState(RuntimeErrorKind),
    /// The run goes on for ever, as its cycle does, and violates a claim.
    InfiniteRun,
    /// However the run goes on, it violates a claim.
    BadPrefix,
}

/// A violation in the words of its kind of model: processes have end states, nets have markings.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    violation: Violation,
    is_net: bool,
}

impl Violation {
    /// In the words of a model.
    pub fn told(self, model: &Model) -> Told {
        Told { violation: self, is_net: model.net.is_some() }
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.violation {
            Violation::InvalidEnd if self.is_net => f.write_str("dead marking"),
            violation => violation.fmt(f),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::InvalidEnd => f.write_str("invalid end state"),
            Violation::FailedAssertion(_) => f.write_str("assertion violated"),
            Violation::Error(error) => error.kind.fmt(f),
            Violation::InfiniteRun => f.write_str("violated by a run that goes on for ever"),
            Violation::BadPrefix => f.write_str("violated by every run that begins like this"),
            Violation::NoInitialState(kind) => write!(f, "{kind} in the initial state"),
        }
    }
}
