//! Everything that is known of one statement without looking at states, in the words of the
//! model and as plain data: what hovering shows, and `stubborn relations` prints.
//!
//! A statement of the source is one transition for all processes of its type. What is told is
//! the union over the processes that exist from the start (see [`Basis`]).

use std::fmt;

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_ir::{Model, TransitionId};

pub use crate::reason::Use;
pub use crate::survey::Survey;

/// A statement of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementRef {
    /// The transition it became.
    pub transition: TransitionId,
    /// The name of its process type.
    pub process: SmolStr,
    /// What to show for it: one line.
    pub text: SmolStr,
    /// Where it stands.
    pub span: Span,
}

impl StatementRef {
    /// The statement behind a transition.
    pub fn new(model: &Model, transition: TransitionId) -> Self {
        let t = &model.transitions[transition];
        StatementRef {
            transition,
            process: model.processes[t.process].name.clone(),
            text: t.origin.text.clone(),
            span: t.origin.span,
        }
    }
}

/// All that is known of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The statement.
    pub statement: StatementRef,
    /// The processes this is told of.
    pub basis: Basis,
    /// Where a process is that may execute it.
    pub from: Spot,
    /// Where it is afterwards; none if it is gone.
    pub to: Option<Spot>,
    /// What has to be so for it to be possible.
    pub conditions: Vec<Condition>,
    /// The variables and channels it reads, those its conditions look at among them. An
    /// increment does not read.
    pub reads: Vec<SmolStr>,
    /// The variables and channels it changes.
    pub writes: Vec<SmolStr>,
    /// It may use channels that are not known, besides what it reads and writes.
    pub uses_unknown_channel: bool,
    /// The types of processes it may create.
    pub creates: Vec<SmolStr>,
    /// Its channel operation.
    pub channel: Option<ChannelUse>,
    /// The statements it may not accord with.
    pub does_not_accord: Vec<Conflict>,
    /// Statements of the same location that are never possible when it is.
    pub never_with: Vec<StatementRef>,
    /// Whether it is in the set that meets every cycle of states, and why.
    pub sticky: Sticky,
    /// What it begins, if it is followed without interruption.
    pub run: Option<AtomicRun>,
    /// The statements that begin runs which may contain it.
    pub inside_runs_of: Vec<StatementRef>,
    /// The names of the claims whose propositions it may change.
    pub seen_by: Vec<SmolStr>,
    /// It checks an assertion.
    pub asserts: bool,
    /// It can fail at run time, such as by an index out of bounds.
    pub can_fail: bool,
    /// How many steps of its process, this one first, lead to an end location or the end.
    pub steps_to_end: Option<u32>,
    /// How many steps of its process, this one first, lead through the nearest assertion.
    pub steps_to_assertion: Option<u32>,
}

/// The processes that a description is told of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Basis {
    /// Those of its type that exist from the start, by number.
    Initial(Vec<stubborn_ir::Pid>),
    /// One that `run` creates; neither its number nor its arguments are known.
    Created,
    /// None: no process of its type is ever created. Told as if one were.
    Never,
}

/// A control location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The number the language knows it by.
    pub number: i32,
    /// Its labels.
    pub labels: Vec<SmolStr>,
    /// A process may stay here for ever: no deadlock check minds.
    pub is_end: bool,
}

/// Something that has to be so for a statement to be possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// What kind.
    pub kind: ConditionKind,
    /// As one would write it.
    pub text: String,
    /// The variables and channels it looks at.
    pub variables: Vec<SmolStr>,
    /// Any statement may change it.
    pub by_anything: bool,
    /// The statements one of which is executed before it can become so.
    pub enabled_by: Vec<Relative>,
    /// The statements one of which is executed before it can cease to be so.
    pub disabled_by: Vec<Relative>,
}

/// Kinds of [`Condition`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConditionKind {
    /// A guard is true.
    Guard,
    /// The channel has room, or a message, or a partner is there.
    Channel,
    /// The message is one that matches.
    Message,
    /// Statements that go first are not possible, as for `else`.
    Otherwise,
}

/// A statement that has to do with the one that is described.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relative {
    /// The statement.
    pub statement: StatementRef,
    /// Of which process.
    pub whose: Whose,
}

/// The process of a [`Relative`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Whose {
    /// The same.
    Same,
    /// Another one that exists from the start.
    Other,
    /// One that `run` creates.
    Created,
}

/// A channel operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelUse {
    /// It sends.
    pub is_send: bool,
    /// The channels it may be about; none if they are not known.
    pub channels: Option<Vec<SmolStr>>,
    /// It may be a rendezvous.
    pub may_meet: bool,
    /// It cannot be anything else.
    pub must_meet: bool,
    /// The statements it may meet.
    pub partners: Vec<Relative>,
}

/// A statement that may not accord, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The statement.
    pub with: Relative,
    /// Why.
    pub reason: Reason,
}

/// Why two statements may not accord.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// They are alternatives of one process.
    SameLocation,
    /// They are the two halves of a rendezvous.
    Rendezvous,
    /// They use something in ways that do not commute.
    Shared {
        /// The variable or channel.
        name: SmolStr,
        /// What the statement that is described does with it.
        here: Use,
        /// What the other does with it.
        there: Use,
        /// Not the statement itself does, but the atomic run it begins.
        in_run_here: bool,
        /// Not the other itself does, but the atomic run it begins.
        in_run_there: bool,
    },
    /// One uses a channel that is not known, and the other may use the same.
    UnknownChannel,
    /// What one of them depends on cannot be told.
    Everything,
    /// Both wait for `timeout`.
    Timeout,
    /// It cannot be told in a few words.
    Unclear,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::SameLocation => f.write_str("same process, same location"),
            Reason::Rendezvous => f.write_str("they meet in a rendezvous"),
            Reason::Shared { name, here, there, in_run_here, in_run_there } => {
                let run = |in_run: &bool| if *in_run { " in its atomic run" } else { "" };
                let (here_run, there_run) = (run(in_run_here), run(in_run_there));
                write!(f, "{name}, which this {here}{here_run} and the other {there}{there_run}")
            }
            Reason::UnknownChannel => f.write_str("both use channels, and which is not known"),
            Reason::Everything => f.write_str("it depends on something that cannot be told"),
            Reason::Timeout => f.write_str("both wait for timeout"),
            Reason::Unclear => f.write_str("it cannot be told that they do"),
        }
    }
}

/// Whether a statement is sticky.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sticky {
    /// It is not: other statements meet the cycles it is on, or it is on none.
    No,
    /// It creates a process.
    CreatesProcess,
    /// Cycles of states may go through it, and it was chosen to meet them.
    OnCycle,
    /// The run it begins contains one that is.
    InRun,
}

impl fmt::Display for Sticky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sticky::No => "no: other statements close the cycles it is on, or it is on none",
            Sticky::CreatesProcess => "yes: it creates a process",
            Sticky::OnCycle => "yes: cycles may go through it",
            Sticky::InRun => "yes: the atomic run it begins contains a sticky statement",
        })
    }
}

/// What a statement begins that is followed without interruption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtomicRun {
    /// The statements that may follow.
    pub contains: Vec<Relative>,
    /// What they read that the statement itself does not.
    pub reads: Vec<SmolStr>,
    /// What they change that the statement itself does not.
    pub writes: Vec<SmolStr>,
}
