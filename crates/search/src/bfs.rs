//! Breadth-first search.
//!
//! States are numbered in the order they are found, which is the order they are
//! visited in: the queue is the store itself. A parent is a state of the level
//! before, so the way over parents is a shortest one.

use std::ops::ControlFlow;

use crate::exploration::{Exploration, Flow};
use crate::observer::Observer;
use crate::store::StateId;

pub(crate) fn visit(exploration: &mut Exploration<'_>, observer: &mut dyn Observer) -> Flow {
    exploration.start()?;
    let mut next = 0;
    loop {
        let level_end = exploration.states.store().len();
        while next < level_end {
            exploration.expand(StateId(next as u32), observer)?;
            next += 1;
        }
        exploration.flush()?;
        if exploration.states.store().len() == level_end {
            return ControlFlow::Continue(());
        }
        exploration.counts.depth += 1;
    }
}
