//! Single steps: which transitions of a process are enabled, and what one does.
//!
//! A step is one transition of one process, or a rendezvous: a send and a
//! receive of two processes, done as one. The rules are those of SPIN 6.5.2's
//! verifier, which is the definition of Promela wherever its manual is silent:
//!
//! - a transition is enabled if its guards hold, its channel operation is
//!   possible and all its inhibitors are disabled;
//! - a rendezvous send is possible if another process can receive now, a
//!   rendezvous receive never on its own;
//! - in a rendezvous the receiver's inhibitors count only if they could receive
//!   the same message: that is how `unless` treats escapes that wait for one.

use crate::engine::Steps;
use crate::eval::{Eval, RuntimeErrorKind, View};
use crate::event::{Event, Recorder};
use crate::expr::{Expr, Pattern, Place, Region};
use crate::interrupt::Interrupt;
use crate::layout::{ChannelId, ChannelPlace, InstanceId, Layout, NoFrame, Pid};
use crate::model::{
    Comm, DStep, Effect, Location, LocationId, Model, Origin, Receive, Run, Send, TransitionId,
};

/// A transition of one process, or a rendezvous of two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The process that moves; in a rendezvous, the sender.
    pub process: InstanceId,
    /// Its transition.
    pub transition: TransitionId,
    /// In a rendezvous, the receiver and its transition.
    pub partner: Option<(InstanceId, TransitionId)>,
}

/// Steps found enabled, and transitions whose evaluation failed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) steps: Steps,
}

/// What a channel operation finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelStatus {
    /// A channel that passes messages on at once.
    Rendezvous,
    /// The operation is possible.
    Ready,
    /// A send finds no room.
    Full,
    /// A receive finds no message at all.
    Empty,
    /// A receive finds messages, but none it can take.
    Mismatch,
}

/// A `d_step` longer than this is taken not to end.
const DSTEP_LIMIT: u32 = 10_000_000;

impl View<'_> {
    /// The location of the process.
    #[inline]
    pub(crate) fn location(&self) -> &Location {
        let instance = self.layout.instance(self.process.expect("a process has a location"));
        let at = instance.location.read(self.state);
        self.model.processes[instance.process].location(LocationId((at - 1) as u16))
    }

    /// Appends the enabled steps of the process, in order.
    pub(crate) fn enabled_steps(&self, found: &mut Candidates) {
        self.enabled_steps_among(self.location().transition_ids(), found);
    }

    /// The same, of some transitions of the process's location.
    pub(crate) fn enabled_steps_among(
        &self,
        transitions: impl Iterator<Item = TransitionId>,
        found: &mut Candidates,
    ) {
        let process = self.process.expect("steps belong to a process");
        for transition in transitions {
            let before = found.steps.len();
            if let Err(error) = self.enabled_steps_of(process, transition, found) {
                found.steps.truncate(before);
                found.steps.push((Step { process, transition, partner: None }, Some(error)));
            }
        }
    }

    fn enabled_steps_of(
        &self,
        process: InstanceId,
        transition: TransitionId,
        found: &mut Candidates,
    ) -> Eval<()> {
        let t = &self.model.transitions[transition];
        if !self.guards_hold(transition)? || self.is_inhibited(transition)? {
            return Ok(());
        }
        let step = Step { process, transition, partner: None };
        match &t.comm {
            None => found.steps.push((step, None)),
            Some(Comm::Receive(receive)) => {
                if self.can_receive(receive)? {
                    found.steps.push((step, None));
                }
            }
            Some(Comm::Send(send)) => {
                let (id, chan) = self.channel(&send.chan)?;
                if chan.capacity > 0 {
                    if !chan.is_full(self.state) {
                        found.steps.push((step, None));
                    }
                } else {
                    self.rendezvous(id, chan, send, |receiver, with| {
                        found.steps.push((Step { partner: Some((receiver, with)), ..step }, None));
                        false
                    })?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn guards_hold(&self, transition: TransitionId) -> Eval<bool> {
        let t = &self.model.transitions[transition];
        // `enabled()` does not ask whether the process is provided for.
        let skipped = if self.depth > 0 { self.model.processes[t.process].n_provided } else { 0 };
        for &guard in &t.guards[skipped..] {
            if !self.is_true(&self.model.guards[guard])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[inline]
    fn is_inhibited(&self, transition: TransitionId) -> Eval<bool> {
        for &inhibitor in &self.model.transitions[transition].inhibitors {
            if self.is_enabled(inhibitor)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a transition of the process's present location is enabled.
    pub(crate) fn is_enabled(&self, transition: TransitionId) -> Eval<bool> {
        if !self.guards_hold(transition)? || self.is_inhibited(transition)? {
            return Ok(false);
        }
        match &self.model.transitions[transition].comm {
            None => Ok(true),
            Some(Comm::Receive(receive)) => self.can_receive(receive),
            Some(Comm::Send(send)) => {
                let (id, chan) = self.channel(&send.chan)?;
                if chan.capacity > 0 {
                    return Ok(!chan.is_full(self.state));
                }
                self.rendezvous(id, chan, send, |_, _| true)
            }
        }
    }

    /// Whether the process has an enabled transition.
    pub(crate) fn has_enabled_transition(&self) -> Eval<bool> {
        for transition in self.location().transition_ids() {
            if self.is_enabled(transition)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a channel operation of the process finds.
    #[inline]
    pub(crate) fn channel_status(&self, comm: &Comm) -> Eval<ChannelStatus> {
        let (Comm::Send(Send { chan, .. }) | Comm::Receive(Receive { chan, .. })) = comm;
        let (_, chan) = self.channel(chan)?;
        self.status_of(chan, comm)
    }

    /// What a channel operation finds that is about this channel.
    #[inline]
    pub(crate) fn status_of(&self, chan: &ChannelPlace, comm: &Comm) -> Eval<ChannelStatus> {
        if chan.capacity == 0 {
            return Ok(ChannelStatus::Rendezvous);
        }
        Ok(match comm {
            Comm::Send(_) if chan.is_full(self.state) => ChannelStatus::Full,
            Comm::Send(_) => ChannelStatus::Ready,
            Comm::Receive(_) if chan.len(self.state) == 0 => ChannelStatus::Empty,
            Comm::Receive(receive) => match self.find_message(chan, &receive.pattern, receive.random)? {
                Some(_) => ChannelStatus::Ready,
                None => ChannelStatus::Mismatch,
            },
        })
    }

    #[inline]
    fn can_receive(&self, receive: &Receive) -> Eval<bool> {
        let (_, chan) = self.channel(&receive.chan)?;
        if chan.capacity == 0 {
            return if receive.peek { Err(RuntimeErrorKind::PollOfRendezvous) } else { Ok(false) };
        }
        Ok(self.find_message(chan, &receive.pattern, receive.random)?.is_some())
    }

    /// Calls `found` with every process and transition that can receive a
    /// rendezvous message now, until it answers true; then so does this.
    fn rendezvous(
        &self,
        id: ChannelId,
        chan: &ChannelPlace,
        send: &Send,
        mut found: impl FnMut(InstanceId, TransitionId) -> bool,
    ) -> Eval<bool> {
        let n = Model::num_processes_slot().read(self.state);
        for pid in (0..n).rev() {
            let Some(receiver) = self.layout.alive(self.state, pid as Pid) else { continue };
            if Some(receiver) == self.process {
                continue;
            }
            let other = View { timeout: false, ..self.of(receiver) };
            for with in other.location().transition_ids() {
                if other.can_accept(with, id, chan, self, send)? && found(receiver, with) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a transition of this process can receive `send` of `sender`.
    fn can_accept(
        &self,
        transition: TransitionId,
        id: ChannelId,
        chan: &ChannelPlace,
        sender: &View<'_>,
        send: &Send,
    ) -> Eval<bool> {
        let t = &self.model.transitions[transition];
        let Some(Comm::Receive(receive)) = &t.comm else { return Ok(false) };
        if receive.peek || self.eval(&receive.chan)? != i32::from(id.0) || !self.guards_hold(transition)? {
            return Ok(false);
        }
        if receive.pattern.len() > chan.fields.len() {
            let (given, expected) = (receive.pattern.len() as u32, chan.fields.len() as u32);
            return Err(RuntimeErrorKind::WrongMessageLength { given, expected });
        }
        for (i, field) in receive.pattern.iter().enumerate() {
            if let Pattern::Match(expected) = field
                && self.eval(expected)? != sender.rendezvous_field(chan, send, i)?
            {
                return Ok(false);
            }
        }
        for &inhibitor in &t.inhibitors {
            if self.can_accept(inhibitor, id, chan, sender, send)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A field of a message as the channel would have kept it.
    fn rendezvous_field(&self, chan: &ChannelPlace, send: &Send, field: usize) -> Eval<i32> {
        match send.args.get(field) {
            Some(arg) => Ok(chan.fields[field].wrap(self.eval(arg)?)),
            None => Ok(0),
        }
    }
}

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
        let child = self.layout.instantiate(model, pid, run.process).map_err(|error| match error {
            NoFrame::TooManyChannels => RuntimeErrorKind::TooManyChannels,
            // Whoever froze the layout takes no notice of what this expansion finds.
            NoFrame::NotYet => RuntimeErrorKind::LimitReached,
        })?;
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
