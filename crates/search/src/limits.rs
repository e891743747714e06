//! What a search may take and use, and why one stopped short.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use stubborn_ir::{Engines, Interpreter, Interrupt, RuntimeErrorKind};

use crate::budget::Budget;
use crate::filter::Loss;
use crate::store::Compression;

/// What is known of statements is counted in parts of so many bytes.
const MUCH: usize = 1 << 20;

/// What a search may take and use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes, for everything that grows with the number of states.
    pub memory: usize,
    /// Time, from the start of the search.
    pub time: Option<Duration>,
    /// Set from outside to stop it.
    pub cancel: Arc<AtomicBool>,
    /// Finds and takes steps faster than the interpreter; the result is the same.
    pub engine: Option<Engines>,
    /// How states are kept.
    pub compression: Compression,
}

impl Limits {
    /// As long as it takes, in that many bytes, by the interpreter alone.
    pub fn memory(bytes: usize) -> Self {
        let (cancel, compression) = (Arc::default(), Compression::Auto);
        Limits { memory: bytes, time: None, cancel, compression, engine: None }
    }

    /// Lets an interpreter use what a search may use.
    pub fn speed_up(&self, interpreter: &mut Interpreter<'_>) {
        if let Some(engines) = &self.engine {
            interpreter.speed_up(engines);
        }
    }
}

/// Why a search stopped short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Incomplete {
    /// Out of memory.
    Memory {
        /// The limit, in bytes.
        limit: usize,
    },
    /// Out of time.
    Time {
        /// The limit.
        limit: Duration,
    },
    /// Cancelled.
    Cancelled,
    /// A proposition has no value in a state.
    Proposition(RuntimeErrorKind),
    /// There are more processes than fairness is told for.
    Fairness {
        /// The limit.
        limit: usize,
    },
    /// An atomic run or a `d_step` was longer than the interpreter follows, or a state.
    CutOff,
    /// Of the processes that searched together, one is gone.
    Lost {
        /// Its number.
        process: usize,
    },
    /// Of states only bits were kept: some may have been taken for others.
    Bitstate(Loss),
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Incomplete::Memory { limit } if *limit < 1 << 16 => {
                write!(f, "the memory limit of {limit} bytes was reached")
            }
            Incomplete::Memory { limit } => {
                write!(f, "the memory limit of {:.1} MiB was reached", *limit as f64 / 1048576.0)
            }
            Incomplete::Time { limit } => {
                write!(f, "the time limit of {} s was reached", limit.as_secs_f64())
            }
            Incomplete::Cancelled => f.write_str("cancelled"),
            Incomplete::Proposition(kind) => {
                write!(f, "what the property looks at has no value in some state ({kind})")
            }
            Incomplete::Fairness { limit } => {
                write!(f, "weak fairness is checked for up to {limit} processes")
            }
            Incomplete::CutOff => {
                f.write_str("an atomic or d_step sequence is too long to be followed to its end, or a state longer than 64 MiB")
            }
            Incomplete::Lost { process } => write!(f, "process {process} of the cluster was lost"),
            Incomplete::Bitstate(loss) => write!(
                f,
                "states may have been missed, since only bits of them are kept: {:.1}% of the bits are set, and \
                 {} of the states that were reached {} expected to be missing, which makes {:.4}% visited",
                100.0 * loss.fill(),
                about(loss.omitted()),
                if loss.omitted() < 1.5 { "is" } else { "are" },
                // Never all of them.
                (100.0 * loss.coverage()).min(99.9999)
            ),
        }
    }
}

/// A number that is estimated.
fn about(number: f64) -> String {
    match number {
        n if n < 0.001 => "less than 0.001".to_owned(),
        n if n < 10.0 => format!("about {n:.3}"),
        n => format!("about {n:.0}"),
    }
}

/// Limits of a search that has begun: whether it is time to stop.
#[derive(Clone, Debug)]
pub struct Clock {
    started: Instant,
    time: Option<Duration>,
    cancel: Arc<AtomicBool>,
    memory: usize,
    /// What is known of statements took more memory than there is.
    is_out_of_memory: Arc<AtomicBool>,
}

impl Clock {
    /// It begins now.
    pub fn start(limits: &Limits) -> Self {
        let (cancel, is_out_of_memory) = (limits.cancel.clone(), Arc::default());
        Clock { started: Instant::now(), time: limits.time, cancel, memory: limits.memory, is_out_of_memory }
    }

    /// Asks whether it is time to stop, on behalf of one who draws on a budget for what is known of statements. Little of
    /// that is not counted.
    pub fn watch(&self, budget: &Budget) -> Interrupt {
        let (clock, budget, counted) = (self.clone(), budget.clone(), AtomicUsize::new(0));
        Interrupt::new(move |bytes| {
            let mut budget = budget.clone();
            let now = bytes / MUCH * MUCH;
            let before = counted.load(Ordering::Relaxed);
            if now < before {
                budget.give_back(before - now);
                counted.store(now, Ordering::Relaxed);
            } else if budget.replace(0, now - before).is_ok() {
                counted.store(now, Ordering::Relaxed);
            } else {
                clock.is_out_of_memory.store(true, Ordering::Relaxed);
            }
            clock.check().is_err()
        })
    }

    /// Time since then.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Why it is time to stop, if it is.
    pub fn check(&self) -> Result<(), Incomplete> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Incomplete::Cancelled);
        }
        if self.is_out_of_memory.load(Ordering::Relaxed) {
            return Err(Incomplete::Memory { limit: self.memory });
        }
        match self.time {
            Some(limit) if self.started.elapsed() >= limit => Err(Incomplete::Time { limit }),
            _ => Ok(()),
        }
    }
}
