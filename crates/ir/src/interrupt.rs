//! How something long is stopped from outside.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Steps between two questions.
const INTERVAL: u32 = 1024;

/// A question asked now and then during something long: is it time to stop? Who answers is told how many bytes are in
/// use that do not grow with the number of states. Once it is time, it stays so.
#[derive(Clone)]
pub struct Interrupt(Arc<Shared>);

struct Shared {
    is_due: Box<dyn Fn(usize) -> bool + Send + Sync>,
    was_due: AtomicBool,
    bytes: AtomicUsize,
}

impl Interrupt {
    /// Answered by `is_due`.
    pub fn new(is_due: impl Fn(usize) -> bool + Send + Sync + 'static) -> Self {
        let (was_due, bytes) = (AtomicBool::new(false), AtomicUsize::new(0));
        Interrupt(Arc::new(Shared { is_due: Box::new(is_due), was_due, bytes }))
    }

    /// The answer now, where so many bytes are in use.
    pub fn ask(&self, bytes: usize) -> bool {
        self.0.bytes.store(bytes, Ordering::Relaxed);
        self.answer()
    }

    /// The answer, before the `n_steps`-th step of something long.
    #[inline]
    pub(crate) fn is_due(&self, n_steps: u32) -> bool {
        self.0.was_due.load(Ordering::Relaxed)
            || (n_steps.is_multiple_of(INTERVAL) && n_steps > 0 && self.answer())
    }

    /// Whether the two are the same question.
    pub fn is(&self, other: &Interrupt) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn answer(&self) -> bool {
        let Shared { is_due, was_due, bytes } = &*self.0;
        if !was_due.load(Ordering::Relaxed) && is_due(bytes.load(Ordering::Relaxed)) {
            was_due.store(true, Ordering::Relaxed);
        }
        was_due.load(Ordering::Relaxed)
    }
}

impl Default for Interrupt {
    fn default() -> Self {
        Interrupt::new(|_| false)
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupt")
    }
}
