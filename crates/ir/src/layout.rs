//! Where process instances and their channels lie in the state vector.
//!
//! An instance is a (process number, process type) pair. It gets its frame when
//! it is first created in any explored state, at the end of the vector, and keeps
//! it: so every transition of every instance works on fixed offsets, and a state
//! that was stored before the vector grew is the same state with zeros appended.
//! Invariant: the frame of an instance that does not exist is all zero.
//!
//! Several interpreters of one model can share what they lay out ([`Layout::share`]): each works on a copy that is
//! as far as it was when it last looked, and whoever needs a new frame appends it to what is shared first. So all
//! copies are beginnings of the same layout, and a state of one means the same to all that have caught up with it.
//! Interpreters on several machines cannot: there a layout is [frozen](Layout::freeze), what it lacks is asked for, and
//! all of them append the same in the same order ([`Layout::lay_out`]).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stubborn_base::{IndexVec, define_index};

use crate::eval::RuntimeErrorKind;
use crate::model::{Channel, Model, ProcessType, ProcessTypeId};
use crate::slot::Slot;

define_index! {
    /// An instance of a process type under a process number.
    pub struct InstanceId;
}

/// A process's number.
pub type Pid = u16;

/// A channel's number; 0 is no channel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelId(pub u16);

/// A process under its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// Its number.
    pub pid: Pid,
    /// Its type.
    pub process: ProcessTypeId,
    /// Offset of its frame.
    pub base: u32,
    /// Number of the first channel it creates; the others follow.
    pub first_channel: u16,
    /// The slot of its location.
    pub location: Slot,
}

/// Where the contents of one channel lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ChannelPlace {
    /// The instance that created it, if it is not global.
    pub(crate) owner: Option<InstanceId>,
    /// Number of messages it holds.
    pub(crate) capacity: u16,
    /// Slot of the number of messages; meaningless if the capacity is 0.
    pub(crate) len: Slot,
    /// Offset of the first message.
    pub(crate) messages: u32,
    /// Bytes of one message.
    pub(crate) message_size: u32,
    /// Slots of the fields, relative to a message.
    pub(crate) fields: Box<[Slot]>,
}

/// What is known of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChannelInfo {
    /// The process that created it, if it is not global.
    pub owner: Option<InstanceId>,
    /// Number of messages it holds; 0 for a rendezvous channel.
    pub capacity: u16,
    /// Offset of its contents in the state; meaningless for a rendezvous channel.
    pub contents: u32,
}

/// The layout so far.
#[derive(Clone, Debug)]
pub struct Layout {
    size: u32,
    instances: IndexVec<InstanceId, Instance>,
    by_pid: Vec<Vec<InstanceId>>,
    channels: Vec<ChannelPlace>,
    /// What is laid out together with others.
    shared: Option<Arc<Mutex<Layout>>>,
    /// What was asked for since it was frozen, if it is.
    wanted: Option<Vec<(Pid, ProcessTypeId)>>,
}

/// Bytes of the longest state: a frame is at most 1 MiB, but there can be one of each type under each number.
const MAX_STATE: u32 = 1 << 26;

/// Why an instance has no frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoFrame {
    /// No more channel numbers are left.
    TooManyChannels,
    /// States would be longer than [`MAX_STATE`].
    TooLarge,
    /// The layout is frozen: whoever froze it has to append the frame first.
    NotYet,
}

impl NoFrame {
    /// As an error of the step that asks for the frame. How long states are depends on what else was visited, so that is
    /// no error of the model.
    pub(crate) fn kind(self) -> RuntimeErrorKind {
        match self {
            NoFrame::TooManyChannels => RuntimeErrorKind::TooManyChannels,
            // Whoever froze the layout takes no notice of what this expansion finds.
            NoFrame::TooLarge | NoFrame::NotYet => RuntimeErrorKind::LimitReached,
        }
    }
}

impl Layout {
    /// The globals alone.
    pub fn new(model: &Model) -> Self {
        let channels = model.channels.iter().map(|c| ChannelPlace::new(c, None, 0)).collect();
        let (instances, by_pid) = (IndexVec::new(), Vec::new());
        Layout { size: model.global_size, instances, by_pid, channels, shared: None, wanted: None }
    }

    /// The same layout from now on for this one and all its copies.
    pub fn share(&mut self) {
        if self.shared.is_none() {
            self.shared = Some(Arc::new(Mutex::new(self.clone())));
        }
    }

    /// No longer grows by itself, nor with others: what it lacks is noted.
    pub fn freeze(&mut self) {
        self.shared = None;
        self.wanted = Some(Vec::new());
    }

    /// What it lacked since this was asked last.
    pub fn take_wanted(&mut self) -> Vec<(Pid, ProcessTypeId)> {
        self.wanted.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Appends frames in the order given; those that there is no room for are left out, and errors later on.
    pub fn lay_out(&mut self, model: &Model, frames: &[(Pid, ProcessTypeId)]) {
        for &(pid, process) in frames {
            if self.find(pid, process).is_none() {
                let _ = self.append(model, pid, process);
            }
        }
    }

    /// Knows all frames of a state that is so many bytes wide.
    #[inline]
    pub(crate) fn reach(&mut self, width: usize) {
        if width > self.size() {
            self.catch_up();
        }
    }

    #[cold]
    fn catch_up(&mut self) {
        if let Some(shared) = self.shared.clone() {
            self.copy_from(&lock(&shared));
        }
    }

    /// Takes over what is shared, of which this is a beginning.
    fn copy_from(&mut self, shared: &Layout) {
        let shared = Layout { shared: self.shared.take(), ..shared.clone() };
        *self = shared;
    }

    /// Bytes of a state.
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// An instance.
    #[inline]
    pub fn instance(&self, id: InstanceId) -> &Instance {
        &self.instances[id]
    }

    /// All instances so far.
    pub fn instances(&self) -> impl Iterator<Item = (InstanceId, &Instance)> {
        self.instances.iter_enumerated()
    }

    /// The instance of `process` under `pid`, with a new frame if it is the first time.
    pub fn instantiate(
        &mut self,
        model: &Model,
        pid: Pid,
        process: ProcessTypeId,
    ) -> Result<InstanceId, NoFrame> {
        if let Some(id) = self.find(pid, process) {
            return Ok(id);
        }
        if self.wanted.is_some() {
            self.first_channel(model, process)?;
            self.wanted.iter_mut().for_each(|wanted| wanted.push((pid, process)));
            return Err(NoFrame::NotYet);
        }
        let Some(shared) = self.shared.clone() else { return self.append(model, pid, process) };
        let mut shared = lock(&shared);
        let id = match shared.find(pid, process) {
            Some(id) => id,
            None => shared.append(model, pid, process)?,
        };
        self.copy_from(&shared);
        Ok(id)
    }

    fn find(&self, pid: Pid, process: ProcessTypeId) -> Option<InstanceId> {
        let candidates = self.by_pid.get(usize::from(pid))?;
        candidates.iter().copied().find(|&id| self.instances[id].process == process)
    }

    fn append(&mut self, model: &Model, pid: Pid, process: ProcessTypeId) -> Result<InstanceId, NoFrame> {
        let first_channel = self.first_channel(model, process)?;
        let slot = usize::from(pid);
        if self.by_pid.len() <= slot {
            self.by_pid.resize_with(slot + 1, Vec::new);
        }
        let ty = &model.processes[process];
        let base = self.size;
        let id = self.instances.push(Instance {
            pid,
            process,
            base,
            first_channel,
            location: ProcessType::location_slot().shifted(base),
        });
        self.channels.extend(ty.channels.iter().map(|c| ChannelPlace::new(c, Some(id), base)));
        self.by_pid[slot].push(id);
        self.size += ty.frame_size;
        Ok(id)
    }

    /// The number that the first channel of a new instance would have, if there is room for it.
    fn first_channel(&self, model: &Model, process: ProcessTypeId) -> Result<u16, NoFrame> {
        let first = self.channels.len() + 1;
        let ty = &model.processes[process];
        if first + ty.channels.len() > usize::from(u16::MAX) {
            Err(NoFrame::TooManyChannels)
        } else if self.size.saturating_add(ty.frame_size) > MAX_STATE {
            Err(NoFrame::TooLarge)
        } else {
            Ok(first as u16)
        }
    }

    /// The process that has number `pid` in `state`.
    #[inline]
    pub fn alive(&self, state: &[u8], pid: Pid) -> Option<InstanceId> {
        let candidates = self.by_pid.get(usize::from(pid))?;
        candidates.iter().copied().find(|&id| self.is_alive(state, id))
    }

    /// Whether an instance exists in `state`, which may be older than the instance.
    #[inline]
    pub fn is_alive(&self, state: &[u8], id: InstanceId) -> bool {
        let instance = &self.instances[id];
        (instance.base as usize) < state.len() && instance.location.read(state) != 0
    }

    /// What is known of a channel, whether or not its process exists.
    pub fn channel_info(&self, chan: ChannelId) -> Option<ChannelInfo> {
        let place = self.channels.get(usize::from(chan.0).wrapping_sub(1))?;
        let contents = place.len.offset;
        Some(ChannelInfo { owner: place.owner, capacity: place.capacity, contents })
    }

    /// Number of channels so far; they are numbered from 1.
    pub fn n_channels(&self) -> usize {
        self.channels.len()
    }

    /// The channel with number `chan`, if it exists in `state`.
    #[inline]
    pub(crate) fn channel(&self, state: &[u8], chan: ChannelId) -> Option<&ChannelPlace> {
        let place = self.channels.get(usize::from(chan.0).wrapping_sub(1))?;
        match place.owner {
            Some(owner) if !self.is_alive(state, owner) => None,
            _ => Some(place),
        }
    }
}

/// Whoever holds it leaves it whole, even in a panic: it only ever grows.
fn lock(shared: &Mutex<Layout>) -> MutexGuard<'_, Layout> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ChannelPlace {
    fn new(channel: &Channel, owner: Option<InstanceId>, base: u32) -> Self {
        let start = base + channel.offset;
        let mut at = 0;
        let fields = channel
            .fields
            .iter()
            .map(|ty| {
                let slot = Slot::new(at, ty);
                at += ty.size();
                slot
            })
            .collect();
        ChannelPlace {
            owner,
            capacity: channel.capacity,
            len: channel.len_slot().shifted(start),
            messages: start + channel.len_slot().size(),
            message_size: at,
            fields,
        }
    }

    /// Number of messages in it.
    #[inline]
    pub(crate) fn len(&self, state: &[u8]) -> u32 {
        if self.capacity == 0 { 0 } else { self.len.read(state) as u32 }
    }

    /// Field `field` of message `message`.
    #[inline]
    pub(crate) fn field(&self, message: u32, field: usize) -> Slot {
        self.fields[field].shifted(self.messages + message * self.message_size)
    }

    /// Whether a message is stored as one more, which there must be room for.
    pub(crate) fn is_full(&self, state: &[u8]) -> bool {
        self.len(state) >= u32::from(self.capacity)
    }
}
