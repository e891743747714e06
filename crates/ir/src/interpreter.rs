//! The reference semantics of a model: what it owns, and what can be asked about one state.
//!
//! What leaves a state is in [`crate::successors`]. Invariant: a state is valid for any later layout when it is extended
//! with zeros, so nobody has to know how far the layout has grown.

use hashbrown::HashMap;
use std::hash::RandomState;

use crate::engine::{Engines, Stage};
use crate::eval::{RuntimeErrorKind, View};
use crate::event::{Event, Printed, Recorder};
use crate::execute::Executor;
use crate::expr::{Expr, Place};
use crate::interrupt::Interrupt;
use crate::layout::{InstanceId, Layout, NoFrame, Pid};
use crate::model::{Comm, Model, Origin, ProcessTypeId, TransitionId};
use crate::step::{Candidates, ChannelStatus, Step};
use crate::successors::{FailedAssertion, Frame, Inside, Prepared};
use crate::watch::Watch;

/// The reference semantics of a model.
///
/// Owns the [`Layout`], which grows as processes are created: a state is valid for
/// any later layout when it is extended with zeros.
#[derive(Debug)]
pub struct Interpreter<'m> {
    pub(crate) model: &'m Model,
    pub(crate) layout: Layout,
    pub(crate) interrupt: Interrupt,
    /// Finds and takes steps where it can.
    pub(crate) engine: Stage,
    pub(crate) candidates: Candidates,
    /// By process type: what its only location leads to, if there is much of it.
    pub(crate) watches: Vec<Option<Watch>>,
    pub(crate) watched: Vec<u32>,
    pub(crate) frames: Vec<Frame>,
    /// By transition.
    pub(crate) is_atomic: Box<[bool]>,
    /// The state after a step that an engine took.
    pub(crate) target: Vec<u8>,
    pub(crate) buffers: Vec<Vec<u8>>,
    pub(crate) steps: Vec<Step>,
    pub(crate) failed: Vec<FailedAssertion>,
    pub(crate) failed_now: Vec<TransitionId>,
    pub(crate) failed_at: Option<&'m Origin>,
    pub(crate) message: Vec<i32>,
    pub(crate) recorder: Recorder,
    pub(crate) hasher: RandomState,
    /// The states inside the present run, whose bytes are in `buffers`.
    pub(crate) inside: Vec<Inside>,
    /// Depths of those that are not among the first, by hash.
    pub(crate) by_hash: HashMap<u64, Vec<usize>>,
}

/// What one step did besides changing the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The process that goes on alone, as long as it can.
    pub holder: Option<InstanceId>,
    /// Transitions whose assertion failed.
    pub failed: Vec<TransitionId>,
}

impl<'m> Interpreter<'m> {
    /// The semantics of `model`.
    pub fn new(model: &'m Model) -> Self {
        Interpreter {
            model,
            layout: Layout::new(model),
            interrupt: Interrupt::default(),
            engine: Stage::Never,
            candidates: Candidates::default(),
            watches: model.processes.iter().map(|process| Watch::new(model, process)).collect(),
            watched: Vec::new(),
            frames: Vec::new(),
            is_atomic: model.transitions.iter().map(|t| t.atomic).collect(),
            target: Vec::new(),
            buffers: Vec::new(),
            steps: Vec::new(),
            failed: Vec::new(),
            failed_now: Vec::new(),
            failed_at: None,
            message: Vec::new(),
            recorder: Recorder::default(),
            hasher: RandomState::new(),
            inside: Vec::new(),
            by_hash: HashMap::new(),
        }
    }

    /// An engine finds and takes steps once it pays, and where it can. Nothing else changes.
    pub fn speed_up(&mut self, engines: &Engines) {
        self.engine = engines.stage(self.model);
    }

    /// Events are recorded from now on, with the values of these expressions, which are no process's.
    pub fn record_events(&mut self, watched: Vec<Expr>) {
        self.recorder.watched = Some(watched);
    }

    /// The events of the last step that was applied.
    pub fn events(&self) -> &[Event] {
        &self.recorder.events
    }

    /// What processes show is taken down from now on, step by step.
    pub fn record_output(&mut self) {
        self.recorder.printed = Some(Vec::new());
    }

    /// What was shown in the last step that was applied, in order.
    pub fn output(&self) -> &[Printed] {
        self.recorder.printed.as_deref().unwrap_or_default()
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Where things lie in a state, so far.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// An interpreter of the same model for another thread, that lays out states as this one does from now on.
    pub fn fork(&mut self) -> Self {
        self.layout.share();
        let (layout, engine) = (self.layout.clone(), self.engine.fork());
        Interpreter { layout, engine, ..Interpreter::new(self.model) }
    }

    /// Says that a state of so many bytes comes next, maybe from a fork.
    #[inline]
    pub fn reach(&mut self, width: usize) {
        self.layout.reach(width);
    }

    /// States are laid out with others elsewhere from now on: an expansion that lacks a frame is good for nothing, and
    /// [`Interpreter::take_wanted`] tells so.
    pub fn freeze_layout(&mut self) {
        self.layout.freeze();
    }

    /// The frames that were lacking since this was asked last.
    pub fn take_wanted(&mut self) -> Vec<(Pid, ProcessTypeId)> {
        self.layout.take_wanted()
    }

    /// Appends frames to a frozen layout, in this order.
    pub fn lay_out(&mut self, frames: &[(Pid, ProcessTypeId)]) {
        self.layout.lay_out(self.model, frames);
    }

    /// Asked now and then during a long expansion, which stops when it is true.
    pub fn set_interrupt(&mut self, is_due: impl Fn() -> bool + Send + Sync + 'static) {
        self.heed(Interrupt::new(move |_| is_due()));
    }

    /// The same, where others ask it, too.
    pub fn heed(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }

    /// What is asked now and then during a long expansion.
    #[inline]
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// The initial state. Fails if an initial value does.
    pub fn initial(&mut self) -> Result<Vec<u8>, RuntimeErrorKind> {
        let model = self.model;
        let mut state = vec![0; self.layout.size()];
        for (i, channel) in model.channels.iter().enumerate() {
            channel.variable.write(&mut state, i as i32 + 1);
        }
        for (place, value) in &model.global_init {
            let (slot, value) = {
                let view = View::of_nobody(model, &self.layout, &state);
                (view.resolve(place)?, view.eval(value)?)
            };
            slot.write(&mut state, value);
        }
        for (pid, activation) in model.initial.iter().enumerate() {
            let pid = Pid::try_from(pid)
                .ok()
                .filter(|&pid| pid < model.max_processes)
                .ok_or(RuntimeErrorKind::TooManyProcesses)?;
            let process = self.layout.instantiate(model, pid, activation.process).map_err(NoFrame::kind)?;
            state.resize(self.layout.size(), 0);
            self.message.clear();
            self.executor(&mut state, |x| x.initialise(process, activation.priority))?;
        }
        Ok(state)
    }

    /// The value of an expression for a process that exists in `state`.
    pub fn eval(&self, state: &[u8], process: InstanceId, expr: &Expr) -> Result<i32, RuntimeErrorKind> {
        View::new(self.model, &self.layout, state, process).eval(expr)
    }

    /// The value of an expression to somebody who looks at `state`: as a process that exists there sees it, or as
    /// nobody does.
    pub fn value(
        &mut self,
        state: &[u8],
        process: Option<InstanceId>,
        expr: &Expr,
    ) -> Result<i32, RuntimeErrorKind> {
        let timeout = self.prepare(state) != Prepared::Steps;
        let view = View::of_nobody(self.model, &self.layout, state);
        let view = process.map_or(view, |process| view.of(process));
        View { timeout, ..view }.eval(expr)
    }

    /// Whether an assignment by a process that exists in `state` leaves the place as it is.
    pub fn is_unchanged(
        &self,
        state: &[u8],
        process: InstanceId,
        place: &Place,
        value: &Expr,
    ) -> Result<bool, RuntimeErrorKind> {
        let view = View::new(self.model, &self.layout, state, process);
        let value = view.eval(value)?;
        // What does not fit is an error, or wraps.
        let kept = if self.model.overflow_fails { value } else { place.slot.wrap(value) };
        Ok(view.load(place)? == kept)
    }

    /// The value of an expression that is no process's.
    pub fn value_to_nobody(&self, state: &[u8], expr: &Expr) -> Result<i32, RuntimeErrorKind> {
        View::of_nobody(self.model, &self.layout, state).eval(expr)
    }

    /// Whether a proposition, which is no process's, holds in `state`.
    pub fn holds(&self, state: &[u8], proposition: &Expr) -> Result<bool, RuntimeErrorKind> {
        self.holds_at(state, proposition, false)
    }

    /// The same where it is known whether nothing but what waits for `timeout` can move.
    pub fn holds_at(
        &self,
        state: &[u8],
        proposition: &Expr,
        timeout: bool,
    ) -> Result<bool, RuntimeErrorKind> {
        View { timeout, ..View::of_nobody(self.model, &self.layout, state) }.is_true(proposition)
    }

    /// Whether a transition of the present location of a process is enabled, `timeout` apart.
    pub fn is_enabled(
        &self,
        state: &[u8],
        process: InstanceId,
        transition: TransitionId,
    ) -> Result<bool, RuntimeErrorKind> {
        View::new(self.model, &self.layout, state, process).is_enabled(transition)
    }

    /// What a channel operation of a process finds in `state`.
    pub fn channel_status(
        &self,
        state: &[u8],
        process: InstanceId,
        comm: &Comm,
    ) -> Result<ChannelStatus, RuntimeErrorKind> {
        View::new(self.model, &self.layout, state, process).channel_status(comm)
    }

    /// Takes one enabled step in place.
    pub fn apply(&mut self, state: &mut Vec<u8>, step: &Step) -> Result<Applied, RuntimeErrorKind> {
        state.resize(self.layout.size(), 0);
        self.recorder.events.clear();
        self.recorder.printed.iter_mut().for_each(Vec::clear);
        self.recorder.step = 0;
        let holder = self.executor(state, |x| x.execute(step))?;
        Ok(Applied { holder, failed: self.failed_now.clone() })
    }

    /// Whether all processes are gone or wait where they may wait for ever.
    pub fn is_valid_end(&self, state: &[u8]) -> bool {
        let n = Model::num_processes_slot().read(state);
        (0..n).all(|pid| {
            self.layout
                .alive(state, pid as Pid)
                .is_none_or(|p| View::new(self.model, &self.layout, state, p).location().is_end)
        })
    }

    /// The statement inside a `d_step` that failed in the step taken last, if one did.
    pub fn failed_at(&self) -> Option<&'m Origin> {
        self.failed_at
    }

    pub(crate) fn executor<T>(
        &mut self,
        state: &mut Vec<u8>,
        work: impl FnOnce(&mut Executor<'_, 'm>) -> T,
    ) -> T {
        self.failed_now.clear();
        let mut executor = Executor {
            model: self.model,
            layout: &mut self.layout,
            interrupt: &self.interrupt,
            state,
            failed: &mut self.failed_now,
            created: 0,
            inside: None,
            failed_at: None,
            message: std::mem::take(&mut self.message),
            recorder: &mut self.recorder,
        };
        let result = work(&mut executor);
        self.failed_at = executor.failed_at.or(executor.inside);
        self.message = executor.message;
        result
    }
}
