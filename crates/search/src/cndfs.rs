//! Nested depth-first search by several threads.
//!
//! CNDFS of Evangelista, Laarman, Petrucci and van de Pol, "Improved multi-core nested depth-first search" (2012). Every
//! thread walks through the product in an order of its own, and shares two colours: a node is *blue* when some thread has
//! left it, and then not entered again; *red* when it is on no accepting cycle. The nodes on a thread's own stack are
//! cyan to that thread alone. When an accepting node `s` is left, while it is still cyan, it is looked for a way from it
//! to a cyan node, through what is not red; the nodes that were met become red once all accepting ones among them, but
//! `s`, are red by themselves.
//!
//! Why nothing is missed: let `C` be an accepting cycle, and the first node of it that becomes red do so after a search
//! from `t`. No node of `C` was red before, so that search met all of it. An accepting node of `C` other than `t` would
//! have had to be red; so `t` is the only one, and the search came back to `t`, which was cyan. Hence no node of `C`
//! ever becomes red; but every node is left by some thread, and an accepting one is red then. Why threads do not wait for
//! each other for ever: each would wait for a node that leads to where another one began, so there would be an accepting
//! cycle through these, none of it red, and one of the searches would have come round.
//!
//! All of this asks that a node has the same arcs for all threads and both searches. The steps of a model's state are
//! published once, by whoever finds them first ([`shared`]). So a proviso must look at no order of states: the sticky
//! one, or none of the states is left out.

mod shared;
mod worker;

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use stubborn_ir::{Interpreter, Model, Move, RuntimeErrorKind};
use stubborn_reduce::{Plan, Proviso, Reduction};

use crate::End;
use crate::claim::{Answer, Question};
use crate::lasso::{Path, Run, shortest, way};
use crate::limits::Limits;
use crate::observer::{Counts, Observer};
use crate::path::{is_same, moves_between};
use crate::product::NOBODY;
use shared::{Arcs, Shared};
use worker::{Discovery, Worker};

/// Whether a claim can be decided by several threads.
pub fn is_for_threads(question: &Question<'_>, plan: &Plan) -> bool {
    let is_order_free = plan.reduction == Reduction::None || plan.proviso == Proviso::Sticky;
    is_order_free && !question.is_fair
}

/// Looks for an accepted run, by several threads; see [`search_claim`](crate::search_claim). What [`is_for_threads`]
/// denies must not be asked for.
pub fn search_claim_in_parallel(
    model: &Model,
    question: &Question<'_>,
    n_threads: usize,
    plan: &Plan,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Answer, RuntimeErrorKind> {
    let started = Instant::now();
    let mut interpreter = Interpreter::new(model);
    limits.speed_up(&mut interpreter);
    let initial = interpreter.initial()?;
    let shared = Shared::new(initial.len(), question.factors(), limits);
    let start = shared.start(&initial);
    let depth = thread::scope(|scope| {
        let mut others = Vec::new();
        for number in 1..n_threads {
            let (fork, shared, initial) = (interpreter.fork(), &shared, &initial);
            others.push(scope.spawn(move || {
                let mut worker = Worker::new(number, fork, initial, plan, shared);
                worker.run(start, &mut |_| {});
                worker.depth()
            }));
        }
        let mut first = Worker::new(0, interpreter.fork(), &initial, plan, &shared);
        first.run(start, &mut |progress| observer.progress(progress));
        let depths = others.into_iter().map(|other| match other.join() {
            Ok(depth) => depth,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        depths.fold(first.depth(), u64::max)
    });
    interpreter.reach(usize::MAX);
    let run = shared.discovery().map(|found| told(&mut interpreter, &shared, start, found));
    let end = match (&run, shared.why()) {
        (Some(_), _) => End::Stopped,
        (None, Some(why)) => End::Incomplete(why),
        (None, None) => End::Exhausted,
    };
    let counts = Counts { depth, ..shared.counts() };
    let has_endless = shared.has_endless.load(Ordering::Relaxed);
    Ok(Answer { end, run, counts, has_endless, time: started.elapsed() })
}

/// The run behind what a thread found: a shortest way there, and around, through all that is known.
fn told(interpreter: &mut Interpreter<'_>, shared: &Shared<'_>, start: u32, found: Discovery) -> Run {
    let arcs = Arcs::of(shared);
    match found {
        Discovery::Final(node) => {
            let path = way(&arcs, start, node);
            let is_infinite = path.iter().any(|(_, arc)| arc.mover == NOBODY);
            Run { prefix: moves(interpreter, shared, &path), cycle: Vec::new(), is_infinite }
        }
        Discovery::Cycle(node) => {
            let prefix = way(&arcs, start, node);
            let cycle = shortest(&arcs, node, &|_| true, &|arc| arc.to == node);
            let prefix = moves(interpreter, shared, &prefix);
            Run { prefix, cycle: moves(interpreter, shared, &cycle), is_infinite: true }
        }
    }
}

fn moves(interpreter: &mut Interpreter<'_>, shared: &Shared<'_>, path: &Path) -> Vec<Move> {
    let mut moves = Vec::new();
    for &(from, arc) in path.iter().filter(|(_, arc)| arc.mover != NOBODY) {
        let (from, to) = (shared.bytes(from), shared.bytes(arc.to));
        moves_between(interpreter, &from, Some(arc.mover), |target| is_same(&to, target), &mut moves);
    }
    moves
}

/// A thread goes on, or the search is over.
type Going<T = ()> = ControlFlow<(), T>;
