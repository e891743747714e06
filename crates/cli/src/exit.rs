//! Exit codes, which scripts rely on.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// All properties hold, or the exploration is complete.
    Success = 0,
    /// A property is violated.
    Violated = 1,
    /// A bad command line, or a model with errors.
    Rejected = 2,
    /// No violation, but not everything was checked.
    Incomplete = 3,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}
