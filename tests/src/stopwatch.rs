//! How long something takes: the processor's time where the system tells it, so that other programs count less.

use std::time::Instant;

/// Measures this thread's time on a processor, or else what passes.
#[derive(Debug)]
pub struct Stopwatch {
    started: Instant,
    used: Option<u64>,
}

impl Stopwatch {
    /// From now on.
    pub fn start() -> Stopwatch {
        Stopwatch { started: Instant::now(), used: nanoseconds_used() }
    }

    /// Up to now; what Linux tells may be some milliseconds old.
    pub fn seconds(&self) -> f64 {
        match (self.used, nanoseconds_used()) {
            (Some(before), Some(now)) => (now - before) as f64 / 1e9,
            _ => self.started.elapsed().as_secs_f64(),
        }
    }
}

/// What Linux says this thread has had.
fn nanoseconds_used() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
