//! The debugger itself: where it stands, and how it moves.

use stubborn_base::FileId;
use stubborn_check::Waiting;
use stubborn_check::simulation::{Choice, Over, Simulation};
use stubborn_ir::{InstanceId, Model, Move, Pid, RuntimeErrorKind, Violation};

use super::breakpoints::{Asked, Breakpoints, Placed};
use super::expressions::Expressions;
use super::stop::{Filters, Interrupt, Note, Stop, Why};
use super::variables::{self, Node};
use super::{Program, Route, Run};

/// A run of a program that somebody looks at.
#[derive(Debug)]
pub struct Debugger<'p> {
    pub(super) program: &'p Program,
    pub(super) run: Run<'p>,
    pub(super) expressions: Expressions,
    breakpoints: Breakpoints,
    /// Where a run stops by itself.
    pub filters: Filters,
    /// So many steps are made by chance before somebody is asked again.
    pub limit: usize,
    notes: Vec<Note>,
    /// The state at the stop before.
    before: Vec<u8>,
}

impl<'p> Debugger<'p> {
    /// At the start of a run, along a route if there is one.
    pub fn start(program: &'p Program, route: Option<Route>, seed: u64) -> Result<Self, RuntimeErrorKind> {
        let mut run = Run::start(&program.model, route, seed)?;
        let before = run.simulation().state().to_vec();
        Ok(Debugger {
            program,
            run,
            expressions: Expressions::default(),
            breakpoints: Breakpoints::default(),
            filters: Filters { assertion: true, deadlock: true, cycle: true },
            limit: 10_000,
            notes: Vec::new(),
            before,
        })
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Replaces the breakpoints of a file.
    pub fn set_breakpoints(&mut self, file: FileId, asked: &[Asked]) -> Vec<Placed> {
        self.breakpoints.set(self.program, &mut self.expressions, file, asked)
    }

    /// What there is to tell since the last time.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// Number of steps so far.
    pub fn position(&self) -> usize {
        self.run.position()
    }

    /// Where the processes are, by number.
    pub fn waiting(&mut self) -> Vec<Waiting> {
        self.run.simulation().waiting()
    }

    /// What could come next, and which of it does.
    pub fn choices(&mut self) -> (Vec<Choice>, Option<Move>) {
        (self.run.choices(), self.run.upcoming())
    }

    /// What changed since the stop before.
    pub fn changes(&mut self) -> Vec<Node> {
        variables::changes(&self.program.model, self.run.simulation(), &self.before)
    }

    /// The variables of a process, or the global ones.
    pub fn variables(&mut self, pid: Option<Pid>) -> Vec<Node> {
        self.of_owner(pid, variables::variables)
    }

    /// The channels of a process, or the global ones.
    pub fn channels(&mut self, pid: Option<Pid>) -> Vec<Node> {
        self.of_owner(pid, variables::channels)
    }

    fn of_owner(
        &mut self,
        pid: Option<Pid>,
        list: impl Fn(&Model, &Simulation<'_>, Option<InstanceId>) -> Vec<Node>,
    ) -> Vec<Node> {
        let owner = match pid.map(|pid| self.place(pid)) {
            Some(Some((id, ..))) => Some(id),
            Some(None) => return Vec::new(),
            None => None,
        };
        list(&self.program.model, self.run.simulation(), owner)
    }

    /// At the beginning.
    pub fn entry(&mut self) -> Stop {
        let mut text = "the initial state".to_owned();
        if let Some(0) = self.run.route().and_then(|route| route.round(0)) {
            text.push_str("; the cycle begins here");
        }
        self.stop(Why::Entry, text, None)
    }

    /// From the beginning to where the run stops by itself.
    pub fn begin(&mut self, interrupt: Interrupt<'_>) -> Result<Stop, String> {
        match self.at_breakpoint() {
            Some(stop) => Ok(stop),
            None => self.proceed(interrupt),
        }
    }

    /// One step of whichever process; of a given choice if there is one.
    pub fn step_in(&mut self, chosen: Option<Move>) -> Result<Stop, String> {
        self.leave_stop();
        let position = self.run.position();
        let made = match chosen {
            Some(made) => {
                let is_followed = self.run.route().is_some();
                if self.run.choose(made).map_err(|error| error.to_string())? {
                    self.breakpoints.forget_from(position);
                }
                if is_followed && self.run.is_free() {
                    self.remark("the counterexample is left here; taking this step back leads back to it");
                }
                Some(made)
            }
            None => self.run.forward().map_err(|error| error.to_string())?,
        };
        let Some(made) = made else { return Ok(self.end()) };
        self.note_output(made);
        if let Some(stop) = self.by_itself() {
            return Ok(stop);
        }
        let stop = self.at_breakpoint();
        Ok(stop.unwrap_or_else(|| self.stop(Why::Step, String::new(), None)))
    }

    /// On to the next statement of a process: until it has moved.
    pub fn next(&mut self, pid: Pid, interrupt: Interrupt<'_>) -> Result<Stop, String> {
        let moved = |made: Move| made.pid == pid || made.partner.is_some_and(|with| with.0 == pid);
        self.forward(interrupt, Some(pid), |_, made| moved(made))
    }

    /// Out of the inline that a process is in, else of its atomic run, else until it ends.
    pub fn step_out(&mut self, pid: Pid, interrupt: Interrupt<'_>) -> Result<Stop, String> {
        let depth = self.frames(pid).len();
        let is_alone = self.run.simulation().holder() == Some(pid);
        self.forward(interrupt, Some(pid), |debugger, _| match depth {
            2.. => debugger.frames(pid).len() < depth,
            _ if is_alone => debugger.run.simulation().holder() != Some(pid),
            _ => debugger.place(pid).is_none(),
        })
    }

    /// On to where the run stops by itself.
    pub fn proceed(&mut self, interrupt: Interrupt<'_>) -> Result<Stop, String> {
        self.forward(interrupt, None, |_, _| false)
    }

    /// Takes one step back.
    pub fn step_back(&mut self) -> Stop {
        self.leave_stop();
        match self.run.back() {
            true => self.stop(Why::Step, String::new(), None),
            false => self.beginning(),
        }
    }

    /// Back to where the run would have stopped by itself.
    pub fn reverse(&mut self, interrupt: Interrupt<'_>) -> Stop {
        self.leave_stop();
        while self.run.back() {
            let reached = self.breakpoints.reach(self.program, &mut self.run);
            if !reached.stops.is_empty() {
                let stop = self.stop(Why::Breakpoint, String::new(), reached.pid);
                return Stop { breakpoints: reached.stops, ..stop };
            }
            let position = self.run.position();
            let round = self.run.route().and_then(|route| route.round(position));
            if self.filters.cycle && position > 0 && round == Some(0) {
                return self.stop(Why::Cycle, "the cycle begins here".to_owned(), None);
            }
            if interrupt() {
                return self.stop(Why::Pause, String::new(), None);
            }
        }
        self.beginning()
    }

    /// Makes steps until what is asked for is done, or something else stops the run.
    fn forward(
        &mut self,
        interrupt: Interrupt<'_>,
        preferred: Option<Pid>,
        mut is_done: impl FnMut(&mut Self, Move) -> bool,
    ) -> Result<Stop, String> {
        self.leave_stop();
        self.prefer(preferred);
        for n in 0.. {
            if n == self.limit && self.run.is_free() {
                let text = format!("{n} steps were made by chance");
                return Ok(self.stop(Why::Limit, text, None));
            }
            if interrupt() {
                return Ok(self.stop(Why::Pause, String::new(), None));
            }
            let made = self.run.forward().map_err(|error| error.to_string())?;
            let Some(made) = made else { return Ok(self.end()) };
            self.note_output(made);
            if let Some(stop) = self.by_itself() {
                return Ok(stop);
            }
            let is_done = is_done(self, made);
            if !is_done {
                self.prefer(preferred);
            }
            if let Some(stop) = self.at_breakpoint() {
                return Ok(stop);
            }
            if is_done {
                return Ok(self.stop(Why::Step, String::new(), preferred));
            }
        }
        unreachable!("a run is stopped at its limit")
    }

    fn prefer(&mut self, pid: Option<Pid>) {
        let Some(pid) = pid else { return };
        self.run.prefer(pid);
        // What comes next here may be something else now.
        self.breakpoints.forget_from(self.run.position());
    }

    /// Why the run stops by itself where it just came to, if it does.
    fn by_itself(&mut self) -> Option<Stop> {
        let wrong = self.run.simulation().wrong();
        let statement = self.run.simulation().steps().last().map(|step| step.mover.text.clone());
        let statement = statement.unwrap_or_default();
        for violation in wrong {
            let told = violation.told(&self.program.model);
            let text = format!("{told}: {statement}");
            match violation {
                Violation::FailedAssertion(_) if self.filters.assertion => {
                    return Some(self.stop(Why::Assertion, text, None));
                }
                Violation::Error(_) => return Some(self.stop(Why::Error, text, None)),
                Violation::InvalidEnd if self.filters.deadlock => {
                    return Some(self.stop(Why::Deadlock, told.to_string(), None));
                }
                _ => {}
            }
        }
        if self.run.upcoming().is_none() {
            return Some(self.end());
        }
        let position = self.run.position();
        let route = self.run.route()?;
        let prefix = route.prefix;
        let text = match route.round(position)? {
            0 if self.filters.cycle => "the cycle begins here".to_owned(),
            0 => return None,
            _ => format!("the cycle is complete: this is the state after step {prefix}, and so on for ever"),
        };
        Some(self.stop(Why::Cycle, text, None))
    }

    /// Where nothing comes next.
    fn end(&mut self) -> Stop {
        let over = self.run.over();
        let text = match (over, self.run.route().map(|route| route.violation)) {
            (Some(Over::Wrong(violation)), _) => {
                format!("the run is over: {}", violation.told(&self.program.model))
            }
            (_, Some(Violation::InfiniteRun)) => {
                "the run stays here for ever, which is a violation".to_owned()
            }
            (_, Some(violation)) => {
                format!("the counterexample ends here: {}", violation.told(&self.program.model))
            }
            _ => "the end: nothing can move, and nothing has to".to_owned(),
        };
        self.stop(Why::End, text, None)
    }

    fn beginning(&mut self) -> Stop {
        self.stop(Why::Beginning, "the beginning: there is no step to take back".to_owned(), None)
    }

    fn at_breakpoint(&mut self) -> Option<Stop> {
        let reached = self.breakpoints.reach(self.program, &mut self.run);
        for (transition, text) in reached.messages {
            let span = Some(self.program.model.transitions[transition].origin.span);
            self.notes.push(Note { text: format!("{text}\n"), is_output: false, span });
        }
        if reached.stops.is_empty() {
            return None;
        }
        let stop = self.stop(Why::Breakpoint, String::new(), reached.pid);
        Some(Stop { breakpoints: reached.stops, ..stop })
    }

    fn stop(&mut self, why: Why, text: String, pid: Option<Pid>) -> Stop {
        let exists = |debugger: &mut Self, pid: Pid| debugger.place(pid).map(|_| pid);
        let last = self.run.simulation().steps().last().map(|step| step.made.pid);
        let pid = pid
            .and_then(|pid| exists(self, pid))
            .or_else(|| self.run.upcoming().map(|made| made.pid))
            .or_else(|| last.and_then(|pid| exists(self, pid)))
            .or_else(|| self.threads().first().map(|thread| thread.pid));
        let text = match self.run.is_free() && text.is_empty() {
            true => self.tell_choices(),
            false => text,
        };
        Stop { why, text, pid, breakpoints: Vec::new() }
    }

    /// Where somebody may choose, that they may.
    fn tell_choices(&mut self) -> String {
        match self.run.choices().len() {
            0 | 1 => String::new(),
            n if self.program.model.net.is_some() => format!("{n} firings are possible here"),
            n => format!("{n} steps are possible here"),
        }
    }

    fn leave_stop(&mut self) {
        self.before = self.run.simulation().state().to_vec();
    }

    fn remark(&mut self, text: &str) {
        self.notes.push(Note { text: format!("{text}\n"), is_output: false, span: None });
    }

    fn note_output(&mut self, made: Move) {
        let span = Some(self.program.model.transitions[made.transition].origin.span);
        let printed = self.run.simulation().printed().last().cloned().unwrap_or_default();
        let notes = printed.into_iter().map(|printed| Note { text: printed.text, is_output: true, span });
        self.notes.extend(notes);
    }
}
