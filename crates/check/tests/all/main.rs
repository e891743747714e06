//! All tests of the crate from outside, in one program.

mod audit;
mod check;
mod directed;
mod probe;
mod threads;
mod unfollowed;
