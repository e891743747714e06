//! What the first worker gathers: counts, violations, and the ways to them.
//!
//! A state is kept with its parent by the worker that owns it. So the way to a violation is asked for backwards: whoever
//! owns a state tells the first worker what it is, and asks the owner of the parent, until the initial state is told. Of a
//! cycle the way goes on from the initial state, to where it is closed. A violation is told to the observer when all of it is
//! known.
//!
//! Where both are found, a violation at the end of a way goes before a cycle, however long it takes to ask for the way.

use std::ops::ControlFlow;

use stubborn_ir::{Interpreter, Move, RuntimeErrorKind, Step, Violation};
use stubborn_search::{
    Counts, Found, Run, Seen, StateId, Watched, is_same, keep_least, moves_along, violates,
};

use crate::crew::Listener;
use crate::expansion::find_again;
use crate::graph::Closed;
use crate::letter::{GlobalId, Letter, Message, Report, Sighting, Wrong};
use crate::mailbox::Time;
use crate::searcher::{Going, Searcher};

/// What was gathered.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    pub(crate) counts: Counts,
    pub(crate) cut_off: bool,
    pub(crate) has_endless: bool,
    /// Why the invariant has no value in some state, if so.
    pub(crate) without_value: Option<RuntimeErrorKind>,
    /// Of this level.
    found: Vec<Seen<GlobalId>>,
    /// The least cycle that was closed in the round before.
    closed: Option<Closed>,
    /// One of each kind, with the way to it.
    traces: Vec<Trace>,
    /// The runs that were told, by the number they were told with.
    pub(crate) runs: Vec<Run>,
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
    /// What comes after it, if a cycle is gone round.
    ahead: Option<Ahead>,
    /// Where a cycle begins, once that is known.
    seed: Option<Vec<u8>>,
}

/// Nodes after the last one on the way, until one comes again.
#[derive(Debug, Default)]
struct Ahead {
    nodes: Vec<Option<Vec<u8>>>,
    len: Option<usize>,
}

impl Trace {
    fn new(violation: Violation, steps: Vec<Step>, counts: Counts) -> Self {
        Trace { violation, steps, counts, chain: Vec::new(), len: None, ahead: None, seed: None }
    }

    /// All of it, from the initial state on, once it is known.
    fn whole(&mut self) -> Option<Vec<Vec<u8>>> {
        let is_whole = |all: &[Option<Vec<u8>>], len| len == Some(all.len()) && !all.contains(&None);
        let Trace { chain, len, ahead, .. } = self;
        if !is_whole(chain, *len) || ahead.as_ref().is_some_and(|ahead| !is_whole(&ahead.nodes, ahead.len)) {
            return None;
        }
        let chain = std::mem::take(chain).into_iter().rev();
        Some(chain.chain(ahead.take().map(|ahead| ahead.nodes).unwrap_or_default()).flatten().collect())
    }
}

/// Puts something where it belongs.
fn put_at(all: &mut Vec<Option<Vec<u8>>>, at: usize, state: &[u8]) {
    if all.len() <= at {
        all.resize(at + 1, None);
    }
    all[at] = Some(state.to_vec());
}

impl Gathering {
    /// Something has to be told when the level is over.
    pub(crate) fn has_news(&self) -> bool {
        !self.found.is_empty()
    }

    /// An arc closed a cycle.
    pub(crate) fn close(&mut self, closed: Closed) {
        self.closed = Closed::or(self.closed, Some(closed));
    }

    /// A node on a cycle that is enough for a verdict, now that all workers have told of a round.
    pub(crate) fn enough(&mut self) -> Option<GlobalId> {
        let closed = self.closed.take()?;
        (self.found.is_empty() && self.traces.is_empty()).then_some(closed.seed)
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
        self.has_endless |= report.is_endless;
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
            if let Some(Watched { automaton, .. }) = common.task.claim {
                let why = violates(&expander.interpreter, state, automaton, holds);
                gathering.without_value = Some(why.err().unwrap_or(RuntimeErrorKind::NoValue));
            }
            return ControlFlow::Continue(());
        }
        let interrupt = expander.interpreter.interrupt().clone();
        expander.interpreter.set_interrupt(|| false);
        let violation = find_again(expander, *wrong, state, steps);
        expander.interpreter.heed(interrupt);
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
        let mut asked = Vec::new();
        for seen in std::mem::take(&mut gathering.found) {
            let kind = std::mem::discriminant(&seen.violation);
            let is_known = |trace: &Trace| std::mem::discriminant(&trace.violation) == kind;
            if gathering.traces.iter().any(is_known) {
                continue;
            }
            let Seen { violation, id, steps, .. } = seen;
            asked.push((gathering.traces.len() as u32, id));
            gathering.traces.push(Trace::new(violation, steps, counts));
        }
        for (finding, GlobalId { state, worker }) in asked {
            let mut letter = Letter::new(usize::from(worker), me);
            letter.push(&Message::Trace { finding, position: 0, state });
            self.send(tick, letter);
        }
    }

    /// The first worker asks the one who owns the initial node to go to a cycle, and round it.
    pub(crate) fn ask_for_cycle(&mut self, worker: usize) {
        let Some(gathering) = &mut self.gathering else { return };
        let finding = gathering.traces.len() as u32;
        let trace = Trace::new(Violation::InfiniteRun, Vec::new(), gathering.counts);
        gathering.traces.push(Trace { ahead: Some(Ahead::default()), ..trace });
        let mut letter = Letter::new(worker, self.me);
        letter.push(&Message::Walk { finding, position: 0, state: StateId(0) });
        self.send(0, letter);
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
        let Some(trace) = self.trace_of(finding) else { return self.garbled() };
        put_at(&mut trace.chain, position as usize, state);
        if is_first {
            trace.len = Some(position as usize + 1);
        }
        self.tell(finding, listener)
    }

    /// Something on the way round a cycle was told; the last of it was there before.
    pub(crate) fn walked(
        &mut self,
        finding: u32,
        position: u32,
        is_again: bool,
        state: &[u8],
        listener: &mut Listener,
    ) -> Going {
        let trace = self.trace_of(finding);
        let Some(Trace { ahead: Some(ahead), seed, .. }) = trace else { return self.garbled() };
        let Some(at) = (position as usize).checked_sub(1) else { return self.garbled() };
        if is_again {
            ahead.len = Some(at);
            *seed = Some(state.to_vec());
        } else {
            put_at(&mut ahead.nodes, at, state);
        }
        self.tell(finding, listener)
    }

    fn trace_of(&mut self, finding: u32) -> Option<&mut Trace> {
        self.gathering.as_mut()?.traces.get_mut(finding as usize)
    }

    /// Tells of a violation once all of it is known.
    fn tell(&mut self, finding: u32, listener: &mut Listener) -> Going {
        let trace = self.trace_of(finding);
        let whole = trace.and_then(|trace| Some((trace.whole()?, trace.seed.take(), trace.steps.clone())));
        let Some((chain, seed, steps)) = whole else { return ControlFlow::Continue(()) };
        let run = self.run_along(&chain, seed.as_deref(), &steps);
        let run = self.understood(run)?;
        let Some(gathering) = &mut self.gathering else { return ControlFlow::Continue(()) };
        let Trace { violation, counts, .. } = gathering.traces[finding as usize];
        gathering.runs.push(run);
        let state = StateId(gathering.runs.len() as u32 - 1);
        if listener.violation(Found { violation, state, steps: &steps, counts }).is_break() {
            self.common.board.stop();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// The run along these states, and around a seed that is one of them; then by these steps.
    fn run_along(&mut self, chain: &[Vec<u8>], seed: Option<&[u8]>, steps: &[Step]) -> Option<Run> {
        let Searcher { expander, product, .. } = self;
        let part = |bytes: &[u8]| match &*product {
            Some(product) => product.model_part(bytes).to_vec(),
            None => bytes.to_vec(),
        };
        let begins = match seed {
            Some(seed) => chain.iter().rposition(|node| is_same(node, seed))?,
            None => chain.len() - 1,
        };
        let states: Vec<Vec<u8>> = chain.iter().map(|node| part(node)).collect();
        let interpreter = &mut expander.interpreter;
        // A run that was found can still be told when time is over.
        let interrupt = interpreter.interrupt().clone();
        interpreter.set_interrupt(|| false);
        let (mut prefix, stays) = moves(interpreter, &states[..=begins]);
        let mut cycle = Vec::new();
        if let Some(seed) = seed {
            let round: Vec<Vec<u8>> = states[begins..].iter().cloned().chain([part(seed)]).collect();
            cycle = moves(interpreter, &round).0;
        }
        prefix.extend(steps.iter().map(|step| interpreter.layout().move_of(step)));
        interpreter.heed(interrupt);
        Some(Run { prefix, cycle, is_infinite: seed.is_some() || stays })
    }
}

/// The moves along states, and whether the run stays in one somewhere, since it has ended.
fn moves(interpreter: &mut Interpreter<'_>, states: &[Vec<u8>]) -> (Vec<Move>, bool) {
    let (mut all, mut stays) = (Vec::new(), false);
    for pair in states.windows(2) {
        let moves = moves_along(interpreter, pair);
        stays |= moves.is_empty();
        all.extend(moves);
    }
    interpreter.take_wanted();
    (all, stays)
}
