//! Calls the machine code of a model, in the order of the reference semantics.

use std::sync::Arc;

use stubborn_base::Idx;
use stubborn_ir::engine::Steps;
use stubborn_ir::{Engine, InstanceId, Layout, Model, ProcessType, Step, Taken, TransitionId};

use crate::code::{ASK, AcceptCode, Act, Code, LocationCode, TransitionCode};
use crate::context::{Context, Tables};
use crate::{Compiled, Fault};

/// The machine code of a model, and what it needs to know of the layout.
///
/// Invariant: functions are called with states at least as wide as the layout, with the frame of an instance of the type
/// that they were compiled for, and with a context whose tables are of that layout. Then all they touch is inside the
/// state, the tables and the context: offsets inside a region were compared with its size when they were compiled, and
/// indices, numbers and lengths are compared with their bounds when they are used.
#[derive(Debug)]
pub struct Native {
    code: Arc<Code>,
    tables: Tables,
    context: Box<Context>,
    /// Instances by number; those of one number follow each other.
    frames: Vec<Frame>,
    /// By number: where its instances begin, and at the end where the last one's end.
    by_pid: Vec<u32>,
    /// By instance: its place in `frames`.
    by_instance: Vec<u32>,
    /// Width of states.
    size: usize,
}

/// A process instance.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Offset of its frame, which begins with its location plus 1.
    base: u32,
    instance: InstanceId,
    /// Its type.
    process: u32,
    pid: u32,
    /// Where the locations of its type begin.
    first_location: u32,
    /// How many there are.
    n_locations: u32,
}

impl Native {
    /// Compiles a model, but for what has no translation; none if that is all of it, or the machine is not supported.
    pub fn new(model: &Model, fault: Option<Fault>, is_wanted: &dyn Fn() -> bool) -> Option<Self> {
        if model.uses_priorities {
            return None;
        }
        Some(Native::of(Arc::new(Code::new(model, fault, is_wanted)?)))
    }

    /// Runs code on a layout that is not known yet.
    fn of(code: Arc<Code>) -> Self {
        Native {
            code,
            tables: Tables::default(),
            context: Box::default(),
            frames: Vec::new(),
            by_pid: vec![0],
            by_instance: Vec::new(),
            size: 0,
        }
    }

    /// How much of the model is compiled.
    pub fn compiled(&self) -> Compiled {
        self.code.compiled
    }

    /// The process with that number.
    #[inline]
    fn alive(&self, state: &[u8], pid: usize) -> Option<Frame> {
        let (&start, &end) = (self.by_pid.get(pid)?, self.by_pid.get(pid + 1)?);
        self.frames[start as usize..end as usize].iter().find(|frame| frame.location(state) != 0).copied()
    }

    /// The functions of the location of a process.
    #[inline]
    fn location(&self, state: &[u8], frame: &Frame) -> Option<&LocationCode> {
        let at = u32::from(frame.location(state)).wrapping_sub(1);
        (at < frame.n_locations).then(|| &self.code.locations[(frame.first_location + at) as usize])
    }

    /// Appends the steps of a process; false if the interpreter is to be asked.
    #[inline]
    #[expect(unsafe_code, reason = "calls machine code")]
    fn steps_of(&mut self, state: &[u8], frame: &Frame, timeout: bool, found: &mut Steps) -> bool {
        let Some(&LocationCode { enabled: Some(enabled), first, offers, .. }) = self.location(state, frame)
        else {
            return false;
        };
        // SAFETY: the invariant of this type; `find` and `find_of` compare the width, `location` is of the type.
        let mut mask = unsafe {
            let at = state.as_ptr().add(frame.base as usize);
            enabled(state.as_ptr(), at, &raw mut *self.context, frame.pid, u32::from(timeout))
        };
        if mask == ASK {
            return false;
        }
        let waiting = if offers { self.context.offers } else { 0 };
        let start = found.len();
        while mask != 0 {
            let index = mask.trailing_zeros();
            mask &= mask - 1;
            let transition = TransitionId(first + index);
            if waiting >> index & 1 == 0 {
                found.push((Step { process: frame.instance, transition, partner: None }, None));
            } else if !self.partners(state, frame, transition, found) {
                found.truncate(start);
                return false;
            }
        }
        true
    }

    /// Appends a rendezvous with each process that can receive; false if the interpreter is to be asked.
    #[expect(unsafe_code, reason = "calls machine code")]
    fn partners(
        &mut self,
        state: &[u8],
        sender: &Frame,
        transition: TransitionId,
        found: &mut Steps,
    ) -> bool {
        let Some(offer) = self.code.transitions[transition.index()].offer else { return false };
        // SAFETY: the invariant of this type; the transition is one of the sender's location.
        let chan = unsafe {
            let at = state.as_ptr().add(sender.base as usize);
            offer(state.as_ptr(), at, &raw mut *self.context, sender.pid)
        };
        if chan == 0 {
            return false;
        }
        let n = Model::num_processes_slot().read(state);
        for pid in (0..n as usize).rev() {
            let Some(receiver) = self.alive(state, pid) else { continue };
            if receiver.instance == sender.instance {
                continue;
            }
            let Some(&LocationCode { accept, first, .. }) = self.location(state, &receiver) else {
                return false;
            };
            let accept = match accept {
                AcceptCode::Never => continue,
                AcceptCode::Ask => return false,
                AcceptCode::Code(accept) => accept,
            };
            // SAFETY: the invariant of this type; the location is of the receiver's type.
            let mut mask = unsafe {
                let at = state.as_ptr().add(receiver.base as usize);
                accept(state.as_ptr(), at, &raw mut *self.context, receiver.pid, chan)
            };
            if mask == ASK {
                return false;
            }
            while mask != 0 {
                let with = TransitionId(first + mask.trailing_zeros());
                mask &= mask - 1;
                let partner = Some((receiver.instance, with));
                found.push((Step { process: sender.instance, transition, partner }, None));
            }
        }
        true
    }

    /// The frame of an instance and the functions of one of its transitions.
    #[inline]
    fn mover(&self, instance: InstanceId, transition: TransitionId) -> Option<(Frame, TransitionCode)> {
        let frame = self.frames[self.by_instance[instance.index()] as usize];
        let code = self.code.transitions[transition.index()];
        (code.process == frame.process).then_some((frame, code))
    }

    /// Calls a function that changes a state; whether it was done.
    #[inline]
    #[expect(unsafe_code, reason = "calls machine code")]
    fn act(&mut self, act: Act, state: &mut [u8], frame: &Frame) -> bool {
        let state = state.as_mut_ptr();
        // SAFETY: the invariant of this type; `take` compares the width, and `mover` the type.
        unsafe { act(state, state.add(frame.base as usize), &raw mut *self.context, frame.pid) != 0 }
    }

    #[expect(unsafe_code, reason = "calls machine code")]
    fn hand_over(
        &mut self,
        state: &mut [u8],
        step: &Step,
        receiver: InstanceId,
        with: TransitionId,
    ) -> Taken {
        let movers = (self.mover(step.process, step.transition), self.mover(receiver, with));
        let (Some((sender, sends)), Some((receiver, receives))) = movers else { return Taken::Declined };
        let (Some(offer), Some(bind)) = (sends.offer, receives.bind) else { return Taken::Declined };
        let (Some(sent), Some(received)) = (sends.finish, receives.finish) else { return Taken::Declined };
        // SAFETY: the invariant of this type; `take` compares the width, and `mover` the type.
        let chan = unsafe {
            let at = state.as_ptr().add(sender.base as usize);
            offer(state.as_ptr(), at, &raw mut *self.context, sender.pid)
        };
        if chan == 0 {
            return Taken::Declined;
        }
        let (sent, received) = ((sent, sender), (received, receiver));
        let [first, second] = if self.code.receiver_first { [received, sent] } else { [sent, received] };
        let is_done = self.act(bind, state, &receiver)
            && self.act(first.0, state, &first.1)
            && self.act(second.0, state, &second.1);
        if is_done { Taken::Done } else { Taken::Abandoned }
    }
}

impl Frame {
    /// The location plus 1; 0 if the process does not exist.
    #[inline]
    fn location(&self, state: &[u8]) -> u16 {
        let at = self.base as usize;
        u16::from_le_bytes([state[at], state[at + 1]])
    }
}

impl Engine for Native {
    fn follow(&mut self, model: &Model, layout: &Layout) {
        self.tables = Tables::new(model, &self.code.channels, layout);
        self.tables.enter(&mut self.context);
        self.frames.clear();
        for (id, instance) in layout.instances() {
            let ty = &model.processes[instance.process];
            assert!(
                (instance.base + ty.frame_size) as usize <= layout.size(),
                "frames are part of the state"
            );
            assert_eq!(instance.location, ProcessType::location_slot().shifted(instance.base));
            self.frames.push(Frame {
                base: instance.base,
                instance: id,
                process: instance.process.0,
                pid: u32::from(instance.pid),
                first_location: self.code.first_location[instance.process.index()],
                n_locations: ty.locations.len() as u32,
            });
        }
        // Instances of one number are looked at in the order of their creation.
        self.frames.sort_by_key(|frame| frame.pid);
        let n_pids = self.frames.last().map_or(0, |frame| frame.pid + 1);
        self.by_pid =
            (0..=n_pids).map(|pid| self.frames.partition_point(|frame| frame.pid < pid) as u32).collect();
        self.by_instance = vec![0; self.frames.len()];
        for (place, frame) in self.frames.iter().enumerate() {
            self.by_instance[frame.instance.index()] = place as u32;
        }
        self.size = layout.size();
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(Native::of(self.code.clone()))
    }

    fn find(
        &mut self,
        state: &[u8],
        below: &mut usize,
        timeout: bool,
        found: &mut Steps,
    ) -> Option<InstanceId> {
        assert!(state.len() >= self.size, "a state is as wide as the layout");
        while *below > 0 {
            *below -= 1;
            if let Some(frame) = self.alive(state, *below)
                && !self.steps_of(state, &frame, timeout, found)
            {
                return Some(frame.instance);
            }
        }
        None
    }

    fn find_of(&mut self, state: &[u8], process: InstanceId, timeout: bool, found: &mut Steps) -> bool {
        assert!(state.len() >= self.size, "a state is as wide as the layout");
        let frame = self.frames[self.by_instance[process.index()] as usize];
        self.steps_of(state, &frame, timeout, found)
    }

    #[inline]
    fn take(&mut self, state: &mut [u8], step: &Step) -> Taken {
        assert!(state.len() >= self.size, "a state is as wide as the layout");
        if let Some((receiver, with)) = step.partner {
            return self.hand_over(state, step, receiver, with);
        }
        match self.mover(step.process, step.transition) {
            Some((frame, TransitionCode { step: Some(act), .. })) => {
                if self.act(act, state, &frame) {
                    Taken::Done
                } else {
                    Taken::Abandoned
                }
            }
            _ => Taken::Declined,
        }
    }
}
