//! How a model is searched, and on whose behalf.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stubborn_search::{Limits, Order, Progress};

/// How a model is searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The order in which states are visited.
    pub order: Order,
    /// Which states are left out.
    pub reduction: Reduction,
    /// Bytes for everything that grows with the number of states.
    pub memory: usize,
    /// Time for one search.
    pub time: Option<Duration>,
}

impl Default for Config {
    fn default() -> Self {
        Config { order: Order::BreadthFirst, reduction: Reduction::None, memory: 1 << 30, time: None }
    }
}

/// Which states are left out because others stand for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// None.
    None,
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reduction::None => f.write_str("none"),
        }
    }
}

/// Who asked: can cancel, and hears how far it is.
pub struct Job<'a> {
    /// Set from outside to stop it.
    pub cancel: Arc<AtomicBool>,
    /// Called now and then.
    pub progress: &'a mut dyn FnMut(&Progress),
}

impl fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

impl Config {
    pub(crate) fn limits(&self, cancel: &Arc<AtomicBool>) -> Limits {
        Limits { memory: self.memory, time: self.time, cancel: cancel.clone() }
    }
}
