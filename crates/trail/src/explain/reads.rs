//! What a step looks at: parts of the state, as it is before the step.
//!
//! Follows the evaluation of guards, inhibitors and effects: what is not evaluated is not read. Inside a `d_step`,
//! whose states in between are not known, every alternative is read, and every element of an array.

use std::ops::Range;

use stubborn_ir::{
    BinaryOp, ChannelStatus, Comm, Effect, Expr, InstanceId, Interpreter, Model, Pattern, Pid, Piece, Place,
    Receive, Region, Remote, Send, Slot, TransitionId,
};

/// Something that is looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Read {
    /// These bytes of the state.
    Bytes(Range<usize>),
    /// The number of messages in a channel.
    Level { channel: u16 },
    /// The first message of a channel, or all its messages.
    Messages { channel: u16, all: bool },
    /// Where a process is.
    Place(InstanceId),
    /// Where all processes are, and were: everything that has happened.
    Places,
}

/// Reads on behalf of processes.
pub(super) struct Reader<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    state: &'a [u8],
    /// Whether what is read may differ from what `state` says.
    is_loose: bool,
    /// How many `enabled()` this is read for.
    depth: u8,
    pub(super) reads: Vec<Read>,
}

/// More `enabled()` inside each other than this are not followed.
const MAX_DEPTH: u8 = 4;

impl<'a, 'm> Reader<'a, 'm> {
    pub(super) fn new(interpreter: &'a Interpreter<'m>, state: &'a [u8]) -> Self {
        Reader { interpreter, state, is_loose: false, depth: 0, reads: Vec::new() }
    }

    /// What an enabled transition looks at, to be enabled and to do what it does. The messages that it takes are
    /// not told here.
    pub(super) fn taken(&mut self, process: InstanceId, transition: TransitionId) {
        let model = self.interpreter.model();
        let t = &model.transitions[transition];
        for &guard in &t.guards {
            self.expr(process, &model.guards[guard]);
        }
        for &inhibitor in &t.inhibitors {
            self.disabled(process, inhibitor);
        }
        if model.uses_priorities {
            self.reads.push(Read::Places);
        }
        if let Some(comm) = &t.comm {
            self.comm(process, comm);
        }
        for effect in &t.effects {
            self.effect(process, effect);
        }
    }

    /// What keeps a transition from being enabled: the first thing that is in its way.
    pub(super) fn disabled(&mut self, process: InstanceId, transition: TransitionId) {
        let model = self.interpreter.model();
        let t = &model.transitions[transition];
        for &guard in &t.guards {
            let guard = &model.guards[guard];
            if self.value(process, guard).is_none_or(|value| value == 0) {
                self.expr(process, guard);
                return;
            }
        }
        for &inhibitor in &t.inhibitors {
            if self.interpreter.is_enabled(self.state, process, inhibitor) == Ok(true) {
                self.taken(process, inhibitor);
                return;
            }
        }
        if let Some(comm) = &t.comm {
            self.not_ready(process, comm);
        }
    }

    /// What a channel operation that is not possible finds in its way.
    fn not_ready(&mut self, process: InstanceId, comm: &Comm) {
        let (Comm::Send(Send { chan, .. }) | Comm::Receive(Receive { chan, .. })) = comm;
        self.expr(process, chan);
        let Ok(status) = self.interpreter.channel_status(self.state, process, comm) else { return };
        match (status, comm) {
            (ChannelStatus::Ready, _) => {}
            (ChannelStatus::Rendezvous, _) => self.reads.push(Read::Places),
            (ChannelStatus::Mismatch, Comm::Receive(receive)) => {
                self.pattern(process, &receive.pattern);
                self.level(process, chan);
                self.look(process, chan, receive.random);
            }
            _ => self.level(process, chan),
        }
    }

    fn comm(&mut self, process: InstanceId, comm: &Comm) {
        match comm {
            Comm::Send(send) => {
                self.expr(process, &send.chan);
                send.args.iter().for_each(|arg| self.expr(process, arg));
            }
            Comm::Receive(receive) => {
                self.expr(process, &receive.chan);
                self.pattern(process, &receive.pattern);
                if receive.peek {
                    self.look(process, &receive.chan, receive.random);
                }
            }
        }
    }

    fn pattern(&mut self, process: InstanceId, pattern: &[Pattern]) {
        for field in pattern {
            match field {
                Pattern::Match(expr) => self.expr(process, expr),
                Pattern::Bind(place) => self.indices(process, place),
                Pattern::Any => {}
            }
        }
    }

    fn effect(&mut self, process: InstanceId, effect: &Effect) {
        match effect {
            Effect::Assign(place, value) => {
                self.indices(process, place);
                self.expr(process, value);
            }
            Effect::Evaluate(expr) | Effect::Assert(expr) => self.expr(process, expr),
            Effect::Print(pieces) => {
                pieces.iter().filter_map(Piece::value).for_each(|arg| self.expr(process, arg));
            }
            Effect::Run(run) => {
                run.args.iter().for_each(|arg| self.expr(process, arg));
                self.slot(Model::num_processes_slot(), 0);
            }
            Effect::SetPriority(pid, priority) => {
                self.expr(process, pid);
                self.expr(process, priority);
            }
            Effect::Count { place, .. } => self.expr(process, &Expr::Load(place.clone())),
            Effect::Undefined(_) | Effect::End => {}
            Effect::DStep(dstep) => {
                let was_loose = std::mem::replace(&mut self.is_loose, true);
                for alternative in dstep.nodes.iter().flatten() {
                    alternative.guards.iter().for_each(|guard| self.expr(process, guard));
                    if let Some(comm) = &alternative.comm {
                        self.comm(process, comm);
                    }
                    alternative.effects.iter().for_each(|effect| self.effect(process, effect));
                }
                self.is_loose = was_loose;
            }
        }
    }

    /// What an expression of a process reads.
    pub(super) fn expr(&mut self, process: InstanceId, expr: &Expr) {
        match expr {
            Expr::Const(_) | Expr::Pid | Expr::Created => {}
            Expr::Load(place) => {
                self.indices(process, place);
                let base = match place.region {
                    Region::Global => 0,
                    Region::Local => self.interpreter.layout().instance(process).base,
                };
                self.place(process, place, base);
            }
            Expr::Unary(_, operand) => self.expr(process, operand),
            Expr::Binary(op, operands) => {
                self.expr(process, &operands[0]);
                let decided = match op {
                    BinaryOp::And => self.value(process, &operands[0]) == Some(0),
                    BinaryOp::Or => self.value(process, &operands[0]).is_some_and(|value| value != 0),
                    _ => false,
                };
                if !decided {
                    self.expr(process, &operands[1]);
                }
            }
            Expr::Conditional(parts) => {
                self.expr(process, &parts[0]);
                let value = self.value(process, &parts[0]);
                if value != Some(0) {
                    self.expr(process, &parts[1]);
                }
                if value.is_none_or(|value| value == 0) {
                    self.expr(process, &parts[2]);
                }
            }
            Expr::Chan(_, chan) => {
                self.expr(process, chan);
                self.level(process, chan);
            }
            Expr::Poll(poll) => {
                self.expr(process, &poll.chan);
                self.pattern(process, &poll.pattern);
                self.level(process, &poll.chan);
                self.look(process, &poll.chan, poll.random);
            }
            Expr::NumProcesses => self.slot(Model::num_processes_slot(), 0),
            Expr::LastPid => {
                if let Some(slot) = self.interpreter.model().last_pid {
                    self.slot(slot, 0);
                }
            }
            Expr::Timeout | Expr::NonProgress | Expr::Accepting => self.reads.push(Read::Places),
            Expr::Enabled(pid) => {
                self.expr(process, pid);
                if let Some(other) = self.alive(process, pid) {
                    self.reads.push(Read::Place(other));
                    self.enabled(other);
                }
            }
            Expr::LocationOf(pid) => {
                self.expr(process, pid);
                self.reads.extend(self.alive(process, pid).map(Read::Place));
            }
            Expr::PriorityOf(pid) => {
                self.expr(process, pid);
                if let Some(other) = self.alive(process, pid) {
                    let instance = self.interpreter.layout().instance(other);
                    if let Some(slot) = self.interpreter.model().processes[instance.process].priority {
                        self.slot(slot, instance.base);
                    }
                }
            }
            Expr::At(remote, _) | Expr::RemotePid(remote) => {
                if let Some(other) = self.remote(process, remote) {
                    self.reads.push(Read::Place(other));
                }
            }
            Expr::Remote(remote, place) => {
                self.indices(process, place);
                if let Some(other) = self.remote(process, remote) {
                    self.place(process, place, self.interpreter.layout().instance(other).base);
                }
            }
        }
    }

    /// What decides whether another process can move.
    fn enabled(&mut self, other: InstanceId) {
        if self.depth == MAX_DEPTH {
            return;
        }
        self.depth += 1;
        let model = self.interpreter.model();
        let instance = self.interpreter.layout().instance(other);
        let at = (instance.location.read(self.state) - 1) as usize;
        for transition in model.processes[instance.process].locations[at].transition_ids() {
            match self.interpreter.is_enabled(self.state, other, transition) {
                Ok(true) => self.taken(other, transition),
                _ => self.disabled(other, transition),
            }
        }
        self.depth -= 1;
    }

    fn indices(&mut self, process: InstanceId, place: &Place) {
        place.indices.iter().for_each(|index| self.expr(process, &index.value));
    }

    /// The bytes of a place; of all its elements if the index is not known.
    fn place(&mut self, process: InstanceId, place: &Place, base: u32) {
        let mut offsets = vec![base + place.slot.offset];
        for index in &*place.indices {
            let known = self.value(process, &index.value).and_then(|value| u32::try_from(value).ok());
            let elements = match known.filter(|&value| value < index.bound) {
                Some(value) => value..value + 1,
                None => 0..index.bound,
            };
            let shifted = |&offset: &u32| elements.clone().map(move |i| offset + i * index.stride);
            offsets = offsets.iter().flat_map(shifted).collect();
        }
        for offset in offsets {
            let start = offset as usize;
            self.reads.push(Read::Bytes(start..start + place.slot.size() as usize));
        }
    }

    fn slot(&mut self, slot: Slot, base: u32) {
        let start = (base + slot.offset) as usize;
        self.reads.push(Read::Bytes(start..start + slot.size() as usize));
    }

    /// The number of messages in a channel.
    fn level(&mut self, process: InstanceId, chan: &Expr) {
        self.reads.extend(self.channel(process, chan).map(|channel| Read::Level { channel }));
    }

    fn look(&mut self, process: InstanceId, chan: &Expr, all: bool) {
        self.reads.extend(self.channel(process, chan).map(|channel| Read::Messages { channel, all }));
    }

    fn channel(&self, process: InstanceId, chan: &Expr) -> Option<u16> {
        let number = self.interpreter.eval(self.state, process, chan).ok()?;
        u16::try_from(number).ok()
    }

    /// The value of an expression, if it is known.
    fn value(&self, process: InstanceId, expr: &Expr) -> Option<i32> {
        // `timeout` is not the state's to tell. What is read here is of the model; few models wait for it.
        let asks_timeout = || expr.any(&mut |inner| matches!(inner, Expr::Timeout));
        if self.is_loose || self.interpreter.model().uses_timeout && asks_timeout() {
            return None;
        }
        self.interpreter.eval(self.state, process, expr).ok()
    }

    fn alive(&self, process: InstanceId, pid: &Expr) -> Option<InstanceId> {
        let pid = self.interpreter.eval(self.state, process, pid).ok()?;
        self.interpreter.layout().alive(self.state, Pid::try_from(pid).ok()?)
    }

    fn remote(&mut self, process: InstanceId, remote: &Remote) -> Option<InstanceId> {
        let layout = self.interpreter.layout();
        match &remote.pid {
            Some(pid) => {
                self.expr(process, pid);
                self.alive(process, pid)
            }
            None => {
                let is_meant = |&(id, _): &(InstanceId, _)| {
                    layout.instance(id).process == remote.process && layout.is_alive(self.state, id)
                };
                layout.instances().find(is_meant).map(|(id, _)| id)
            }
        }
    }
}
