//! Whether the events of some run are not as a trace says, breadth-first.
//!
//! A node is a state of the model with a state of the trace. No reduction: a trace is about the order of
//! steps that are not visible in any state, and which of them are in its scope can change as they are taken.

use std::ops::ControlFlow;
use std::time::Duration;

use stubborn_base::Idx;
use stubborn_ir::{Edge, Event, Interpreter, Model, Move, Outcome, RuntimeErrorKind, TraceClaim};

use crate::End;
use crate::budget::{Budget, OutOfMemory};
use crate::limits::{Clock, Incomplete, Limits};
use crate::observer::{Counts, Observer, Progress};
use crate::store::{Insert, StateId, Store};

/// The answer about a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceAnswer {
    /// How the search ended; stopped if a run was found.
    pub end: End,
    /// The moves of a run that is not as the trace says, and whether it is so only because it ends.
    pub run: Option<(Vec<Move>, bool)>,
    /// At some event the trace could go two ways, which nobody has said the meaning of.
    pub is_ambiguous: bool,
    /// What was visited.
    pub counts: Counts,
    /// How long it took.
    pub time: Duration,
}

/// Nodes between two looks at the clock.
const INTERVAL: usize = 256;

/// Bytes of a trace's state, before the model's.
const TAG: usize = size_of::<u32>();

/// What a trace makes of an event.
enum Reaction {
    Goes(u32),
    Violated,
    Ambiguous,
}

/// Why a search ends before every node is visited.
enum Stop {
    /// The run that goes on from a node by so many steps of this edge.
    Found(StateId, Vec<Move>),
    /// The run ends in a node.
    Ends(StateId),
    Ambiguous,
    Incomplete(Incomplete),
}

/// Looks for a run whose events are not as the trace says. Fails if there is no initial state.
pub fn search_trace(
    model: &Model,
    trace: &TraceClaim,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<TraceAnswer, RuntimeErrorKind> {
    let clock = Clock::start(limits);
    let mut interpreter = Interpreter::new(model);
    interpreter.record_events(trace.watched.clone());
    let initial = interpreter.initial()?;
    let mut search = Search {
        interpreter,
        trace,
        store: Store::new(initial.len() + TAG, limits.compression),
        parents: Vec::new(),
        budget: Budget::new(limits.memory),
        counts: Counts::default(),
        cut_off: false,
    };
    let due = clock.clone();
    search.interpreter.set_interrupt(move || due.check().is_err());
    let stop = search.visit(&initial, &clock, observer).err();
    search.interpreter.set_interrupt(|| false);
    let (end, run) = match stop {
        None if search.cut_off => (End::Incomplete(Incomplete::CutOff), None),
        None => (End::Exhausted, None),
        Some(Stop::Found(node, moves)) => {
            let way = search.way(node).into_iter().chain(moves).collect();
            (End::Stopped, Some((way, false)))
        }
        Some(Stop::Ends(node)) => (End::Stopped, Some((search.way(node), true))),
        Some(Stop::Ambiguous) => (End::Stopped, None),
        Some(Stop::Incomplete(why)) => (End::Incomplete(why), None),
    };
    let is_ambiguous = end == End::Stopped && run.is_none();
    Ok(TraceAnswer { end, run, is_ambiguous, counts: search.counts, time: clock.elapsed() })
}

struct Search<'m> {
    interpreter: Interpreter<'m>,
    trace: &'m TraceClaim,
    /// Nodes: the trace's state, then the model's.
    store: Store,
    parents: Vec<StateId>,
    budget: Budget,
    counts: Counts,
    cut_off: bool,
}

impl Search<'_> {
    fn visit(&mut self, initial: &[u8], clock: &Clock, observer: &mut dyn Observer) -> Result<(), Stop> {
        let root = node(0, initial);
        let added = add(&mut self.store, &mut self.parents, &mut self.budget, &root, StateId::new(0));
        added.map_err(|OutOfMemory| self.out_of_memory())?;
        let mut next = 0;
        let mut bytes = Vec::new();
        while next < self.store.len() {
            if next.is_multiple_of(INTERVAL) {
                self.counts.states = self.store.len() as u64;
                observer.progress(&Progress { counts: self.counts, bytes: self.budget.used() });
                clock.check().map_err(Stop::Incomplete)?;
            }
            self.store.read(StateId::new(next), &mut bytes);
            self.expand(StateId::new(next), &bytes, clock)?;
            next += 1;
        }
        self.counts.states = self.store.len() as u64;
        Ok(())
    }

    fn expand(&mut self, from: StateId, bytes: &[u8], clock: &Clock) -> Result<(), Stop> {
        let (at, state) = split(bytes);
        let Search { interpreter, trace, store, parents, budget, counts, cut_off } = self;
        let mut stop = None;
        let mut violating = None;
        let expansion = interpreter.successors(state, |edge| {
            match follow(trace, at, edge.events) {
                Ok(to) => match edge.outcome {
                    Outcome::State(target) => {
                        counts.transitions += 1;
                        if add(store, parents, budget, &node(to, target), from).is_err() {
                            stop = Some(Stop::Incomplete(Incomplete::Memory { limit: budget.limit() }));
                        }
                    }
                    Outcome::Error(_) => counts.errors += 1,
                    Outcome::Endless => {}
                    Outcome::CutOff => *cut_off = true,
                },
                Err(Some(step)) => violating = Some(edge.steps[..=step].to_vec()),
                Err(None) => stop = Some(Stop::Ambiguous),
            }
            if stop.is_some() || violating.is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if let Some(steps) = violating {
            let layout = self.interpreter.layout();
            let moves = steps.iter().map(|step| layout.move_of(step)).collect();
            return Err(Stop::Found(from, moves));
        }
        if let Some(stop) = stop {
            return Err(stop);
        }
        if expansion.stopped {
            let why = clock.check().err().unwrap_or(Incomplete::CutOff);
            return Err(Stop::Incomplete(why));
        }
        let is_completed = self.trace.states[at as usize].is_end || self.trace.negated;
        // SPIN asks for the end of a trace where it asks for valid end states, which is where processes are.
        let is_end = !expansion.alive && Model::num_processes_slot().read(state) > 0;
        if is_end && !is_completed && self.interpreter.is_valid_end(state) {
            return Err(Stop::Ends(from));
        }
        Ok(())
    }

    fn out_of_memory(&self) -> Stop {
        Stop::Incomplete(Incomplete::Memory { limit: self.budget.limit() })
    }

    /// The moves from the initial state to a node.
    fn way(&mut self, node: StateId) -> Vec<Move> {
        let mut chain = vec![node];
        let mut at = node;
        while self.parents[at.index()] != at {
            at = self.parents[at.index()];
            chain.push(at);
        }
        let mut moves = Vec::new();
        for pair in chain.windows(2).rev() {
            let (parent, child) = (self.store.get(pair[1]), pair[0]);
            let (at, state) = split(&parent);
            let Search { interpreter, trace, store, .. } = self;
            let mut steps = Vec::new();
            let leads = |edge: &Edge<'_>| match (follow(trace, at, edge.events), edge.outcome) {
                (Ok(to), Outcome::State(target)) => store.is(child, &self::node(to, target)),
                _ => false,
            };
            interpreter.successors(state, |edge| {
                if leads(&edge) {
                    steps.extend_from_slice(edge.steps);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            moves.extend(steps.iter().map(|step| interpreter.layout().move_of(step)));
        }
        moves
    }
}

fn add(
    store: &mut Store,
    parents: &mut Vec<StateId>,
    budget: &mut Budget,
    node: &[u8],
    parent: StateId,
) -> Result<(), OutOfMemory> {
    match store.insert(node, budget)? {
        Insert::New(_) => budget.push(parents, parent),
        Insert::Old(_) => Ok(()),
    }
}

fn node(at: u32, state: &[u8]) -> Vec<u8> {
    at.to_le_bytes().iter().chain(state).copied().collect()
}

fn split(node: &[u8]) -> (u32, &[u8]) {
    let (tag, state) = node.split_at(TAG);
    (u32::from_le_bytes(tag.try_into().expect("a tag is so long")), state)
}

/// Where a trace gets by events; otherwise the step at which it is violated, or none where it could go two
/// ways.
fn follow(trace: &TraceClaim, from: u32, events: &[Event]) -> Result<u32, Option<usize>> {
    let mut at = from;
    for event in events {
        match react(trace, at, event) {
            Reaction::Goes(to) => at = to,
            Reaction::Violated => return Err(Some(event.step)),
            Reaction::Ambiguous => return Err(None),
        }
    }
    Ok(at)
}

fn react(trace: &TraceClaim, at: u32, event: &Event) -> Reaction {
    let is_about = |edge: &&stubborn_ir::TraceEdge| {
        edge.is_send == event.is_send && event.watched[edge.chan] == Some(event.chan)
    };
    if !trace.states.iter().flat_map(|state| &state.edges).any(|edge| is_about(&edge)) {
        return Reaction::Goes(at);
    }
    let fits = |edge: &&stubborn_ir::TraceEdge| {
        let mut fields = edge.fields.iter().zip(&event.message);
        is_about(edge) && fields.all(|(field, &value)| field.is_none_or(|i| event.watched[i] == Some(value)))
    };
    let state = &trace.states[at as usize];
    let mut fitting = state.edges.iter().filter(fits).filter(|_| !state.is_last);
    match fitting.next() {
        Some(edge) if trace.negated && trace.states[edge.target as usize].is_last => Reaction::Violated,
        Some(_) if fitting.next().is_some() => Reaction::Ambiguous,
        Some(edge) => Reaction::Goes(edge.target),
        // Only the first try counts.
        None if trace.negated => Reaction::Goes(last(trace).unwrap_or(at)),
        None => Reaction::Violated,
    }
}

fn last(trace: &TraceClaim) -> Option<u32> {
    trace.states.iter().position(|state| state.is_last).map(|last| last as u32)
}
