//! How a long expansion is stopped from outside.

use std::fmt;

/// Steps between two questions.
const INTERVAL: u32 = 1024;

/// A question asked now and then during an expansion: is it time to stop?
pub(crate) struct Interrupt(Box<dyn Fn() -> bool + Send>);

impl Interrupt {
    pub(crate) fn new(is_due: impl Fn() -> bool + Send + 'static) -> Self {
        Interrupt(Box::new(is_due))
    }

    /// The answer, before the `n_steps`-th step of something long.
    #[inline]
    pub(crate) fn is_due(&self, n_steps: u32) -> bool {
        n_steps.is_multiple_of(INTERVAL) && n_steps > 0 && (self.0)()
    }
}

impl Default for Interrupt {
    fn default() -> Self {
        Interrupt::new(|| false)
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupt")
    }
}
