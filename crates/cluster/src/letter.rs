//! What workers send each other: letters, each to one worker, with many messages in it.
//!
//! Most of what is sent are states. They are written one after the other, with as little around them as will do, so that
//! neither who writes nor who reads has to allocate for each of them.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use stubborn_base::Idx;
use stubborn_ir::{InstanceId, Pid, ProcessTypeId, Step, TransitionId};
use stubborn_search::{Counts, StateId};

use crate::graph::{Closed, Elder};
use crate::wire::{Reader, put, put_bytes, put_signed};

/// Messages from one worker to another. The first bytes are the addressee, and are no message.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Letter(pub(crate) Vec<u8>);

/// Bytes before the first message: to whom it goes, and from whom it comes.
const HEAD: usize = 8;

/// A state of the cluster: of a worker, by number there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct GlobalId {
    pub(crate) state: StateId,
    pub(crate) worker: u16,
}

impl GlobalId {
    /// No state.
    pub(crate) const NOBODY: GlobalId = GlobalId { state: StateId(u32::MAX), worker: u16::MAX };
}

/// One message.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    /// A successor, and the number of the sender's state that it was reached from.
    Offer { from: StateId, wants_answer: bool, state: &'a [u8] },
    /// A successor of a node, in the product, with the [elder](crate::graph) of what is reached from there.
    Arc { from: StateId, elder: Elder, state: &'a [u8] },
    /// A successor of this state, which keeps to part of its steps, is on the next level.
    Settled { state: StateId },
    /// An instance for which there is no frame yet.
    Frame { pid: Pid, process: ProcessTypeId },
    /// A process that reducers do not know yet.
    Process { instance: InstanceId, values: Vec<i32> },
    /// What was counted in a round.
    Report(Report),
    /// A violation that was found in a round.
    Found(Sighting<'a>),
    /// An arc closed an accepting cycle.
    Closed(Closed),
    /// No more nodes are looked for: a run is to be led to this one, and round a cycle to it again.
    Enough { seed: GlobalId },
    /// A state on the way to a violation is looked for: this one comes so many before the last.
    Trace { finding: u32, position: u32, state: StateId },
    /// It is this; if it is the initial one, the way is complete.
    Traced { finding: u32, position: u32, is_first: bool, state: &'a [u8] },
    /// A cycle is looked for: this node comes so many after the initial one.
    Walk { finding: u32, position: u32, state: StateId },
    /// It is this; if it was there before, the cycle is complete.
    Walked { finding: u32, position: u32, is_again: bool, state: &'a [u8] },
    /// A node that this one leads to was removed.
    Gone { state: StateId },
    /// A node that this one leads to was marked.
    Marked { state: StateId },
    /// This node leads to one of the sender's, which has that hash and leads to where a run is led.
    Leads { state: StateId, to: StateId, hash: u64 },
    /// What the sender counted.
    Tally(Tally),
}

/// What a worker has when it has looked for cycles for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    /// Nodes that are not removed and lead to an accepting one.
    pub(crate) marked: u64,
    /// Other nodes that are not removed.
    pub(crate) unmarked: u64,
}

/// What a worker counted in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Report {
    /// States are those that were expanded.
    pub(crate) counts: Counts,
    pub(crate) cut_off: bool,
    pub(crate) is_endless: bool,
}

/// What is wrong somewhere. What exactly, the receiver finds again by expanding the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Wrong {
    InvalidEnd,
    FailedAssertion,
    Error,
    /// The state, or what leads there, violates the claim.
    Claim,
    /// What the claim is about has no value in the state.
    NoValue,
}

const WRONGS: [Wrong; 5] =
    [Wrong::InvalidEnd, Wrong::FailedAssertion, Wrong::Error, Wrong::Claim, Wrong::NoValue];

/// A violation, where it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sighting<'a> {
    pub(crate) wrong: Wrong,
    pub(crate) id: StateId,
    pub(crate) state: &'a [u8],
    pub(crate) steps: Vec<Step>,
}

impl Letter {
    pub(crate) fn new(to: usize, from: usize) -> Self {
        let mut bytes = Vec::with_capacity(HEAD);
        bytes.extend_from_slice(&(to as u32).to_le_bytes());
        bytes.extend_from_slice(&(from as u32).to_le_bytes());
        Letter(bytes)
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.len() <= HEAD
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    fn number_at(&self, at: usize) -> u32 {
        let bytes = self.0.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(u32::MAX, u32::from_le_bytes)
    }

    pub(crate) fn to(&self) -> usize {
        self.number_at(0) as usize
    }

    pub(crate) fn from(&self) -> usize {
        self.number_at(4) as usize
    }

    /// Whether it is about the way to a violation, or around one, which does not wait for its level.
    pub(crate) fn is_urgent(&self) -> bool {
        self.0.get(HEAD).is_some_and(|&tag| tag >= TRACE)
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader(self.0.get(HEAD..).unwrap_or_default())
    }

    #[inline]
    pub(crate) fn offer(&mut self, from: StateId, wants_answer: bool, state: &[u8]) {
        self.0.push(OFFER + u8::from(wants_answer));
        put(&mut self.0, u64::from(from.0));
        put_bytes(&mut self.0, state);
    }

    pub(crate) fn push(&mut self, message: &Message<'_>) {
        let bytes = &mut self.0;
        match message {
            Message::Offer { from, wants_answer, state } => self.offer(*from, *wants_answer, state),
            Message::Settled { state } => {
                bytes.push(SETTLED);
                put(bytes, u64::from(state.0));
            }
            Message::Frame { pid, process } => {
                bytes.push(FRAME);
                put(bytes, u64::from(*pid));
                put(bytes, process.index() as u64);
            }
            Message::Process { instance, values } => {
                bytes.push(PROCESS);
                put(bytes, instance.index() as u64);
                put(bytes, values.len() as u64);
                values.iter().for_each(|&value| put_signed(bytes, value));
            }
            Message::Arc { from, elder, state } => {
                bytes.push(ARC);
                put(bytes, u64::from(from.0));
                put(bytes, elder.0);
                put_bytes(bytes, state);
            }
            Message::Report(Report { counts, cut_off, is_endless }) => {
                bytes.push(REPORT);
                let Counts { states, transitions, depth: _, deadlocks, failed_assertions, errors } = counts;
                for count in [states, transitions, deadlocks, failed_assertions, errors] {
                    put(bytes, *count);
                }
                bytes.push(u8::from(*cut_off) | u8::from(*is_endless) << 1);
            }
            Message::Found(Sighting { wrong, id, state, steps }) => {
                bytes.push(FOUND);
                bytes.push(*wrong as u8);
                put(bytes, u64::from(id.0));
                put_bytes(bytes, state);
                put(bytes, steps.len() as u64);
                steps.iter().for_each(|step| put_step(bytes, step));
            }
            Message::Closed(Closed { elder, seed }) => {
                bytes.push(CLOSED);
                put(bytes, elder.0);
                put_id(bytes, *seed);
            }
            Message::Enough { seed } => {
                bytes.push(ENOUGH);
                put_id(bytes, *seed);
            }
            Message::Trace { finding, position, state } => {
                put_place(bytes, TRACE, *finding, *position, *state)
            }
            Message::Walk { finding, position, state } => put_place(bytes, WALK, *finding, *position, *state),
            Message::Traced { finding, position, is_first, state } => {
                put_told(bytes, TRACED, *finding, *position, *is_first, state);
            }
            Message::Walked { finding, position, is_again, state } => {
                put_told(bytes, WALKED, *finding, *position, *is_again, state);
            }
            Message::Gone { state } => {
                bytes.push(GONE);
                put(bytes, u64::from(state.0));
            }
            Message::Marked { state } => {
                bytes.push(MARKED);
                put(bytes, u64::from(state.0));
            }
            Message::Leads { state, to, hash } => {
                bytes.push(LEADS);
                put(bytes, u64::from(state.0));
                put(bytes, u64::from(to.0));
                put(bytes, *hash);
            }
            Message::Tally(Tally { marked, unmarked }) => {
                bytes.push(TALLY);
                put(bytes, *marked);
                put(bytes, *unmarked);
            }
        }
    }
}

const OFFER: u8 = 0;
const OFFER_AND_ANSWER: u8 = 1;
const SETTLED: u8 = 2;
const FRAME: u8 = 3;
const PROCESS: u8 = 4;
const REPORT: u8 = 5;
const FOUND: u8 = 6;
const ARC: u8 = 7;
const CLOSED: u8 = 8;
const ENOUGH: u8 = 9;
const GONE: u8 = 10;
const MARKED: u8 = 11;
const LEADS: u8 = 12;
const TALLY: u8 = 13;
const TRACE: u8 = 14;
const TRACED: u8 = 15;
const WALK: u8 = 16;
const WALKED: u8 = 17;

/// The next message; none if it is garbled.
pub(crate) fn next<'a>(reader: &mut Reader<'a>) -> Option<Message<'a>> {
    let tag = reader.byte()?;
    Some(match tag {
        OFFER | OFFER_AND_ANSWER => {
            let from = StateId(reader.read()?);
            Message::Offer { from, wants_answer: tag == OFFER_AND_ANSWER, state: reader.bytes()? }
        }
        SETTLED => Message::Settled { state: StateId(reader.read()?) },
        FRAME => Message::Frame { pid: reader.read()?, process: ProcessTypeId(reader.read()?) },
        PROCESS => {
            let instance = InstanceId(reader.read()?);
            let n: usize = reader.read()?;
            Message::Process { instance, values: (0..n).map(|_| reader.signed()).collect::<Option<_>>()? }
        }
        REPORT => {
            let counts = Counts {
                states: reader.number()?,
                transitions: reader.number()?,
                depth: 0,
                deadlocks: reader.number()?,
                failed_assertions: reader.number()?,
                errors: reader.number()?,
            };
            let flags = reader.byte()?;
            Message::Report(Report { counts, cut_off: flags & 1 != 0, is_endless: flags & 2 != 0 })
        }
        FOUND => {
            let wrong = *WRONGS.get(usize::from(reader.byte()?))?;
            let (id, state) = (StateId(reader.read()?), reader.bytes()?);
            let n: usize = reader.read()?;
            let steps = (0..n).map(|_| read_step(reader)).collect::<Option<_>>()?;
            Message::Found(Sighting { wrong, id, state, steps })
        }
        ARC => {
            let (from, elder) = (StateId(reader.read()?), Elder(reader.number()?));
            Message::Arc { from, elder, state: reader.bytes()? }
        }
        CLOSED => Message::Closed(Closed { elder: Elder(reader.number()?), seed: read_id(reader)? }),
        ENOUGH => Message::Enough { seed: read_id(reader)? },
        GONE => Message::Gone { state: StateId(reader.read()?) },
        MARKED => Message::Marked { state: StateId(reader.read()?) },
        LEADS => {
            let (state, to) = (StateId(reader.read()?), StateId(reader.read()?));
            Message::Leads { state, to, hash: reader.number()? }
        }
        TALLY => Message::Tally(Tally { marked: reader.number()?, unmarked: reader.number()? }),
        TRACE | WALK => {
            let (finding, position, state) = (reader.read()?, reader.read()?, StateId(reader.read()?));
            match tag {
                TRACE => Message::Trace { finding, position, state },
                _ => Message::Walk { finding, position, state },
            }
        }
        TRACED | WALKED => {
            let (finding, position, flag) = (reader.read()?, reader.read()?, reader.byte()? != 0);
            let state = reader.bytes()?;
            match tag {
                TRACED => Message::Traced { finding, position, is_first: flag, state },
                _ => Message::Walked { finding, position, is_again: flag, state },
            }
        }
        _ => return None,
    })
}

/// None is a single byte.
fn put_id(bytes: &mut Vec<u8>, id: GlobalId) {
    match id {
        GlobalId::NOBODY => put(bytes, 0),
        GlobalId { state, worker } => {
            put(bytes, u64::from(worker) + 1);
            put(bytes, u64::from(state.0));
        }
    }
}

fn read_id(reader: &mut Reader<'_>) -> Option<GlobalId> {
    match reader.number()? {
        0 => Some(GlobalId::NOBODY),
        worker => Some(GlobalId { state: StateId(reader.read()?), worker: u16::try_from(worker - 1).ok()? }),
    }
}

fn put_place(bytes: &mut Vec<u8>, tag: u8, finding: u32, position: u32, state: StateId) {
    bytes.push(tag);
    [finding, position, state.0].into_iter().for_each(|number| put(bytes, u64::from(number)));
}

fn put_told(bytes: &mut Vec<u8>, tag: u8, finding: u32, position: u32, flag: bool, state: &[u8]) {
    bytes.push(tag);
    [finding, position].into_iter().for_each(|number| put(bytes, u64::from(number)));
    bytes.push(u8::from(flag));
    put_bytes(bytes, state);
}

fn put_step(bytes: &mut Vec<u8>, step: &Step) {
    put(bytes, step.process.index() as u64);
    put(bytes, step.transition.index() as u64);
    bytes.push(u8::from(step.partner.is_some()));
    if let Some((process, transition)) = step.partner {
        put(bytes, process.index() as u64);
        put(bytes, transition.index() as u64);
    }
}

fn read_step(reader: &mut Reader<'_>) -> Option<Step> {
    let mut mover = || Some((InstanceId(reader.read()?), TransitionId(reader.read()?)));
    let (process, transition) = mover()?;
    let partner = match reader.byte()? {
        0 => None,
        _ => Some((InstanceId(reader.read()?), TransitionId(reader.read()?))),
    };
    Some(Step { process, transition, partner })
}

impl Serialize for Letter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Letter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = Letter;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Letter, E> {
                Ok(Letter(bytes))
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Letter, E> {
                Ok(Letter(bytes.to_vec()))
            }
        }

        deserializer.deserialize_byte_buf(Bytes)
    }
}
