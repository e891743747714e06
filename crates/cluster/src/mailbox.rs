//! The dataflow: one operator, whose output comes back to it, each letter at the worker that it is addressed to.
//!
//! Timely dataflow (Murray et al., "Naiad: A Timely Dataflow System", SOSP 2013) tells a worker which times can no longer
//! reach it: the *frontier* of what may still arrive. A letter that is sent at a time arrives at the next one. Whoever
//! may still send at a time *holds* it. So a round of a search is over when its letters can no longer come, and the search
//! when nothing is held and nothing is on its way: then there is no frontier any more.
//!
//! A search may go on in another dataflow once one is over: everybody makes them in the same order, and what comes for
//! one that is not there yet waits for it.
//!
//! An operator outlives whoever made it as far as the compiler knows, and so cannot look at a model. It does nothing but
//! fill and empty a [`Mailbox`], and the search stands beside it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback};
use timely::scheduling::Activator;
use timely::worker::Worker;

use crate::letter::Letter;

/// Rounds of a search, from 0.
pub(crate) type Time = u64;

/// What a worker sends and receives.
pub(crate) struct Mailbox {
    worker: Worker,
    shared: Rc<RefCell<Shared>>,
    activator: Activator,
}

#[derive(Default)]
struct Shared {
    arrived: Vec<(Time, Letter)>,
    /// Each with the right to be sent.
    leaving: Vec<(Capability<Time>, Letter)>,
    held: BTreeMap<Time, Capability<Time>>,
    /// The least time at which letters may still arrive, if there is one.
    frontier: Option<Time>,
}

impl Mailbox {
    /// Every worker makes one, and holds the first time.
    pub(crate) fn new(mut worker: Worker) -> Self {
        let (shared, activator) = dataflow(&mut worker);
        Mailbox { worker, shared, activator }
    }

    /// When there is no frontier any more: a dataflow of its own for what comes next. Every worker makes it, and holds its
    /// first time.
    pub(crate) fn begin_again(&mut self) {
        (self.shared, self.activator) = dataflow(&mut self.worker);
    }

    /// Sends a letter at a time that is held, or after one that is.
    pub(crate) fn send(&self, time: Time, letter: Letter) {
        let mut shared = self.shared.borrow_mut();
        let held = shared.held.range(..=time).next_back();
        let capability = held.expect("who sends holds a time before").1.delayed(&time);
        shared.leaving.push((capability, letter));
    }

    /// Sends and receives; waits for so long if nothing comes.
    pub(crate) fn step(&mut self, patience: Duration) {
        let before = self.frontier();
        self.activator.activate();
        self.worker.step();
        let has_news = self.frontier() != before || !self.shared.borrow().arrived.is_empty();
        if !patience.is_zero() && !has_news {
            self.worker.step_or_park(Some(patience));
        }
    }

    /// The letters that arrived since this was asked last.
    pub(crate) fn take(&self) -> Vec<(Time, Letter)> {
        std::mem::take(&mut self.shared.borrow_mut().arrived)
    }

    /// The least time at which letters may still arrive; none if there will be no more.
    pub(crate) fn frontier(&self) -> Option<Time> {
        self.shared.borrow().frontier
    }

    /// Holds `time` instead of all times before, if it holds any.
    pub(crate) fn hold_from(&self, time: Time) {
        let mut shared = self.shared.borrow_mut();
        if let Some((_, before)) = shared.held.range(..time).next_back() {
            let held = before.delayed(&time);
            shared.held.insert(time, held);
        }
        shared.held.retain(|&other, _| other >= time);
    }

    /// The last time that is held, if one is.
    pub(crate) fn latest(&self) -> Option<Time> {
        self.shared.borrow().held.last_key_value().map(|(&time, _)| time)
    }

    /// Holds nothing up to that time.
    pub(crate) fn release(&self, time: Time) {
        self.shared.borrow_mut().held.retain(|&other, _| other > time);
    }
}

/// Makes a dataflow.
fn dataflow(worker: &mut Worker) -> (Rc<RefCell<Shared>>, Activator) {
    let shared = Rc::new(RefCell::new(Shared { frontier: Some(0), ..Shared::default() }));
    let inner = shared.clone();
    let activator = worker.dataflow::<Time, _, _>(|scope| {
        let (handle, letters) = scope.feedback::<Vec<Letter>>(1);
        let mut activator = None;
        letters
            .unary_frontier(
                Exchange::new(|letter: &Letter| letter.to() as u64),
                "Visit",
                |capability, info| {
                    activator = Some(scope.activator_for(info.address));
                    inner.borrow_mut().held.insert(0, capability);
                    move |(input, frontier), output| {
                        let mut shared = inner.borrow_mut();
                        input.for_each(|capability, letters| {
                            let time = *capability.time();
                            shared.held.entry(time).or_insert_with(|| capability.retain(0));
                            shared.arrived.extend(letters.drain(..).map(|letter| (time, letter)));
                        });
                        for (capability, letter) in shared.leaving.drain(..) {
                            output.session(&capability).give(letter);
                        }
                        shared.frontier = frontier.frontier().first().copied();
                    }
                },
            )
            .connect_loop(handle);
        activator.expect("the operator was made")
    });
    (shared, activator)
}
