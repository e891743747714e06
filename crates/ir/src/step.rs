//! Single steps: which transitions of a process are enabled.
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
use crate::expr::Pattern;
use crate::layout::{ChannelId, ChannelPlace, InstanceId, Pid};
use crate::model::{Comm, Location, LocationId, Model, Receive, Send, TransitionId};

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
