//! Admissible depth-first search (ADFS): as IDFS, but a state that a shorter way leads to is entered again.
//!
//! Edelkamp, Leue and Lluch Lafuente, section 2.3. What it finds last is a shortest way, at the price of entering a
//! state as often as there are lengths of ways to it. As long as there is no violation, lengths do not matter, so up
//! to the first one states are entered once.

use std::ops::ControlFlow;

use super::depth::{Depth, Pass};
use crate::exploration::Flow;
use crate::store::StateId;

pub(super) fn run(search: &mut Depth<'_, '_>, initial: StateId) -> Flow {
    search.pass(initial, Pass { reopens: false, threshold: u32::MAX, stops: true })?;
    if search.limit() < u32::MAX {
        search.keep_best();
        search.forget_lengths();
        search.pass(initial, Pass { reopens: true, threshold: u32::MAX, stops: false })?;
    }
    ControlFlow::Continue(())
}
