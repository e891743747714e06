//! Searching on several machines: a breadth-first search as a timely dataflow.
//!
//! Every state belongs to one worker, told by its hash. Successors are exchanged, each to its owner, and come back to be
//! expanded on the next level; timely dataflow's progress tracking says when a level is over, and when all is. What a
//! worker does with a state is what a thread of `stubborn-search` does with it: the same store, the same code, the same
//! reduction. What is found, counted and left out depends neither on timing nor on how many processes there are; of several ways
//! of one length to a state, which is told does.
//!
//! Invariants: a search is exhausted only if every process has said that nothing is left to do. Whatever is unusual, a
//! process that is gone above all, ends it everywhere, and it is incomplete.
//!
//! Reading order: [`secret`], `handshake` and `meeting` bring processes together, `hub` keeps them so; `mailbox` is the
//! dataflow, `letter` what goes through it; `rounds`, `expansion`, `unsettled`, `searcher` and `gathering` are the search,
//! `product`, `graph` and `cycles` what it is besides for claims about runs, `board` what its workers see of each other,
//! `crew` their threads, and [`Cluster`] all of it. Knows no surface, and of properties no more than a [`Task`] says.
//!
//! [`Task`]: stubborn_search::Task

mod board;
mod bounds;
mod crew;
mod cycles;
mod expansion;
mod frame;
mod gathering;
mod graph;
mod handshake;
mod hub;
mod letter;
mod line;
mod mailbox;
mod meeting;
mod product;
mod rounds;
mod searcher;
pub mod secret;
mod session;
mod unsettled;
mod wire;

pub use meeting::Meeting;
pub use secret::Secret;
pub use session::{Cluster, Place};
