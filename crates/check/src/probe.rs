//! A depth-first search beside the breadth-first one, for what lies deep.
//!
//! Breadth-first, the first violation that is found is the nearest, but where very many states are nearer than that the
//! search does not come to it for a long time, or at all; depth-first, it is often stumbled upon. So once the one search
//! has found some thousand states, the other is begun by a thread of its own. It has to find half as many states, up to
//! [`MOST`], and waits when it is far ahead of that. Where cores are scarce, that is time which the other does not have.
//!
//! Invariants: what it finds is a violation like any other, and is replayed; that it finds none says nothing. What is
//! taken from it depends on how many states either search had found, never on how fast they are. The breadth-first one
//! does not wait for it: it goes on, and where it comes to a violation itself, it is found out then whether the other
//! had been there before, in states. What it went through in vain until it heard of that is told nobody.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use stubborn_ir::{Engines, Model, Move};
use stubborn_reduce::Purpose;
use stubborn_search::{Budget, Compression, Finding, Found, Limits, Observer, Order, Progress, search};

use crate::check::kind_of;
use crate::config::Config;
use crate::property::PropertyKind;
use crate::store::StoreChoice;
use crate::strategy::{Choice, Strategy};

/// States that the breadth-first search finds alone.
const ALONE: u64 = 2048;

/// States after which the depth-first search gives up.
const MOST: u64 = 1 << 18;

/// The part of the memory that it may take.
const PART: usize = 16;

/// What it found.
pub(crate) struct Probed {
    /// How states were left out.
    pub(crate) strategy: Strategy,
    /// Violations, and the ways there.
    pub(crate) found: Vec<Way>,
}

type Way = (Finding, Vec<Move>);

impl Probed {
    /// The violation of a kind, if there is one.
    pub(crate) fn of_kind(&self, kind: PropertyKind) -> Option<&Way> {
        self.found.iter().find(|(finding, _)| kind_of(finding.violation) == Some(kind))
    }
}

/// The search, before it is begun and after.
pub(crate) struct Probe<'a> {
    model: Arc<Model>,
    engines: Option<Engines>,
    config: &'a Config,
    purpose: Purpose,
    sought: Vec<PropertyKind>,
    started: Instant,
    /// Set by who asked for all of it.
    cancel: Arc<AtomicBool>,
    shared: Arc<Shared>,
    /// Once it was begun, if it could be.
    thread: Option<(Strategy, JoinHandle<Vec<Way>>)>,
    has_begun: bool,
    /// States that it had to find by now.
    quota: u64,
}

/// What both searches see.
#[derive(Default)]
struct Shared {
    seen: Mutex<Seen>,
    changed: Condvar,
    /// Set when nobody waits for it any more.
    cancel: Arc<AtomicBool>,
}

/// How far it is.
#[derive(Default)]
struct Seen {
    n_states: u64,
    /// How far it may be.
    allowed: u64,
    is_over: bool,
    /// What it has found, and after how many states.
    found: Vec<(PropertyKind, u64)>,
}

impl<'a> Probe<'a> {
    /// One that looks for violations of these kinds; none if somebody said how to search, or no such search goes with
    /// what was asked for.
    pub(crate) fn of(
        model: &Arc<Model>,
        config: &'a Config,
        purpose: Purpose,
        sought: Vec<PropertyKind>,
        limits: &Limits,
    ) -> Option<Self> {
        let Config { order, guide, reduction, proviso, store, distributed, .. } = config;
        let is_free = (*order, *guide, *proviso) == (None, None, None)
            && *reduction == Choice::Auto
            && matches!(store, StoreChoice::Exact(_))
            && !distributed;
        is_free.then(|| Probe {
            model: model.clone(),
            engines: limits.engine.clone(),
            config,
            purpose,
            sought,
            started: Instant::now(),
            cancel: limits.cancel.clone(),
            shared: Arc::default(),
            thread: None,
            has_begun: false,
            quota: 0,
        })
    }

    /// The other search has found so many states: this one is begun, and may go on.
    pub(crate) fn advance(&mut self, n_states: u64, budget: &mut Budget) {
        self.quota = n_states.saturating_sub(ALONE) / 2;
        if n_states >= ALONE && !self.has_begun {
            self.has_begun = true;
            self.begin(budget);
        }
        if self.thread.is_some() {
            // As far as it has to be when the other has found half as many again.
            self.shared.lock().allowed = self.quota + n_states / 4;
            self.shared.changed.notify_all();
        }
    }

    /// Waits until it is as far as it has to be.
    pub(crate) fn catch_up(&self) {
        if self.thread.is_some() {
            let seen = self.shared.lock();
            drop(self.shared.wait_while(seen, |seen| seen.n_states < self.quota && !seen.is_over));
        }
    }

    /// Whether it is known to have found such a violation in as many states as it has to find.
    pub(crate) fn has_found(&self, kind: PropertyKind) -> bool {
        self.shared.lock().found.iter().any(|&(found, n_states)| found == kind && n_states < self.quota)
    }

    /// What it has found when the other search is over, if it was begun.
    pub(crate) fn end(self) -> Option<Probed> {
        let (strategy, thread) = self.thread?;
        self.shared.lock().allowed = u64::MAX;
        self.shared.cancel.store(true, Ordering::Relaxed);
        self.shared.changed.notify_all();
        let mut found = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        found.retain(|(finding, _)| finding.counts.states < self.quota);
        Some(Probed { strategy, found })
    }

    /// Begins, if there are memory and a thread for it.
    fn begin(&mut self, budget: &mut Budget) {
        let Config { time, memory, .. } = self.config;
        let depth_first = Config { order: Some(Order::DepthFirst), threads: 1, ..self.config.clone() };
        let memory = memory / PART;
        let Ok(strategy) = depth_first.strategy(&self.model, self.purpose) else { return };
        if budget.replace(0, memory).is_err() {
            return;
        }
        let limits = Limits {
            memory,
            time: time.map(|time| time.saturating_sub(self.started.elapsed())),
            cancel: self.shared.cancel.clone(),
            engine: self.engines.clone(),
            compression: Compression::Auto,
        };
        let (sought, found) = (self.sought.clone(), Vec::new());
        let mut listener =
            Listener { sought, found, shared: self.shared.clone(), cancel: self.cancel.clone() };
        let (model, plan) = (self.model.clone(), strategy.plan.clone());
        let work = move || {
            let over = Over(listener.shared.clone());
            let searched = search(&model, Order::DepthFirst, &plan, &limits, &mut listener);
            // Nobody who waits for it to end has to wait for the ways to what it found.
            drop(over);
            let Ok((mut exploration, _)) = searched else { return Vec::new() };
            let with_way = |finding| {
                let moves = exploration.moves_to(&finding);
                (finding, moves)
            };
            listener.found.into_iter().map(with_way).collect()
        };
        match thread::Builder::new().name("probe".to_owned()).spawn(work) {
            Ok(thread) => self.thread = Some((strategy, thread)),
            Err(_) => budget.give_back(memory),
        }
    }
}

impl Shared {
    /// What a thread that panics has said so far is right.
    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until that is not so any more.
    fn wait_while<'s>(
        &self,
        seen: MutexGuard<'s, Seen>,
        is_so: impl Fn(&Seen) -> bool,
    ) -> MutexGuard<'s, Seen> {
        self.changed.wait_while(seen, |seen| is_so(seen)).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says that the search is over when it is gone, whatever became of it.
struct Over(Arc<Shared>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.changed.notify_all();
    }
}

/// Says how far the search is, and stops it.
struct Listener {
    sought: Vec<PropertyKind>,
    found: Vec<Finding>,
    shared: Arc<Shared>,
    cancel: Arc<AtomicBool>,
}

impl Observer for Listener {
    fn violation(&mut self, found: Found<'_>) -> ControlFlow<()> {
        let kind = kind_of(found.violation).filter(|kind| self.sought.contains(kind));
        if let Some(kind) = kind {
            self.sought.retain(|sought| *sought != kind);
            self.found.push(found.to_finding());
            self.shared.lock().found.push((kind, found.counts.states));
        }
        if self.sought.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn progress(&mut self, progress: &Progress) {
        let n_states = progress.counts.states;
        if n_states >= MOST || self.cancel.load(Ordering::Relaxed) {
            self.shared.cancel.store(true, Ordering::Relaxed);
        }
        let mut seen = self.shared.lock();
        seen.n_states = n_states;
        self.shared.changed.notify_all();
        drop(self.shared.wait_while(seen, |seen| seen.n_states > seen.allowed));
    }
}
