//! A state of one search in the layout of another.
//!
//! Frames are placed, and channels of processes numbered, in the order in which a search
//! creates processes; so a state has other bytes in every search.

use stubborn_ir::{Channel, ChannelId, Instance, Layout, Model, Slot, SlotType, Variable};

/// From one layout to another.
pub(crate) struct Translation<'a> {
    pub(crate) model: &'a Model,
    pub(crate) from: &'a Layout,
    pub(crate) to: &'a Layout,
}

impl Translation<'_> {
    /// The same state; none if it has a process that the other search never created.
    pub(crate) fn state(&self, state: &[u8]) -> Option<Vec<u8>> {
        let mut state = state.to_vec();
        state.resize(self.from.size(), 0);
        let mut other = vec![0; self.to.size()];
        let globals = self.model.global_size as usize;
        other[..globals].copy_from_slice(&state[..globals]);
        self.renumber(&self.model.globals, &self.model.channels, 0, &mut other);
        for (id, instance) in self.from.instances() {
            if !self.from.is_alive(&state, id) {
                continue;
            }
            let place = self.counterpart(instance)?;
            let ty = &self.model.processes[instance.process];
            let (from, to, size) = (instance.base as usize, place.base as usize, ty.frame_size as usize);
            other[to..to + size].copy_from_slice(&state[from..from + size]);
            self.renumber(&ty.locals, &ty.channels, place.base, &mut other);
        }
        Some(other)
    }

    fn counterpart(&self, instance: &Instance) -> Option<&Instance> {
        let same = |other: &&Instance| other.pid == instance.pid && other.process == instance.process;
        self.to.instances().map(|(_, other)| other).find(same)
    }

    /// Gives channels the numbers they have there.
    fn renumber(&self, variables: &[Variable], channels: &[Channel], base: u32, state: &mut [u8]) {
        let is_channel = |ty: &SlotType| *ty == SlotType::Chan;
        let mut slots: Vec<Slot> =
            variables.iter().filter(|v| is_channel(&v.ty)).map(|v| v.slot.shifted(base)).collect();
        for channel in channels {
            slots.push(channel.variable.shifted(base));
            let mut at = base + channel.offset + channel.len_slot().size();
            for _ in 0..channel.capacity {
                for ty in &channel.fields {
                    if is_channel(ty) {
                        slots.push(Slot::new(at, ty));
                    }
                    at += ty.size();
                }
            }
        }
        slots.sort_by_key(|slot| slot.offset);
        slots.dedup();
        for slot in slots {
            let number = slot.read(state);
            slot.write(state, self.channel(number));
        }
    }

    fn channel(&self, number: i32) -> i32 {
        let info = u16::try_from(number).ok().and_then(|n| self.from.channel_info(ChannelId(n)));
        let Some(owner) = info.and_then(|info| info.owner) else { return number };
        let owner = self.from.instance(owner);
        match self.counterpart(owner) {
            Some(other) => number - i32::from(owner.first_channel) + i32::from(other.first_channel),
            None => number,
        }
    }
}
