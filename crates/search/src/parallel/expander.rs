//! What one of several workers knows of the model, and how it expands a state.

use std::ops::ControlFlow;

use stubborn_ir::{Interpreter, Interrupt, Outcome, Prepared, Step, Violation};
use stubborn_reduce::{Plan, Reducer, Reduction, Wish};

use crate::observer::Counts;

/// An interpreter and a reducer, each worker its own.
#[derive(Debug)]
pub struct Expander<'m> {
    /// The semantics, prepared for the state expanded last.
    pub interpreter: Interpreter<'m>,
    /// Chooses steps, if some are to be left out.
    pub reducer: Option<Reducer<'m>>,
}

/// Which part of a state's steps is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'a> {
    /// What the reducer chooses.
    Chosen,
    /// What it did not choose at first: this is what it chose. One that has seen more may choose otherwise.
    Rest(&'a [bool]),
    /// What it chose before, which was this.
    Only(&'a [bool]),
    /// All.
    All,
}

/// Takes in what an expansion finds.
pub trait Sink {
    /// A successor.
    fn state(&mut self, target: &[u8]);

    /// Something is wrong, after these steps.
    fn violation(&mut self, violation: Violation, steps: &[Step]);
}

/// What an expansion came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Only part of the steps was taken.
    pub is_part: bool,
    /// It was stopped by the clock.
    pub stopped: bool,
    /// Some run was too long to be followed.
    pub cut_off: bool,
    /// Some atomic sequence never ends.
    pub is_endless: bool,
    /// What could move.
    pub prepared: Prepared,
}

impl<'m> Expander<'m> {
    /// Expands by that plan, until it is interrupted.
    pub fn new(mut interpreter: Interpreter<'m>, initial: &[u8], plan: &Plan, interrupt: Interrupt) -> Self {
        interpreter.heed(interrupt);
        let model = interpreter.model();
        let reducer = (plan.reduction != Reduction::None).then(|| Reducer::new(model, initial, plan.clone()));
        Expander { interpreter, reducer }
    }

    /// Expands a state. If part of its steps is chosen, the choice is appended to `choices`.
    pub fn expand(
        &mut self,
        state: &[u8],
        part: Part<'_>,
        choices: &mut Vec<bool>,
        counts: &mut Counts,
        sink: &mut impl Sink,
    ) -> Taken {
        let Expander { interpreter, reducer } = self;
        interpreter.reach(state.len());
        let prepared = interpreter.prepare(state);
        let is_part = select(interpreter, reducer.as_mut(), state, prepared, part, choices);
        let (mut cut_off, mut is_endless) = (false, false);
        let stopped = interpreter.edges(state, |edge| {
            for failed in edge.failed {
                counts.failed_assertions += 1;
                sink.violation(Violation::FailedAssertion(failed.transition), &edge.steps[..=failed.step]);
            }
            match edge.outcome {
                Outcome::State(target) => {
                    counts.transitions += 1;
                    sink.state(target);
                }
                Outcome::Error(error) => {
                    counts.errors += 1;
                    sink.violation(Violation::Error(*error), edge.steps);
                }
                Outcome::Endless => is_endless = true,
                Outcome::CutOff => cut_off = true,
            }
            ControlFlow::Continue(())
        });
        if !prepared.is_alive() && !interpreter.is_valid_end(state) {
            counts.deadlocks += 1;
            sink.violation(Violation::InvalidEnd, &[]);
        }
        // Then what was chosen is not to be used.
        let stopped = stopped || reducer.as_ref().is_some_and(Reducer::is_over);
        Taken { is_part, stopped, cut_off, is_endless, prepared }
    }
}

/// Keeps the prepared steps that belong to a part; whether the reducer chose some and not all.
fn select<'m>(
    interpreter: &mut Interpreter<'m>,
    reducer: Option<&mut Reducer<'m>>,
    state: &[u8],
    prepared: Prepared,
    part: Part<'_>,
    choices: &mut Vec<bool>,
) -> bool {
    match (part, reducer) {
        (Part::Chosen, Some(reducer)) => {
            let Some(chosen) = reducer.choose(interpreter, state, prepared, Wish::Nothing) else {
                return false;
            };
            choices.extend_from_slice(chosen);
            interpreter.retain(|i| chosen[i]);
            true
        }
        (Part::Rest(chosen), _) => {
            interpreter.retain(|i| !chosen[i]);
            false
        }
        (Part::Only(chosen), _) => {
            interpreter.retain(|i| chosen[i]);
            true
        }
        (Part::Chosen, None) | (Part::All, _) => false,
    }
}
