//! Guards and effects of a model as machine code, for searches that go on for long.
//!
//! The reference semantics is `stubborn_ir`'s interpreter, and it stays so: machine code is the fast path without errors.
//! Whatever is unusual (an index out of bounds, a division by zero, an assertion that fails, a process that is created)
//! ends a function with "ask the interpreter", which does it again from the state as it was. What has no translation is
//! declined when it is compiled. So machine code has no errors to get right, and `tests/suites/engines.rs` runs every model
//! through both.
//!
//! Code is made once per process type, not per process: a function gets pointers to the state and to the frame of the
//! process that it is about, and a `Context` with tables of the channels and processes there are, which follow the layout
//! as it grows. There is a function per location that says which of its transitions are enabled, and one per transition
//! that takes it; a rendezvous takes four. All of it is compiled at once: functions are small, and to compile them one by
//! one when they are needed would cost a page each.
//!
//! Reading order: `channels` is what is known before a model runs, `context` what is looked up while it does; `emit` writes
//! functions, `code` compiles them, `engine` calls them. `unsafe` is needed to call them; why each call is sound is the
//! invariant of [`Native`].

mod channels;
mod code;
mod context;
mod emit;
mod engine;
mod fault;

use stubborn_ir::{Engine, Model, Tier};

pub use engine::Native;
pub use fault::Fault;

/// Compiled as soon as a search asks for it.
pub const AT_ONCE: Tier = Tier { after: 0, per_transition: 0, in_background: false, make };

/// Compiled beside a search that is not over at once. To compile a transition takes as long as to expand some tens of
/// states, but nobody waits for it; to begin takes as long as to expand a hundred.
pub const WHEN_IT_PAYS: Tier = Tier { after: 100, per_transition: 2, in_background: true, make };

fn make(model: &Model, is_wanted: &dyn Fn() -> bool) -> Option<Box<dyn Engine>> {
    Native::new(model, None, is_wanted).map(|native| Box::new(native) as Box<dyn Engine>)
}

/// How much of a model is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Compiled {
    /// Locations of processes.
    pub locations: u32,
    /// Those at which the interpreter finds the steps.
    pub locations_declined: u32,
    /// Transitions.
    pub transitions: u32,
    /// Those that the interpreter takes.
    pub transitions_declined: u32,
}
