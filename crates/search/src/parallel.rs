//! Search by several threads that share one set of states.
//!
//! States are divided among [`shards`](shard) by their hash. What a thread knows of the model, it knows alone: an
//! interpreter and a reducer each, with one layout shared. Breadth-first, threads expand a level together, and then the
//! next one ([`levels`]); depth-first, each has a stack of its own ([`stacks`]). In either order every state is expanded
//! once, by one thread: so many states, transitions and violations are counted as by one thread, if nothing is left out.

mod expander;
mod levels;
mod seen;
pub(crate) mod shard;
mod stacks;
mod worker;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use stubborn_ir::{Interpreter, Model, Move, RuntimeErrorKind};
use stubborn_reduce::{Discipline, Plan, Proviso, Purpose, Reduction, refusal};
use stubborn_relations::Fault;

use crate::budget::{Budget, OutOfMemory};
use crate::exploration::{Flow, Halt};
use crate::limits::{Clock, Incomplete, Limits};
use crate::observer::{Counts, Finding, Observer};
use crate::path::moves_along;
use crate::store::StateId;
use crate::{End, Order};
pub use expander::{Expander, Part, Sink, Taken};
pub use seen::{Seen, is_worth_keeping, keep_least};
use shard::Shards;
pub use shard::{Placed, Shard};
use worker::Block;

/// Who searches, and how the work is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Team {
    /// How many threads there are.
    pub n_threads: usize,
    /// Levels of fewer states are expanded by one thread: to wake the others takes longer. Breadth-first only.
    pub worth_sharing: usize,
    /// How many states a thread takes at a time.
    pub block: usize,
}

impl Team {
    /// That many threads, with the work divided as suits large models in that order.
    pub fn of(n_threads: usize, order: Order) -> Self {
        let block = match order {
            Order::BreadthFirst => 256,
            // The more at once, the less deep.
            Order::DepthFirst => 64,
        };
        Team { n_threads, worth_sharing: 1024, block }
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
    /// Set when threads have to stop.
    is_over: AtomicBool,
    /// Why they have to.
    why: Mutex<Option<Incomplete>>,
    /// What a state that keeps to part of its steps is asked for, if anything.
    proviso: Proviso,
    /// Whether every violation is told.
    tells_all: bool,
    team: Team,
}

impl Common {
    /// Stores the initial state, to begin with.
    fn start(&self, initial: &[u8]) -> ControlFlow<(), Block> {
        let id = self.stored(self.shards.start(initial))?;
        let mut block = self.stored(Block::new(initial.len(), self.team.block, &mut self.budget.clone()))?;
        block.push(id, 0, initial);
        ControlFlow::Continue(block)
    }

    /// Whether a state may keep to part of its steps if one of them leads to a state that was placed so.
    #[inline]
    fn settles(&self, placed: Placed) -> bool {
        match self.proviso {
            Proviso::Duplicate => matches!(placed, Placed::New(_)),
            _ => !placed.is_old(),
        }
    }

    /// Ends the search before its end.
    fn halt(&self, why: Incomplete) {
        lock(&self.why).get_or_insert(why);
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// It has ended before its end: so because of the observer, if nothing else is known.
    fn halted(&self) -> Flow {
        let why = *lock(&self.why);
        ControlFlow::Break(why.map_or(Halt::Observer, Halt::Incomplete))
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

/// Why a plan cannot be carried out by several threads in that order, if so.
pub fn refusal_in_parallel(plan: &Plan, order: Order) -> Option<String> {
    match (plan.reduction, order, plan.proviso) {
        (_, Order::DepthFirst, _) => refusal(plan, Discipline::Stacks, Purpose::Deadlocks),
        (Reduction::None, Order::BreadthFirst, _) => None,
        (Reduction::Sleep | Reduction::TwoPhase(_), Order::BreadthFirst, _) => {
            Some(format!("the reduction {} is for one thread", plan.reduction))
        }
        (_, Order::BreadthFirst, Proviso::None | Proviso::Sticky | Proviso::Queue) => None,
        (_, Order::BreadthFirst, proviso) => Some(format!(
            "the proviso {proviso} is for one thread; with several, none, queue and sticky are there"
        )),
    }
}

/// Visits the states of `model` in that order, by several threads; see [`search`](crate::search()). What
/// [`refusal_in_parallel`] refuses must not be asked for, nor does an observer see expansions. Of all violations on a
/// level, or of all there are depth-first, it is told one of each kind. Depth-first, which one that is, and how long the
/// way there is, is up to chance.
pub fn search_in_parallel<'m>(
    model: &'m Model,
    order: Order,
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
        is_over: AtomicBool::new(false),
        why: Mutex::default(),
        proviso: match plan.proviso {
            Proviso::Queue | Proviso::Duplicate if plan.fault != Some(Fault::DropProviso) => plan.proviso,
            _ => Proviso::None,
        },
        tells_all: observer.wants_every_violation(),
        team,
    };
    let mut counts = Counts::default();
    let visit = match order {
        Order::BreadthFirst => levels::visit,
        Order::DepthFirst => stacks::visit,
    };
    let result = visit(&mut interpreter, &initial, plan, &common, &mut counts, observer);
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
