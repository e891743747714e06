//! Small systems: what they do, and what is said of those that are wrong.

mod diagnostics;
mod semantics;
