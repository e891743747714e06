//! Depth-first search.
//!
//! A state is expanded when it is entered: all its successors are stored at once,
//! and each is entered, in order, unless it has been by then. So the order is that
//! of the recursive algorithm, and the states on the stack are those whose
//! successors are not all left.

use std::ops::ControlFlow;

use stubborn_base::Idx;

use crate::budget::OutOfMemory;
use crate::exploration::{Exploration, Flow};
use crate::observer::Observer;
use crate::store::StateId;

/// A state on the stack. Its successors not yet looked at are `next..` of the
/// shared stack of successors, up to the next frame's `start`.
struct Frame {
    state: StateId,
    start: usize,
    next: usize,
}

#[derive(Default)]
struct Stack {
    frames: Vec<Frame>,
    successors: Vec<StateId>,
    entered: Vec<bool>,
}

pub(crate) fn visit(exploration: &mut Exploration<'_>, observer: &mut dyn Observer) -> Flow {
    let mut stack = Stack::default();
    let initial = exploration.start()?;
    stack.enter(initial, exploration, observer)?;
    while let Some(frame) = stack.frames.last_mut() {
        let Some(&state) = stack.successors.get(frame.next) else {
            stack.successors.truncate(frame.start);
            stack.frames.pop();
            continue;
        };
        frame.next += 1;
        if stack.entered[state.index()] {
            continue;
        }
        exploration.states.set_parent(state, frame.state);
        stack.enter(state, exploration, observer)?;
    }
    ControlFlow::Continue(())
}

impl Stack {
    fn enter(
        &mut self,
        state: StateId,
        exploration: &mut Exploration<'_>,
        observer: &mut dyn Observer,
    ) -> Flow {
        exploration.counts.depth = exploration.counts.depth.max(self.frames.len() as u64);
        exploration.expand(state, observer)?;
        exploration.flush()?;
        let pushed = self.push(state, exploration);
        exploration.flow(pushed)
    }

    fn push(&mut self, state: StateId, exploration: &mut Exploration<'_>) -> Result<(), OutOfMemory> {
        let Exploration { budget, states, .. } = exploration;
        let (n_states, targets) = (states.store().len(), states.targets());
        let n_new = n_states - self.entered.len();
        budget.reserve(&mut self.entered, n_new)?;
        self.entered.resize(n_states, false);
        self.entered[state.index()] = true;
        let start = self.successors.len();
        budget.reserve(&mut self.successors, targets.len())?;
        self.successors.extend_from_slice(targets);
        budget.push(&mut self.frames, Frame { state, start, next: start })
    }
}
