//! What machine code is told of the layout: tables that are filled in anew whenever it grows.
//!
//! Code is made per process type and the layout grows while a model is explored, so nothing that depends on an instance
//! is written into code, but looked up here: where the contents of a channel lie, by its number, and where the frame of
//! a process is, by its type and number.

use std::mem::offset_of;

use stubborn_base::Idx;
use stubborn_ir::{ChannelId, Layout, Model};

use crate::channels::Channels;

/// Fields of the longest message that is handed over in a rendezvous.
pub(crate) const MESSAGE: usize = 64;

/// No frame.
pub(crate) const NO_FRAME: u32 = u32::MAX;

/// What the code is given a pointer to.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Context {
    /// By number of the channel; that of number 0 is none.
    channels: *const ChannelRow,
    /// By process type, then by number.
    frames: *const u32,
    /// By process type, if it has one instance only.
    only: *const OnlyRow,
    /// Rows in `channels`, so that every number below has one.
    n_channels: u32,
    /// Numbers of processes that instances were made for, so that every number below has a frame or none.
    n_pids: u32,
    /// Transitions of the location last looked at that wait for a partner.
    pub(crate) offers: u64,
    /// Fields of the message that is handed over.
    n_fields: u32,
    /// The message that is handed over.
    pub(crate) message: [i32; MESSAGE],
}

impl Context {
    pub(crate) const CHANNELS: i32 = offset_of!(Context, channels) as i32;
    pub(crate) const FRAMES: i32 = offset_of!(Context, frames) as i32;
    pub(crate) const ONLY: i32 = offset_of!(Context, only) as i32;
    pub(crate) const N_CHANNELS: i32 = offset_of!(Context, n_channels) as i32;
    pub(crate) const N_PIDS: i32 = offset_of!(Context, n_pids) as i32;
    pub(crate) const OFFERS: i32 = offset_of!(Context, offers) as i32;

    pub(crate) const N_FIELDS: i32 = offset_of!(Context, n_fields) as i32;

    pub(crate) const fn message(field: usize) -> i32 {
        offset_of!(Context, message) as i32 + (field * size_of::<i32>()) as i32
    }
}

/// Where the contents of a channel lie.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct ChannelRow {
    /// Number of messages it holds; 0 for a rendezvous channel.
    capacity: u32,
    /// Offset of the number of messages.
    len: u32,
    /// Offset of the first message.
    messages: u32,
    /// Offset of two bytes that are 0 if the channel does not exist: the location of its process, or the number of
    /// processes for a global one.
    owner: u32,
    /// The types of its fields, as [`Channels`] numbers them.
    shape: u32,
    /// A row has the size of a power of two.
    padding: [u32; 3],
}

impl ChannelRow {
    pub(crate) const CAPACITY: i32 = offset_of!(ChannelRow, capacity) as i32;
    pub(crate) const LEN: i32 = offset_of!(ChannelRow, len) as i32;
    pub(crate) const MESSAGES: i32 = offset_of!(ChannelRow, messages) as i32;
    pub(crate) const OWNER: i32 = offset_of!(ChannelRow, owner) as i32;
    pub(crate) const SHAPE: i32 = offset_of!(ChannelRow, shape) as i32;
}

/// The only instance of a process type.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct OnlyRow {
    /// Offset of its frame, or [`NO_FRAME`].
    frame: u32,
    /// Its number.
    pid: u32,
}

impl OnlyRow {
    pub(crate) const FRAME: i32 = offset_of!(OnlyRow, frame) as i32;
    pub(crate) const PID: i32 = offset_of!(OnlyRow, pid) as i32;
}

/// The tables a [`Context`] points to.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    channels: Vec<ChannelRow>,
    frames: Vec<u32>,
    only: Vec<OnlyRow>,
    n_pids: usize,
}

impl Tables {
    /// Of everything in the layout.
    pub(crate) fn new(model: &Model, shapes: &Channels, layout: &Layout) -> Self {
        let n_pids = layout.instances().map(|(_, instance)| usize::from(instance.pid) + 1).max().unwrap_or(0);
        let mut frames = vec![NO_FRAME; n_pids * model.processes.len()];
        let mut only = vec![OnlyRow { frame: NO_FRAME, pid: 0 }; model.processes.len()];
        let mut n_instances = vec![0u32; model.processes.len()];
        for (_, instance) in layout.instances() {
            let ty = instance.process.index();
            let pid = instance.pid;
            frames[ty * n_pids + usize::from(pid)] = instance.base;
            n_instances[ty] += 1;
            let frame = if n_instances[ty] == 1 { instance.base } else { NO_FRAME };
            only[ty] = OnlyRow { frame, pid: u32::from(pid) };
        }
        let none =
            ChannelRow { capacity: 0, len: 0, messages: 0, owner: 0, shape: u32::MAX, padding: [0; 3] };
        let rows = (1..=layout.n_channels()).map(|number| row(model, shapes, layout, number as u16));
        Tables { channels: std::iter::once(none).chain(rows).collect(), frames, only, n_pids }
    }

    /// Makes a context point here.
    pub(crate) fn enter(&self, context: &mut Context) {
        context.channels = self.channels.as_ptr();
        context.frames = self.frames.as_ptr();
        context.only = self.only.as_ptr();
        context.n_channels = self.channels.len() as u32;
        context.n_pids = self.n_pids as u32;
    }
}

/// SAFETY: the tables that a context points to belong to the same owner as the context does, and go where it goes.
#[expect(unsafe_code, reason = "pointers are not sent to other threads by themselves")]
unsafe impl Send for Context {}

impl Default for Context {
    fn default() -> Self {
        Context {
            channels: std::ptr::null(),
            frames: std::ptr::null(),
            only: std::ptr::null(),
            n_channels: 0,
            n_pids: 0,
            offers: 0,
            n_fields: 0,
            message: [0; MESSAGE],
        }
    }
}

fn row(model: &Model, shapes: &Channels, layout: &Layout, number: u16) -> ChannelRow {
    let info = layout.channel_info(ChannelId(number)).expect("channels are numbered from 1");
    let (channel, owner) = match info.owner {
        None => (&model.channels[usize::from(number) - 1], 0),
        Some(owner) => {
            let instance = layout.instance(owner);
            let index = usize::from(number - instance.first_channel);
            (&model.processes[instance.process].channels[index], instance.location.offset)
        }
    };
    // A rendezvous channel has no contents: what is read of them does not count, but must be part of the state.
    let (len, messages) = match info.capacity {
        0 => (0, 0),
        _ => (info.contents, info.contents + channel.len_slot().size()),
    };
    let (capacity, shape) = (u32::from(info.capacity), shapes.shape_of(channel));
    ChannelRow { capacity, len, messages, owner, shape, padding: [0; 3] }
}
