//! Variables that keep the value they start with.
//!
//! A global that nothing writes is a constant of the model. A local that nothing
//! writes, such as a parameter that says who one is or a channel a process was
//! given, is a constant of one process: *fixed*. What array element, what channel a
//! statement is about is often decided by these alone.

use stubborn_base::IndexVec;
use stubborn_ir::{Channel, Model, Place, ProcessTypeId, Region, Slot};

/// Which variables are constant.
#[derive(Clone, Debug)]
pub struct Constants {
    /// Slots of globals that something writes, and of buffers.
    written_globals: Vec<bool>,
    /// By type: the slots of its frame that nothing writes.
    fixed: IndexVec<ProcessTypeId, Vec<Slot>>,
}

impl Constants {
    /// Finds them.
    pub fn of(model: &Model) -> Self {
        let mut globals = vec![false; model.global_size as usize];
        globals[Model::num_processes_slot().offset as usize] = true;
        if let Some(last) = model.last_pid {
            globals[last.offset as usize] = true;
        }
        for channel in &model.channels {
            mark_buffer(channel, &mut globals);
        }
        let mut frames: IndexVec<ProcessTypeId, Vec<bool>> = IndexVec::new();
        for (_, ty) in model.processes.iter_enumerated() {
            let mut frame = vec![false; ty.frame_size as usize];
            frame[0] = true;
            if let Some(priority) = ty.priority {
                frame[priority.offset as usize] = true;
            }
            for channel in &ty.channels {
                mark_buffer(channel, &mut frame);
            }
            frames.push(frame);
        }
        for t in model.transitions.iter() {
            let frame = &mut frames[t.process];
            t.for_each_written(&mut |place| {
                let region = match place.region {
                    Region::Global => &mut globals,
                    Region::Local => &mut *frame,
                };
                each_slot(place, |slot| region[slot.offset as usize] = true);
            });
        }
        let mut fixed = IndexVec::new();
        for (id, ty) in model.processes.iter_enumerated() {
            let variables = ty.locals.iter().map(|v| v.slot);
            let channels = ty.channels.iter().map(|c| c.variable);
            let mut slots: Vec<Slot> =
                variables.chain(channels).filter(|slot| !frames[id][slot.offset as usize]).collect();
            slots.sort_by_key(|slot| slot.offset);
            slots.dedup();
            fixed.push(slots);
        }
        Constants { written_globals: globals, fixed }
    }

    /// Whether nothing writes the global at `offset`.
    pub fn is_constant_global(&self, offset: u32) -> bool {
        !self.written_globals[offset as usize]
    }

    /// The fixed slots of a type, relative to the frame, in order.
    pub fn fixed(&self, process: ProcessTypeId) -> &[Slot] {
        &self.fixed[process]
    }
}

fn mark_buffer(channel: &Channel, region: &mut [bool]) {
    let start = channel.offset as usize;
    region[start..start + channel.size() as usize].fill(true);
}

/// Calls `found` with every slot that a place may be.
pub(crate) fn each_slot(place: &Place, mut found: impl FnMut(Slot)) {
    fn go(slot: Slot, indices: &[stubborn_ir::Index], found: &mut impl FnMut(Slot)) {
        match indices {
            [] => found(slot),
            [index, rest @ ..] => {
                for i in 0..index.bound {
                    go(slot.shifted(i * index.stride), rest, found);
                }
            }
        }
    }
    go(place.slot, &place.indices, &mut found);
}
