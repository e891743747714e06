//! What searches for sets see of a state, other than who is where and what is enabled.
//!
//! Invariant: nothing else evaluates anything in a state for them. So the questions of a search and the answers to them are
//! all that a choice rests on besides its [`Situation`](crate::situation::Situation).

use std::cell::RefCell;
use std::ptr;

use stubborn_ir::{ChannelStatus, Comm, Expr, InstanceId, Interpreter, Layout, Place, TransitionId};

/// A state that is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    state: &'a [u8],
    /// Where it is noted what is asked, in order, if that is wanted.
    noted: Option<&'a RefCell<Vec<Asked<'m>>>>,
}

/// Something about a process in a state.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Query<'m> {
    /// Whether a guard is false; it is not if it has no value.
    IsFalse(&'m Expr),
    /// The value of an expression.
    Value(&'m Expr),
    /// Whether an assignment leaves the place as it is.
    IsUnchanged(&'m Place, &'m Expr),
    /// What a channel operation finds.
    Status(&'m Comm),
    /// Whether a transition may be enabled where the process is: there may be an error instead.
    MayBeEnabled(TransitionId),
}

/// The answer to a [`Query`]: a value, a number of [`STATUSES`], 1 for yes; or that there is none.
pub(crate) type Answer = i64;

const NO_ANSWER: Answer = i64::MIN;

const STATUSES: [ChannelStatus; 5] = [
    ChannelStatus::Rendezvous,
    ChannelStatus::Ready,
    ChannelStatus::Full,
    ChannelStatus::Empty,
    ChannelStatus::Mismatch,
];

/// What was asked of a process, and the answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'m> {
    pub(crate) process: InstanceId,
    pub(crate) query: Query<'m>,
    pub(crate) answer: Answer,
}

impl Query<'_> {
    /// Whether it is the same part of the model.
    pub(crate) fn is(self, other: Query<'_>) -> bool {
        match (self, other) {
            (Query::IsFalse(a), Query::IsFalse(b)) | (Query::Value(a), Query::Value(b)) => ptr::eq(a, b),
            (Query::IsUnchanged(place, value), Query::IsUnchanged(other_place, other_value)) => {
                ptr::eq(place, other_place) && ptr::eq(value, other_value)
            }
            (Query::Status(a), Query::Status(b)) => ptr::eq(a, b),
            (Query::MayBeEnabled(a), Query::MayBeEnabled(b)) => a == b,
            _ => false,
        }
    }
}

impl<'a, 'm> Look<'a, 'm> {
    pub(crate) fn at(interpreter: &'a Interpreter<'m>, state: &'a [u8]) -> Self {
        Look { interpreter, state, noted: None }
    }

    /// The same, with a note of what is asked.
    pub(crate) fn noting(self, noted: Option<&'a RefCell<Vec<Asked<'m>>>>) -> Self {
        Look { noted, ..self }
    }

    #[inline]
    pub(crate) fn layout(&self) -> &'a Layout {
        self.interpreter.layout()
    }

    /// All of the state: that of a net, which has no other structure. It is not noted.
    pub(crate) fn all(&self) -> &'a [u8] {
        self.state
    }

    /// Whether a guard is false.
    #[inline]
    pub(crate) fn is_false(&self, process: InstanceId, guard: &'m Expr) -> bool {
        self.ask(process, Query::IsFalse(guard)) == 1
    }

    /// The value of an expression, if it has one.
    #[inline]
    pub(crate) fn value(&self, process: InstanceId, expr: &'m Expr) -> Option<i32> {
        i32::try_from(self.ask(process, Query::Value(expr))).ok()
    }

    /// Whether an assignment leaves the place as it is.
    #[inline]
    pub(crate) fn is_unchanged(&self, process: InstanceId, (place, value): (&'m Place, &'m Expr)) -> bool {
        self.ask(process, Query::IsUnchanged(place, value)) == 1
    }

    /// What a channel operation finds, if there is a channel.
    #[inline]
    pub(crate) fn status(&self, process: InstanceId, comm: &'m Comm) -> Option<ChannelStatus> {
        let number = usize::try_from(self.ask(process, Query::Status(comm))).ok()?;
        STATUSES.get(number).copied()
    }

    /// Whether a transition may be enabled where the process is.
    #[inline]
    pub(crate) fn may_be_enabled(&self, process: InstanceId, transition: TransitionId) -> bool {
        self.ask(process, Query::MayBeEnabled(transition)) == 1
    }

    /// The answer to a query.
    #[inline]
    pub(crate) fn ask(&self, process: InstanceId, query: Query<'m>) -> Answer {
        let Look { interpreter, state, .. } = *self;
        let answer = match query {
            Query::IsFalse(guard) => (interpreter.eval(state, process, guard) == Ok(0)).into(),
            Query::Value(expr) => interpreter.eval(state, process, expr).map_or(NO_ANSWER, Answer::from),
            Query::IsUnchanged(place, value) => {
                (interpreter.is_unchanged(state, process, place, value) == Ok(true)).into()
            }
            Query::Status(comm) => {
                let status = interpreter.channel_status(state, process, comm);
                let number = status.ok().and_then(|status| STATUSES.iter().position(|&one| one == status));
                number.map_or(NO_ANSWER, |number| number as Answer)
            }
            Query::MayBeEnabled(transition) => {
                (interpreter.is_enabled(state, process, transition) != Ok(false)).into()
            }
        };
        if let Some(noted) = self.noted {
            noted.borrow_mut().push(Asked { process, query, answer });
        }
        answer
    }
}
