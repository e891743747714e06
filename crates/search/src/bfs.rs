//! Breadth-first search.
//!
//! States are numbered in the order they are found, which is the order they are
//! visited in: the queue is the store itself. A parent is a state of the level
//! before, so the way over parents is a shortest one, unless steps are left out. A
//! proviso for components has its turn when no state is left, and what it asks to be
//! expanded is where the search goes on; of small searches it has the edges then.

use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_reduce::{Demand, Guardian, Open};

use crate::exploration::{Exploration, Flow, Halt, Part};
use crate::observer::Observer;
use crate::store::StateId;
use crate::terminal::{self, Edges};

pub(crate) fn visit(
    exploration: &mut Exploration<'_>,
    guardian: &Guardian,
    observer: &mut dyn Observer,
) -> Flow {
    exploration.start()?;
    let mut next = 0;
    loop {
        let n_settled = next;
        let mut edges = Edges::from(n_settled, exploration, guardian.comes_last());
        go_through(exploration, &mut next, guardian, &mut edges, observer)?;
        if !guardian.comes_last() {
            return ControlFlow::Continue(());
        }
        terminal::settle(exploration, n_settled, edges, observer)?;
        if exploration.states.store().len() == next {
            return ControlFlow::Continue(());
        }
    }
}

/// Visits the states from `next` on, level by level.
fn go_through(
    exploration: &mut Exploration<'_>,
    next: &mut usize,
    guardian: &Guardian,
    edges: &mut Edges,
    observer: &mut dyn Observer,
) -> Flow {
    loop {
        let level_end = exploration.states.store().len();
        while *next < level_end {
            if !edges.are_kept() {
                exploration.states.clear_targets();
            }
            expand(exploration, StateId::new(*next), guardian, observer)?;
            *next += 1;
            edges.note(exploration)?;
        }
        exploration.flush()?;
        if exploration.states.store().len() == level_end {
            return ControlFlow::Continue(());
        }
        exploration.counts.depth += 1;
        if observer.level(&exploration.counts, &mut exploration.budget).is_break() {
            return ControlFlow::Break(Halt::Observer);
        }
    }
}

fn expand(
    exploration: &mut Exploration<'_>,
    state: StateId,
    guardian: &Guardian,
    observer: &mut dyn Observer,
) -> Flow {
    if guardian.is_idle() || guardian.comes_last() {
        return exploration.expand(state, Part::Chosen, observer).map_continue(|_| ());
    }
    // Where successors stand can only be told when all before are stored.
    exploration.flush()?;
    exploration.states.clear_targets();
    let n_before = exploration.states.store().len() as u32;
    let mut is_full = exploration.expand(state, Part::Chosen, observer)?;
    while !is_full {
        exploration.flush()?;
        let targets: Vec<u32> = exploration.states.targets().iter().map(|id| id.0).collect();
        is_full = match guardian.judge(&targets, &Queue { n_before, expanding: state.0 }) {
            Demand::Nothing => break,
            Demand::More => exploration.expand(state, Part::More, observer)?,
            Demand::Everything | Demand::Visible => exploration.expand(state, Part::Rest, observer)?,
        };
    }
    ControlFlow::Continue(())
}

/// States are expanded in order of their numbers.
struct Queue {
    n_before: u32,
    expanding: u32,
}

impl Open for Queue {
    fn is_new(&self, state: u32) -> bool {
        state >= self.n_before
    }

    fn is_open(&self, state: u32) -> bool {
        state > self.expanding
    }
}
