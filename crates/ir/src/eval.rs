//! Evaluation of expressions: the reference semantics of [`Expr`].

use std::fmt;

use crate::expr::{BinaryOp, ChanTest, Expr, Pattern, Place, Poll, Region, Remote};
use crate::layout::{ChannelId, ChannelPlace, InstanceId, Layout, Pid};
use crate::model::{Location, Model, TransitionId};

/// Something a model does that its language does not define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuntimeError {
    /// What happened.
    pub kind: RuntimeErrorKind,
    /// The transition that was tried.
    pub transition: TransitionId,
}

/// What can go wrong at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuntimeErrorKind {
    /// An index that is not below its array's size.
    IndexOutOfBounds {
        /// The index.
        index: i32,
        /// The array's size.
        bound: u32,
    },
    /// A value that does not fit its variable.
    OutOfRange {
        /// The value.
        value: i32,
        /// The least that the variable holds.
        least: i32,
        /// The greatest.
        greatest: i32,
    },
    /// A division or remainder by zero.
    DivisionByZero,
    /// The smallest `int` divided by -1.
    DivisionOverflow,
    /// A channel variable that holds no channel.
    UninitialisedChannel,
    /// A channel whose process is gone, or a number that was never a channel's.
    DeadChannel,
    /// A message with more or fewer fields than the channel's.
    WrongMessageLength {
        /// The message's.
        given: u32,
        /// The channel's.
        expected: u32,
    },
    /// A look into a rendezvous channel, which is never anything but empty.
    PollOfRendezvous,
    /// A rendezvous inside a `d_step`, after its first statement.
    RendezvousInDStep,
    /// A `d_step` that cannot go on.
    DStepBlocks,
    /// More than 255 processes.
    TooManyProcesses,
    /// More than 65,535 channels.
    TooManyChannels,
    /// An `enabled()` that asks about its own process, directly or through others.
    EnabledOfItself,
    /// More tokens of one kind in a place than it has room for.
    TooManyTokens,
    /// An expression without a value, such as one that its type does not have.
    NoValue,
    /// A priority that is not between 1 and 255.
    BadPriority(i32),
    /// A run that does not come to an end within the interpreter's limit, or a state beyond it. Not the
    /// model's fault: such a search is incomplete.
    LimitReached,
}

impl fmt::Display for RuntimeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuntimeErrorKind::IndexOutOfBounds { index, bound } => {
                write!(f, "array index {index} out of bounds, the array has {bound} elements")
            }
            RuntimeErrorKind::OutOfRange { value, least, greatest } => {
                write!(f, "{value} does not fit its variable, which holds {least} to {greatest}")
            }
            RuntimeErrorKind::DivisionByZero => f.write_str("division by zero"),
            RuntimeErrorKind::DivisionOverflow => f.write_str("division overflows"),
            RuntimeErrorKind::UninitialisedChannel => f.write_str("use of an uninitialised channel"),
            RuntimeErrorKind::DeadChannel => f.write_str("use of a channel whose process has ended"),
            RuntimeErrorKind::WrongMessageLength { given, expected } => {
                write!(f, "message with {given} fields on a channel with {expected}")
            }
            RuntimeErrorKind::PollOfRendezvous => f.write_str("test of the contents of a rendezvous channel"),
            RuntimeErrorKind::RendezvousInDStep => f.write_str("rendezvous inside a d_step"),
            RuntimeErrorKind::DStepBlocks => f.write_str("d_step blocks after its first statement"),
            RuntimeErrorKind::TooManyProcesses => f.write_str("too many processes, at most 255 can exist"),
            RuntimeErrorKind::TooManyChannels => f.write_str("too many channels"),
            RuntimeErrorKind::EnabledOfItself => f.write_str("enabled() depends on itself"),
            RuntimeErrorKind::TooManyTokens => f.write_str("too many tokens of one kind in a place"),
            RuntimeErrorKind::NoValue => f.write_str("an expression has no value"),
            RuntimeErrorKind::BadPriority(value) => {
                write!(f, "priority {value} is out of range, it must be between 1 and 255")
            }
            RuntimeErrorKind::LimitReached => {
                f.write_str("an uninterruptible run exceeds the step limit, or a state 64 MiB")
            }
        }
    }
}

pub(crate) type Eval<T> = Result<T, RuntimeErrorKind>;

/// A state as one process sees it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) model: &'a Model,
    pub(crate) layout: &'a Layout,
    pub(crate) state: &'a [u8],
    /// The process that evaluates; none for initial values of globals.
    pub(crate) process: Option<InstanceId>,
    /// Offset of its frame.
    pub(crate) base: u32,
    /// Whether `timeout` is true.
    pub(crate) timeout: bool,
    /// The process created last in this step.
    pub(crate) created: Pid,
    /// How many `enabled()` this is evaluated for.
    pub(crate) depth: u8,
}

/// More `enabled()` inside each other than this are taken to go round in circles.
const ENABLED_LIMIT: u8 = 32;

impl<'a> View<'a> {
    #[inline]
    pub(crate) fn new(model: &'a Model, layout: &'a Layout, state: &'a [u8], process: InstanceId) -> Self {
        let base = layout.instance(process).base;
        View { model, layout, state, process: Some(process), base, timeout: false, created: 0, depth: 0 }
    }

    /// A state as no process sees it.
    pub(crate) fn of_nobody(model: &'a Model, layout: &'a Layout, state: &'a [u8]) -> Self {
        View { model, layout, state, process: None, base: 0, timeout: false, created: 0, depth: 0 }
    }

    /// The same state as another process sees it.
    pub(crate) fn of(self, process: InstanceId) -> Self {
        View { process: Some(process), base: self.layout.instance(process).base, ..self }
    }

    #[inline]
    pub(crate) fn is_true(&self, expr: &Expr) -> Eval<bool> {
        Ok(self.eval(expr)? != 0)
    }

    /// The value of an expression. Most are a constant or a variable, which needs no call.
    #[inline]
    pub(crate) fn eval(&self, expr: &Expr) -> Eval<i32> {
        match expr {
            Expr::Const(value) => Ok(*value),
            Expr::Load(place) if place.indices.is_empty() => self.load(place),
            _ => self.compute(expr),
        }
    }

    fn compute(&self, expr: &Expr) -> Eval<i32> {
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Load(place) => self.load(place)?,
            Expr::Unary(op, operand) => op.apply(self.eval(operand)?),
            Expr::Binary(op, operands) => self.binary(*op, &operands[0], &operands[1])?,
            Expr::Conditional(parts) => {
                if self.is_true(&parts[0])? {
                    self.eval(&parts[1])?
                } else {
                    self.eval(&parts[2])?
                }
            }
            Expr::Chan(test, chan) => {
                let chan = self.channel(chan)?.1;
                let len = chan.len(self.state);
                // SPIN calls a rendezvous channel full only while a message is on its way.
                let full = len > 0 && len >= u32::from(chan.capacity);
                match test {
                    ChanTest::Len => len as i32,
                    ChanTest::Full => i32::from(full),
                    ChanTest::NotFull => i32::from(!full),
                    ChanTest::Empty => i32::from(len == 0),
                    ChanTest::NotEmpty => i32::from(len != 0),
                }
            }
            Expr::Poll(poll) => i32::from(self.poll(poll)?),
            Expr::Pid => self.process.map_or(0, |p| i32::from(self.layout.instance(p).pid)),
            Expr::NumProcesses => Model::num_processes_slot().read(self.state),
            Expr::LastPid => self.model.last_pid.map_or(0, |slot| slot.read(self.state)),
            Expr::Timeout => i32::from(self.timeout),
            Expr::NonProgress => i32::from(!self.any_location(|location| location.is_progress)),
            Expr::Accepting => i32::from(self.any_location(|location| location.is_accept)),
            Expr::Created => i32::from(self.created),
            Expr::Enabled(pid) => match self.alive(self.eval(pid)?) {
                Some(process) if self.process == Some(process) || self.depth == ENABLED_LIMIT => {
                    return Err(RuntimeErrorKind::EnabledOfItself);
                }
                Some(process) => {
                    let other = View { depth: self.depth + 1, ..self.of(process) };
                    i32::from(other.has_enabled_transition()?)
                }
                None => 0,
            },
            Expr::LocationOf(pid) => match self.alive(self.eval(pid)?) {
                Some(process) => self.of(process).location().number,
                None => 0,
            },
            Expr::PriorityOf(pid) => match self.alive(self.eval(pid)?) {
                Some(process) => self.of(process).priority(),
                None => 0,
            },
            Expr::At(remote, location) => match self.remote(remote)? {
                Some(process) => {
                    let at = self.layout.instance(process).location.read(self.state);
                    i32::from(at == i32::from(location.0) + 1)
                }
                None => 0,
            },
            Expr::RemotePid(remote) => match self.remote(remote)? {
                Some(process) => i32::from(self.layout.instance(process).pid),
                None => 0,
            },
            Expr::Remote(remote, place) => match self.remote(remote)? {
                // Indices are the asking process's, the slot is the other's.
                Some(process) => {
                    let slot = self.resolve(place)?;
                    let base = self.layout.instance(process).base;
                    slot.shifted(base).read(self.state)
                }
                None => 0,
            },
        })
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Eval<i32> {
        let l = self.eval(left)?;
        match op {
            BinaryOp::And => return Ok(i32::from(l != 0 && self.is_true(right)?)),
            BinaryOp::Or => return Ok(i32::from(l != 0 || self.is_true(right)?)),
            _ => {}
        }
        let r = self.eval(right)?;
        op.apply(l, r).ok_or(match r {
            0 => RuntimeErrorKind::DivisionByZero,
            _ => RuntimeErrorKind::DivisionOverflow,
        })
    }

    #[inline]
    pub(crate) fn load(&self, place: &Place) -> Eval<i32> {
        let slot = if place.indices.is_empty() { place.slot } else { self.resolve(place)? };
        Ok(match place.region {
            Region::Global => slot.read(self.state),
            Region::Local => slot.shifted(self.base).read(self.state),
        })
    }

    /// The slot of a place, relative to its region.
    pub(crate) fn resolve(&self, place: &Place) -> Eval<crate::slot::Slot> {
        let mut slot = place.slot;
        for index in &*place.indices {
            let value = self.eval(&index.value)?;
            if value < 0 || value as u32 >= index.bound {
                return Err(RuntimeErrorKind::IndexOutOfBounds { index: value, bound: index.bound });
            }
            slot = slot.shifted(value as u32 * index.stride);
        }
        Ok(slot)
    }

    /// The channel an expression names.
    #[inline]
    pub(crate) fn channel(&self, chan: &Expr) -> Eval<(ChannelId, &'a ChannelPlace)> {
        let number = self.eval(chan)?;
        if number == 0 {
            return Err(RuntimeErrorKind::UninitialisedChannel);
        }
        let id = ChannelId(u16::try_from(number).map_err(|_| RuntimeErrorKind::DeadChannel)?);
        let place = self.layout.channel(self.state, id).ok_or(RuntimeErrorKind::DeadChannel)?;
        Ok((id, place))
    }

    fn poll(&self, poll: &Poll) -> Eval<bool> {
        let (_, chan) = self.channel(&poll.chan)?;
        if chan.capacity == 0 {
            return Err(RuntimeErrorKind::PollOfRendezvous);
        }
        Ok(self.find_message(chan, &poll.pattern, poll.random)?.is_some())
    }

    /// The first message that matches, if `random`, or the first if it matches.
    #[inline]
    pub(crate) fn find_message(
        &self,
        chan: &ChannelPlace,
        pattern: &[Pattern],
        random: bool,
    ) -> Eval<Option<u32>> {
        let len = chan.len(self.state);
        let last = if random { len } else { len.min(1) };
        for message in 0..last {
            if self.matches(pattern, |field| {
                (field < chan.fields.len()).then(|| chan.field(message, field).read(self.state))
            })? {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// Whether a message, given by its fields, fits a pattern.
    pub(crate) fn matches(&self, pattern: &[Pattern], message: impl Fn(usize) -> Option<i32>) -> Eval<bool> {
        for (i, field) in pattern.iter().enumerate() {
            if let Pattern::Match(expected) = field {
                let expected = self.eval(expected)?;
                if message(i) != Some(expected) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The process with that number.
    fn alive(&self, pid: i32) -> Option<InstanceId> {
        self.layout.alive(self.state, Pid::try_from(pid).ok()?)
    }

    pub(crate) fn remote(&self, remote: &Remote) -> Eval<Option<InstanceId>> {
        let process = match &remote.pid {
            Some(pid) => self.alive(self.eval(pid)?),
            None => {
                let n = Model::num_processes_slot().read(self.state);
                (0..n)
                    .filter_map(|pid| self.alive(pid))
                    .find(|&p| self.layout.instance(p).process == remote.process)
            }
        };
        Ok(process.filter(|&p| self.layout.instance(p).process == remote.process))
    }

    /// Whether some process is at such a location.
    fn any_location(&self, wanted: impl Fn(&Location) -> bool) -> bool {
        let n = Model::num_processes_slot().read(self.state);
        (0..n).filter_map(|pid| self.alive(pid)).any(|p| wanted(self.of(p).location()))
    }

    /// The priority of the process.
    pub(crate) fn priority(&self) -> i32 {
        let process = self.process.map(|p| self.layout.instance(p).process);
        match process.and_then(|p| self.model.processes[p].priority) {
            Some(slot) => slot.shifted(self.base).read(self.state),
            None => 1,
        }
    }
}
