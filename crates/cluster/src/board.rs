//! What the workers of a process see of a search: whether it is over, and how far it is.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use stubborn_search::{Budget, Counts, Incomplete, Used};

use crate::hub::{Ending, Figures, Hub};

/// How often it is told how far the search is.
const INTERVAL: Duration = Duration::from_millis(50);

/// One search, in one process.
pub(crate) struct Board {
    hub: Arc<Hub>,
    search: u64,
    n_local: usize,
    budget: Budget,
    /// Bytes that may wait to be sent to other processes.
    window: i64,
    n_done: AtomicUsize,
    has_failed: AtomicBool,
    is_left: AtomicBool,
    /// By worker of this process: states it keeps.
    stored: Vec<AtomicU64>,
    transitions: AtomicU64,
    handed_over: AtomicI64,
    written: AtomicI64,
    /// What was written beyond what was handed over, when last nothing was on its way: what is around letters.
    around: AtomicI64,
    told: Mutex<Instant>,
}

impl Board {
    pub(crate) fn new(hub: Arc<Hub>, search: u64, n_local: usize, budget: Budget, window: usize) -> Self {
        Board {
            hub,
            search,
            n_local,
            budget,
            window: window as i64,
            n_done: AtomicUsize::new(0),
            has_failed: AtomicBool::new(false),
            is_left: AtomicBool::new(false),
            stored: (0..n_local).map(|_| AtomicU64::new(0)).collect(),
            transitions: AtomicU64::new(0),
            handed_over: AtomicI64::new(0),
            written: AtomicI64::new(0),
            around: AtomicI64::new(0),
            told: Mutex::new(Instant::now()),
        }
    }

    pub(crate) fn process(&self) -> usize {
        self.hub.me
    }

    pub(crate) fn is_over(&self) -> bool {
        self.hub.is_over(self.search)
    }

    /// Ends the search before its end.
    pub(crate) fn fail(&self, why: Incomplete) {
        self.has_failed.store(true, Ordering::Relaxed);
        self.hub.tell(self.figures());
        self.hub.conclude(self.search, Ending::Incomplete(why));
    }

    /// Whoever listens has seen enough.
    pub(crate) fn stop(&self) {
        self.hub.conclude(self.search, Ending::Stopped);
    }

    /// All workers of this process have gone.
    pub(crate) fn leave(&self) {
        self.is_left.store(true, Ordering::Release);
    }

    pub(crate) fn is_left(&self) -> bool {
        self.is_left.load(Ordering::Acquire)
    }

    /// A connection is at its end; if the search is not, that is how it ends.
    pub(crate) fn lose(&self, process: usize) {
        if !self.is_over() {
            self.hub.lose(process);
        }
    }

    /// One worker of this process has nothing left to do.
    pub(crate) fn one_is_done(&self) {
        if self.n_done.fetch_add(1, Ordering::AcqRel) + 1 == self.n_local
            && !self.has_failed.load(Ordering::Relaxed)
        {
            self.hub.done(self.search, self.figures());
        }
    }

    /// A worker keeps so many states.
    pub(crate) fn store(&self, worker: usize, n_states: usize) {
        self.stored[worker % self.n_local].store(n_states as u64, Ordering::Relaxed);
    }

    /// So many more transitions.
    pub(crate) fn count(&self, transitions: u64) {
        self.transitions.fetch_add(transitions, Ordering::Relaxed);
    }

    /// So many bytes are to be sent to a worker.
    pub(crate) fn handed_over(&self, to: usize, bytes: usize) {
        if to / self.n_local != self.hub.me {
            self.handed_over.fetch_add(bytes as i64, Ordering::Relaxed);
        }
    }

    /// So many were sent to some process.
    pub(crate) fn written(&self, bytes: usize) {
        self.written.fetch_add(bytes as i64, Ordering::Relaxed);
    }

    /// Nothing is on its way.
    pub(crate) fn is_calm(&self) {
        let around = self.written.load(Ordering::Relaxed) - self.handed_over.load(Ordering::Relaxed);
        self.around.store(around, Ordering::Relaxed);
    }

    /// Whether so much waits to be sent that there should not be more.
    pub(crate) fn is_congested(&self) -> bool {
        let [handed_over, written, around] =
            [&self.handed_over, &self.written, &self.around].map(|bytes| bytes.load(Ordering::Relaxed));
        handed_over - (written - around) > self.window
    }

    /// What this process used so far.
    pub(crate) fn figures(&self) -> Figures {
        let states = self.stored.iter().map(|stored| stored.load(Ordering::Relaxed)).sum();
        // What is kept free for what waits to be sent is not used.
        let window = self.window as usize;
        let used = Used {
            states,
            bytes: self.budget.used().saturating_sub(window),
            peak_bytes: self.budget.peak().saturating_sub(window),
            sent_bytes: self.written.load(Ordering::Relaxed).max(0) as u64,
        };
        Figures { transitions: self.transitions.load(Ordering::Relaxed), used }
    }

    /// How far all processes are, if it is time to tell: states and transitions, and bytes in use.
    pub(crate) fn progress(&self, worker: usize) -> Option<(Counts, usize)> {
        if !worker.is_multiple_of(self.n_local) {
            return None;
        }
        let mut told = self.told.try_lock().ok()?;
        if told.elapsed() < INTERVAL {
            return None;
        }
        *told = Instant::now();
        self.hub.tell(self.figures());
        let mut counts = Counts::default();
        let mut bytes = 0;
        for Figures { transitions, used } in self.hub.figures() {
            counts.states += used.states;
            counts.transitions += transitions;
            bytes += used.bytes;
        }
        Some((counts, bytes))
    }
}
