//! Depth-first search with sleep sets: fewer edges, all states.
//!
//! Godefroid's algorithm as in §7 of Clarke, Grumberg, Minea and Peled: a step that was
//! explored before, and is independent of what was taken since, sleeps. Sleep sets are
//! stored with states; a state that is reached again with a smaller one is explored by
//! what sleeps no more, and keeps the intersection.

use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_ir::Step;

use crate::exploration::{Exploration, Flow, Part};
use crate::observer::Observer;
use crate::store::StateId;

/// A state on the stack with the steps still to be taken.
struct Frame {
    state: StateId,
    /// Steps that sleep here, and those taken so far.
    sleep: Vec<Step>,
    /// Steps to take, last first.
    awake: Vec<Step>,
    /// Where the step taken last leads, last first.
    targets: Vec<StateId>,
    /// What sleeps there.
    asleep_there: Vec<Step>,
}

struct Search {
    frames: Vec<Frame>,
    /// By state: its sleep set, if it was entered.
    stored: Vec<Option<Box<[Step]>>>,
    forget: bool,
}

pub(crate) fn visit(exploration: &mut Exploration<'_>, forget: bool, observer: &mut dyn Observer) -> Flow {
    let mut search = Search { frames: Vec::new(), stored: Vec::new(), forget };
    let initial = exploration.start()?;
    search.arrive(initial, Vec::new(), exploration, observer)?;
    while let Some(frame) = search.frames.last_mut() {
        if let Some(target) = frame.targets.pop() {
            let (asleep, from) = (frame.asleep_there.clone(), frame.state);
            if search.stored.get(target.index()).is_none_or(Option::is_none) {
                exploration.states.set_parent(target, from);
            }
            search.arrive(target, asleep, exploration, observer)?;
        } else if let Some(step) = frame.awake.pop() {
            let state = frame.state;
            frame.asleep_there = exploration.independent_of(state, step, &frame.sleep);
            frame.sleep.push(step);
            exploration.states.clear_targets();
            exploration.expand_step(state, step, observer)?;
            exploration.flush()?;
            frame.targets.extend(exploration.states.targets().iter().rev());
        } else {
            search.frames.pop();
        }
    }
    ControlFlow::Continue(())
}

impl Search {
    /// Reaches a state with a sleep set.
    fn arrive(
        &mut self,
        state: StateId,
        sleep: Vec<Step>,
        exploration: &mut Exploration<'_>,
        observer: &mut dyn Observer,
    ) -> Flow {
        let n_states = exploration.states.store().len();
        if self.stored.len() < n_states {
            let n_more = n_states - self.stored.len();
            let reserved = exploration.budget.reserve(&mut self.stored, n_more);
            exploration.flow(reserved)?;
            self.stored.resize(n_states, None);
        }
        exploration.counts.depth = exploration.counts.depth.max(self.frames.len() as u64);
        let known = self.stored[state.index()].take();
        let is_first = known.is_none();
        let (sleep, awake) = match known {
            None => {
                let steps = exploration.chosen_steps(state, false);
                if steps.is_empty() {
                    // Nothing can move: see whether it should.
                    exploration.expand(state, Part::All, observer)?;
                }
                let awake: Vec<Step> = steps.into_iter().filter(|step| !sleep.contains(step)).collect();
                (sleep, awake)
            }
            Some(known) if self.forget => {
                self.stored[state.index()] = Some(known);
                return ControlFlow::Continue(());
            }
            Some(known) => {
                let awake: Vec<Step> = known.iter().copied().filter(|step| !sleep.contains(step)).collect();
                let kept: Vec<Step> = known.iter().copied().filter(|step| sleep.contains(step)).collect();
                (kept, awake)
            }
        };
        let reserved = exploration.budget.replace(0, if is_first { size_of_val(&*sleep) } else { 0 });
        exploration.flow(reserved)?;
        self.stored[state.index()] = Some(sleep.clone().into());
        let mut awake = awake;
        awake.reverse();
        let frame = Frame { state, sleep, awake, targets: Vec::new(), asleep_there: Vec::new() };
        let pushed = exploration.budget.push(&mut self.frames, frame);
        exploration.flow(pushed)
    }
}

impl Exploration<'_> {
    /// Those of `others`, enabled in a state, that are independent of `step`.
    fn independent_of(&mut self, state: StateId, step: Step, others: &[Step]) -> Vec<Step> {
        if others.is_empty() {
            return Vec::new();
        }
        let prepared = self.prepare(state);
        let Some(reducer) = &mut self.reducer else { return Vec::new() };
        if !reducer.observe(&self.interpreter, &self.state, prepared) {
            return Vec::new();
        }
        let index = |wanted: &Step| self.interpreter.prepared().iter().position(|(step, _)| step == wanted);
        let Some(own) = index(&step) else { return Vec::new() };
        let is_independent =
            |other: &&Step| index(other).is_some_and(|other| reducer.are_independent(own, other));
        others.iter().filter(is_independent).copied().collect()
    }

    fn expand_step(&mut self, state: StateId, step: Step, observer: &mut dyn Observer) -> Flow {
        self.prepare(state);
        let index = self.interpreter.prepared().iter().position(|(s, _)| *s == step);
        match index {
            Some(index) => self.expand(state, Part::Only(index), observer).map_continue(|_| ()),
            None => ControlFlow::Continue(()),
        }
    }
}
