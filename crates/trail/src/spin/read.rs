//! A trail of SPIN's verifier as moves.
//!
//! A line names a process and a statement, which is a step that the reference semantics offers there, or the trail
//! does not belong to the model. Where statements were merged, the process goes on by itself until it is where
//! the next line about it needs it to be: that is how far the verifier took it.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;

use stubborn_ir::{
    ClaimKind, LocationId, Model, Move, Pid, ProcessTypeId, RuntimeErrorKind, Step, TransitionId,
};

use super::lines::{Line, Lines, parse};
use crate::machine::{Machine, Position};

/// What a trail file tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// Moves before the cycle, or all.
    pub prefix: Vec<Move>,
    /// Moves of the cycle, if there is one.
    pub cycle: Vec<Move>,
    /// Whether the run goes on for ever.
    pub is_infinite: bool,
}

/// Why a trail file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImportError {
    /// A line that is none of a trail.
    NotALine(usize),
    /// The verifier permuted processes.
    Permuted(usize),
    /// There is no initial state.
    NoInitialState(RuntimeErrorKind),
    /// A line with a process that does not exist there.
    NoProcess(usize, i32),
    /// A line with a statement that the process cannot execute there.
    NotPossible {
        /// The line, from 1.
        line: usize,
        /// The process.
        pid: Pid,
        /// SPIN's number of the statement.
        statement: u32,
        /// Where the process is.
        at: String,
    },
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::NotALine(line) => write!(f, "line {line} is not `depth:process:statement`"),
            ImportError::Permuted(line) => {
                write!(f, "line {line}: the verifier permuted processes, only `pan -r` can replay this")
            }
            ImportError::NoInitialState(kind) => write!(f, "there is no initial state: {kind}"),
            ImportError::NoProcess(line, pid) => {
                write!(f, "line {line}: there is no process {pid} here; is this the trail of another model?")
            }
            ImportError::NotPossible { line, pid, statement, at } => write!(
                f,
                "line {line}: process {pid}, {at}, cannot execute statement {statement} here; is this the \
                 trail of another model, or of another version of it?"
            ),
        }
    }
}

impl std::error::Error for ImportError {}

/// Reads a trail of a model.
pub fn import(model: &Model, text: &str) -> Result<Import, ImportError> {
    let lines = parse(text)?;
    let machine = Machine::start(model).map_err(ImportError::NoInitialState)?;
    let mut follow = Follow { machine, lines: &lines, moves: Vec::new() };
    let mut at = 0;
    let mut prefix = None;
    while at < lines.lines.len() {
        if lines.cycle_at == Some(at) {
            prefix = Some((follow.moves.len(), follow.machine.at.clone()));
        }
        at = match follow.line(at) {
            Ok(next) => next,
            // Where a step is not as a trace says, the verifier ends its trail with one it took before.
            Err(_) if at + 1 == lines.lines.len() && has_trace(model) => break,
            Err(error) => return Err(error),
        };
    }
    follow.finish();
    let is_infinite = lines.cycle_at.is_some();
    let Some((n_prefix, start)) = prefix else {
        return Ok(Import { prefix: follow.moves, cycle: Vec::new(), is_infinite });
    };
    let cycle = follow.moves.split_off(n_prefix);
    Ok(follow.closed(start, cycle))
}

fn has_trace(model: &Model) -> bool {
    model.claims.iter().any(|claim| claim.kind == ClaimKind::Trace)
}

struct Follow<'m, 'l> {
    machine: Machine<'m>,
    lines: &'l Lines,
    moves: Vec<Move>,
}

type Offered = (Step, Option<RuntimeErrorKind>);

impl Follow<'_, '_> {
    /// Makes the move that a line tells; returns the line to go on with.
    fn line(&mut self, at: usize) -> Result<usize, ImportError> {
        let line = self.lines.lines[at];
        if self.told_by(at).is_none()
            && self.lines.is_merged
            && let Some(holder) = self.holder()
        {
            // What was merged into the last line about another process keeps it in control.
            self.go_to(Some(holder), &mut |follow| follow.told_by(at).is_some());
        }
        let Some((made, step)) = self.told_by(at) else { return Err(self.not_possible(line)) };
        self.take(made, step);
        let mut next_at = at + 1;
        self.go_on(line.pid, next_at);
        if let Some((receiver, _)) = made.partner {
            next_at += 1;
            self.go_on(receiver, next_at);
        }
        Ok(next_at)
    }

    /// The step that a line tells, if it is possible.
    fn told_by(&mut self, at: usize) -> Option<(Move, Offered)> {
        let line = self.lines.lines[at];
        let next = self.lines.lines.get(at + 1);
        let offered = self.offered(Some(line.pid));
        let received =
            |pid: Pid, with| next.is_some_and(|n| (n.pid, n.statement) == (pid, self.number(with)));
        offered.into_iter().find(|(made, _)| {
            self.number(made.transition) == line.statement
                && made.partner.is_none_or(|(pid, with)| received(pid, with))
        })
    }

    /// The process in control of an atomic run.
    fn holder(&self) -> Option<Pid> {
        let machine = &self.machine;
        machine.at.holder.map(|holder| machine.interpreter.layout().instance(holder).pid)
    }

    fn number(&self, transition: TransitionId) -> u32 {
        self.machine.interpreter.model().transitions[transition].number
    }

    /// The steps that a process, or any, can take now, as moves too.
    fn offered(&mut self, only: Option<Pid>) -> Vec<(Move, Offered)> {
        let machine = &mut self.machine;
        if machine.error.is_some() {
            return Vec::new();
        }
        let offered = machine.interpreter.enabled_steps(&machine.at.state, machine.at.holder);
        let layout = machine.interpreter.layout();
        let moves = offered.into_iter().map(|offered| (layout.move_of(&offered.0), offered));
        moves.filter(|(made, _)| only.is_none_or(|pid| made.pid == pid)).collect()
    }

    fn take(&mut self, made: Move, step: Offered) {
        self.machine.take(step);
        self.moves.push(made);
    }

    /// Lets a process go on by itself to where the next line about it, from `at` on, finds it.
    fn go_on(&mut self, pid: Pid, at: usize) {
        if !self.lines.is_merged {
            return;
        }
        // After the end of a cycle comes its beginning.
        let again = self.lines.cycle_at.map_or(&[][..], |cycle_at| &self.lines.lines[cycle_at.min(at)..at]);
        let mut next = self.lines.lines[at..].iter().chain(again).filter(|line| line.pid == pid);
        let Some(wanted) = next.next().map(|line| line.statement) else { return };
        if !self.is_at(pid, wanted) {
            self.go_to(Some(pid), &mut |follow| follow.is_at(pid, wanted));
        }
    }

    /// What was merged into the last lines of the processes may be what is wrong, or be missing where nothing
    /// can move; and nothing can where the cycle has no moves but those of the claim.
    fn finish(&mut self) {
        let Lines { cycle_at, is_merged, has_claim, .. } = *self.lines;
        if !is_merged {
            return;
        }
        if cycle_at == Some(self.lines.lines.len()) {
            self.go_to(None, &mut |follow| follow.machine.is_dead());
        }
        if !has_claim && cycle_at.is_none() && self.machine.wrong().is_empty() {
            let last = self.lines.lines.last().map(|line| line.pid);
            let is_wrong = &mut |follow: &mut Self| !follow.machine.wrong().is_empty();
            if !self.go_to(last, is_wrong) {
                self.go_to(None, is_wrong);
            }
        }
    }

    /// The run, whose first time round the cycle has just ended. Variables that nobody reads are no part of the
    /// verifier's states: then it is a later round that leads back to where it began.
    fn closed(mut self, start: Position, cycle: Vec<Move>) -> Import {
        /// Rounds that are made.
        const MANY: usize = 300;
        let same =
            |a: &Position, b: &Position| a.holder == b.holder && trimmed(&a.state) == trimmed(&b.state);
        let mut began = vec![start];
        while began.len() <= MANY {
            if let Some(round) = began.iter().position(|position| same(position, &self.machine.at)) {
                let n_rounds = began.len();
                self.moves.extend((0..round).flat_map(|_| &cycle));
                let cycle = (round..n_rounds).flat_map(|_| cycle.iter().copied()).collect();
                return Import { prefix: self.moves, cycle, is_infinite: true };
            }
            began.push(self.machine.at.clone());
            for &made in &cycle {
                let Some(step) = self.machine.find(made) else { break };
                self.machine.take(step);
            }
        }
        Import { prefix: self.moves, cycle, is_infinite: true }
    }

    /// Goes on, by moves of one process alone or of all, to where something is so; whether there is such a place.
    fn go_to(&mut self, only: Option<Pid>, is_there: &mut dyn FnMut(&mut Self) -> bool) -> bool {
        let start = self.machine.at.clone();
        let way = self.way_to(only, is_there);
        self.machine.go_to(&start);
        for &made in way.iter().flatten() {
            let step = self.machine.find(made).expect("it was possible just now");
            self.take(made, step);
        }
        way.is_some()
    }

    /// The fewest moves to where something is so.
    fn way_to(
        &mut self,
        only: Option<Pid>,
        is_there: &mut dyn FnMut(&mut Self) -> bool,
    ) -> Option<Vec<Move>> {
        /// Places that are looked at; what is merged does not branch.
        const MANY: usize = 2_000;
        let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
        let mut open: VecDeque<(Position, Vec<Move>)> = VecDeque::new();
        open.push_back((self.machine.at.clone(), Vec::new()));
        while let Some((position, way)) = open.pop_front() {
            self.machine.go_to(&position);
            if seen.len() >= MANY || !seen.insert(position.state.clone()) {
                continue;
            }
            for (made, step) in self.offered(only).into_iter().filter(|(made, _)| made.partner.is_none()) {
                self.machine.go_to(&position);
                self.machine.take(step);
                let way = way.iter().copied().chain([made]).collect();
                if is_there(self) {
                    return Some(way);
                }
                if self.machine.error.is_none() {
                    open.push_back((self.machine.at.clone(), way));
                }
            }
        }
        None
    }

    /// Whether a process is where a statement begins.
    fn is_at(&self, pid: Pid, statement: u32) -> bool {
        let model = self.machine.interpreter.model();
        self.location(pid).is_some_and(|(process, at)| {
            let location = model.processes[process].location(at);
            location.transition_ids().any(|transition| model.transitions[transition].number == statement)
        })
    }

    fn location(&self, pid: Pid) -> Option<(ProcessTypeId, LocationId)> {
        let (layout, state) = (self.machine.interpreter.layout(), &self.machine.at.state);
        let instance = layout.instance(layout.alive(state, pid)?);
        Some((instance.process, LocationId((instance.location.read(state) - 1) as u16)))
    }

    fn not_possible(&self, line: Line) -> ImportError {
        let Some((process, at)) = self.location(line.pid) else {
            return ImportError::NoProcess(line.number, line.pid.into());
        };
        let process = &self.machine.interpreter.model().processes[process];
        let at = format!("{} in its state {}", process.name, process.location(at).number);
        ImportError::NotPossible { line: line.number, pid: line.pid, statement: line.statement, at }
    }
}

/// A state without the zeros at its end.
fn trimmed(state: &[u8]) -> &[u8] {
    &state[..state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)]
}
