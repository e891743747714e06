//! What every search shares: the store, the counts, the limits, and the expansion
//! of one state.

use std::ops::ControlFlow;
use std::time::Duration;

use stubborn_base::Idx;
use stubborn_ir::{
    Edge, Expr, InstanceId, Interpreter, Model, Outcome, Prepared, RuntimeErrorKind, Step, Violation,
};
use stubborn_reduce::{Plan, Reducer, Reduction, Wish};

use crate::End;
use crate::budget::{Budget, OutOfMemory};
use crate::coverage::Coverage;
use crate::limits::{Clock, Incomplete, Limits};
use crate::observer::{Counts, Expanded, Found, Observer, Progress};
use crate::states::States;
use crate::store::StateId;

/// Steps between two looks at the clock.
const INTERVAL: usize = 1024;

/// A state of so many bytes counts twice.
const LONG: usize = 4096;

/// The states visited so far. Created by [`search`](crate::search()).
#[derive(Debug)]
pub struct Exploration<'m> {
    pub(crate) interpreter: Interpreter<'m>,
    pub(crate) reducer: Option<Reducer<'m>>,
    pub(crate) states: States,
    pub(crate) budget: Budget,
    pub(crate) counts: Counts,
    clock: Clock,
    cut_off: bool,
    has_endless: bool,
    steps_since_check: usize,
    pub(crate) state: Vec<u8>,
    /// The choice made by the last expansion of [`Part::Chosen`]; empty if it was all.
    chosen: Vec<bool>,
    /// The observer is told of every expansion.
    pub(crate) is_watched: bool,
    /// What was found in the state expanded last.
    prepared: Prepared,
    /// The edges found since they were forgotten; none unless they are recorded.
    taken: Option<Vec<Taken>>,
    /// What was seen; none unless it is asked for.
    pub(crate) coverage: Option<Box<Coverage>>,
}

/// An edge that leads to a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    /// Who moves first.
    pub(crate) mover: InstanceId,
    /// How many steps it takes.
    pub(crate) length: u32,
}

/// Which of its steps a state is expanded by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// All.
    All,
    /// Those that the reducer chooses.
    Chosen,
    /// Those that it did not choose just before.
    Rest,
    /// Those that make the choice made just before one with all visible steps.
    VisibleRest,
    /// Those that a larger choice has, and the choice made just before has not.
    More,
    /// The one with that index.
    Only(usize),
}

/// Why a search ends before every state is visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    Observer,
    Incomplete(Incomplete),
}

/// Goes on, or not.
pub(crate) type Flow = ControlFlow<Halt>;

impl<'m> Exploration<'m> {
    /// Nothing visited yet.
    pub(crate) fn new(model: &'m Model, limits: &Limits, plan: &Plan) -> Result<Self, RuntimeErrorKind> {
        let mut interpreter = Interpreter::new(model);
        limits.speed_up(&mut interpreter);
        let state = interpreter.initial()?;
        let clock = Clock::start(limits);
        let budget = Budget::new(limits.memory);
        interpreter.heed(clock.watch(&budget));
        let mut reducer =
            (plan.reduction != Reduction::None).then(|| Reducer::new(model, &state, plan.clone()));
        reducer.iter_mut().for_each(Reducer::rest_in_vain);
        Ok(Exploration {
            interpreter,
            reducer,
            states: States::new(state.len(), limits.compression),
            budget,
            counts: Counts::default(),
            clock,
            cut_off: false,
            has_endless: false,
            steps_since_check: 0,
            state,
            chosen: Vec::new(),
            is_watched: false,
            prepared: Prepared::Steps,
            taken: None,
            coverage: None,
        })
    }

    /// Tells the observer of every expansion from now on.
    pub(crate) fn watch(&mut self) {
        self.is_watched = true;
        if let Some(reducer) = &mut self.reducer {
            reducer.keep_sets();
        }
    }

    /// Notes from now on what is seen of the model.
    pub(crate) fn cover(&mut self) {
        self.coverage = Some(Box::new(Coverage::new(self.interpreter.model())));
    }

    /// What was seen of the model, if it was noted.
    pub fn coverage(&self) -> Option<&Coverage> {
        self.coverage.as_deref()
    }

    /// What was visited and found.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Calls `see` with every visited state, in the order they were found.
    pub fn for_each_state(&self, mut see: impl FnMut(&[u8])) {
        let store = self.states.store();
        let mut state = Vec::new();
        for id in 0..store.len() {
            store.read(StateId::new(id), &mut state);
            see(&state);
        }
    }

    /// The semantics it was made with: where things lie in the states.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.interpreter
    }

    /// The same, to go on with.
    pub fn into_interpreter(self) -> Interpreter<'m> {
        self.interpreter
    }

    /// The most memory that was in use, in bytes.
    pub fn peak_bytes(&self) -> usize {
        self.budget.peak()
    }

    /// Bytes in use for each stored state: itself, its place in the table, and how it was reached.
    pub fn bytes_per_state(&self) -> f64 {
        self.budget.used() as f64 / self.states.store().len().max(1) as f64
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Stores the initial state.
    pub(crate) fn start(&mut self) -> ControlFlow<Halt, StateId> {
        let stored = self.states.start(&self.state, &mut self.budget);
        self.counts.states = self.states.store().len() as u64;
        self.flow(stored)
    }

    /// Finds successors of a stored state, and reports the violations there; whether that
    /// is all of them. The last successors may not be stored before [`Exploration::flush`].
    pub(crate) fn expand(
        &mut self,
        id: StateId,
        part: Part,
        observer: &mut dyn Observer,
    ) -> ControlFlow<Halt, bool> {
        self.states.store().read(id, &mut self.state);
        let prepared = self.interpreter.prepare(&self.state);
        // What is left of a state was seen when the first part of it was expanded.
        if let Some(coverage) = &mut self.coverage
            && !matches!(part, Part::Rest | Part::VisibleRest | Part::More)
        {
            coverage.see(&self.interpreter, &self.state);
        }
        let is_full = self.select(part, prepared);
        if self.is_watched {
            self.announce(part, is_full, observer)?;
        }
        let mut visitor = Visitor {
            source: id,
            states: &mut self.states,
            budget: &mut self.budget,
            counts: &mut self.counts,
            observer,
            cut_off: &mut self.cut_off,
            has_endless: &mut self.has_endless,
            taken: self.taken.as_mut(),
            coverage: self.coverage.as_deref_mut(),
            n_steps: 1,
        };
        self.prepared = prepared;
        let mut halt = None;
        let stopped = self
            .interpreter
            .edges(&self.state, |edge| visitor.visit(&edge).map_break(|why| halt = Some(why)));
        if !prepared.is_alive() && !self.interpreter.is_valid_end(&self.state) {
            visitor.counts.deadlocks += 1;
            if visitor.report(Violation::InvalidEnd, &[]).is_break() {
                halt = Some(Halt::Observer);
            }
        }
        // Of states of megabytes, a few take as long as many others.
        self.steps_since_check += visitor.n_steps * (1 + self.state.len() / LONG);
        match halt {
            Some(halt) => return ControlFlow::Break(halt),
            None if stopped || self.is_over() || self.steps_since_check >= INTERVAL => {
                self.check_clock(observer)?
            }
            None => {}
        }
        ControlFlow::Continue(is_full)
    }

    /// Notes from now on which edges lead to states.
    pub(crate) fn record_edges(&mut self) {
        self.taken = Some(Vec::new());
    }

    /// The edges found since they were forgotten, in order.
    pub(crate) fn taken(&self) -> &[Taken] {
        self.taken.as_deref().unwrap_or_default()
    }

    /// Forgets the edges, and where they lead.
    pub(crate) fn forget_edges(&mut self) {
        self.states.clear_targets();
        self.taken.iter_mut().for_each(Vec::clear);
    }

    /// Whether something could move in the state expanded last, or failed.
    pub(crate) fn was_alive(&self) -> bool {
        self.prepared.is_alive()
    }

    /// Whether some atomic sequence never ends.
    pub(crate) fn has_endless(&self) -> bool {
        self.has_endless
    }

    /// Whether a proposition holds in the state expanded last.
    pub(crate) fn holds(&self, proposition: &Expr) -> Result<bool, RuntimeErrorKind> {
        let nothing_else = self.prepared != Prepared::Steps;
        self.interpreter.holds_at(&self.state, proposition, nothing_else)
    }

    /// Tells the observer which steps are about to be taken.
    #[cold]
    fn announce(&mut self, part: Part, is_full: bool, observer: &mut dyn Observer) -> Flow {
        let chosen_by = match part {
            Part::Chosen | Part::VisibleRest | Part::More if !is_full => self.reducer.as_ref(),
            Part::Only(_) => {
                self.reducer.as_ref().filter(|r| matches!(r.plan().reduction, Reduction::TwoPhase(_)))
            }
            _ => None,
        };
        match observer.expanded(&Expanded { bytes: &self.state, interpreter: &self.interpreter, chosen_by }) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Halt::Observer),
        }
    }

    /// Keeps the prepared steps that belong to a part; whether that, with what was
    /// expanded before, is all.
    fn select(&mut self, part: Part, prepared: Prepared) -> bool {
        let Some(reducer) = &mut self.reducer else { return true };
        match part {
            Part::All => true,
            Part::Chosen => {
                let chosen = reducer.choose(&self.interpreter, &self.state, prepared, Wish::Nothing);
                self.chosen.clear();
                let Some(chosen) = chosen else { return true };
                self.chosen.extend_from_slice(chosen);
                self.interpreter.retain(|i| chosen[i]);
                false
            }
            Part::Rest => {
                self.interpreter.retain(|i| !self.chosen[i]);
                true
            }
            Part::VisibleRest => self.enlarge(prepared, Wish::Visible),
            Part::More => {
                // All steps were chosen if none is missing, and nobody asks for more then.
                let missing = self.chosen.iter().position(|chosen| !chosen).unwrap_or(0);
                self.enlarge(prepared, Wish::Step(missing))
            }
            Part::Only(step) => {
                self.interpreter.retain(|i| i == step);
                false
            }
        }
    }

    /// Keeps what a choice that satisfies a wish adds to the one made just before. Both are stubborn, and so is what
    /// is in either.
    fn enlarge(&mut self, prepared: Prepared, wish: Wish) -> bool {
        let Exploration { interpreter, reducer, state, chosen, .. } = self;
        let reducer = reducer.as_mut().expect("something was chosen before");
        let wanted = reducer.choose(interpreter, state, prepared, wish);
        let is_wanted = |i: usize| wanted.is_none_or(|wanted| wanted[i]);
        interpreter.retain(|i| is_wanted(i) && !chosen[i]);
        chosen.iter_mut().enumerate().for_each(|(i, chosen)| *chosen |= is_wanted(i));
        !chosen.contains(&false)
    }

    /// The steps enabled in a stored state, or those of them that are chosen.
    pub(crate) fn chosen_steps(&mut self, id: StateId, reduced: bool) -> Vec<Step> {
        let prepared = self.prepare(id);
        let steps = self.interpreter.prepared().iter().map(|(step, _)| *step);
        let chosen = match &mut self.reducer {
            Some(reducer) if reduced => {
                reducer.choose(&self.interpreter, &self.state, prepared, Wish::Nothing)
            }
            _ => None,
        };
        match chosen {
            Some(chosen) => steps.zip(chosen).filter(|(_, chosen)| **chosen).map(|(step, _)| step).collect(),
            None => steps.collect(),
        }
    }

    /// The state of a stored state, as the next call of a method finds it prepared.
    pub(crate) fn prepare(&mut self, id: StateId) -> Prepared {
        self.states.store().read(id, &mut self.state);
        self.interpreter.prepare(&self.state)
    }

    /// Number of processes in the state prepared last.
    pub(crate) fn n_processes(&self) -> usize {
        Model::num_processes_slot().read(&self.state) as usize
    }

    /// Says what [`Part::Rest`] leaves out.
    pub(crate) fn set_chosen(&mut self, chosen: Vec<bool>) {
        self.chosen = chosen;
    }

    /// The only step that the `index`-th process of the state prepared last can take, if it is
    /// deterministic.
    pub(crate) fn only_step(&mut self, prepared: Prepared, index: usize) -> Option<usize> {
        self.reducer.as_mut()?.only_step(&self.interpreter, &self.state, prepared, index)
    }

    /// Stores the successors found so far.
    pub(crate) fn flush(&mut self) -> Flow {
        let stored = self.states.flush(&mut self.budget);
        self.counts.states = self.states.store().len() as u64;
        self.flow(stored)
    }

    /// Tells the observer how far the search is, and stops it when its time is over.
    pub(crate) fn check_clock(&mut self, observer: &mut dyn Observer) -> Flow {
        self.steps_since_check = 0;
        self.counts.states = self.states.store().len() as u64;
        observer.progress(&Progress { counts: self.counts, bytes: self.budget.used() });
        match self.clock.check() {
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => ControlFlow::Break(Halt::Incomplete(why)),
        }
    }

    /// How the search ended.
    pub(crate) fn finish(&mut self, result: Flow) -> End {
        // The way to a violation can still be asked for when time is over.
        self.interpreter.set_interrupt(|| false);
        match result {
            ControlFlow::Break(Halt::Observer) => End::Stopped,
            ControlFlow::Break(Halt::Incomplete(why)) => End::Incomplete(why),
            // It was time to stop during the last choice of all.
            ControlFlow::Continue(()) if self.is_over() => {
                End::Incomplete(self.clock.check().err().unwrap_or(Incomplete::Cancelled))
            }
            ControlFlow::Continue(()) if self.cut_off => End::Incomplete(Incomplete::CutOff),
            ControlFlow::Continue(()) => End::Exhausted,
        }
    }

    fn is_over(&self) -> bool {
        self.reducer.as_ref().is_some_and(Reducer::is_over)
    }

    /// As if no memory was left.
    pub(crate) fn out_of_memory(&self) -> Flow {
        self.flow(Err(OutOfMemory))
    }

    /// Out of memory ends a search.
    pub(crate) fn flow<T>(&self, result: Result<T, OutOfMemory>) -> ControlFlow<Halt, T> {
        flow(result, &self.budget)
    }
}

fn flow<T>(result: Result<T, OutOfMemory>, budget: &Budget) -> ControlFlow<Halt, T> {
    match result {
        Ok(value) => ControlFlow::Continue(value),
        Err(OutOfMemory) => {
            ControlFlow::Break(Halt::Incomplete(Incomplete::Memory { limit: budget.limit() }))
        }
    }
}

/// Takes in the edges of one state.
struct Visitor<'a> {
    source: StateId,
    states: &'a mut States,
    budget: &'a mut Budget,
    counts: &'a mut Counts,
    observer: &'a mut dyn Observer,
    cut_off: &'a mut bool,
    has_endless: &'a mut bool,
    taken: Option<&'a mut Vec<Taken>>,
    coverage: Option<&'a mut Coverage>,
    n_steps: usize,
}

impl Visitor<'_> {
    #[inline]
    fn visit(&mut self, edge: &Edge<'_>) -> Flow {
        self.n_steps += edge.steps.len();
        if let Some(coverage) = &mut self.coverage {
            coverage.execute(edge.steps);
        }
        for failed in edge.failed {
            self.counts.failed_assertions += 1;
            self.report(Violation::FailedAssertion(failed.transition), &edge.steps[..=failed.step])?;
        }
        match edge.outcome {
            Outcome::State(target) => {
                self.counts.transitions += 1;
                if let Some(taken) = &mut self.taken {
                    taken.push(Taken { mover: edge.steps[0].process, length: edge.steps.len() as u32 });
                }
                let stored = self.states.add(self.source, target, self.budget);
                flow(stored, self.budget)
            }
            Outcome::Error(error) => {
                self.counts.errors += 1;
                self.report(Violation::Error(*error), edge.steps)
            }
            Outcome::Endless => {
                *self.has_endless = true;
                ControlFlow::Continue(())
            }
            Outcome::CutOff => {
                *self.cut_off = true;
                ControlFlow::Continue(())
            }
        }
    }

    fn report(&mut self, violation: Violation, steps: &[Step]) -> Flow {
        self.counts.states = self.states.store().len() as u64;
        let found = Found { violation, state: self.source, steps, counts: *self.counts };
        match self.observer.violation(found) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Halt::Observer),
        }
    }
}
