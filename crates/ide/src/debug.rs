//! A debugger for models: runs that are followed forwards and backwards, stopped and looked at.
//!
//! A [`Program`] is a model with its texts as they were read. A [`Debugger`] stands somewhere on a [`run`] of it: a
//! counterexample, or one that is made by choice and by chance. It always knows which step comes next; *where a
//! process is* in the sense of a breakpoint is the statement that it is about to execute. So a breakpoint stops a run
//! in the same places in both directions: before the statements on its line.
//!
//! Invariants: going back and forth leads through the same states; nothing is shown that the reference semantics does
//! not say.

pub mod breakpoints;
pub mod claim;
mod debugger;
pub mod expressions;
pub mod frames;
pub mod program;
pub mod run;
pub mod stop;
pub mod trail;
pub mod variables;

pub use breakpoints::{Asked, BreakpointId, Placed};
pub use debugger::Debugger;
pub use expressions::Answer;
pub use frames::{Frame, Thread};
pub use program::Program;
pub use run::{Route, Run};
pub use stop::{Filters, Interrupt, Note, Stop, Why};
pub use variables::Node;
