//! Iterative bounded depth-first search (IDFS): after each violation, no deeper than that one.
//!
//! Edelkamp, Leue and Lluch Lafuente, section 2.3. A state that was entered on a long way is not entered again on
//! a shorter one (their figure 2), so what it finds last need not be a shortest way. Where there is no violation,
//! every state is visited.

use std::ops::ControlFlow;

use super::depth::{Depth, Pass};
use crate::exploration::Flow;
use crate::store::StateId;

pub(super) fn run(search: &mut Depth<'_, '_>, initial: StateId) -> Flow {
    search.pass(initial, Pass { reopens: false, threshold: u32::MAX, stops: false })?;
    ControlFlow::Continue(())
}
