//! What the first worker gathers: counts, violations, and the ways to them.
//!
//! A state is kept with its parent by the worker that owns it. So the way to a violation is asked for backwards: whoever
//! owns a state tells the first worker what it is, and asks the owner of the parent, until the initial state is told. A
//! violation is told to the observer when the way to it is known.

use std::ops::ControlFlow;

use stubborn_ir::{Move, RuntimeErrorKind, Step, Violation};
use stubborn_search::{Counts, Found, Seen, StateId, keep_least, moves_along, violates};

use crate::crew::Listener;
use crate::expansion::find_again;
use crate::letter::{GlobalId, Letter, Message, Report, Sighting, Wrong};
use crate::mailbox::Time;
use crate::searcher::{Going, Searcher};

/// What was gathered.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    pub(crate) counts: Counts,
    pub(crate) cut_off: bool,
    /// Why the invariant has no value in some state, if so.
    pub(crate) without_value: Option<RuntimeErrorKind>,
    /// Of this level.
    found: Vec<Seen<GlobalId>>,
    /// One of each kind, with the way to it.
    traces: Vec<Trace>,
    /// The ways that were told, by the number they were told with.
    pub(crate) ways: Vec<Vec<Move>>,
    /// Levels that are over.
    n_levels: u64,
}

#[derive(Debug)]
struct Trace {
    violation: Violation,
    steps: Vec<Step>,
    counts: Counts,
    /// From the end.
    chain: Vec<Option<Vec<u8>>>,
    /// How many states there are on the way, once it is known.
    len: Option<usize>,
}

impl Gathering {
    /// Something has to be told when the level is over.
    pub(crate) fn has_news(&self) -> bool {
        !self.found.is_empty()
    }

    /// A worker's round is counted.
    pub(crate) fn count(&mut self, report: &Report) {
        let Counts { states, transitions, depth: _, deadlocks, failed_assertions, errors } = report.counts;
        self.counts.depth = self.n_levels;
        self.counts.states += states;
        self.counts.transitions += transitions;
        self.counts.deadlocks += deadlocks;
        self.counts.failed_assertions += failed_assertions;
        self.counts.errors += errors;
        self.cut_off |= report.cut_off;
    }
}

impl Searcher<'_, '_> {
    /// A worker saw something wrong.
    pub(crate) fn sight(&mut self, worker: usize, sighting: &Sighting<'_>) -> Going {
        let Sighting { wrong, id, state, steps } = sighting;
        let Searcher { gathering: Some(gathering), expander, common, holds, .. } = self else {
            return ControlFlow::Continue(());
        };
        if *wrong == Wrong::NoValue {
            if let Some(automaton) = common.task.invariant {
                let why = violates(&expander.interpreter, state, automaton, holds);
                gathering.without_value = Some(why.err().unwrap_or(RuntimeErrorKind::NoValue));
            }
            return ControlFlow::Continue(());
        }
        expander.interpreter.set_interrupt(|| false);
        let violation = find_again(expander, *wrong, state, steps);
        let clock = common.clock.clone();
        expander.interpreter.set_interrupt(move || clock.check().is_err());
        let violation = self.understood(violation)?;
        let id = GlobalId { state: *id, worker: worker as u16 };
        let seen = Seen { violation, id, state: state.to_vec(), steps: steps.clone() };
        if let Some(gathering) = &mut self.gathering {
            keep_least(&mut gathering.found, seen);
        }
        ControlFlow::Continue(())
    }

    /// A level is over: asks for the ways to what was found on it, of each kind the first time.
    pub(crate) fn tell_level(&mut self) {
        let (me, tick) = (self.me, self.tick);
        let Some(gathering) = &mut self.gathering else { return };
        let counts = gathering.counts;
        gathering.n_levels += 1;
        let mut letters = Vec::new();
        for seen in std::mem::take(&mut gathering.found) {
            let kind = std::mem::discriminant(&seen.violation);
            let is_known = |trace: &Trace| std::mem::discriminant(&trace.violation) == kind;
            if gathering.traces.iter().any(is_known) {
                continue;
            }
            let finding = gathering.traces.len() as u32;
            let Seen { violation, id, steps, .. } = seen;
            gathering.traces.push(Trace { violation, steps, counts, chain: Vec::new(), len: None });
            let mut letter = Letter::new(usize::from(id.worker), me);
            letter.push(&Message::Trace { finding, position: 0, state: id.state });
            letters.push(letter);
        }
        letters.into_iter().for_each(|letter| self.send(tick, letter));
    }

    /// Tells what is on the way to a violation, as far as it is known here, and asks who knows more.
    pub(crate) fn trace(&mut self, time: Time, finding: u32, position: u32, state: StateId) {
        let mut told = Letter::new(0, self.me);
        let (mut position, mut state) = (position, state);
        let mut bytes = Vec::new();
        loop {
            self.shard.read(state, &mut bytes);
            let parent = self.shard.parent(state);
            let is_mine = usize::from(parent.worker) == self.me;
            let is_first = is_mine && parent.state == state;
            told.push(&Message::Traced { finding, position, is_first, state: &bytes });
            if is_first {
                break;
            }
            position += 1;
            state = parent.state;
            if !is_mine {
                let mut ask = Letter::new(usize::from(parent.worker), self.me);
                ask.push(&Message::Trace { finding, position, state });
                self.send(time, ask);
                break;
            }
        }
        self.send(time, told);
    }

    /// Something on the way to a violation was told.
    pub(crate) fn traced(
        &mut self,
        finding: u32,
        position: u32,
        is_first: bool,
        state: &[u8],
        listener: &mut Listener,
    ) -> Going {
        let at = position as usize;
        let gathering = self.gathering.as_mut();
        let trace = gathering.and_then(|gathering| gathering.traces.get_mut(finding as usize));
        let Some(trace) = trace else { return self.understood(None) };
        if trace.chain.len() <= at {
            trace.chain.resize(at + 1, None);
        }
        trace.chain[at] = Some(state.to_vec());
        if is_first {
            trace.len = Some(at + 1);
        }
        if trace.len != Some(trace.chain.len()) || trace.chain.contains(&None) {
            return ControlFlow::Continue(());
        }
        let chain: Vec<Vec<u8>> = std::mem::take(&mut trace.chain).into_iter().rev().flatten().collect();
        let (violation, steps, counts) = (trace.violation, trace.steps.clone(), trace.counts);
        let interpreter = &mut self.expander.interpreter;
        interpreter.set_interrupt(|| false);
        let mut moves = moves_along(interpreter, &chain);
        interpreter.take_wanted();
        moves.extend(steps.iter().map(|step| interpreter.layout().move_of(step)));
        let clock = self.common.clock.clone();
        interpreter.set_interrupt(move || clock.check().is_err());
        let Some(gathering) = &mut self.gathering else { return ControlFlow::Continue(()) };
        gathering.ways.push(moves);
        let state = StateId(gathering.ways.len() as u32 - 1);
        if listener.violation(Found { violation, state, steps: &steps, counts }).is_break() {
            self.common.board.stop();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
