//! Replay of moves through the reference semantics.
//!
//! Every move must be possible where it is made, and the claimed violation must show
//! at the end.

use std::fmt;

use stubborn_ir::{
    Event, Expr, Interpreter, LocationId, Model, Move, Pid, Prepared, RuntimeErrorKind, Violation,
};

use crate::machine::Machine;
use crate::trail::{Trail, TrailStep, Waiting, participants};

/// Why moves are not the counterexample they are claimed to be. Always our bug,
/// never the model's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// There is no initial state.
    NoInitialState(RuntimeErrorKind),
    /// A move that is not possible.
    NotEnabled {
        /// Its place in the trail, from 0.
        step: usize,
        /// The move.
        made: Move,
    },
    /// A move that fails, where no failure is claimed.
    Fails {
        /// Its place in the trail, from 0.
        step: usize,
        /// How it fails.
        kind: RuntimeErrorKind,
    },
    /// All moves are possible, but their end is not as claimed.
    NoViolation {
        /// The claim.
        claimed: Violation,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("internal error, please report it: the counterexample does not replay; ")?;
        match self {
            ReplayError::NoInitialState(kind) => write!(f, "there is no initial state ({kind})"),
            ReplayError::NotEnabled { step, made } => {
                write!(f, "step {} of process {} is not possible", step + 1, made.pid)
            }
            ReplayError::Fails { step, kind } => write!(f, "step {} fails ({kind})", step + 1),
            ReplayError::NoViolation { claimed } => write!(f, "its end is not as claimed ({claimed})"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Replays moves from the initial state and checks the claim about their end.
pub fn replay(model: &Model, moves: &[Move], claimed: Violation) -> Result<Trail, ReplayError> {
    let mut replay = match Replay::start(model) {
        Ok(replay) => replay,
        Err(ReplayError::NoInitialState(kind))
            if claimed == Violation::NoInitialState(kind) && moves.is_empty() =>
        {
            return Ok(trail(claimed, Vec::new(), Vec::new()));
        }
        Err(error) => return Err(error),
    };
    for &made in moves {
        replay.make(made)?;
    }
    if !replay.machine.shows(claimed) {
        return Err(match replay.machine.error {
            Some(error) => ReplayError::Fails { step: moves.len() - 1, kind: error.kind },
            None => ReplayError::NoViolation { claimed },
        });
    }
    Ok(replay.finish(claimed))
}

/// What is wrong at the end of some moves; nothing if they are not possible.
pub fn violations(model: &Model, moves: &[Move]) -> Vec<Violation> {
    let mut machine = match Machine::start(model) {
        Ok(machine) => machine,
        Err(kind) => return vec![Violation::NoInitialState(kind)],
    };
    for &made in moves {
        let Some(found) = machine.find(made) else { return Vec::new() };
        machine.take(found);
    }
    machine.wrong()
}

/// The moves that are possible after some moves; none if those are not possible.
pub fn next_moves(model: &Model, moves: &[Move]) -> Vec<Move> {
    let Ok(mut machine) = Machine::start(model) else { return Vec::new() };
    for &made in moves {
        let Some(found) = machine.find(made) else { return Vec::new() };
        machine.take(found);
    }
    let offered = machine.interpreter.enabled_steps(&machine.at.state, machine.at.holder);
    offered.iter().map(|(step, _)| machine.interpreter.layout().move_of(step)).collect()
}

fn trail(violation: Violation, steps: Vec<TrailStep>, waiting: Vec<Waiting>) -> Trail {
    Trail { prefix: steps.len(), cycle: 0, steps, is_shortest: false, violation, waiting }
}

/// A replay under way.
pub(crate) struct Replay<'m> {
    pub(crate) machine: Machine<'m>,
    pub(crate) steps: Vec<TrailStep>,
}

impl<'m> Replay<'m> {
    /// In the initial state.
    pub(crate) fn start(model: &'m Model) -> Result<Self, ReplayError> {
        let machine = Machine::start(model).map_err(ReplayError::NoInitialState)?;
        Ok(Replay { machine, steps: Vec::new() })
    }

    /// The trail of what was replayed.
    pub(crate) fn finish(self, violation: Violation) -> Trail {
        let waiting = waiting(&self.machine.interpreter, &self.machine.at.state);
        trail(violation, self.steps, waiting)
    }

    /// From now on, what happens on channels is taken down.
    pub(crate) fn record_events(&mut self, watched: &[Expr]) {
        self.machine.interpreter.record_events(watched.to_vec());
    }

    /// What happened on channels in the last step.
    pub(crate) fn events(&self) -> &[Event] {
        self.machine.interpreter.events()
    }

    /// Whether nothing can move, and all processes, of which there are some, may stay where they are.
    pub(crate) fn is_valid_end(&mut self) -> bool {
        let n_processes = Model::num_processes_slot().read(&self.machine.at.state);
        n_processes > 0 && self.is_dead() && self.machine.interpreter.is_valid_end(&self.machine.at.state)
    }

    pub(crate) fn state(&self) -> &[u8] {
        &self.machine.at.state
    }

    /// Whether nobody is inside an atomic run.
    pub(crate) fn is_between_runs(&mut self) -> bool {
        self.machine.error.is_none()
            && !self
                .machine
                .at
                .holder
                .is_some_and(|p| self.machine.interpreter.goes_on(&self.machine.at.state, p))
    }

    /// Whether nothing can move.
    pub(crate) fn is_dead(&mut self) -> bool {
        self.machine.is_dead()
    }

    /// The processes that can move.
    pub(crate) fn able(&mut self) -> Vec<Pid> {
        let steps = self.machine.interpreter.enabled_steps(&self.machine.at.state, None);
        let layout = self.machine.interpreter.layout();
        steps.iter().map(|(step, _)| layout.instance(step.process).pid).collect()
    }

    /// What holds.
    pub(crate) fn letter(&mut self, propositions: &[Expr]) -> Result<Vec<bool>, ReplayError> {
        let timeout = self.machine.interpreter.prepare(&self.machine.at.state) != Prepared::Steps;
        let holds = |p| self.machine.interpreter.holds_at(&self.machine.at.state, p, timeout);
        let letter: Result<_, _> = propositions.iter().map(holds).collect();
        letter.map_err(|kind| ReplayError::Fails { step: self.steps.len(), kind })
    }

    pub(crate) fn make(&mut self, made: Move) -> Result<(), ReplayError> {
        let at = self.steps.len();
        if let Some(error) = self.machine.error {
            return Err(ReplayError::Fails { step: at - 1, kind: error.kind });
        }
        let found = self.machine.find(made).ok_or(ReplayError::NotEnabled { step: at, made })?;
        let error = found.1;
        let (mut mover, mut partner) = participants(self.machine.interpreter.model(), made);
        let before = self.machine.at.state.clone();
        self.machine.take(found);
        // Inside a d_step, what fails is one of its statements.
        let was_taken = error.is_none();
        if let Some(origin) = self.machine.interpreter.failed_at().filter(|_| was_taken && self.failing()) {
            let at = partner.as_mut().unwrap_or(&mut mover);
            (at.span, at.text) = (origin.span, origin.text.clone());
        }
        let changes = self.changes(before);
        self.steps.push(TrailStep { made, mover, partner, changes });
        Ok(())
    }

    /// Whether the last step fails, or an assertion in it.
    fn failing(&self) -> bool {
        self.machine.error.is_some() || !self.machine.failed.is_empty()
    }

    fn changes(&mut self, mut before: Vec<u8>) -> Vec<stubborn_ir::Change> {
        let layout = self.machine.interpreter.layout();
        before.resize(layout.size(), 0);
        self.machine.at.state.resize(layout.size(), 0);
        layout.changes(self.machine.interpreter.model(), &before, &self.machine.at.state)
    }
}

/// Where the processes are in a state, by number.
pub fn waiting(interpreter: &Interpreter<'_>, state: &[u8]) -> Vec<Waiting> {
    let (model, layout) = (interpreter.model(), interpreter.layout());
    let mut waiting: Vec<Waiting> = layout
        .instances()
        .filter(|&(id, _)| layout.is_alive(state, id))
        .map(|(_, instance)| {
            let process = &model.processes[instance.process];
            let at = LocationId((instance.location.read(state) - 1) as u16);
            let location = process.location(at);
            Waiting {
                process: process.name.clone(),
                pid: instance.pid,
                span: location.span,
                is_end: location.is_end,
            }
        })
        .collect();
    waiting.sort_by_key(|w| w.pid);
    waiting
}
