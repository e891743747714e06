//! What happens on channels while steps are taken, for those who ask.

use crate::expr::Expr;
use crate::layout::Pid;

/// A message that was sent or received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Which step of the run it belongs to, from 0.
    pub step: usize,
    /// It was sent; otherwise it was received.
    pub is_send: bool,
    /// The number of the channel.
    pub chan: i32,
    /// Its place in the channel, from 0: where it was put, or taken from.
    pub at: u32,
    /// All its fields.
    pub message: Box<[i32]>,
    /// What the expressions that are watched came to at that moment; none if it failed.
    pub watched: Box<[Option<i32>]>,
}

/// Something that a process showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The process.
    pub pid: Pid,
    /// What it showed.
    pub text: String,
}

/// Takes events down.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    /// Evaluated at each event; none if events do not matter.
    pub(crate) watched: Option<Vec<Expr>>,
    /// Of the run so far.
    pub(crate) events: Vec<Event>,
    /// The step that is being taken.
    pub(crate) step: usize,
    /// What was shown in the last step; none if it does not matter.
    pub(crate) printed: Option<Vec<Printed>>,
}

impl Recorder {
    /// Nobody listens.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.watched.is_none() && self.printed.is_none()
    }

    /// Takes back what happened in a step and after it.
    pub(crate) fn forget_from(&mut self, step: usize) {
        let kept = self.events.iter().take_while(|event| event.step < step).count();
        self.events.truncate(kept);
    }
}
