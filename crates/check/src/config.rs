//! How a model is searched, and on whose behalf.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stubborn_ir::Model;
use stubborn_reduce::{Proviso, Purpose};
use stubborn_search::{Limits, Order, Progress};

use crate::strategy::{Choice, Refused, Strategy, settle};

/// How a model is searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The order in which states are visited.
    pub order: Order,
    /// Which states are left out because others stand for them.
    pub reduction: Choice,
    /// What keeps steps from being put off for ever; none is what suits the reduction.
    pub proviso: Option<Proviso>,
    /// Bytes for everything that grows with the number of states.
    pub memory: usize,
    /// Time for one search.
    pub time: Option<Duration>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            order: Order::BreadthFirst,
            reduction: Choice::Auto,
            proviso: None,
            memory: 1 << 30,
            time: None,
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
    /// How a question is answered that needs `purpose` preserved.
    pub fn strategy(&self, model: &Model, purpose: Purpose) -> Result<Strategy, Refused> {
        settle(model, self.reduction, self.proviso, self.order, purpose)
    }

    pub(crate) fn limits(&self, cancel: &Arc<AtomicBool>) -> Limits {
        Limits { memory: self.memory, time: self.time, cancel: cancel.clone() }
    }
}
