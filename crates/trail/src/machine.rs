//! A model executed move by move through the reference semantics.
//!
//! Every move must be among the steps that the interpreter offers at that point, which inside an atomic run are
//! those of the process in control alone. Nothing of a search is used: not its states, not its layout.

use stubborn_ir::{
    InstanceId, Interpreter, Marking, Model, Move, RuntimeError, RuntimeErrorKind, Step, TransitionId,
    Violation,
};

use crate::trail::TrailStep;

/// A model in some state.
pub(crate) struct Machine<'m> {
    pub(crate) interpreter: Interpreter<'m>,
    pub(crate) at: Position,
    /// Assertions that failed in the last step.
    pub(crate) failed: Vec<TransitionId>,
    /// How the last step failed; nothing comes after that.
    pub(crate) error: Option<RuntimeError>,
}

/// A state, and who is in control of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Position {
    pub(crate) state: Vec<u8>,
    /// The process that goes on alone, as long as it can.
    pub(crate) holder: Option<InstanceId>,
}

/// Where moves lead, with the semantics that knows where things lie in that state; none if some move is not
/// possible. A last move that fails leads nowhere.
pub fn end_of<'m>(model: &'m Model, moves: &[Move]) -> Option<(Interpreter<'m>, Vec<u8>)> {
    let mut machine = Machine::start(model).ok()?;
    for &made in moves {
        let found = machine.find(made)?;
        machine.take(found);
    }
    Some((machine.interpreter, machine.at.state))
}

/// The marking after the first steps of a trail of a net; of a step that fails, the one before it.
pub fn marking_after(model: &Model, steps: &[TrailStep]) -> Option<Marking> {
    let moves: Vec<Move> = steps.iter().map(|step| step.made).collect();
    let (_, state) = end_of(model, &moves)?;
    Some(model.net.as_ref()?.marking(&state))
}

impl<'m> Machine<'m> {
    /// In the initial state.
    pub(crate) fn start(model: &'m Model) -> Result<Self, RuntimeErrorKind> {
        let mut interpreter = Interpreter::new(model);
        let state = interpreter.initial()?;
        Ok(Machine { interpreter, at: Position { state, holder: None }, failed: Vec::new(), error: None })
    }

    /// The step that a move is, with the error it is known to end in; none if it is not possible.
    pub(crate) fn find(&mut self, made: Move) -> Option<(Step, Option<RuntimeErrorKind>)> {
        if self.error.is_some() {
            return None;
        }
        let offered = self.interpreter.enabled_steps(&self.at.state, self.at.holder);
        let layout = self.interpreter.layout();
        offered.into_iter().find(|(step, _)| layout.move_of(step) == made)
    }

    /// Takes a step that was found. If it fails, the state is as before.
    pub(crate) fn take(&mut self, (step, error): (Step, Option<RuntimeErrorKind>)) {
        self.failed.clear();
        let result = match error {
            Some(kind) => Err(kind),
            None => {
                let before = self.at.state.clone();
                let applied = self.interpreter.apply(&mut self.at.state, &step);
                applied.inspect_err(|_| self.at.state = before)
            }
        };
        match result {
            Ok(applied) => {
                self.at.holder = applied.holder;
                self.failed = applied.failed;
            }
            Err(kind) => self.error = Some(RuntimeError { kind, transition: step.transition }),
        }
    }

    /// Goes back, or on, to a position of this machine.
    pub(crate) fn go_to(&mut self, position: &Position) {
        self.at.clone_from(position);
        // A position may have been kept without the zeros at its end.
        let size = self.interpreter.layout().size();
        self.at.state.resize(size.max(self.at.state.len()), 0);
        self.failed.clear();
        self.error = None;
    }

    /// Whether the end is as claimed.
    pub(crate) fn shows(&mut self, claimed: Violation) -> bool {
        match claimed {
            Violation::InvalidEnd => self.is_dead() && !self.interpreter.is_valid_end(&self.at.state),
            Violation::FailedAssertion(transition) => self.failed.contains(&transition),
            Violation::Error(error) => self.error == Some(error),
            Violation::NoInitialState(_) | Violation::InfiniteRun | Violation::BadPrefix => false,
        }
    }

    /// What is wrong here, or in the step that led here.
    pub(crate) fn wrong(&mut self) -> Vec<Violation> {
        let mut wrong: Vec<Violation> = self.failed.iter().map(|&t| Violation::FailedAssertion(t)).collect();
        wrong.extend(self.error.map(Violation::Error));
        if self.shows(Violation::InvalidEnd) {
            wrong.push(Violation::InvalidEnd);
        }
        wrong
    }

    /// Whether nothing can move.
    pub(crate) fn is_dead(&mut self) -> bool {
        self.error.is_none() && self.interpreter.enabled_steps(&self.at.state, self.at.holder).is_empty()
    }
}
