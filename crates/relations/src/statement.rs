//! A statement: a transition of one process, and what it does to the state.
//!
//! Definition 6 of Laarman et al. with the accesses told apart: guards are [`Test`]s,
//! everything else is an [`Access`] to a [`Cell`]. All of it may be more than happens,
//! never less. What a statement does *by itself* is told apart from what an atomic
//! run does that it begins (see `runs`).

use stubborn_ir::{
    Comm, DStep, Effect, Expr, Model, Pattern, Piece, Place, ProcessType, ProcessTypeId, Receive, Run, Send,
    Slot, Transition, TransitionId,
};

use crate::access::{Access, Cell, Test};
use crate::fault::Fault;
use crate::scope::{
    Channels, Reads, Scope, Unresolved, alive_cell, each_selector, n_processes_cell, pattern_selectors,
    place_selectors,
};

/// Most statements have no more accesses.
const ROOM: usize = 12;

/// What one statement does by itself.
#[derive(Clone, Debug, Default)]
pub struct Statement {
    /// By guard of the transition: what it asks; none if it is always true.
    pub tests: Vec<Option<Test>>,
    /// What else is read and written, in order of cells.
    pub accesses: Vec<(Cell, Access)>,
    /// It may read or write a channel that is not known.
    pub any_channel: bool,
    /// It uses a channel.
    pub uses_channels: bool,
    /// Its channel operation.
    pub comm: Option<Operation>,
    /// What its inhibitors look at.
    pub inhibitors: Vec<(Cell, Access)>,
    /// Types of processes it can create.
    pub spawns: Vec<ProcessTypeId>,
    /// It waits for `timeout`.
    pub waits_for_timeout: bool,
    /// It depends on which processes of some type there are.
    pub open: bool,
    /// What it reads cannot be told: it may be anything.
    pub reads_everything: bool,
}

/// The channel operation a statement begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// It sends.
    pub is_send: bool,
    /// The channels it may be about; none if that is not known.
    pub channels: Channels,
    /// It may be a rendezvous.
    pub may_meet: bool,
    /// It cannot be anything else.
    pub must_meet: bool,
    /// What decides about the channel and the messages that match; with what is sent,
    /// if it may be a rendezvous.
    pub reads: Vec<(Cell, Access)>,
    /// The cells of buffers.
    pub buffers: Vec<Cell>,
}

impl Operation {
    /// Whether the two may be about one channel.
    pub fn may_share_channel(&self, other: &Operation) -> bool {
        match (&self.channels, &other.channels) {
            (Some(own), Some(theirs)) => own.iter().any(|number| theirs.contains(number)),
            _ => true,
        }
    }
}

impl Statement {
    /// Whether the test is false for certain once this was done.
    pub(crate) fn disables(&self, test: &Test) -> bool {
        // Of several buffers only one changes, and none in a rendezvous.
        let one_buffer = self.comm.as_ref().is_none_or(|comm| !comm.may_meet && comm.buffers.len() == 1);
        let is_done = |access: Access| one_buffer || !is_channel_access(access);
        self.accesses.iter().any(|&(cell, access)| is_done(access) && test.disabled_by(cell, access))
    }
}

/// The selectors of a transition's own guards, channel operation and assignments that are not
/// constant for the subject.
pub(crate) fn unresolved<'m>(scope: &Scope<'_>, model: &'m Model, id: TransitionId) -> Unresolved<'m> {
    let t = &model.transitions[id];
    let mut found = Unresolved::default();
    let mut add = |expr: &'m Expr| {
        if scope.constant(expr).is_none() {
            found.push(expr);
        }
    };
    for &guard in &t.guards {
        each_selector(&model.guards[guard], &mut add);
    }
    match &t.comm {
        Some(Comm::Send(send)) => {
            add(&send.chan);
            each_selector(&send.chan, &mut add);
            send.args.iter().for_each(|arg| each_selector(arg, &mut add));
        }
        Some(Comm::Receive(receive)) => {
            add(&receive.chan);
            each_selector(&receive.chan, &mut add);
            pattern_selectors(&receive.pattern, &mut add);
        }
        None => {}
    }
    // A later effect may see what an earlier one has changed.
    if let ([Effect::Assign(place, value)], None) = (&*t.effects, &t.comm) {
        place_selectors(place, &mut add);
        each_selector(value, &mut add);
    }
    if let ([Effect::Assert(expr)], None) = (&*t.effects, &t.comm) {
        each_selector(expr, &mut add);
    }
    found
}

impl Scope<'_> {
    /// What a transition of the subject does by itself.
    pub(crate) fn statement(&self, id: TransitionId) -> Statement {
        let t = &self.model.transitions[id];
        let mut s = Statement { tests: Vec::with_capacity(t.guards.len()), ..Statement::default() };
        let mut reads = Reads::default();
        if t.comm.is_some() || !t.effects.is_empty() {
            // To grow again and again takes longer.
            s.accesses.reserve(ROOM);
            reads.accesses.reserve(ROOM);
        }
        for &guard in &t.guards {
            let (test, open) = self.test(&self.model.guards[guard]);
            s.waits_for_timeout |= test == Some(Test::Timeout) && self.fault != Some(Fault::TimeoutReads);
            s.any_channel |= matches!(test, Some(Test::Other { any_channel: true, .. }));
            s.open |= open;
            s.tests.push(test);
        }
        if let Some(comm) = &t.comm {
            s.comm = Some(self.operation(comm, &mut s.accesses, &mut reads));
        }
        for effect in &t.effects {
            self.effect(effect, t, &mut s, &mut reads);
        }
        self.location(t, &mut s);
        let mut looks = Reads::default();
        self.inhibitors(t, &mut looks);
        s.any_channel |= looks.any_channel;
        s.open |= looks.open;
        s.reads_everything |= looks.everything;
        s.inhibitors = looks.accesses;
        s.inhibitors.sort_unstable();
        s.inhibitors.dedup();
        s.accesses.extend(reads.accesses);
        s.accesses.extend_from_slice(&s.inhibitors);
        s.any_channel |= reads.any_channel;
        s.open |= reads.open;
        s.uses_channels = t.comm.is_some()
            || s.any_channel
            || s.tests.iter().flatten().any(looks_into_channel)
            || s.accesses.iter().any(|(_, access)| is_channel_access(*access));
        add_up(&mut s.accesses);
        normalise(&mut s.accesses);
        s.accesses.shrink_to_fit();
        s
    }

    fn location(&self, t: &Transition, s: &mut Statement) {
        let Some((_, base)) = self.subject.placed else { return };
        if self.model.processes[t.process].is_stationary {
            return;
        }
        let cell = ProcessType::location_slot().shifted(base).offset;
        match t.to {
            Some(to) => s.accesses.push((cell, Access::Set(i32::from(to.0) + 1))),
            None => s.accesses.push((cell, Access::Set(0))),
        }
    }

    /// What the statements look at that must not be possible.
    fn inhibitors(&self, t: &Transition, looks: &mut Reads) {
        for &inhibitor in &t.inhibitors {
            // `else` has no guard of its own; what `unless` escapes from mostly has.
            let is_else = t.guards.is_empty() && t.comm.is_none() && t.effects.is_empty();
            match self.fault {
                Some(Fault::ElseReads) if is_else => continue,
                Some(Fault::UnlessReads) if !is_else => continue,
                _ => {}
            }
            let other = &self.model.transitions[inhibitor];
            for &guard in &other.guards {
                self.read(&self.model.guards[guard], looks);
            }
            if let Some(comm) = &other.comm {
                self.look(comm, looks);
            }
            self.inhibitors(other, looks);
        }
    }

    /// What decides whether a channel operation is possible.
    fn look(&self, comm: &Comm, looks: &mut Reads) {
        let (Comm::Send(Send { chan, .. }) | Comm::Receive(Receive { chan, .. })) = comm;
        self.read_channel(chan, Access::Look, looks);
        if let Comm::Receive(receive) = comm {
            self.read_matches(receive, looks);
        }
        // Whether a rendezvous is possible is up to every process that may be the other one.
        looks.everything |= self.may_meet_on(&self.channels(chan));
    }

    fn may_meet_on(&self, channels: &Channels) -> bool {
        channels.as_ref().is_none_or(|numbers| numbers.iter().any(|&n| self.is_rendezvous(n)))
    }

    fn is_rendezvous(&self, number: u16) -> bool {
        self.layout.channel_info(stubborn_ir::ChannelId(number)).is_some_and(|info| info.capacity == 0)
    }

    fn read_matches(&self, receive: &Receive, reads: &mut Reads) {
        for field in &receive.pattern {
            if let Pattern::Match(expr) = field {
                self.read(expr, reads);
            }
        }
    }

    fn operation(&self, comm: &Comm, accesses: &mut Vec<(Cell, Access)>, reads: &mut Reads) -> Operation {
        let (Comm::Send(Send { chan, .. }) | Comm::Receive(Receive { chan, .. })) = comm;
        let mut decides = Reads::default();
        self.read(chan, &mut decides);
        let channels = self.channels(chan);
        let may_meet = self.may_meet_on(&channels);
        let must_meet =
            channels.as_ref().is_some_and(|n| !n.is_empty() && n.iter().all(|&n| self.is_rendezvous(n)));
        let mut buffers = Vec::new();
        match &channels {
            Some(numbers) => {
                for &number in numbers {
                    self.read_owner(number, &mut decides);
                    if !self.is_rendezvous(number) {
                        buffers.extend(self.channel_cell(number));
                    }
                }
            }
            None => reads.any_channel = true,
        }
        match comm {
            Comm::Send(send) => {
                let sent = if may_meet { &mut decides } else { &mut *reads };
                send.args.iter().for_each(|arg| self.read(arg, sent));
                let access = if send.sorted { Access::SendSorted } else { Access::Send };
                accesses.extend(buffers.iter().map(|&cell| (cell, access)));
            }
            Comm::Receive(receive) => {
                self.read_matches(receive, &mut decides);
                let access = if receive.peek { Access::Head } else { Access::Take };
                accesses.extend(buffers.iter().map(|&cell| (cell, access)));
                for field in &receive.pattern {
                    if let Pattern::Bind(place) = field {
                        self.write(place, Access::Write, accesses, reads);
                    }
                }
            }
        }
        reads.accesses.extend_from_slice(&decides.accesses);
        reads.open |= decides.open;
        reads.any_channel |= decides.any_channel;
        let is_send = matches!(comm, Comm::Send(_));
        Operation { is_send, channels, may_meet, must_meet, reads: decides.accesses, buffers }
    }

    fn write(&self, place: &Place, access: Access, accesses: &mut Vec<(Cell, Access)>, reads: &mut Reads) {
        self.read_indices(place, reads);
        let one = self.cell(place).is_some();
        self.cells(place, |cell| accesses.push((cell, if one { access } else { Access::Write })));
    }

    fn assign(&self, place: &Place, value: &Expr, s: &mut Statement, reads: &mut Reads) {
        let access = match self.cell(place) {
            Some((cell, slot)) => match self.constant(value) {
                Some(value) => Access::Set(slot.wrap(value)),
                None => self.increment(cell, slot, value).unwrap_or(Access::Write),
            },
            None => Access::Write,
        };
        if !matches!(access, Access::Add(_) | Access::CountIfRoom(_)) {
            self.read(value, reads);
        }
        self.write(place, access, &mut s.accesses, reads);
    }

    /// `cell + constant` or `cell - constant`.
    fn increment(&self, cell: Cell, slot: Slot, value: &Expr) -> Option<Access> {
        let Expr::Binary(op, operands) = value else { return None };
        let [left, right] = &**operands;
        let is_cell = |expr: &Expr| matches!(expr, Expr::Load(place) if self.cell(place).is_some_and(|(own, s)| own == cell && s.size() == slot.size()));
        let by = match op {
            stubborn_ir::BinaryOp::Add if is_cell(left) => self.constant(right)?,
            stubborn_ir::BinaryOp::Add if is_cell(right) => self.constant(left)?,
            stubborn_ir::BinaryOp::Sub if is_cell(left) => self.constant(right)?.checked_neg()?,
            _ => return None,
        };
        // What does not wrap fails where there is no room.
        let fails = self.model.overflow_fails && self.fault != Some(Fault::EndlessRoom);
        Some(if fails { Access::CountIfRoom(by) } else { Access::Add(by) })
    }

    fn effect(&self, effect: &Effect, t: &Transition, s: &mut Statement, reads: &mut Reads) {
        match effect {
            Effect::Assign(place, value) => self.assign(place, value, s, reads),
            Effect::Evaluate(expr) => self.read_if_it_can_fail(expr, reads),
            Effect::Print(pieces) => {
                pieces.iter().filter_map(Piece::value).for_each(|arg| self.read_if_it_can_fail(arg, reads));
            }
            Effect::Assert(expr) => self.read(expr, reads),
            Effect::Run(run) => self.run(run, s, reads),
            Effect::SetPriority(pid, priority) => {
                // Reduction is off in models with priorities.
                self.read(pid, reads);
                self.read(priority, reads);
            }
            Effect::Count { place, by, most } => {
                let access = if most.is_none() { Access::Count(*by) } else { Access::CountIfRoom(*by) };
                s.accesses.push((place.slot.offset, access));
            }
            Effect::Undefined(_) => {}
            Effect::End => self.end(s),
            Effect::DStep(dstep) => self.dstep(dstep, t, s, reads),
        }
    }

    /// A value that is computed and forgotten matters only if that can fail.
    fn read_if_it_can_fail(&self, expr: &Expr, reads: &mut Reads) {
        if expr.can_fail() {
            self.read(expr, reads);
        }
    }

    fn run(&self, run: &Run, s: &mut Statement, reads: &mut Reads) {
        run.args.iter().for_each(|arg| self.read(arg, reads));
        s.accesses.push((n_processes_cell(), Access::Write));
        reads.accesses.push((n_processes_cell(), Access::Read));
        s.spawns.push(run.process);
        // Initial values are computed when the process is created.
        for (_, value) in &self.model.processes[run.process].init {
            self.read_globals(value, reads);
        }
    }

    /// What an initial value of another process reads of what is shared.
    fn read_globals(&self, expr: &Expr, reads: &mut Reads) {
        let child = crate::scope::Subject { process: self.subject.process, placed: None, fixed: None };
        Scope { subject: &child, ..*self }.read(expr, reads);
    }

    /// The frame is gone, with its channels.
    fn end(&self, s: &mut Statement) {
        let left = self.subject.pid().map_or(Access::Write, |pid| Access::Set(i32::from(pid)));
        s.accesses.push((n_processes_cell(), left));
        let Some((_, base)) = self.subject.placed else { return };
        let ty = &self.model.processes[self.subject.process];
        for (_, instance) in self.layout.instances().filter(|(_, i)| i.base == base) {
            s.accesses.push((alive_cell(instance), Access::Write));
        }
        for variable in &ty.locals {
            s.accesses.push((base + variable.slot.offset, Access::Write));
        }
        for channel in &ty.channels {
            s.accesses.push((base + channel.variable.offset, Access::Write));
            if channel.capacity > 0 {
                s.accesses.push((base + channel.offset, Access::Write));
            }
        }
    }

    fn dstep(&self, dstep: &DStep, t: &Transition, s: &mut Statement, reads: &mut Reads) {
        let mut inner = Statement::default();
        let mut inner_reads = Reads::default();
        for alternative in dstep.nodes.iter().flatten() {
            for guard in &alternative.guards {
                self.read(guard, &mut inner_reads);
            }
            if let Some(comm) = &alternative.comm {
                self.operation(comm, &mut inner.accesses, &mut inner_reads);
            }
            for effect in &alternative.effects {
                self.effect(effect, t, &mut inner, &mut inner_reads);
            }
        }
        let all = inner.accesses.into_iter().chain(inner_reads.accesses);
        s.accesses.extend(all.map(|(cell, access)| (cell, access.coarse())));
        s.any_channel |= inner.any_channel | inner_reads.any_channel;
        s.spawns.append(&mut inner.spawns);
        reads.open |= inner_reads.open;
    }
}

/// Whether a transition can fail where its process is.
pub(crate) fn can_fail_at(model: &stubborn_ir::Model, t: &Transition) -> bool {
    let comm = t.comm.as_ref().is_some_and(|comm| match comm {
        Comm::Send(send) => send.chan.can_fail() || send.args.iter().any(Expr::can_fail),
        Comm::Receive(receive) => {
            let pattern = |field: &Pattern| match field {
                Pattern::Match(expr) => expr.can_fail(),
                Pattern::Bind(place) => !place.indices.is_empty(),
                Pattern::Any => false,
            };
            receive.chan.can_fail() || receive.pattern.iter().any(pattern)
        }
    });
    let effect = |effect: &Effect| match effect {
        Effect::Assign(place, value) => {
            let fits = value.as_const().is_some_and(|value| place.slot.wrap(value) == value);
            !place.indices.is_empty() || value.can_fail() || (model.overflow_fails && !fits)
        }
        Effect::Evaluate(expr) | Effect::Assert(expr) => expr.can_fail(),
        Effect::Print(pieces) => pieces.iter().filter_map(Piece::value).any(Expr::can_fail),
        // There may be too many processes; a deterministic run may block.
        Effect::Run(_) | Effect::SetPriority(..) | Effect::DStep(_) | Effect::Undefined(_) => true,
        Effect::Count { most, .. } => most.is_some(),
        Effect::End => false,
    };
    comm || t.guards.iter().any(|&guard| model.guards[guard].can_fail()) || t.effects.iter().any(effect)
}

fn looks_into_channel(test: &Test) -> bool {
    match test {
        Test::Level(..) => true,
        Test::Other { accesses, any_channel } => {
            *any_channel || accesses.iter().any(|(_, access)| is_channel_access(*access))
        }
        Test::Values(..) | Test::Timeout => false,
    }
}

fn is_channel_access(access: Access) -> bool {
    matches!(access, Access::Look | Access::Head | Access::Send | Access::SendSorted | Access::Take)
}

/// What one statement adds to a cell several times is added once.
fn add_up(accesses: &mut [(Cell, Access)]) {
    accesses.sort_unstable();
    for same in accesses.chunk_by_mut(|a, b| a == b) {
        let times = i32::try_from(same.len()).unwrap_or(i32::MAX);
        let access = match same[0].1 {
            Access::Add(by) => Access::Add(by.wrapping_mul(times)),
            Access::Count(by) => by.checked_mul(times).map_or(Access::Write, Access::Count),
            Access::CountIfRoom(by) => by.checked_mul(times).map_or(Access::Write, Access::CountIfRoom),
            other => other,
        };
        same.iter_mut().for_each(|(_, own)| *own = access);
    }
}

/// Sorted, each once, and two different changes of one cell are just a change.
pub(crate) fn normalise(accesses: &mut Vec<(Cell, Access)>) {
    accesses.sort_unstable();
    accesses.dedup();
    let mut i = 0;
    while i < accesses.len() {
        let end = accesses[i..].iter().take_while(|(cell, _)| *cell == accesses[i].0).count() + i;
        if accesses[i..end].iter().filter(|(_, access)| access.writes()).count() > 1 {
            for (_, access) in &mut accesses[i..end] {
                if access.writes() {
                    *access = Access::Write;
                }
            }
        }
        i = end;
    }
    accesses.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_twice_is_added_once_and_twice_as_much() {
        let mut accesses =
            vec![(4, Access::Add(3)), (8, Access::Set(1)), (4, Access::Add(3)), (8, Access::Set(1))];
        add_up(&mut accesses);
        normalise(&mut accesses);
        assert_eq!(accesses, [(4, Access::Add(6)), (8, Access::Set(1))]);
    }

    #[test]
    fn different_changes_of_a_cell_are_just_a_change() {
        let mut accesses =
            vec![(4, Access::Add(3)), (4, Access::Read), (4, Access::Set(1)), (8, Access::Read)];
        add_up(&mut accesses);
        normalise(&mut accesses);
        assert_eq!(accesses, [(4, Access::Read), (4, Access::Write), (8, Access::Read)]);
    }
}
