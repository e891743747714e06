//! Depth-first search by several threads, each with a stack of its own.
//!
//! The states are shared, as in Laarman, van de Pol and Weber, "Boosting multi-core reachability performance with shared
//! hash tables" (2010). A state belongs to the thread that stored it first, which puts it on its stack, and takes the
//! newest states from there, a [block](Team::block) at a time. Who has nothing left is [given](pool) the older half of
//! somebody else's stack; when nobody has anything left, all states have been expanded, each once, since every one was on
//! a stack until it was. A block of one state is the order of a search with a stack; with more, a thread follows so many
//! ways downwards at once, for the sake of its shards' locks and of memory that is fetched ahead.
//!
//! The way to a state is the one over which it was stored: it is no shortest one, and how long it is depends on who came
//! first, as does what is found first.
//!
//! Of provisos against ignoring, those that look at the stack do not go with this: what another thread has on its stack
//! does not stay the same for as long as it takes to look, and what is met is on nobody's stack when it is met. Those of
//! components ask for the whole of what was visited at a time when nobody adds to it. What is left looks at no order:
//!
//! - without one, deadlocks are preserved by the sets of states by themselves;
//! - a *sticky* step is taken only with all others, and every cycle has one: that is known before the search begins;
//! - C3⁻_duplicate of Edelkamp, Leue and Lluch Lafuente: a state keeps to part of its steps only if one of them leads to a
//!   state that is *new*, which is to say that this very expansion stored it. Of all that meet at a state, the lock of its
//!   shard lets one store it, and that one was stored itself before. Along such steps states are stored later and later, and
//!   there are finitely many: so every state leads to one that is expanded fully (C2^S), whoever was how fast. How many
//!   states that leaves out is up to chance.
//!
//! [Team::block]: super::Team::block

mod pool;
mod thread;

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread::{ScopedJoinHandle, panicking, scope};

use stubborn_ir::Interpreter;
use stubborn_reduce::Plan;

use super::worker::Worker;
use super::{Common, lock};
use crate::exploration::{Flow, Halt};
use crate::limits::Incomplete;
use crate::observer::{Counts, Found, Observer, Progress};
use pool::Pool;

/// What all threads see.
struct Shared<'c> {
    common: &'c Common,
    pool: Pool,
    /// What threads have counted, as far as they have told.
    counted: Mutex<Counts>,
}

impl Shared<'_> {
    /// What was visited, as far as threads have told.
    fn counts(&self) -> Counts {
        Counts { states: self.common.shards.len(), ..*lock(&self.counted) }
    }
}

/// Visits all states from the initial one on; `interpreter` is copied for each thread.
pub(super) fn visit(
    interpreter: &mut Interpreter<'_>,
    initial: &[u8],
    plan: &Plan,
    common: &Common,
    counts: &mut Counts,
    observer: &mut dyn Observer,
) -> Flow {
    let shared =
        Shared { common, pool: Pool::of(common.team.n_threads, common.tells_all), counted: Mutex::default() };
    let mut teller = Teller { shared: &shared, observer, has_enough: false };
    let cut_off = scope(|scope| {
        let ending = Ending(&shared);
        let mut others = Vec::new();
        for _ in 1..common.team.n_threads {
            let (fork, shared) = (interpreter.fork(), &shared);
            others.push(scope.spawn(move || {
                let _ending = Ending(shared);
                let worker = Worker::new(fork, initial, plan, shared.common);
                thread::run(worker, shared, &mut |_| ControlFlow::Continue(()))
            }));
        }
        let mut first = Worker::new(interpreter.fork(), initial, plan, common);
        first.found.next.extend(common.start(initial).continue_value());
        let cut_off = thread::run(first, &shared, &mut |occasion| teller.tell(occasion));
        drop(ending);
        let join =
            |other: ScopedJoinHandle<'_, bool>| other.join().unwrap_or_else(|panic| resume_unwind(panic));
        others.into_iter().map(join).fold(cut_off, |all, one| all | one)
    });
    // What the others found while the first one left.
    let told = teller.tell(Occasion::News);
    *counts = shared.counts();
    match told {
        ControlFlow::Break(()) => ControlFlow::Break(Halt::Observer),
        ControlFlow::Continue(()) if common.is_over.load(Ordering::Relaxed) => common.halted(),
        ControlFlow::Continue(()) if cut_off => ControlFlow::Break(Halt::Incomplete(Incomplete::CutOff)),
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
    }
}

/// Ends the search when a thread leaves: nobody waits for it, and all leave if it has panicked.
struct Ending<'s>(&'s Shared<'s>);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.0.common.is_over.store(true, Ordering::Relaxed);
        }
        self.0.pool.end();
    }
}

/// Why the first thread speaks up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Occasion {
    /// Somebody may have found something.
    News,
    /// It is time to tell how far the search is.
    Progress,
}

/// Tells the observer, on behalf of all threads.
struct Teller<'c, 's, 'o> {
    shared: &'s Shared<'c>,
    observer: &'o mut dyn Observer,
    has_enough: bool,
}

impl Teller<'_, '_, '_> {
    fn tell(&mut self, occasion: Occasion) -> ControlFlow<()> {
        let Teller { shared, observer, has_enough } = self;
        for finding in shared.pool.take_news() {
            let (violation, state, steps) = (finding.violation, finding.state, &finding.steps);
            let found = Found { violation, state, steps, counts: finding.counts };
            *has_enough = *has_enough || observer.violation(found).is_break();
        }
        if *has_enough {
            shared.common.is_over.store(true, Ordering::Relaxed);
            return ControlFlow::Break(());
        }
        if occasion == Occasion::Progress {
            observer.progress(&Progress { counts: shared.counts(), bytes: shared.common.budget.used() });
        }
        ControlFlow::Continue(())
    }
}
