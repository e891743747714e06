//! Depth-first search.
//!
//! A state is expanded when it is entered: its successors are stored at once, and
//! each is entered, in order, unless it has been by then. So the order is that of the
//! recursive algorithm, and the states on the stack are those whose successors are not
//! all left.

use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_reduce::{Demand, Guardian, Open};

use crate::budget::OutOfMemory;
use crate::exploration::{Exploration, Flow, Part};
use crate::observer::Observer;
use crate::store::StateId;

/// A state on the stack. Its successors not yet looked at are `next..` of the
/// shared stack of successors, up to the next frame's `start`.
struct Frame {
    state: StateId,
    start: usize,
    next: usize,
    /// What the reducer knew of when it chose among the state's steps.
    n_incarnations: usize,
}

struct Stack<'g> {
    frames: Vec<Frame>,
    successors: Vec<u32>,
    entered: Vec<bool>,
    guardian: &'g mut Guardian,
}

pub(crate) fn visit(
    exploration: &mut Exploration<'_>,
    guardian: &mut Guardian,
    observer: &mut dyn Observer,
) -> Flow {
    let mut stack = Stack { frames: Vec::new(), successors: Vec::new(), entered: Vec::new(), guardian };
    let initial = exploration.start()?;
    stack.enter(initial, exploration, observer)?;
    while let Some(frame) = stack.frames.last_mut() {
        let state = frame.state;
        let Some(&target) = stack.successors.get(frame.next) else {
            stack.leave(exploration, observer)?;
            continue;
        };
        frame.next += 1;
        if frame.next == stack.successors.len() && !stack.guardian.is_idle() {
            stack.guardian.last_successor();
        }
        if !stack.entered[target as usize] {
            exploration.states.set_parent(StateId(target), state);
            stack.enter(StateId(target), exploration, observer)?;
        } else if !stack.guardian.is_idle() && stack.guardian.meets(target) == Demand::Everything {
            stack.expand_again(exploration, observer)?;
        }
    }
    ControlFlow::Continue(())
}

impl Stack<'_> {
    fn enter(
        &mut self,
        state: StateId,
        exploration: &mut Exploration<'_>,
        observer: &mut dyn Observer,
    ) -> Flow {
        exploration.counts.depth = exploration.counts.depth.max(self.frames.len() as u64);
        exploration.states.clear_targets();
        let n_before = exploration.states.store().len();
        let is_full = exploration.expand(state, Part::Chosen, observer)?;
        exploration.flush()?;
        let entered = self.note_entered(state, exploration);
        exploration.flow(entered)?;
        if !self.guardian.is_idle() {
            self.guardian.enter(state.0);
            self.satisfy(state, is_full, n_before, exploration, observer)?;
        }
        let pushed = self.push(state, exploration);
        exploration.flow(pushed)
    }

    /// Expands more of a state if the proviso asks for it.
    fn satisfy(
        &mut self,
        state: StateId,
        is_full: bool,
        n_before: usize,
        exploration: &mut Exploration<'_>,
        observer: &mut dyn Observer,
    ) -> Flow {
        let mut is_full = is_full;
        while !is_full {
            let targets: Vec<u32> = exploration.states.targets().iter().map(|id| id.0).collect();
            let open = Entered { entered: &self.entered, n_before };
            let demand = self.guardian.judge(&targets, &open);
            let part = match demand {
                Demand::Nothing => break,
                Demand::More => Part::More,
                Demand::Everything => Part::Rest,
                Demand::Visible => Part::VisibleRest,
            };
            is_full = exploration.expand(state, part, observer)?;
            exploration.flush()?;
            let grown = self.grow(exploration);
            exploration.flow(grown)?;
            if demand != Demand::More {
                break;
            }
        }
        self.guardian.expanded(is_full);
        ControlFlow::Continue(())
    }

    /// Expands the state on top fully, and looks at all its successors again.
    fn expand_again(&mut self, exploration: &mut Exploration<'_>, observer: &mut dyn Observer) -> Flow {
        let frame = self.frames.last_mut().expect("a state is on top");
        // The edges found before are found once more.
        exploration.counts.transitions -= (self.successors.len() - frame.start) as u64;
        self.successors.truncate(frame.start);
        frame.next = frame.start;
        let state = frame.state;
        exploration.states.clear_targets();
        exploration.expand(state, Part::All, observer)?;
        exploration.flush()?;
        self.guardian.expanded(true);
        let grown = self.grow(exploration).and_then(|()| self.append(exploration));
        exploration.flow(grown)
    }

    fn leave(&mut self, exploration: &mut Exploration<'_>, observer: &mut dyn Observer) -> Flow {
        let frame = self.frames.last().expect("a state is left");
        if !self.guardian.is_idle() {
            let targets = &self.successors[frame.start..];
            let (state, n_known) = (frame.state, frame.n_incarnations);
            // What was chosen in a component is found again; a reducer that has seen more may choose otherwise.
            let demand = self.guardian.leave(targets, |component| {
                exploration.n_incarnations() != n_known || exploration.ignores(state, component)
            });
            if demand != Demand::Nothing {
                return self.expand_again(exploration, observer);
            }
        }
        self.successors.truncate(frame.start);
        self.frames.pop();
        ControlFlow::Continue(())
    }

    fn note_entered(&mut self, state: StateId, exploration: &mut Exploration<'_>) -> Result<(), OutOfMemory> {
        self.grow(exploration)?;
        self.entered[state.index()] = true;
        Ok(())
    }

    /// Makes room for states that are new.
    fn grow(&mut self, exploration: &mut Exploration<'_>) -> Result<(), OutOfMemory> {
        let n_states = exploration.states.store().len();
        let n_new = n_states - self.entered.len();
        exploration.budget.reserve(&mut self.entered, n_new)?;
        self.entered.resize(n_states, false);
        if !self.guardian.is_idle() {
            exploration.budget.replace(0, n_new * Guardian::BYTES_PER_STATE)?;
        }
        Ok(())
    }

    fn push(&mut self, state: StateId, exploration: &mut Exploration<'_>) -> Result<(), OutOfMemory> {
        let start = self.successors.len();
        self.append(exploration)?;
        let n_incarnations = exploration.n_incarnations();
        exploration.budget.push(&mut self.frames, Frame { state, start, next: start, n_incarnations })
    }

    /// Takes over the successors found.
    fn append(&mut self, exploration: &mut Exploration<'_>) -> Result<(), OutOfMemory> {
        let Exploration { budget, states, .. } = exploration;
        budget.reserve(&mut self.successors, states.targets().len())?;
        let targets = states.targets().iter().map(|id| id.0);
        if self.guardian.is_idle() {
            // What has been entered would be passed by later.
            self.successors.extend(targets.filter(|&target| !self.entered[target as usize]));
        } else {
            self.successors.extend(targets);
        }
        Ok(())
    }
}

/// What a depth-first search will enter is open.
struct Entered<'a> {
    entered: &'a [bool],
    n_before: usize,
}

impl Open for Entered<'_> {
    fn is_new(&self, state: u32) -> bool {
        state as usize >= self.n_before
    }

    fn is_open(&self, state: u32) -> bool {
        !self.entered[state as usize]
    }
}

impl Exploration<'_> {
    /// How many processes, with the values of their fixed variables, the reducer knows of.
    pub(crate) fn n_incarnations(&self) -> usize {
        self.reducer.as_ref().map_or(0, |reducer| reducer.relations().n_incarnations())
    }

    /// Whether a step that is enabled in `root` is taken in no state of a component that
    /// nothing leads out of.
    pub(crate) fn ignores(&mut self, root: StateId, component: &[u32]) -> bool {
        let mut left_out = self.chosen_steps(root, false);
        for &state in component {
            if left_out.is_empty() {
                break;
            }
            let taken = self.chosen_steps(StateId(state), true);
            left_out.retain(|step| !taken.contains(step));
        }
        !left_out.is_empty()
    }
}
