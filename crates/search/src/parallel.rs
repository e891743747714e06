//! Breadth-first search by several threads, one level after the other.
//!
//! States are divided among [`shards`](shard) by their hash; who finds successors puts them into their shards a batch
//! at a time. All threads expand a level, and the next one begins when all of it is expanded: the way over parents is
//! a shortest one, unless steps are left out, and which states are on a level does not depend on who expands what.
//!
//! The proviso against ignoring is one of levels: a state keeps to part of its steps only if one of them leads to the
//! next level. Along such steps levels grow, so every state leads to one that is expanded fully (C2^S of Evangelista
//! and Pajault). What is on this level and those before is known when the level begins: neither timing nor the number
//! of threads has a say in it.
//!
//! What a thread knows of the model, it knows alone: an interpreter and a reducer each, with one layout shared.

mod expander;
mod seen;
pub(crate) mod shard;
mod worker;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use stubborn_ir::{Interpreter, Model, Move, RuntimeErrorKind};
use stubborn_reduce::{Plan, Proviso};

use crate::End;
use crate::budget::{Budget, OutOfMemory};
use crate::exploration::Halt;
use crate::limits::{Clock, Incomplete, Limits};
use crate::observer::{Counts, Finding, Found, Observer, Progress};
use crate::path::moves_along;
use crate::store::StateId;
pub use expander::{Expander, Part, Sink, Taken};
use seen::least;
pub use seen::{Seen, is_worth_keeping, keep_least};
use shard::Shards;
pub use shard::{Placed, Shard};
use worker::{Block, Worker};

/// Who searches, and how the work is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Team {
    /// How many threads there are.
    pub n_threads: usize,
    /// Levels of fewer states are expanded by one thread: to wake the others takes longer.
    pub worth_sharing: usize,
    /// How many states a thread takes at a time.
    pub block: usize,
}

impl Team {
    /// That many threads, with the work divided as suits large models.
    pub fn of(n_threads: usize) -> Self {
        Team { n_threads, worth_sharing: 1024, block: 256 }
    }
}

/// The states that threads visited together.
#[derive(Debug)]
pub struct Crowd<'m> {
    interpreter: Interpreter<'m>,
    shards: Shards,
    budget: Budget,
    counts: Counts,
    team: Team,
}

/// What all threads see.
struct Common {
    shards: Shards,
    budget: Budget,
    clock: Clock,
    /// Blocks of the level that is being expanded.
    open: Mutex<Vec<Block>>,
    /// Set when threads have to stop.
    is_over: AtomicBool,
    /// Why they have to.
    why: Mutex<Option<Incomplete>>,
    n_transitions: AtomicU64,
    /// Whether the proviso is asked.
    has_proviso: bool,
    /// Whether every violation is told.
    tells_all: bool,
    team: Team,
}

impl Common {
    /// Ends the search before its end.
    fn halt(&self, why: Incomplete) {
        lock(&self.why).get_or_insert(why);
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn stored<T>(&self, result: Result<T, OutOfMemory>) -> ControlFlow<(), T> {
        match result {
            Ok(value) => ControlFlow::Continue(value),
            Err(OutOfMemory) => {
                self.halt(Incomplete::Memory { limit: self.budget.limit() });
                ControlFlow::Break(())
            }
        }
    }
}

/// A thread that panics with a lock held ends the search in that panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why a plan cannot be carried out by several threads, if so.
pub fn refusal_in_parallel(plan: &Plan) -> Option<String> {
    use stubborn_reduce::Reduction;
    match (plan.reduction, plan.proviso) {
        (Reduction::None, _) => None,
        (Reduction::Sleep | Reduction::TwoPhase(_), _) => {
            Some(format!("the reduction {} is for one thread", plan.reduction))
        }
        (_, Proviso::None | Proviso::Sticky | Proviso::Queue) => None,
        (_, proviso) => Some(format!(
            "the proviso {proviso} is for one thread; with several, none, queue and sticky are there"
        )),
    }
}

/// Visits the states of `model` breadth-first, by several threads; see [`search`](crate::search()). What
/// [`refusal_in_parallel`] refuses must not be asked for, nor does an observer see expansions. Of all violations on a
/// level it is told one of each kind.
pub fn search_in_parallel<'m>(
    model: &'m Model,
    team: Team,
    plan: &Plan,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<(Crowd<'m>, End), RuntimeErrorKind> {
    let mut interpreter = Interpreter::new(model);
    limits.speed_up(&mut interpreter);
    let initial = interpreter.initial()?;
    let budget = Budget::of_threads(limits.memory);
    let common = Common {
        shards: Shards::new(initial.len(), &budget),
        budget,
        clock: Clock::start(limits),
        open: Mutex::default(),
        is_over: AtomicBool::new(false),
        why: Mutex::default(),
        n_transitions: AtomicU64::new(0),
        has_proviso: plan.proviso == Proviso::Queue,
        tells_all: observer.wants_every_violation(),
        team,
    };
    let mut counts = Counts::default();
    let result = thread::scope(|scope| {
        let mut first = Worker::new(interpreter.fork(), &initial, plan, &common);
        let mut others = Vec::new();
        for _ in 1..team.n_threads {
            let (calls, called) = channel();
            let (answers, answered) = channel();
            let (fork, common, initial) = (interpreter.fork(), &common, &initial);
            scope.spawn(move || {
                let mut worker = Worker::new(fork, initial, plan, common);
                // Ends when nobody calls any more.
                for () in called {
                    worker.work(&mut |_| ControlFlow::Continue(()));
                    if answers.send(worker.take_level()).is_err() {
                        break;
                    }
                }
            });
            others.push(Thread { calls, answered });
        }
        levels(&mut first, &others, &initial, &common, &mut counts, observer)
    });
    let Common { shards, budget, .. } = common;
    counts.states = shards.len();
    interpreter.reach(usize::MAX);
    let end = match result {
        ControlFlow::Break(Halt::Observer) => End::Stopped,
        ControlFlow::Break(Halt::Incomplete(why)) => End::Incomplete(why),
        ControlFlow::Continue(()) => End::Exhausted,
    };
    Ok((Crowd { interpreter, shards, budget, counts, team }, end))
}

/// Another thread: what is said to it, and what it found on a level.
struct Thread {
    calls: Sender<()>,
    answered: Receiver<Level>,
}

/// What a thread found on a level.
#[derive(Debug, Default)]
struct Level {
    next: Vec<Block>,
    counts: Counts,
    found: Vec<Seen<StateId>>,
    cut_off: bool,
}

impl Level {
    fn join(&mut self, mut other: Level) {
        self.next.append(&mut other.next);
        self.counts.transitions += other.counts.transitions;
        self.counts.deadlocks += other.counts.deadlocks;
        self.counts.failed_assertions += other.counts.failed_assertions;
        self.counts.errors += other.counts.errors;
        self.cut_off |= other.cut_off;
        self.found.append(&mut other.found);
    }
}

/// Expands level after level.
fn levels(
    first: &mut Worker<'_, '_>,
    others: &[Thread],
    initial: &[u8],
    common: &Common,
    counts: &mut Counts,
    observer: &mut dyn Observer,
) -> ControlFlow<Halt> {
    let halt = || {
        let why = *lock(&common.why);
        ControlFlow::Break(why.map_or(Halt::Observer, Halt::Incomplete))
    };
    let Ok(block) = common.shards.start(initial, common.team.block, &common.budget) else {
        common.halt(Incomplete::Memory { limit: common.budget.limit() });
        return halt();
    };
    let mut next = vec![block];
    let mut cut_off = false;
    loop {
        common.shards.begin_level();
        let is_shared = next.iter().map(Block::len).sum::<usize>() >= common.team.worth_sharing;
        *lock(&common.open) = next;
        let calling = if is_shared { others } else { &[] };
        for thread in calling {
            // One that is gone has panicked; so does the scope, when it is left.
            let _ = thread.calls.send(());
        }
        let depth = counts.depth;
        first.work(&mut |counted| {
            let (states, transitions) = (common.shards.len(), common.n_transitions.load(Ordering::Relaxed));
            let counts = Counts { states, transitions, depth, ..counted };
            observer.progress(&Progress { counts, bytes: common.budget.used() });
            ControlFlow::Continue(())
        });
        let mut level = first.take_level();
        for thread in calling {
            match thread.answered.recv() {
                Ok(found) => level.join(found),
                Err(_) => return ControlFlow::Break(Halt::Incomplete(Incomplete::Cancelled)),
            }
        }
        counts.states = common.shards.len();
        counts.transitions += level.counts.transitions;
        counts.deadlocks += level.counts.deadlocks;
        counts.failed_assertions += level.counts.failed_assertions;
        counts.errors += level.counts.errors;
        cut_off |= level.cut_off;
        let found = if common.tells_all { level.found } else { least(level.found) };
        for seen in &found {
            let Seen { violation, id, steps, .. } = seen;
            let found = Found { violation: *violation, state: *id, steps, counts: *counts };
            if observer.violation(found).is_break() {
                return ControlFlow::Break(Halt::Observer);
            }
        }
        if common.is_over.load(Ordering::Relaxed) {
            return halt();
        }
        next = level.next;
        if next.is_empty() {
            let why = Halt::Incomplete(Incomplete::CutOff);
            return if cut_off { ControlFlow::Break(why) } else { ControlFlow::Continue(()) };
        }
        counts.depth += 1;
        if observer.level(counts, &mut common.budget.clone()).is_break() {
            return ControlFlow::Break(Halt::Observer);
        }
    }
}

impl<'m> Crowd<'m> {
    /// Who searched.
    pub fn team(&self) -> Team {
        self.team
    }

    /// What was visited and found.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The semantics it was made with: where things lie in the states.
    pub fn interpreter(&self) -> &Interpreter<'m> {
        &self.interpreter
    }

    /// The most memory that was in use, in bytes.
    pub fn peak_bytes(&self) -> usize {
        self.budget.peak()
    }

    /// Bytes in use for each stored state: itself, its place in the table, and how it was reached.
    pub fn bytes_per_state(&self) -> f64 {
        self.budget.used() as f64 / self.counts.states.max(1) as f64
    }

    /// A visited state.
    pub fn state(&self, id: StateId) -> Vec<u8> {
        self.shards.state(id)
    }

    /// Calls `see` with every visited state.
    pub fn for_each_state(&self, see: impl FnMut(&[u8])) {
        self.shards.for_each_state(see);
    }

    /// The moves from the initial state to a violation that this search reported.
    pub fn moves_to(&mut self, finding: &Finding) -> Vec<Move> {
        let chain = self.shards.chain(finding.state);
        let mut moves = moves_along(&mut self.interpreter, &chain);
        moves.extend(finding.steps.iter().map(|step| self.interpreter.layout().move_of(step)));
        moves
    }
}

/// A state of a shard, by number.
pub(crate) fn id_of(shard: usize, local: StateId) -> StateId {
    StateId(local.0 << shard::BITS | shard as u32)
}
