//! What threads give each other: parts of their stacks, and what they found.
//!
//! Who has nothing left waits here, and who is busy sees without a lock that somebody does. The search is over when all
//! wait and nothing is left to be taken, or when one of the threads leaves before that: then nobody waits any longer.

use std::mem::{Discriminant, discriminant};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use stubborn_ir::Violation;

use super::Occasion;
use crate::observer::Finding;
use crate::parallel::lock;
use crate::parallel::worker::Block;

/// Who waits looks up now and then.
const PAUSE: Duration = Duration::from_millis(20);

/// What threads give each other.
pub(super) struct Pool {
    n_threads: usize,
    tells_all: bool,
    given: Mutex<Given>,
    changed: Condvar,
    /// How many threads wait for whom nothing is there.
    n_wanted: AtomicUsize,
    has_news: AtomicBool,
}

#[derive(Default)]
struct Given {
    parts: Vec<Vec<Block>>,
    n_waiting: usize,
    is_over: bool,
    news: Vec<Finding>,
    /// Of which kinds something was found.
    kinds: Vec<Discriminant<Violation>>,
}

impl Pool {
    /// For so many threads; of each kind of violation one is told, or all are.
    pub(super) fn of(n_threads: usize, tells_all: bool) -> Self {
        Pool {
            n_threads,
            tells_all,
            given: Mutex::default(),
            changed: Condvar::new(),
            n_wanted: AtomicUsize::new(0),
            has_news: AtomicBool::new(false),
        }
    }

    /// Whether somebody waits for whom nothing is there.
    #[inline]
    pub(super) fn is_wanting(&self) -> bool {
        self.n_wanted.load(Ordering::Relaxed) > 0
    }

    /// Gives a part of a stack to whoever waits.
    pub(super) fn give(&self, part: Vec<Block>) {
        let mut given = lock(&self.given);
        given.parts.push(part);
        self.note(&given);
        drop(given);
        self.changed.notify_one();
    }

    /// Waits for a part of somebody's stack; none if the search is over. Meanwhile `tell` is called now and then.
    pub(super) fn take(&self, tell: &mut dyn FnMut(Occasion) -> ControlFlow<()>) -> Option<Vec<Block>> {
        let mut given = lock(&self.given);
        given.n_waiting += 1;
        loop {
            if given.is_over {
                return None;
            }
            if let Some(part) = given.parts.pop() {
                given.n_waiting -= 1;
                self.note(&given);
                return Some(part);
            }
            if given.n_waiting == self.n_threads {
                drop(given);
                self.end();
                return None;
            }
            self.note(&given);
            let waited = self.changed.wait_timeout(given, PAUSE);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            if tell(Occasion::Progress).is_break() {
                return None;
            }
            given = lock(&self.given);
        }
    }

    fn note(&self, given: &Given) {
        self.n_wanted.store(given.n_waiting.saturating_sub(given.parts.len()), Ordering::Relaxed);
    }

    /// Nobody waits any longer.
    pub(super) fn end(&self) {
        lock(&self.given).is_over = true;
        self.changed.notify_all();
    }

    /// Something was found.
    pub(super) fn report(&self, finding: Finding) {
        let kind = discriminant(&finding.violation);
        let mut given = lock(&self.given);
        let is_known = given.kinds.contains(&kind);
        if is_known && !self.tells_all {
            return;
        }
        if !is_known {
            given.kinds.push(kind);
        }
        given.news.push(finding);
        self.has_news.store(true, Ordering::Relaxed);
        drop(given);
        self.changed.notify_all();
    }

    /// Whether something was found that has not been told.
    #[inline]
    pub(super) fn has_news(&self) -> bool {
        self.has_news.load(Ordering::Relaxed)
    }

    /// What was found since it was asked for.
    pub(super) fn take_news(&self) -> Vec<Finding> {
        if !self.has_news() {
            return Vec::new();
        }
        let mut given = lock(&self.given);
        self.has_news.store(false, Ordering::Relaxed);
        std::mem::take(&mut given.news)
    }
}
