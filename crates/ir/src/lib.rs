//! The guarded-transition system that every front-end lowers to, and its
//! reference semantics.
//!
//! A model is a set of process types (Laarman, Pater, van de Pol and Hansen,
//! "Guard-based Partial-Order Reduction", §2, call their union simply the
//! transition system): each has locations and guarded transitions between them.
//! A net is one process type with one location. Knows no source language and no
//! search order: what is *possible* in a state is decided here, what is
//! *visited* elsewhere.
//!
//! Reading order: [`slot`], [`expr`], [`model`] define a model; [`layout`] places
//! process instances in the state vector; [`eval`], [`step`], `execute`, [`interpreter`] and [`successors`]
//! say what it does, and an [`engine`] may do it in their stead; [`describe`] names what changed, and [`inspect`] what
//! there is; [`witness`] is what a search claims about it; a [`Fingerprint`] tells models apart, and [`Unread`] what they could do
//! without.

mod balance;
pub mod claim;
mod comparison;
mod dead;
pub mod describe;
pub mod engine;
pub mod eval;
pub mod event;
mod execute;
pub mod expr;
mod fingerprint;
#[cfg(feature = "fixture")]
pub mod fixture;
pub mod inspect;
pub mod interpreter;
mod interrupt;
pub mod layout;
mod loaded;
pub mod marking;
pub mod model;
pub mod net;
mod print;
pub mod slot;
pub mod step;
pub mod successors;
mod unread;
mod visit;
mod watch;
pub mod witness;

pub use balance::balanced;
pub use claim::{
    Claim, ClaimAutomaton, ClaimBody, ClaimEdge, ClaimKind, ClaimState, Literal, Propositions, TemporalClaim,
    TraceClaim, TraceEdge, TraceState,
};
pub use comparison::{Compared, Comparison};
pub use describe::{Change, Value, Valued};
pub use engine::{Engine, Engines, Make, Taken, Tier};
pub use eval::{RuntimeError, RuntimeErrorKind};
pub use event::{Event, Printed};
pub use expr::{BinaryOp, ChanTest, Expr, Index, Pattern, Place, Poll, Region, Remote, Typed, UnaryOp};
pub use fingerprint::Fingerprint;
pub use inspect::Contents;
pub use interpreter::{Applied, Interpreter};
pub use interrupt::Interrupt;
pub use layout::{ChannelId, ChannelInfo, Instance, InstanceId, Layout, Pid};
pub use loaded::Loaded;
pub use marking::{Marking, TokenIndex, TokenNeed, TokenRef};
pub use model::{
    Activation, Call, Channel, Comm, DAlternative, DStep, Effect, GuardId, Location, LocationId, Model,
    Notation, Origin, Piece, ProcessType, ProcessTypeId, Receive, Run, Send, Stated, Transition,
    TransitionId, Variable,
};
pub use net::{Fill, Kept, Net, NetPlace, NetTransition, Token, amount};
pub use slot::{Repr, Slot, SlotType};
pub use step::{ChannelStatus, Step};
pub use successors::{Edge, Expansion, FailedAssertion, Outcome, Prepared};
pub use unread::Unread;
pub use witness::{Move, Violation};
