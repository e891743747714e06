//! Trails of SPIN 6.5.2: `spin -t` replays what is written here, and what its verifier writes is read here.
//!
//! A line is `depth:process:statement`, the last by SPIN's own number of it in the model, which a transition
//! keeps. A rendezvous is two lines, the sender's first; an atomic run a line for each statement; a `d_step` one
//! line. `-1:-1:-1` stands before the cycle of an infinite run. The rest is notes of the verifier: `-4:-4:-4` that
//! it merged statements, so that a line may stand for several, and `-2:n:-2` that claim `n` is a process too, the
//! one with number 0.

mod lines;
mod read;
mod write;

pub use read::{Import, ImportError, import};
pub use write::export;
