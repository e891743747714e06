//! The parts that a state consists of, and how each can be different.

use std::ops::Range;

use stubborn_ir::{Channel, InstanceId, Layout, LocationId, Model, Slot, SlotType};
use stubborn_relations::access::Cell;

/// A variable, a location, or the contents of a channel.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// What declarations call it.
    pub(crate) cell: Cell,
    /// The process it belongs to; none if it is shared.
    pub(crate) owner: Option<InstanceId>,
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// Kinds of [`Part`].
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Variable(Slot, SlotType),
    Location(Slot, usize),
    Buffer(Channel, u32),
    NumProcesses,
}

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }
}

/// The parts of a state.
pub(crate) fn parts(model: &Model, layout: &Layout, state: &[u8]) -> Vec<Part> {
    let n_processes = Model::num_processes_slot();
    let mut parts = vec![Part {
        cell: n_processes.offset,
        owner: None,
        name: "the number of processes".to_owned(),
        kind: Kind::NumProcesses,
    }];
    let mut add =
        |owner, base: u32, prefix: &str, variables: &[stubborn_ir::Variable], channels: &[Channel]| {
            for v in variables {
                let kind = Kind::Variable(v.slot.shifted(base), v.ty.clone());
                let name = format!("{prefix}{}", v.name);
                parts.push(Part { cell: base + v.slot.offset, owner, name, kind });
            }
            for channel in channels {
                let cell = base + channel.variable.offset;
                if parts.iter().all(|part| part.cell != cell) {
                    let kind = Kind::Variable(channel.variable.shifted(base), SlotType::Chan);
                    parts.push(Part { cell, owner, name: format!("{prefix}{}", channel.name), kind });
                }
                if channel.capacity > 0 {
                    let kind = Kind::Buffer(channel.clone(), base);
                    let name = format!("the messages in {prefix}{}", channel.name);
                    parts.push(Part { cell: base + channel.offset, owner, name, kind });
                }
            }
        };
    add(None, 0, "", &model.globals, &model.channels);
    for (id, instance) in layout.instances() {
        if layout.is_alive(state, id) {
            let ty = &model.processes[instance.process];
            let prefix = format!("{}({}):", ty.name, instance.pid);
            add(Some(id), instance.base, &prefix, &ty.locals, &ty.channels);
        }
    }
    for (id, instance) in layout.instances() {
        if layout.is_alive(state, id) {
            let ty = &model.processes[instance.process];
            parts.push(Part {
                cell: instance.location.offset,
                owner: Some(id),
                name: format!("where {}({}) is", ty.name, instance.pid),
                kind: Kind::Location(instance.location, ty.locations.len()),
            });
        }
    }
    parts
}

impl Part {
    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> Range<usize> {
        let (start, size) = match &self.kind {
            Kind::Variable(slot, _) | Kind::Location(slot, _) => (slot.offset, slot.size()),
            Kind::Buffer(channel, base) => (base + channel.offset, channel.size()),
            Kind::NumProcesses => {
                let slot = Model::num_processes_slot();
                (slot.offset, slot.size())
            }
        };
        start as usize..(start + size) as usize
    }

    /// Its value, if that is a number.
    pub(crate) fn value(&self, state: &[u8]) -> Option<i32> {
        match &self.kind {
            Kind::Variable(slot, _) | Kind::Location(slot, _) => Some(slot.read(state)),
            Kind::NumProcesses => Some(Model::num_processes_slot().read(state)),
            Kind::Buffer(..) => None,
        }
    }

    /// The number as it is kept.
    pub(crate) fn wrap(&self, value: i32) -> i32 {
        match &self.kind {
            Kind::Variable(slot, _) | Kind::Location(slot, _) => slot.wrap(value),
            Kind::NumProcesses | Kind::Buffer(..) => value,
        }
    }

    /// Whether it was changed to something else that it could be.
    pub(crate) fn change(
        &self,
        model: &Model,
        layout: &Layout,
        state: &mut [u8],
        random: &mut Random,
    ) -> bool {
        let before = state[self.bytes()].to_vec();
        match &self.kind {
            Kind::Variable(slot, ty) => {
                let value = any_value(model, layout, ty, slot.read(state), random);
                slot.write(state, value);
            }
            Kind::Location(slot, n_locations) => {
                let other = LocationId(random.below(*n_locations) as u16);
                slot.write(state, i32::from(other.0) + 1);
            }
            Kind::Buffer(channel, base) => change_buffer(model, layout, channel, *base, state, random),
            Kind::NumProcesses => {}
        }
        state[self.bytes()] != *before
    }
}

/// A value of a type; often one nearby.
fn any_value(model: &Model, layout: &Layout, ty: &SlotType, now: i32, random: &mut Random) -> i32 {
    let value = match ty {
        SlotType::Symbol(set) => {
            let n_symbols = model.symbols.get(usize::from(*set)).map_or(0, Vec::len);
            random.below(n_symbols + 1) as i32
        }
        SlotType::Chan => random.below(layout.n_channels() + 1) as i32,
        _ => match random.below(4) {
            0 => now.wrapping_add(1),
            1 => now.wrapping_sub(1),
            2 => random.below(4) as i32,
            _ => random.bits() as i32,
        },
    };
    ty.wrap(value)
}

/// Another message, one more or one less.
fn change_buffer(
    model: &Model,
    layout: &Layout,
    channel: &Channel,
    base: u32,
    state: &mut [u8],
    random: &mut Random,
) {
    let start = base + channel.offset;
    let len_slot = channel.len_slot().shifted(start);
    let len = len_slot.read(state);
    let message = |index: i32| start + len_slot.size() + index as u32 * channel.message_size();
    let is_full = len >= i32::from(channel.capacity);
    match random.below(3) {
        0 if len > 0 => {
            let from = message(len - 1) as usize;
            state[from..from + channel.message_size() as usize].fill(0);
            len_slot.write(state, len - 1);
        }
        1 if !is_full => {
            write_message(model, layout, channel, message(len), state, random);
            len_slot.write(state, len + 1);
        }
        _ if len > 0 => {
            let index = random.below(len as usize) as i32;
            write_message(model, layout, channel, message(index), state, random);
        }
        _ => {}
    }
}

fn write_message(
    model: &Model,
    layout: &Layout,
    channel: &Channel,
    at: u32,
    state: &mut [u8],
    random: &mut Random,
) {
    let mut at = at;
    for ty in &channel.fields {
        let slot = Slot::new(at, ty);
        let value = any_value(model, layout, ty, slot.read(state), random);
        slot.write(state, value);
        at += ty.size();
    }
}
