//! The successors of a state: steps, and runs of steps that nothing interrupts.
//!
//! States inside an atomic run are not states of the system: an [`Edge`] leads
//! from one state between runs to the next. A run goes on as long as the process
//! that holds control has an enabled transition, and ends where it has none; then
//! any process may move. A run that comes back to where it was never ends and leads
//! nowhere.

use std::hash::BuildHasher;
use std::ops::ControlFlow;

use stubborn_base::Idx;

use crate::engine::Taken;
use crate::eval::{RuntimeError, RuntimeErrorKind, View};
use crate::event::Event;
use crate::interpreter::Interpreter;
use crate::layout::{InstanceId, Pid};
use crate::model::{Model, TransitionId};
use crate::step::{Candidates, Step};

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

/// A state inside a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inside {
    holder: InstanceId,
    location: i32,
    /// Of the bytes; 0 for the first states of a run, which are compared instead.
    hash: u64,
}

/// The steps still to be taken from one state of a run.
#[derive(Debug)]
pub(crate) struct Frame {
    start: usize,
    next: usize,
    end: usize,
}

impl Interpreter<'_> {
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
