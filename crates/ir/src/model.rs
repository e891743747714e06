//! Models: process types, locations, guarded transitions, channels.
//!
//! A transition is a conjunction of interned guards, at most one channel
//! operation that must be possible, and effects. Transitions of a location are
//! ordered; a transition's `inhibitors` must all be disabled (how `else` and
//! `unless` are expressed), and stand before it in that order.

use std::ops::Range;
use std::sync::Arc;

use smol_str::SmolStr;
use stubborn_base::{IndexVec, Span, define_index};

use crate::claim::Claim;
use crate::expr::{Expr, Pattern, Place};
use crate::layout::Pid;
use crate::net::Net;
use crate::slot::{Slot, SlotType};

define_index! {
    /// A process type of a model.
    pub struct ProcessTypeId;
}
define_index! {
    /// A transition of a model; unique over all process types.
    pub struct TransitionId;
}
define_index! {
    /// An interned guard of a model.
    pub struct GuardId;
}

/// A location of a process type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocationId(pub u16);

/// Where something comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The source text it stands for.
    pub span: Span,
    /// What to show for it: one line.
    pub text: SmolStr,
    /// The calls that it is there by, innermost first.
    pub calls: Arc<[Call]>,
}

/// A call whose body is part of the text that calls, as that of an inline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// What is called.
    pub name: SmolStr,
    /// Where.
    pub span: Span,
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Process types.
    pub processes: IndexVec<ProcessTypeId, ProcessType>,
    /// Transitions of all process types; those of a location are contiguous.
    pub transitions: IndexVec<TransitionId, Transition>,
    /// Guards, each once per process type.
    pub guards: IndexVec<GuardId, Expr>,
    /// Bytes of globals and global channels. The number of processes is the first slot.
    pub global_size: u32,
    /// Named scalars among the globals, in order.
    pub globals: Vec<Variable>,
    /// Channels that exist from the start; the first has number 1.
    pub channels: Vec<Channel>,
    /// Initial values of globals that are not 0, set in this order.
    pub global_init: Vec<(Place, Expr)>,
    /// So many processes can exist at a time; no more than fit the slot of their number.
    pub max_processes: Pid,
    /// Processes that exist from the start, in order of their numbers.
    pub initial: Vec<Activation>,
    /// Names of symbolic constants by set; number 1 first.
    pub symbols: Vec<Vec<SmolStr>>,
    /// Where the process that moved last is kept, if the model asks.
    pub last_pid: Option<Slot>,
    /// What the model itself asks to be checked, besides assertions and end states.
    pub claims: Vec<Claim>,
    /// The properties of its author which say that no state is dead, and nothing else.
    pub no_dead_state: Vec<Stated>,
    /// Whether processes with a higher priority go first.
    pub uses_priorities: bool,
    /// Whether the model waits for `timeout` anywhere.
    pub uses_timeout: bool,
    /// In a rendezvous the receiver's effects come before the sender's, instead of after them.
    pub receiver_first: bool,
    /// A value that does not fit the variable that it is put into is an error; otherwise it wraps.
    pub overflow_fails: bool,
    /// The net it is the meaning of, if it was one.
    pub net: Option<Net>,
}

impl Model {
    /// The slot of the number of processes, first of the globals.
    #[inline]
    pub fn num_processes_slot() -> Slot {
        Slot::new(0, &SlotType::Short)
    }

    /// The process type and location a transition leaves.
    pub fn source_of(&self, transition: TransitionId) -> &Location {
        let t = &self.transitions[transition];
        self.processes[t.process].location(t.from)
    }
}

/// A property with its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// Its name.
    pub name: SmolStr,
    /// Where it stands.
    pub span: Span,
}

/// A process that exists from the start.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Activation {
    /// Its type.
    pub process: ProcessTypeId,
    /// Its priority.
    pub priority: u8,
}

/// A process type.
#[derive(Clone, Debug)]
pub struct ProcessType {
    /// Its name.
    pub name: SmolStr,
    /// Where it is declared.
    pub span: Span,
    /// Bytes of a frame. The location is its first slot.
    pub frame_size: u32,
    /// Parameters, in order, of the types in `locals`.
    pub params: Vec<Place>,
    /// Named scalars of the frame, in order, parameters first.
    pub locals: Vec<Variable>,
    /// Channels that each process creates for itself.
    pub channels: Vec<Channel>,
    /// Initial values of locals that are not 0, set in this order after the parameters.
    pub init: Vec<(Place, Expr)>,
    /// How many guards all its transitions begin with, that [`Expr::Enabled`] does not ask about.
    pub n_provided: usize,
    /// Where the priority is kept, if the model uses priorities.
    pub priority: Option<Slot>,
    /// Locations.
    pub locations: Vec<Location>,
    /// Where a process starts.
    pub start: LocationId,
    /// All its transitions lead from its only location to itself, as in a net: where it is says nothing about which
    /// of them can be taken together.
    pub is_stationary: bool,
}

impl ProcessType {
    /// The slot of the location, first in the frame.
    pub fn location_slot() -> Slot {
        Slot::new(0, &SlotType::Location)
    }

    /// A location.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.0 as usize]
    }
}

/// A location of a process.
#[derive(Clone, Debug)]
pub struct Location {
    /// Transitions that leave it, in order.
    pub transitions: Range<u32>,
    /// A process may stay here for ever.
    pub is_end: bool,
    /// A run that passes here again and again is accepted.
    pub is_accept: bool,
    /// A run that passes here again and again makes progress.
    pub is_progress: bool,
    /// Labels in the source.
    pub labels: Vec<SmolStr>,
    /// The number the language knows it by.
    pub number: i32,
    /// The statement that comes next.
    pub span: Span,
    /// The calls that it is there by, innermost first.
    pub calls: Arc<[Call]>,
    /// Locals whose values say nothing here, where values that nobody reads any more were forgotten.
    pub dead: Vec<Slot>,
}

impl Location {
    /// Transitions that leave it, in order.
    pub fn transition_ids(&self) -> impl DoubleEndedIterator<Item = TransitionId> + use<> {
        self.transitions.clone().map(TransitionId)
    }
}

/// A named scalar slot: a variable, an array element or a field.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variable {
    /// As written in an expression, such as `a[2].f`.
    pub name: SmolStr,
    /// Its type.
    pub ty: SlotType,
    /// Its slot, relative to the globals or to the frame.
    pub slot: Slot,
}

/// A channel object and where its contents are kept: the number of messages,
/// then the messages, first to last. Unused room is 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Channel {
    /// The variable it was declared for.
    pub name: SmolStr,
    /// The variable's slot, set to the channel's number when it is created.
    pub variable: Slot,
    /// Number of messages it holds; 0 for a rendezvous channel.
    pub capacity: u16,
    /// Types of a message's fields.
    pub fields: Vec<SlotType>,
    /// Offset of the contents, relative to the globals or to the frame.
    pub offset: u32,
}

impl Channel {
    /// Slot of the number of messages, relative to `offset`.
    pub fn len_slot(&self) -> Slot {
        Slot::new(0, if self.capacity < 256 { &SlotType::Byte } else { &SlotType::Unsigned(16) })
    }

    /// Bytes of one message.
    pub fn message_size(&self) -> u32 {
        self.fields.iter().map(SlotType::size).sum()
    }

    /// Bytes of the contents; none for a rendezvous channel.
    pub fn size(&self) -> u32 {
        if self.capacity == 0 {
            return 0;
        }
        self.len_slot().size() + u32::from(self.capacity) * self.message_size()
    }
}

/// A guarded transition.
#[derive(Clone, Hash, Debug)]
pub struct Transition {
    /// The process type it belongs to.
    pub process: ProcessTypeId,
    /// The location it leaves.
    pub from: LocationId,
    /// The location it enters; none where the process ends.
    pub to: Option<LocationId>,
    /// All must be true.
    pub guards: Vec<GuardId>,
    /// Must be possible, and is done first.
    pub comm: Option<Comm>,
    /// Done in this order.
    pub effects: Vec<Effect>,
    /// All must be disabled; each stands before this one at the same location.
    pub inhibitors: Vec<TransitionId>,
    /// The process alone goes on afterwards, as long as it can.
    pub atomic: bool,
    /// Where it comes from.
    pub origin: Origin,
    /// The number that the language's own tools know the statement by.
    pub number: u32,
}

/// A channel operation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Comm {
    /// Put a message in.
    Send(Send),
    /// Take a message out, or look at one.
    Receive(Receive),
}

/// A send.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Send {
    /// The channel's number.
    pub chan: Expr,
    /// The message.
    pub args: Vec<Expr>,
    /// Insert before the first message that is greater, instead of at the end.
    pub sorted: bool,
}

/// A receive.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Receive {
    /// The channel's number.
    pub chan: Expr,
    /// The fields.
    pub pattern: Vec<Pattern>,
    /// The first message that matches, instead of the first message.
    pub random: bool,
    /// Leave the message in the channel.
    pub peek: bool,
}

/// A change of the state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Set a place.
    Assign(Place, Expr),
    /// Compute and forget; it may fail.
    Evaluate(Expr),
    /// Create a process.
    Run(Run),
    /// Fail unless true.
    Assert(Expr),
    /// Show something; the state does not change.
    Print(Vec<Piece>),
    /// Set the priority of the process with that number.
    SetPriority(Expr, Expr),
    /// Add to a number of tokens, which is global. It does not wrap: less than none is an error, and so is more than
    /// there is room for.
    Count {
        /// Where the number is.
        place: Place,
        /// What is added.
        by: i32,
        /// The most there may be; none if it is proved that there is room.
        most: Option<i32>,
    },
    /// There is no result, and why.
    Undefined(SmolStr),
    /// The process is gone. Possible only for the one created last.
    End,
    /// A deterministic run in one step.
    DStep(DStep),
}

/// A piece of what is shown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    /// As it is.
    Text(SmolStr),
    /// A value.
    Value(Expr, Notation),
    /// Computed, but not shown.
    Unshown(Expr),
}

impl Piece {
    /// What is computed for it.
    pub fn value(&self) -> Option<&Expr> {
        match self {
            Piece::Text(_) => None,
            Piece::Value(expr, _) | Piece::Unshown(expr) => Some(expr),
        }
    }
}

/// How a value is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notation {
    /// With its sign.
    Decimal,
    /// As a number of 32 bits without a sign.
    Unsigned,
    /// To the base 16.
    Hexadecimal,
    /// To the base 8.
    Octal,
    /// The character with that number.
    Character,
    /// The symbolic constant of a set with that number.
    Symbol(u16),
}

/// Creation of a process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Run {
    /// Its type.
    pub process: ProcessTypeId,
    /// Values of its parameters.
    pub args: Vec<Expr>,
    /// Its priority.
    pub priority: u8,
}

/// A deterministic run: from node 0, take the first alternative that is
/// possible until one leads out. To have none is an error.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DStep {
    /// Nodes with their alternatives, in order.
    pub nodes: Vec<Vec<DAlternative>>,
}

/// One alternative of a node of a [`DStep`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DAlternative {
    /// All must be true.
    pub guards: Vec<Expr>,
    /// Must be possible, and is done first.
    pub comm: Option<Comm>,
    /// Done in this order.
    pub effects: Vec<Effect>,
    /// The next node; none leaves the run.
    pub to: Option<u32>,
    /// Where it comes from.
    pub origin: Origin,
}
