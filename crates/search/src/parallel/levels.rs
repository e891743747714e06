//! Breadth-first search by several threads, one level after the other.
//!
//! Who finds successors puts them into their shards a batch at a time. All threads expand a level, and the next one
//! begins when all of it is expanded: the way over parents is a shortest one, unless steps are left out, and which states
//! are on a level does not depend on who expands what.
//!
//! The proviso against ignoring is one of levels: a state keeps to part of its steps only if one of them leads to the
//! next level. Along such steps levels grow, so every state leads to one that is expanded fully (C2^S of Evangelista
//! and Pajault). What is on this level and those before is known when the level begins: neither timing nor the number
//! of threads has a say in it.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use stubborn_ir::Interpreter;
use stubborn_reduce::Plan;

use super::seen::{Seen, least};
use super::worker::{Block, Haul, Worker};
use super::{Common, lock};
use crate::exploration::{Flow, Halt};
use crate::limits::Incomplete;
use crate::observer::{Counts, Found, Observer, Progress};

/// What all threads see.
struct Shared<'c> {
    common: &'c Common,
    /// Blocks of the level that is being expanded.
    open: Mutex<Vec<Block>>,
    n_transitions: AtomicU64,
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
    let shared = Shared { common, open: Mutex::default(), n_transitions: AtomicU64::new(0) };
    thread::scope(|scope| {
        let mut first = Worker::new(interpreter.fork(), initial, plan, common);
        let mut others = Vec::new();
        for _ in 1..common.team.n_threads {
            let (calls, called) = channel();
            let (answers, answered) = channel();
            let (fork, shared) = (interpreter.fork(), &shared);
            scope.spawn(move || {
                let mut worker = Worker::new(fork, initial, plan, shared.common);
                // Ends when nobody calls any more.
                for () in called {
                    work(&mut worker, shared, &mut |_| {});
                    if answers.send(std::mem::take(&mut worker.found)).is_err() {
                        break;
                    }
                }
            });
            others.push(Thread { calls, answered });
        }
        go_through(&mut first, &others, initial, &shared, counts, observer)
    })
}

/// Expands blocks of the level until none is left. Calls `tell` now and then with what this thread counted.
fn work(worker: &mut Worker<'_, '_>, shared: &Shared<'_>, tell: &mut dyn FnMut(Counts)) {
    let common = shared.common;
    while !common.is_over.load(Ordering::Relaxed) {
        let Some(block) = lock(&shared.open).pop() else { break };
        let before = worker.found.counts.transitions;
        if worker.expand_block(&block).is_break() {
            break;
        }
        tell(worker.found.counts);
        worker.budget.give_back(block.cost());
        let found = worker.found.counts.transitions - before;
        shared.n_transitions.fetch_add(found, Ordering::Relaxed);
        if let Err(why) = common.clock.check() {
            common.halt(why);
        }
    }
}

/// Another thread: what is said to it, and what it found on a level.
struct Thread {
    calls: Sender<()>,
    answered: Receiver<Haul>,
}

/// Adds what another thread found.
fn join(all: &mut Haul, mut other: Haul) {
    all.next.append(&mut other.next);
    all.counts.transitions += other.counts.transitions;
    all.counts.deadlocks += other.counts.deadlocks;
    all.counts.failed_assertions += other.counts.failed_assertions;
    all.counts.errors += other.counts.errors;
    all.cut_off |= other.cut_off;
    all.found.append(&mut other.found);
}

/// Expands level after level.
fn go_through(
    first: &mut Worker<'_, '_>,
    others: &[Thread],
    initial: &[u8],
    shared: &Shared<'_>,
    counts: &mut Counts,
    observer: &mut dyn Observer,
) -> Flow {
    let common = shared.common;
    let ControlFlow::Continue(block) = common.start(initial) else { return common.halted() };
    let mut next = vec![block];
    let mut cut_off = false;
    loop {
        common.shards.begin_level();
        let is_shared = next.iter().map(Block::len).sum::<usize>() >= common.team.worth_sharing;
        *lock(&shared.open) = next;
        let calling = if is_shared { others } else { &[] };
        for thread in calling {
            // One that is gone has panicked; so does the scope, when it is left.
            let _ = thread.calls.send(());
        }
        let depth = counts.depth;
        work(first, shared, &mut |counted| {
            let (states, transitions) = (common.shards.len(), shared.n_transitions.load(Ordering::Relaxed));
            let counts = Counts { states, transitions, depth, ..counted };
            observer.progress(&Progress { counts, bytes: common.budget.used() });
        });
        let mut level = std::mem::take(&mut first.found);
        for thread in calling {
            match thread.answered.recv() {
                Ok(found) => join(&mut level, found),
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
            return common.halted();
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
