//! IDA*: depth-first passes, each with the least threshold that lets it go further than the one before.
//!
//! Korf's algorithm, as Edelkamp, Leue and Lluch Lafuente describe it in section 2.4. The threshold of a pass is the
//! least sum of a way and what is estimated to be left that the pass before turned back at. A pass that turned
//! back nowhere has seen every state, so the search ends on cyclic graphs, too.

use std::ops::ControlFlow;

use super::depth::{Depth, Pass};
use crate::exploration::Flow;
use crate::store::StateId;

pub(super) fn run(search: &mut Depth<'_, '_>, initial: StateId) -> Flow {
    let mut next = Some(search.estimate(initial));
    while let Some(threshold) = next {
        next = search.pass(initial, Pass { reopens: true, threshold, stops: false })?;
        // What is left over the threshold is not better.
        next = next.filter(|&least| least < search.limit());
        if next.is_some() {
            search.keep_best();
        }
    }
    ControlFlow::Continue(())
}
