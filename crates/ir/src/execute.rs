//! Single steps: what one does to a state, in place.
//!
//! Takes steps that [`crate::step`] found enabled. Order and rules are those of SPIN 6.5.2's verifier. A step that fails
//! leaves a state that nobody may look at.

use crate::eval::{Eval, RuntimeErrorKind, View};
use crate::event::{Event, Recorder};
use crate::expr::{Expr, Pattern, Place, Region};
use crate::interrupt::Interrupt;
use crate::layout::{ChannelId, ChannelPlace, InstanceId, Layout, NoFrame, Pid};
use crate::model::{Comm, DStep, Effect, Model, Origin, Receive, Run, Send, TransitionId};
use crate::step::Step;

/// A `d_step` longer than this is taken not to end.
const DSTEP_LIMIT: u32 = 10_000_000;

/// Takes steps on a state in place.
pub(crate) struct Executor<'a, 'm> {
    pub(crate) model: &'m Model,
    pub(crate) layout: &'a mut Layout,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) state: &'a mut Vec<u8>,
    /// Transitions whose assertion failed in this step.
    pub(crate) failed: &'a mut Vec<TransitionId>,
    /// The process created last in this step.
    pub(crate) created: Pid,
    /// The statement of a `d_step` that is being executed.
    pub(crate) inside: Option<&'m Origin>,
    /// Where in a `d_step` the first assertion failed.
    pub(crate) failed_at: Option<&'m Origin>,
    /// Scratch for messages.
    pub(crate) message: Vec<i32>,
    /// Listens to what happens on channels.
    pub(crate) recorder: &'a mut Recorder,
}

impl<'m> Executor<'_, 'm> {
    /// Does an enabled step. Returns the process that goes on alone, if one does.
    pub(crate) fn execute(&mut self, step: &Step) -> Eval<Option<InstanceId>> {
        let model = self.model;
        let t = &model.transitions[step.transition];
        let (mover, transition) = if let Some((receiver, with)) = step.partner {
            let Some(Comm::Send(send)) = &t.comm else { unreachable!("only a send has a partner") };
            let Some(Comm::Receive(receive)) = &model.transitions[with].comm else {
                unreachable!("a partner receives")
            };
            self.hand_over(step.process, send, receiver, receive)?;
            let (sender, receiver) = ((step.process, step.transition), (receiver, with));
            let [first, second] = if model.receiver_first { [receiver, sender] } else { [sender, receiver] };
            self.finish(first.0, first.1)?;
            self.finish(second.0, second.1)?;
            receiver
        } else {
            match &t.comm {
                None => {}
                Some(Comm::Send(send)) => self.send(step.process, send)?,
                Some(Comm::Receive(receive)) => {
                    let received = self.receive(step.process, receive)?;
                    debug_assert!(received, "an enabled receive finds its message");
                }
            }
            self.finish(step.process, step.transition)?;
            (step.process, step.transition)
        };
        if let Some(last) = model.last_pid {
            let pid = self.layout.instance(mover).pid;
            last.write(self.state, i32::from(pid));
        }
        Ok(model.transitions[transition].atomic.then_some(mover))
    }

    /// Effects and the next location of one process.
    fn finish(&mut self, process: InstanceId, transition: TransitionId) -> Eval<()> {
        let model = self.model;
        let t = &model.transitions[transition];
        for effect in &t.effects {
            self.effect(process, effect, transition)?;
        }
        if let Some(to) = t.to {
            let location = self.layout.instance(process).location;
            location.write(self.state, i32::from(to.0) + 1);
        }
        Ok(())
    }

    pub(crate) fn view(&self, process: InstanceId) -> View<'_> {
        View { created: self.created, ..View::new(self.model, self.layout, self.state, process) }
    }

    fn effect(&mut self, process: InstanceId, effect: &'m Effect, transition: TransitionId) -> Eval<()> {
        match effect {
            Effect::Assign(place, value) => {
                let value = self.view(process).eval(value)?;
                self.assign(process, place, value)?;
            }
            Effect::Evaluate(expr) => {
                self.view(process).eval(expr)?;
            }
            Effect::Print(pieces) => self.print(process, pieces)?,
            Effect::Assert(condition) => {
                if !self.view(process).is_true(condition)? {
                    self.failed.push(transition);
                    self.failed_at = self.failed_at.or(self.inside);
                }
            }
            Effect::Run(run) => self.run(process, run)?,
            Effect::SetPriority(pid, priority) => self.set_priority(process, pid, priority)?,
            Effect::Count { place: Place { slot, .. }, by, most } => {
                let value = i64::from(slot.read(self.state)) + i64::from(*by);
                let most = most.unwrap_or(slot.bounds().1);
                if !(0..=i64::from(most)).contains(&value) {
                    return Err(RuntimeErrorKind::TooManyTokens);
                }
                slot.write(self.state, value as i32);
            }
            Effect::Undefined(_) => return Err(RuntimeErrorKind::NoValue),
            Effect::End => self.end(process),
            Effect::DStep(dstep) => self.dstep(process, dstep, transition)?,
        }
        Ok(())
    }

    fn assign(&mut self, process: InstanceId, place: &Place, value: i32) -> Eval<()> {
        let slot = self.view(process).resolve(place)?;
        let slot = match place.region {
            Region::Global => slot,
            Region::Local => slot.shifted(self.layout.instance(process).base),
        };
        if self.model.overflow_fails && slot.wrap(value) != value {
            let (least, greatest) = slot.bounds();
            return Err(RuntimeErrorKind::OutOfRange { value, least, greatest });
        }
        slot.write(self.state, value);
        Ok(())
    }

    fn evaluate_message(&mut self, process: InstanceId, chan: &Expr, args: &[Expr]) -> Eval<ChannelId> {
        let mut message = std::mem::take(&mut self.message);
        message.clear();
        let view = self.view(process);
        let result = (|| {
            let (id, place) = view.channel(chan)?;
            let (given, expected) = (args.len() as u32, place.fields.len() as u32);
            if given != expected {
                return Err(RuntimeErrorKind::WrongMessageLength { given, expected });
            }
            for arg in args {
                message.push(view.eval(arg)?);
            }
            Ok(id)
        })();
        self.message = message;
        result
    }

    fn send(&mut self, process: InstanceId, send: &Send) -> Eval<()> {
        let id = self.evaluate_message(process, &send.chan, &send.args)?;
        let chan = self.layout.channel(self.state, id).expect("just evaluated");
        let len = chan.len(self.state);
        let mut at = len;
        if send.sorted {
            let greater = |m: u32| {
                let stored = (0..chan.fields.len()).map(|f| chan.field(m, f).read(self.state));
                self.message.iter().copied().lt(stored)
            };
            at = (0..len).find(|&m| greater(m)).unwrap_or(len);
            let (from, size) =
                ((chan.messages + at * chan.message_size) as usize, chan.message_size as usize);
            let end = (chan.messages + len * chan.message_size) as usize;
            self.state.copy_within(from..end, from + size);
        }
        for (field, value) in self.message.iter_mut().enumerate() {
            let slot = chan.field(at, field);
            slot.write(self.state, *value);
            // Who listens hears what was stored, of which not all may be left.
            *value = slot.wrap(*value);
        }
        chan.len.write(self.state, len as i32 + 1);
        self.record(process, true, &send.chan, at)
    }

    /// Receives from a buffered channel; false if there is no message that matches.
    fn receive(&mut self, process: InstanceId, receive: &Receive) -> Eval<bool> {
        let mut message = std::mem::take(&mut self.message);
        message.clear();
        let view = self.view(process);
        let (_, chan) = view.channel(&receive.chan)?;
        check_pattern(receive, chan)?;
        let Some(at) = view.find_message(chan, &receive.pattern, receive.random)? else {
            self.message = message;
            return Ok(false);
        };
        // Who listens hears of the fields that are not asked for too.
        let n_fields =
            if self.recorder.watched.is_some() { chan.fields.len() } else { receive.pattern.len() };
        message.extend((0..n_fields).map(|f| chan.field(at, f).read(view.state)));
        if !receive.peek {
            let (size, len) = (chan.message_size as usize, chan.len(view.state));
            let from = chan.messages as usize + at as usize * size;
            let end = chan.messages as usize + len as usize * size;
            let slot = chan.len;
            self.state.copy_within(from + size..end, from);
            self.state[end - size..end].fill(0);
            slot.write(self.state, len as i32 - 1);
        }
        self.message = message;
        self.bind(process, receive, at)?;
        Ok(true)
    }

    /// A rendezvous: the message goes from one process to the other.
    fn hand_over(
        &mut self,
        sender: InstanceId,
        send: &Send,
        receiver: InstanceId,
        receive: &Receive,
    ) -> Eval<()> {
        let id = self.evaluate_message(sender, &send.chan, &send.args)?;
        let chan = self.layout.channel(self.state, id).expect("just evaluated");
        check_pattern(receive, chan)?;
        for (value, field) in self.message.iter_mut().zip(&chan.fields) {
            *value = field.wrap(*value);
        }
        self.record(sender, true, &send.chan, 0)?;
        self.bind(receiver, receive, 0)
    }

    /// Stores the fields of the message at hand, taken from place `at`, where the pattern says. As in SPIN, it counts as received
    /// when all but its last field are stored.
    fn bind(&mut self, process: InstanceId, receive: &Receive, at: u32) -> Eval<()> {
        for (i, field) in receive.pattern.iter().enumerate() {
            if i + 1 == receive.pattern.len() && !receive.peek {
                self.record(process, false, &receive.chan, at)?;
            }
            if let Pattern::Bind(place) = field {
                let value = self.message[i];
                self.assign(process, place, value)?;
            }
        }
        Ok(())
    }

    /// Takes down that the message at hand was sent or received.
    fn record(&mut self, process: InstanceId, is_send: bool, chan: &Expr, at: u32) -> Eval<()> {
        let Some(watched) = &self.recorder.watched else { return Ok(()) };
        let chan = self.view(process).eval(chan)?;
        let nobody = View::of_nobody(self.model, self.layout, self.state);
        let watched = watched.iter().map(|expr| nobody.eval(expr).ok()).collect();
        let message = self.message.as_slice().into();
        self.recorder.events.push(Event { step: self.recorder.step, is_send, chan, at, message, watched });
        Ok(())
    }

    fn run(&mut self, process: InstanceId, run: &Run) -> Eval<()> {
        let model = self.model;
        let n = Model::num_processes_slot().read(self.state);
        let pid = Pid::try_from(n)
            .ok()
            .filter(|&pid| pid < model.max_processes)
            .ok_or(RuntimeErrorKind::TooManyProcesses)?;
        let mut args = std::mem::take(&mut self.message);
        args.clear();
        let view = self.view(process);
        for arg in &run.args {
            args.push(view.eval(arg)?);
        }
        let child = self.layout.instantiate(model, pid, run.process).map_err(NoFrame::kind)?;
        self.message = args;
        self.state.resize(self.layout.size(), 0);
        self.initialise(child, run.priority)?;
        self.created = pid;
        Ok(())
    }

    /// Sets up the frame of a new process; its arguments are the message at hand.
    pub(crate) fn initialise(&mut self, child: InstanceId, priority: u8) -> Eval<()> {
        let model = self.model;
        let instance = self.layout.instance(child).clone();
        let ty = &model.processes[instance.process];
        Model::num_processes_slot().write(self.state, i32::from(instance.pid) + 1);
        instance.location.write(self.state, i32::from(ty.start.0) + 1);
        if let Some(slot) = ty.priority {
            slot.shifted(instance.base).write(self.state, i32::from(priority));
        }
        for (i, channel) in ty.channels.iter().enumerate() {
            let number = i32::from(instance.first_channel) + i as i32;
            channel.variable.shifted(instance.base).write(self.state, number);
        }
        for (i, param) in ty.params.iter().enumerate() {
            let value = self.message.get(i).copied().unwrap_or(0);
            self.assign(child, param, value)?;
        }
        for (place, value) in &ty.init {
            let value = self.view(child).eval(value)?;
            self.assign(child, place, value)?;
        }
        Ok(())
    }

    fn set_priority(&mut self, process: InstanceId, pid: &Expr, priority: &Expr) -> Eval<()> {
        let view = self.view(process);
        let (pid, priority) = (view.eval(pid)?, view.eval(priority)?);
        let Some(target) = Pid::try_from(pid).ok().and_then(|pid| self.layout.alive(self.state, pid)) else {
            return Ok(());
        };
        if !(1..=255).contains(&priority) {
            return Err(RuntimeErrorKind::BadPriority(priority));
        }
        let instance = self.layout.instance(target);
        if let Some(slot) = self.model.processes[instance.process].priority {
            slot.shifted(instance.base).write(self.state, priority);
        }
        Ok(())
    }

    fn end(&mut self, process: InstanceId) {
        let instance = self.layout.instance(process);
        let frame = instance.base as usize;
        let size = self.model.processes[instance.process].frame_size as usize;
        self.state[frame..frame + size].fill(0);
        Model::num_processes_slot().write(self.state, i32::from(instance.pid));
    }

    fn dstep(&mut self, process: InstanceId, dstep: &'m DStep, transition: TransitionId) -> Eval<()> {
        let mut node = 0;
        'run: for taken in 0..DSTEP_LIMIT {
            if self.interrupt.is_due(taken) {
                break;
            }
            let alternatives = &dstep.nodes[node as usize];
            for alternative in alternatives {
                self.inside = Some(&alternative.origin);
                let view = self.view(process);
                let mut possible = true;
                for guard in &alternative.guards {
                    possible = possible && view.is_true(guard)?;
                }
                if !possible || !self.communicate(process, alternative.comm.as_ref())? {
                    continue;
                }
                for effect in &alternative.effects {
                    self.effect(process, effect, transition)?;
                }
                match alternative.to {
                    Some(to) => node = to,
                    None => {
                        self.inside = None;
                        return Ok(());
                    }
                }
                continue 'run;
            }
            self.inside = alternatives.first().map(|a| &a.origin);
            return Err(RuntimeErrorKind::DStepBlocks);
        }
        Err(RuntimeErrorKind::LimitReached)
    }

    /// Does a channel operation inside a `d_step` if it is possible.
    fn communicate(&mut self, process: InstanceId, comm: Option<&Comm>) -> Eval<bool> {
        let Some(comm) = comm else { return Ok(true) };
        let view = self.view(process);
        let (Comm::Send(Send { chan, .. }) | Comm::Receive(Receive { chan, .. })) = comm;
        let (_, chan) = view.channel(chan)?;
        if chan.capacity == 0 {
            return Err(RuntimeErrorKind::RendezvousInDStep);
        }
        match comm {
            Comm::Send(_) if chan.is_full(view.state) => Ok(false),
            Comm::Send(send) => self.send(process, send).map(|()| true),
            Comm::Receive(receive) => self.receive(process, receive),
        }
    }
}

/// A receive may name fewer fields than the message has, unless it only matches.
fn check_pattern(receive: &Receive, chan: &ChannelPlace) -> Eval<()> {
    let (given, expected) = (receive.pattern.len(), chan.fields.len());
    let only_matches = receive.pattern.iter().all(|p| matches!(p, Pattern::Match(_)));
    let must_be_equal = only_matches && !receive.random && !receive.peek;
    if given > expected || (must_be_equal && given < expected) {
        return Err(RuntimeErrorKind::WrongMessageLength { given: given as u32, expected: expected as u32 });
    }
    Ok(())
}
