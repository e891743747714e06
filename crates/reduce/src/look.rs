//! What searches for sets see of a state, other than who is where and what is enabled.
//!
//! Invariant: nothing else evaluates anything in a state for them, so what was noted is all that a choice rests on
//! besides its [`Situation`](crate::situation::Situation).

use std::cell::RefCell;

use stubborn_ir::{
    ChannelStatus, Comm, Expr, Footprint, InstanceId, Interpreter, Layout, Place, RuntimeErrorKind,
    TransitionId,
};

/// A state that is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    state: &'a [u8],
    /// Where it is noted what is looked at, if that is wanted.
    noted: Option<&'a RefCell<Footprint>>,
}

type Seen<T> = Result<T, RuntimeErrorKind>;

impl<'a, 'm> Look<'a, 'm> {
    pub(crate) fn at(
        interpreter: &'a Interpreter<'m>,
        state: &'a [u8],
        noted: Option<&'a RefCell<Footprint>>,
    ) -> Self {
        Look { interpreter, state, noted }
    }

    #[inline]
    pub(crate) fn layout(&self) -> &'a Layout {
        self.interpreter.layout()
    }

    /// All of the state: that of a net, which has no other structure.
    pub(crate) fn all(&self) -> &'a [u8] {
        self.note(|_, noted| noted.give_up());
        self.state
    }

    #[inline]
    pub(crate) fn eval(&self, process: InstanceId, expr: &Expr) -> Seen<i32> {
        self.note(|interpreter, noted| interpreter.footprint(self.state, process, expr, noted));
        self.interpreter.eval(self.state, process, expr)
    }

    #[inline]
    pub(crate) fn is_unchanged(&self, process: InstanceId, place: &Place, value: &Expr) -> Seen<bool> {
        self.note(|interpreter, noted| {
            interpreter.footprint_of_assignment(self.state, process, (place, value), noted);
        });
        self.interpreter.is_unchanged(self.state, process, place, value)
    }

    #[inline]
    pub(crate) fn channel_status(&self, process: InstanceId, comm: &Comm) -> Seen<ChannelStatus> {
        match self.noted {
            Some(noted) => {
                let noted = &mut noted.borrow_mut();
                self.interpreter.noted_channel_status(self.state, process, comm, noted)
            }
            None => self.interpreter.channel_status(self.state, process, comm),
        }
    }

    #[inline]
    pub(crate) fn is_enabled(&self, process: InstanceId, transition: TransitionId) -> Seen<bool> {
        self.note(|interpreter, noted| {
            interpreter.footprint_of_enabled(self.state, process, transition, noted);
        });
        self.interpreter.is_enabled(self.state, process, transition)
    }

    #[inline]
    fn note(&self, note: impl FnOnce(&Interpreter<'m>, &mut Footprint)) {
        if let Some(noted) = self.noted {
            note(self.interpreter, &mut noted.borrow_mut());
        }
    }
}
