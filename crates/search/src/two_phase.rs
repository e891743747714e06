//! The two-phase algorithms: no proviso needed.
//!
//! `dfs2` and `dfs3` of Nalumasu and Gopalakrishnan, "Partial Order Reduction Without
//! the Proviso", figures 2 and 7. First every deterministic process runs as long as it
//! is, or until it comes back to where it was; then all steps are taken, or in `dfs3`
//! those of the other processes, and if these lead to nothing new, the deterministic
//! ones run again. Recursion is on a stack of our own.

use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_ir::Outcome;
use stubborn_reduce::TwoPhase;

use crate::budget::OutOfMemory;
use crate::exploration::{Exploration, Flow, Halt, Part};
use crate::observer::Observer;
use crate::store::StateId;

/// A call whose second phase is under way.
struct Frame {
    state: StateId,
    start: usize,
    next: usize,
    /// No successor was new so far, and deterministic processes were left out.
    call_again: bool,
}

pub(crate) fn visit(
    exploration: &mut Exploration<'_>,
    variant: TwoPhase,
    observer: &mut dyn Observer,
) -> Flow {
    let mut search = Search {
        variant,
        frames: Vec::new(),
        successors: Vec::new(),
        cached: Vec::new(),
        listed: Vec::new(),
    };
    let initial = exploration.start()?;
    search.call(initial, exploration, observer)?;
    while let Some(frame) = search.frames.last_mut() {
        let Some(&target) = search.successors.get(frame.next) else {
            let Frame { state, start, call_again, .. } = *frame;
            search.successors.truncate(start);
            search.frames.pop();
            if call_again {
                search.call(state, exploration, observer)?;
            }
            continue;
        };
        frame.next += 1;
        if !is_set(&search.cached, target) {
            frame.call_again = false;
            exploration.states.set_parent(target, frame.state);
            search.call(target, exploration, observer)?;
        }
    }
    ControlFlow::Continue(())
}

struct Search {
    variant: TwoPhase,
    frames: Vec<Frame>,
    successors: Vec<StateId>,
    cached: Vec<bool>,
    /// In the list of the present call.
    listed: Vec<bool>,
}

fn is_set(flags: &[bool], state: StateId) -> bool {
    flags.get(state.index()).copied().unwrap_or(false)
}

impl Search {
    fn call(
        &mut self,
        first: StateId,
        exploration: &mut Exploration<'_>,
        observer: &mut dyn Observer,
    ) -> Flow {
        exploration.counts.depth = exploration.counts.depth.max(self.frames.len() as u64);
        let grown = self.grow(exploration);
        exploration.flow(grown)?;
        let mut list = vec![first];
        self.listed[first.index()] = true;
        let mut state = first;
        let mut index = 0;
        loop {
            let prepared = exploration.prepare(state);
            if index >= exploration.n_processes() {
                break;
            }
            let Some(step) = exploration.only_step(prepared, index) else {
                index += 1;
                continue;
            };
            let Some(next) = self.take(state, step, exploration, observer)? else {
                // It ends in an error, or has a choice to make.
                index += 1;
                continue;
            };
            let grown = self.grow(exploration);
            exploration.flow(grown)?;
            let is_listed = std::mem::replace(&mut self.listed[next.index()], true);
            if is_listed {
                index += 1;
            } else {
                list.push(next);
                if !self.cached[next.index()] {
                    exploration.states.set_parent(next, state);
                }
            }
            state = next;
        }
        let is_new = !self.cached[state.index()];
        for state in list {
            self.cached[state.index()] = true;
            self.listed[state.index()] = false;
        }
        if is_new {
            self.second_phase(state, exploration, observer)?;
        }
        ControlFlow::Continue(())
    }

    /// Makes room for states that are new.
    fn grow(&mut self, exploration: &mut Exploration<'_>) -> Result<(), OutOfMemory> {
        let n_states = exploration.states.store().len();
        for flags in [&mut self.cached, &mut self.listed] {
            exploration.budget.reserve(flags, n_states - flags.len())?;
            flags.resize(n_states, false);
        }
        Ok(())
    }

    /// Takes the only step of a deterministic process; where it leads, if to one state.
    fn take(
        &mut self,
        state: StateId,
        step: usize,
        exploration: &mut Exploration<'_>,
        observer: &mut dyn Observer,
    ) -> ControlFlow<Halt, Option<StateId>> {
        exploration.states.clear_targets();
        let (before, n_errors) = (exploration.counts.transitions, exploration.counts.errors);
        exploration.expand(state, Part::Only(step), observer)?;
        exploration.flush()?;
        let targets = exploration.states.targets();
        match targets {
            [only] if exploration.counts.errors == n_errors => ControlFlow::Continue(Some(*only)),
            _ => {
                // These edges are found again in the second phase.
                exploration.counts.transitions = before;
                ControlFlow::Continue(None)
            }
        }
    }

    fn second_phase(
        &mut self,
        state: StateId,
        exploration: &mut Exploration<'_>,
        observer: &mut dyn Observer,
    ) -> Flow {
        exploration.states.clear_targets();
        let mut call_again = false;
        match self.variant {
            TwoPhase::Dfs2 => {
                exploration.expand(state, Part::All, observer)?;
            }
            TwoPhase::Dfs3 => {
                let left_out = exploration.deterministic_steps(state);
                call_again = left_out.contains(&true);
                exploration.expand_without(state, left_out, observer)?;
            }
        }
        exploration.flush()?;
        let start = self.successors.len();
        let Exploration { budget, states, .. } = exploration;
        let reserved = budget.reserve(&mut self.successors, states.targets().len());
        self.successors.extend_from_slice(states.targets());
        let frame = Frame { state, start, next: start, call_again };
        let pushed = reserved.and_then(|()| budget.push(&mut self.frames, frame));
        exploration.flow(pushed)
    }
}

impl Exploration<'_> {
    /// By step of a stored state: whether it is the only one of a deterministic process.
    fn deterministic_steps(&mut self, id: StateId) -> Vec<bool> {
        let prepared = self.prepare(id);
        let mut left_out = vec![false; self.interpreter.prepared().len()];
        for index in 0..self.n_processes() {
            if let Some(step) = self.only_step(prepared, index) {
                left_out[step] = true;
            }
        }
        for (step, left_out) in left_out.iter_mut().enumerate().filter(|(_, left_out)| **left_out) {
            *left_out = self.leads_to_one_state(id, step);
        }
        left_out
    }

    /// A run may have choices to make, or end in an error.
    fn leads_to_one_state(&mut self, id: StateId, step: usize) -> bool {
        self.prepare(id);
        self.interpreter.retain(|i| i == step);
        let (mut n_states, mut n_others) = (0, 0);
        self.interpreter.edges(&self.state, |edge| {
            match edge.outcome {
                Outcome::State(_) => n_states += 1,
                _ => n_others += 1,
            }
            ControlFlow::Continue(())
        });
        (n_states, n_others) == (1, 0)
    }

    fn expand_without(&mut self, id: StateId, left_out: Vec<bool>, observer: &mut dyn Observer) -> Flow {
        self.set_chosen(left_out);
        self.expand(id, Part::Rest, observer).map_continue(|_| ())
    }
}
