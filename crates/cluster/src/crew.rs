//! The workers of this process, in threads of their own.
//!
//! Timely dataflow starts its threads itself, and they must not borrow from whoever started them: so they own what they
//! search together, and the observer, who stays where it is, is told of everything in messages.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

use stubborn_ir::{ClaimAutomaton, Interpreter, Model};
use stubborn_reduce::{Plan, Proviso};
use stubborn_search::{
    Budget, By, Clock, Expander, Finding, Found, Incomplete, Limits, Observer, Progress, Shard, Task, Watched,
};
use timely::WorkerConfig;
use timely::communication::allocator::{Allocator, AllocatorBuilder};
use timely::communication::initialize_from;
use timely::worker::Worker;

use crate::board::Board;
use crate::expansion::creates_processes;
use crate::gathering::Gathering;
use crate::mailbox::Mailbox;
use crate::searcher::{Common, Searcher};

/// What the workers of a process search together.
pub(crate) struct Crew {
    model: Model,
    plan: Plan,
    claim: Option<(ClaimAutomaton, By)>,
    limits: Limits,
    initial: Vec<u8>,
    clock: Clock,
    budget: Budget,
    board: Arc<Board>,
    n_workers: usize,
}

/// What is told to the observer.
enum Event {
    Progress(Progress),
    /// With where to say whether the search goes on.
    Violation(Finding, Sender<ControlFlow<()>>),
}

/// Tells the observer, if there is one.
pub(crate) struct Listener(Option<Sender<Event>>);

impl Listener {
    pub(crate) fn progress(&mut self, progress: Progress) {
        if let Listener(Some(events)) = self {
            // Who does not listen any more has no need of it.
            let _ = events.send(Event::Progress(progress));
        }
    }

    pub(crate) fn violation(&mut self, found: Found<'_>) -> ControlFlow<()> {
        let Listener(Some(events)) = self else { return ControlFlow::Continue(()) };
        let (reply, replied) = channel();
        let told = events.send(Event::Violation(found.to_finding(), reply));
        match told.map(|()| replied.recv()) {
            Ok(Ok(flow)) => flow,
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Crew {
    pub(crate) fn new(
        task: &Task<'_>,
        limits: &Limits,
        initial: Vec<u8>,
        budget: Budget,
        board: Arc<Board>,
        n_workers: usize,
    ) -> Self {
        Crew {
            model: task.model.clone(),
            plan: task.plan.clone(),
            claim: task.claim.map(|Watched { automaton, by }| (automaton.clone(), by)),
            limits: limits.clone(),
            initial,
            clock: Clock::start(limits),
            budget,
            board,
            n_workers,
        }
    }

    /// Searches with a worker for each of these, until the search is over everywhere; what was gathered, if that is done
    /// here.
    pub(crate) fn search(self, builders: Vec<AllocatorBuilder>, observer: &mut dyn Observer) -> Gathering {
        let (events, heard) = channel();
        let (board, crew) = (self.board.clone(), Arc::new(self));
        let work = move |allocator: Allocator| crew.work(allocator, &events);
        let Ok(threads) = initialize_from(builders, Box::new(()), work) else {
            board.fail(Incomplete::Cancelled);
            return Gathering::default();
        };
        // Ends when no worker is left that could tell anything.
        for event in heard {
            match event {
                Event::Progress(progress) => observer.progress(&progress),
                Event::Violation(finding, reply) => {
                    let Finding { violation, state, steps, counts } = &finding;
                    let found = Found { violation: *violation, state: *state, steps, counts: *counts };
                    // A worker that does not wait for it is gone.
                    let _ = reply.send(observer.violation(found));
                }
            }
        }
        threads.join().into_iter().flatten().flatten().next().unwrap_or_default()
    }

    /// One worker.
    fn work(&self, allocator: Allocator, events: &Sender<Event>) -> Option<Gathering> {
        // Whatever happens to this thread, the others must not wait for it.
        let _guard = Guard(&self.board);
        let Crew { model, plan, limits, initial, clock, budget, board, .. } = self;
        let claim = self.claim.as_ref().map(|(automaton, by)| Watched { automaton, by: *by });
        let task = Task { model, plan, claim };
        let common = Common {
            task: &task,
            board,
            clock: clock.clone(),
            budget: budget.clone(),
            initial,
            creates: creates_processes(model),
        };
        // Without a clock of its own a worker never waits.
        let worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        let me = worker.index();
        let mut interpreter = Interpreter::new(model);
        limits.speed_up(&mut interpreter);
        interpreter.initial().ok()?;
        interpreter.freeze_layout();
        let expander = Expander::new(interpreter, initial, plan, clock.watch(budget));
        let shard = Shard::new(initial.len(), limits.compression, budget);
        let has_proviso = plan.proviso == Proviso::Queue && expander.reducer.is_some();
        let mail = Mailbox::new(worker);
        let mut listener = Listener((me == 0).then(|| events.clone()));
        let mut searcher = Searcher::new(&common, mail, [me, self.n_workers], expander, shard, has_proviso);
        // It breaks off when the search is over; how it ended is known to the hub.
        let _ = searcher.run(&mut listener);
        searcher.gathering
    }
}

/// Ends a search that is left before it is over.
struct Guard<'a>(&'a Board);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if !self.0.is_over() {
            self.0.fail(Incomplete::Lost { process: self.0.process() });
        }
    }
}
