//! One thread of a depth-first search: expands what is on top of its stack, gives from the bottom of it, and tells.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::{Occasion, Shared};
use crate::observer::Finding;
use crate::parallel::lock;
use crate::parallel::worker::Worker;

/// Edges between two looks at the clock.
const INTERVAL: u64 = 1024;

/// Expands what is on the stack, and what others give away, until nobody has anything left; whether something was cut off.
/// Calls `tell` now and then.
pub(super) fn run(
    mut worker: Worker<'_, '_>,
    shared: &Shared<'_>,
    tell: &mut dyn FnMut(Occasion) -> ControlFlow<()>,
) -> bool {
    // It breaks when the search is over, which all threads see.
    let _ = go_on(&mut worker, shared, tell);
    publish(&mut worker, shared);
    report(&mut worker, shared);
    worker.found.cut_off
}

fn go_on(
    worker: &mut Worker<'_, '_>,
    shared: &Shared<'_>,
    tell: &mut dyn FnMut(Occasion) -> ControlFlow<()>,
) -> ControlFlow<()> {
    loop {
        look_up(worker, shared, tell)?;
        let stack = &mut worker.found.next;
        let Some(mut block) = stack.pop() else {
            publish(worker, shared);
            match shared.pool.take(tell) {
                Some(part) => worker.found.next = part,
                None => return ControlFlow::Break(()),
            }
            continue;
        };
        if let Some(below) = stack.last_mut() {
            block.fill_from(below);
            if below.len() == 0 {
                worker.budget.give_back(below.cost());
                stack.pop();
            }
        }
        worker.expand_block(&block)?;
        worker.budget.give_back(block.cost());
        report(worker, shared);
    }
}

/// Looks whether there is something to tell, somebody waits for work, or it is time to stop.
fn look_up(
    worker: &mut Worker<'_, '_>,
    shared: &Shared<'_>,
    tell: &mut dyn FnMut(Occasion) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let common = shared.common;
    if common.is_over.load(Ordering::Relaxed) {
        return ControlFlow::Break(());
    }
    if shared.pool.has_news() {
        tell(Occasion::News)?;
    }
    // What is below the bottom of a stack is the most, mostly.
    let half = worker.found.next.len() / 2;
    if half > 0 && shared.pool.is_wanting() {
        shared.pool.give(worker.found.next.drain(..half).collect());
    }
    if worker.found.counts.transitions < INTERVAL {
        return ControlFlow::Continue(());
    }
    publish(worker, shared);
    if let Err(why) = common.clock.check() {
        common.halt(why);
        return ControlFlow::Break(());
    }
    tell(Occasion::Progress)
}

/// Reports what was found.
fn report(worker: &mut Worker<'_, '_>, shared: &Shared<'_>) {
    if worker.found.found.is_empty() {
        return;
    }
    publish(worker, shared);
    let counts = shared.counts();
    for seen in worker.found.found.drain(..) {
        let (violation, state, steps) = (seen.violation, seen.id, seen.steps);
        shared.pool.report(Finding { violation, state, steps, counts });
    }
}

/// Adds what was counted to what all have counted.
fn publish(worker: &mut Worker<'_, '_>, shared: &Shared<'_>) {
    let counts = std::mem::take(&mut worker.found.counts);
    let mut all = lock(&shared.counted);
    all.transitions += counts.transitions;
    all.deadlocks += counts.deadlocks;
    all.failed_assertions += counts.failed_assertions;
    all.errors += counts.errors;
    all.depth = all.depth.max(counts.depth);
}
