//! The successors of a state: steps, and runs of steps that nothing interrupts.
//!
//! States inside an atomic run are not states of the system: an [`Edge`] leads
//! from one state between runs to the next. A run goes on as long as the process
//! that holds control has an enabled transition, and ends where it has none; then
//! any process may move. A run that comes back to where it was never ends and leads
//! nowhere.

use hashbrown::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
use std::sync::Arc;

use stubborn_base::Idx;

use crate::engine::{Stage, Taken, Tier};
use crate::eval::{RuntimeError, RuntimeErrorKind, View};
use crate::event::{Event, Printed, Recorder};
use crate::expr::{Expr, Place};
use crate::interrupt::Interrupt;
use crate::layout::{InstanceId, Layout, Pid};
use crate::model::{Comm, Model, Origin, ProcessTypeId, TransitionId};
use crate::step::{Candidates, ChannelStatus, Executor, Step};
use crate::watch::Watch;

/// An atomic run of more steps than this is cut off.
const RUN_LIMIT: usize = 1_000_000;

/// So is one whose states take more bytes than this.
const RUN_BYTES: usize = 1 << 28;

/// States of a run before this one are searched for repetitions one by one.
const SHORT_RUN: usize = 32;

/// One way to leave a state.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a> {
    /// The steps of the run; one unless it is atomic.
    pub steps: &'a [Step],
    /// Where it leads.
    pub outcome: Outcome<'a>,
    /// Assertions that failed on the way. The run goes on after a failed assertion.
    pub failed: &'a [FailedAssertion],
    /// What happened on channels, if that is recorded.
    pub events: &'a [Event],
}

/// Where a run leads.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// To this state.
    State(&'a [u8]),
    /// Its last step fails.
    Error(&'a RuntimeError),
    /// Nowhere: it repeats itself for ever.
    Endless,
    /// It was longer than the interpreter's limit.
    CutOff,
}

/// A failed assertion and which step of the run it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailedAssertion {
    /// Index into [`Edge::steps`].
    pub step: usize,
    /// The transition that asserts.
    pub transition: TransitionId,
}

/// What one step did besides changing the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The process that goes on alone, as long as it can.
    pub holder: Option<InstanceId>,
    /// Transitions whose assertion failed.
    pub failed: Vec<TransitionId>,
}

/// What an expansion found besides its edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expansion {
    /// Some step was enabled, or failed.
    pub alive: bool,
    /// The visitor, or the interrupt, stopped it before its end.
    pub stopped: bool,
}

/// What [`Interpreter::prepare`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prepared {
    /// Steps that do not wait for `timeout`.
    Steps,
    /// Only steps that do.
    Timeout,
    /// Nothing can move.
    Dead,
}

impl Prepared {
    /// Something can move.
    pub fn is_alive(self) -> bool {
        self != Prepared::Dead
    }
}

/// The reference semantics of a model.
///
/// Owns the [`Layout`], which grows as processes are created: a state is valid for
/// any later layout when it is extended with zeros.
#[derive(Debug)]
pub struct Interpreter<'m> {
    model: &'m Model,
    layout: Layout,
    interrupt: Interrupt,
    /// Finds and takes steps where it can.
    engine: Stage,
    candidates: Candidates,
    /// By process type: what its only location leads to, if there is much of it.
    watches: Vec<Option<Watch>>,
    watched: Vec<u32>,
    frames: Vec<Frame>,
    /// By transition.
    is_atomic: Box<[bool]>,
    /// The state after a step that an engine took.
    target: Vec<u8>,
    buffers: Vec<Vec<u8>>,
    steps: Vec<Step>,
    failed: Vec<FailedAssertion>,
    failed_now: Vec<TransitionId>,
    failed_at: Option<&'m Origin>,
    message: Vec<i32>,
    recorder: Recorder,
    hasher: RandomState,
    /// The states inside the present run, whose bytes are in `buffers`.
    inside: Vec<Inside>,
    /// Depths of those that are not among the first, by hash.
    by_hash: HashMap<u64, Vec<usize>>,
}

/// A state inside a run.
#[derive(Clone, Copy, Debug)]
struct Inside {
    holder: InstanceId,
    location: i32,
    /// Of the bytes; 0 for the first states of a run, which are compared instead.
    hash: u64,
}

/// The steps still to be taken from one state of a run.
#[derive(Debug)]
struct Frame {
    start: usize,
    next: usize,
    end: usize,
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
    pub fn speed_up(&mut self, tier: Tier) {
        let n_transitions = self.model.transitions.len() as u32;
        let after = tier.after.saturating_add(tier.per_transition.saturating_mul(n_transitions));
        self.engine = Stage::Waiting(Tier { after, ..tier }, Arc::default());
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
    pub fn set_interrupt(&mut self, is_due: impl Fn() -> bool + Send + 'static) {
        self.interrupt = Interrupt::new(is_due);
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
            let process = self
                .layout
                .instantiate(model, pid, activation.process)
                .map_err(|_| RuntimeErrorKind::TooManyChannels)?;
            state.resize(self.layout.size(), 0);
            self.message.clear();
            self.executor(&mut state, |x| x.initialise(process, activation.priority))?;
        }
        Ok(state)
    }

    /// Calls `visit` with every edge that leaves `state`, in a fixed order, until it breaks.
    pub fn successors(&mut self, state: &[u8], visit: impl FnMut(Edge<'_>) -> ControlFlow<()>) -> Expansion {
        let alive = self.prepare(state).is_alive();
        Expansion { alive, stopped: self.edges(state, visit) }
    }

    /// Finds the steps that leave `state`, for [`Interpreter::edges`] to take.
    pub fn prepare(&mut self, state: &[u8]) -> Prepared {
        self.engine.tick(self.model);
        self.candidates.steps.clear();
        self.find_steps(state, None, false);
        if !self.candidates.steps.is_empty() {
            return Prepared::Steps;
        }
        if self.model.uses_timeout {
            self.find_steps(state, None, true);
            if !self.candidates.steps.is_empty() {
                return Prepared::Timeout;
            }
        }
        Prepared::Dead
    }

    /// The steps found, each with its error if its evaluation failed.
    pub fn prepared(&self) -> &[(Step, Option<RuntimeErrorKind>)] {
        &self.candidates.steps
    }

    /// Drops the steps found that are not wanted; they are told by their index.
    pub fn retain(&mut self, mut wanted: impl FnMut(usize) -> bool) {
        let mut index = 0;
        self.candidates.steps.retain(|_| {
            index += 1;
            wanted(index - 1)
        });
    }

    /// Calls `visit` with every edge that begins with a prepared step, in their order,
    /// until it breaks. True if it, or the interrupt, stopped before the end.
    pub fn edges(&mut self, state: &[u8], mut visit: impl FnMut(Edge<'_>) -> ControlFlow<()>) -> bool {
        self.frames.clear();
        self.steps.clear();
        self.failed.clear();
        self.recorder.events.clear();
        self.inside.clear();
        self.by_hash.clear();
        for index in 0..self.candidates.steps.len() {
            let flow = self.at_once(state, index, &mut visit).unwrap_or_else(|| {
                self.frames.push(Frame { start: index, next: index, end: index + 1 });
                self.runs(state, &mut visit)
            });
            if flow.is_break() || self.interrupt.is_due(index as u32) {
                return true;
            }
        }
        self.candidates.steps.clear();
        false
    }

    /// The edge of one step that an engine takes and no run follows; none if it is not as simple as that.
    #[inline]
    fn at_once(
        &mut self,
        state: &[u8],
        index: usize,
        visit: &mut impl FnMut(Edge<'_>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let (step, None) = self.candidates.steps[index] else { return None };
        let (_, last) = step.partner.unwrap_or((step.process, step.transition));
        if self.is_atomic[last.index()] || !self.recorder.is_idle() {
            return None;
        }
        let engine = self.engine.at_work(self.model, &self.layout, usize::MAX)?;
        copy_into(&mut self.target, state, self.layout.size());
        if engine.take(&mut self.target, &step) != Taken::Done {
            return None;
        }
        let mut target = std::mem::take(&mut self.target);
        self.moved(&mut target, &step);
        let steps = std::slice::from_ref(&step);
        let flow = visit(Edge { steps, outcome: Outcome::State(&target), failed: &[], events: &[] });
        self.target = target;
        Some(flow)
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

    /// Depth-first over the runs that begin in `state`.
    fn runs(&mut self, state: &[u8], visit: &mut impl FnMut(Edge<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut taken = 0u32;
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.end {
                let start = frame.start;
                self.frames.pop();
                if self.frames.is_empty() {
                    return ControlFlow::Continue(());
                }
                self.candidates.steps.truncate(start);
                self.leave_step();
                self.forget_state();
                continue;
            }
            taken = taken.wrapping_add(1);
            if self.interrupt.is_due(taken) {
                return ControlFlow::Break(());
            }
            let depth = self.frames.len() - 1;
            let (step, error) = self.candidates.steps[self.frames[depth].next];
            self.frames[depth].next += 1;
            self.steps.push(step);
            let result = match error {
                Some(error) => Err(error),
                None => self.take(state, depth, &step),
            };
            let edge = match result {
                Ok(holder) => match self.enter_run(depth, holder) {
                    Entered::Inside => continue,
                    Entered::Repeats => self.emit(Outcome::Endless, visit),
                    Entered::TooLong => self.emit(Outcome::CutOff, visit),
                    Entered::State => {
                        let target = std::mem::take(&mut self.buffers[depth]);
                        let flow = self.emit(Outcome::State(&target), visit);
                        self.buffers[depth] = target;
                        flow
                    }
                },
                Err(RuntimeErrorKind::LimitReached) => self.emit(Outcome::CutOff, visit),
                Err(kind) => {
                    let error = RuntimeError { kind, transition: step.transition };
                    self.emit(Outcome::Error(&error), visit)
                }
            };
            edge?;
            self.leave_step();
        }
        ControlFlow::Continue(())
    }

    fn emit(
        &self,
        outcome: Outcome<'_>,
        visit: &mut impl FnMut(Edge<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        visit(Edge { steps: &self.steps, outcome, failed: &self.failed, events: &self.recorder.events })
    }

    /// Takes a step from the state at `depth` of the run into `buffers[depth]`.
    fn take(
        &mut self,
        state: &[u8],
        depth: usize,
        step: &Step,
    ) -> Result<Option<InstanceId>, RuntimeErrorKind> {
        if self.buffers.len() == depth {
            self.buffers.push(Vec::new());
        }
        let mut target = std::mem::take(&mut self.buffers[depth]);
        let source = if depth == 0 { state } else { &self.buffers[depth - 1] };
        copy_into(&mut target, source, self.layout.size());
        if let Some(engine) =
            self.engine.at_work(self.model, &self.layout, target.len()).filter(|_| self.recorder.is_idle())
        {
            match engine.take(&mut target, step) {
                Taken::Done => {
                    let holder = self.moved(&mut target, step);
                    self.buffers[depth] = target;
                    return Ok(holder);
                }
                Taken::Declined => {}
                Taken::Abandoned => copy_into(&mut target, source, self.layout.size()),
            }
        }
        let index = self.steps.len() - 1;
        self.recorder.step = index;
        let result = self.executor(&mut target, |x| x.execute(step));
        self.buffers[depth] = target;
        self.failed
            .extend(self.failed_now.iter().map(|&transition| FailedAssertion { step: index, transition }));
        result
    }

    /// What is left to do of a step that an engine took: the process that goes on alone, if one does.
    #[inline]
    fn moved(&mut self, target: &mut [u8], step: &Step) -> Option<InstanceId> {
        self.failed_at = None;
        let (mover, transition) = step.partner.unwrap_or((step.process, step.transition));
        if let Some(last) = self.model.last_pid {
            last.write(target, i32::from(self.layout.instance(mover).pid));
        }
        self.is_atomic[transition.index()].then_some(mover)
    }

    /// Goes on with the run if `holder` can move in the state just reached.
    fn enter_run(&mut self, depth: usize, holder: Option<InstanceId>) -> Entered {
        let Some(holder) = holder else { return Entered::State };
        let start = self.candidates.steps.len();
        let buffer = std::mem::take(&mut self.buffers[depth]);
        self.find_steps(&buffer, Some(holder), false);
        self.buffers[depth] = buffer;
        if self.candidates.steps.len() == start {
            return Entered::State;
        }
        if self.remember_state(depth, holder) {
            self.candidates.steps.truncate(start);
            return Entered::Repeats;
        }
        if depth >= RUN_LIMIT || depth * self.layout.size() >= RUN_BYTES {
            self.forget_state();
            self.candidates.steps.truncate(start);
            return Entered::TooLong;
        }
        self.frames.push(Frame { start, next: start, end: self.candidates.steps.len() });
        Entered::Inside
    }

    /// Notes the state reached at `depth`; true if the run has been there.
    fn remember_state(&mut self, depth: usize, holder: InstanceId) -> bool {
        let bytes = &self.buffers[depth];
        let location = self.layout.instance(holder).location.read(bytes);
        let same = |d: usize| {
            let other = &self.inside[d];
            other.holder == holder && other.location == location && self.buffers[d] == *bytes
        };
        if (0..depth.min(SHORT_RUN)).any(same) {
            return true;
        }
        let mut hash = 0;
        if depth >= SHORT_RUN {
            hash = self.hasher.hash_one(bytes);
            if self.by_hash.get(&hash).is_some_and(|depths| depths.iter().any(|&d| same(d))) {
                return true;
            }
            self.by_hash.entry(hash).or_default().push(depth);
        }
        self.inside.push(Inside { holder, location, hash });
        false
    }

    fn forget_state(&mut self) {
        if let Some(Inside { hash, .. }) = self.inside.pop()
            && self.inside.len() >= SHORT_RUN
        {
            let depths = self.by_hash.get_mut(&hash).expect("remembered states are in the table");
            depths.pop();
            if depths.is_empty() {
                self.by_hash.remove(&hash);
            }
        }
    }

    fn leave_step(&mut self) {
        self.steps.pop();
        let kept = self.failed.iter().take_while(|f| f.step < self.steps.len()).count();
        self.failed.truncate(kept);
        self.recorder.forget_from(self.steps.len());
    }

    /// Appends the steps enabled in `state`: of `only`, or of every process, last created first.
    fn find_steps(&mut self, state: &[u8], only: Option<InstanceId>, timeout: bool) {
        let (model, layout, watches, watched) = (self.model, &self.layout, &self.watches, &mut self.watched);
        let engine = self.engine.at_work(model, layout, state.len());
        let mut find = |process: InstanceId, candidates: &mut Candidates| {
            let view = View { timeout, ..View::new(model, layout, state, process) };
            if model.uses_priorities && !view.has_highest_priority() {
                return;
            }
            match &watches[layout.instance(process).process.index()] {
                Some(watch) => {
                    watch.candidates(state, watched);
                    for &id in &*watched {
                        let transition = TransitionId(id);
                        match watch.is_enabled(state, id) {
                            Some(true) => {
                                candidates.steps.push((Step { process, transition, partner: None }, None));
                            }
                            Some(false) => {}
                            None => view.enabled_steps_among([transition].into_iter(), candidates),
                        }
                    }
                }
                None => view.enabled_steps(candidates),
            }
        };
        if let Some(process) = only {
            let steps = &mut self.candidates.steps;
            if !engine.is_some_and(|engine| engine.find_of(state, process, timeout, steps)) {
                find(process, &mut self.candidates);
            }
            return;
        }
        let n = Model::num_processes_slot().read(state);
        if let Some(engine) = engine {
            let mut below = n as usize;
            while let Some(process) = engine.find(state, &mut below, timeout, &mut self.candidates.steps) {
                find(process, &mut self.candidates);
            }
            return;
        }
        for pid in (0..n).rev() {
            if let Some(process) = layout.alive(state, pid as Pid) {
                find(process, &mut self.candidates);
            }
        }
    }

    /// The steps possible in `state`, inside a run of `holder` if one is given: what a
    /// simulator offers. A step whose evaluation fails comes with its error.
    pub fn enabled_steps(
        &mut self,
        state: &[u8],
        holder: Option<InstanceId>,
    ) -> Vec<(Step, Option<RuntimeErrorKind>)> {
        self.candidates.steps.clear();
        if holder.is_some() {
            self.find_steps(state, holder, false);
        }
        if self.candidates.steps.is_empty() {
            self.find_steps(state, None, false);
        }
        if self.candidates.steps.is_empty() && self.model.uses_timeout {
            self.find_steps(state, None, true);
        }
        std::mem::take(&mut self.candidates.steps)
    }

    /// Whether a process that holds control can go on in `state`, so that nobody else can.
    pub fn goes_on(&mut self, state: &[u8], holder: InstanceId) -> bool {
        self.candidates.steps.clear();
        self.find_steps(state, Some(holder), false);
        !self.candidates.steps.is_empty()
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

    fn executor<T>(&mut self, state: &mut Vec<u8>, work: impl FnOnce(&mut Executor<'_, 'm>) -> T) -> T {
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

/// A state as wide as the layout is now.
#[inline]
fn copy_into(target: &mut Vec<u8>, source: &[u8], width: usize) {
    target.clear();
    target.extend_from_slice(source);
    target.resize(width, 0);
}

/// What the state after a step of a run is.
enum Entered {
    /// Inside a run that goes on.
    Inside,
    /// Inside a run that has been there.
    Repeats,
    /// Inside a run that is too long.
    TooLong,
    /// A state of the system.
    State,
}

impl View<'_> {
    /// Whether no process with a higher priority can move.
    fn has_highest_priority(&self) -> bool {
        let mine = self.priority();
        let n = Model::num_processes_slot().read(self.state);
        (0..n).filter_map(|pid| self.layout.alive(self.state, pid as Pid)).all(|other| {
            let other = self.of(other);
            other.priority() <= mine || !other.has_enabled_transition().unwrap_or(true)
        })
    }
}
