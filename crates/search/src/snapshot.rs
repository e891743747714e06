//! A state to compare others with: its globals and the frames of its processes.
//!
//! Where the frames of processes lie in a state depends on which process was created first in a search, so a state
//! of one search is compared with those of another frame by frame.

use stubborn_ir::{Interpreter, Model, Move, Pid, ProcessTypeId};

/// A state, or the part of it that counts.
#[derive(Clone, Debug)]
pub struct Snapshot {
    globals: Part,
    frames: Vec<((Pid, ProcessTypeId), Part)>,
}

/// Bytes, and ones where they count.
#[derive(Clone, Default, Debug)]
struct Part {
    bytes: Vec<u8>,
    mask: Vec<u8>,
}

/// What counts in a state: the common part of an equivalence class.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Relevant {
    /// Processes whose locations count.
    pub pids: Vec<Pid>,
    /// So do their variables.
    pub locals: bool,
    /// Globals that count: where each begins, and how many bytes it has.
    pub globals: Vec<(u32, u32)>,
}

impl Relevant {
    /// What the states have in common from which the same cycle can be gone round: the processes that have a part in
    /// it, and what they share (Edelkamp, Leue and Lluch Lafuente, section 3.3, for all globals).
    pub fn of_cycle(model: &Model, cycle: &[Move]) -> Relevant {
        let parties = |made: &Move| [Some(made.pid), made.partner.map(|(pid, _)| pid)];
        let pids = cycle.iter().flat_map(parties).flatten().collect();
        Relevant { pids, locals: true, globals: vec![(0, model.global_size)] }
    }
}

impl Snapshot {
    /// All of a state.
    pub fn of(interpreter: &Interpreter<'_>, state: &[u8]) -> Snapshot {
        let model = interpreter.model();
        let part = |base: usize, size: usize| {
            let bytes: Vec<u8> = (base..base + size).map(|i| state.get(i).copied().unwrap_or(0)).collect();
            Part { mask: vec![u8::MAX; bytes.len()], bytes }
        };
        let frame = |instance: &stubborn_ir::Instance| {
            let size = model.processes[instance.process].frame_size as usize;
            ((instance.pid, instance.process), part(instance.base as usize, size))
        };
        let layout = interpreter.layout();
        let alive = layout.instances().filter(|&(id, _)| layout.is_alive(state, id));
        let frames = alive.map(|(_, instance)| frame(instance)).collect();
        Snapshot { globals: part(0, model.global_size as usize), frames }
    }

    /// The part of it that counts.
    #[must_use]
    pub fn only(mut self, relevant: &Relevant) -> Snapshot {
        self.globals.mask.fill(0);
        for &(start, size) in &relevant.globals {
            self.globals.mask[start as usize..(start + size) as usize].fill(u8::MAX);
        }
        let location = stubborn_ir::ProcessType::location_slot();
        let location = location.offset as usize..(location.offset + location.size()) as usize;
        for ((pid, _), frame) in &mut self.frames {
            let counts = relevant.pids.contains(pid);
            if !(counts && relevant.locals) {
                frame.mask.fill(0);
            }
            if counts {
                frame.mask[location.clone()].fill(u8::MAX);
            }
        }
        self
    }

    /// In how many bits a state differs from it.
    pub fn distance(&self, interpreter: &Interpreter<'_>, state: &[u8]) -> u32 {
        let mut sum = self.globals.distance(state, 0);
        let mut n_alive = 0;
        for (key, frame) in &self.frames {
            let layout = interpreter.layout();
            let alive = layout.alive(state, key.0).map(|id| layout.instance(id));
            sum += match alive.filter(|instance| instance.process == key.1) {
                Some(instance) => frame.distance(state, instance.base as usize),
                None => frame.distance(&[], 0),
            };
            n_alive += 1;
        }
        // Processes that are there and should not be.
        sum + (Model::num_processes_slot().read(state) as u32).saturating_sub(n_alive)
    }
}

impl Part {
    fn distance(&self, state: &[u8], base: usize) -> u32 {
        let at = |i: usize| state.get(base + i).copied().unwrap_or(0);
        let bytes = self.bytes.iter().zip(&self.mask).enumerate();
        bytes.map(|(i, (byte, mask))| ((byte ^ at(i)) & mask).count_ones()).sum()
    }
}
