//! All tests of the crate from outside, in one program.

mod commands;
mod graph;
mod nets;
mod reach;
mod relations;
mod simulate;
mod spin;
