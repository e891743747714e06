//! Which bytes of a state the value of an expression rests on, besides where the processes are.
//!
//! Invariant: if two states agree on the locations of all processes, on how many there are, and on the bytes of a
//! [`Footprint`], what was noted in it comes out alike in both. To note more than is looked at is safe; where it is not
//! known what is, a footprint says so.

use crate::eval::{Eval, RuntimeErrorKind, View};
use crate::expr::{Expr, Pattern, Place, Region};
use crate::interpreter::Interpreter;
use crate::layout::{ChannelId, ChannelPlace, InstanceId};
use crate::model::{Comm, Receive, Send, TransitionId};
use crate::slot::Slot;
use crate::step::ChannelStatus;

/// A set of bytes of a state.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    words: Vec<u64>,
    is_unknown: bool,
}

impl Footprint {
    /// Nothing is looked at.
    pub fn clear(&mut self) {
        self.words.fill(0);
        self.is_unknown = false;
    }

    /// Whether anything may be looked at.
    pub fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    /// Nobody knows what is looked at.
    pub fn give_up(&mut self) {
        self.is_unknown = true;
    }

    /// The offsets of the bytes, in order.
    pub fn offsets(&self) -> impl Iterator<Item = u32> + '_ {
        let in_word = |(at, word): (usize, &u64)| {
            let first = at as u32 * 64;
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(first + bit)
            })
        };
        self.words.iter().enumerate().flat_map(in_word)
    }

    /// Adds so many bytes from an offset on.
    #[inline]
    fn insert_bytes(&mut self, offset: u32, n_bytes: u32) {
        for at in offset..offset + n_bytes {
            let word = at as usize / 64;
            if self.words.len() <= word {
                self.words.resize(word + 1, 0);
            }
            self.words[word] |= 1 << (at % 64);
        }
    }

    /// Adds the bytes of a slot.
    #[inline]
    pub fn insert_slot(&mut self, slot: Slot) {
        // At most four bytes: they lie in one word, or in two.
        let bytes = ((1u128 << slot.size()) - 1) << (slot.offset % 64);
        let at = slot.offset as usize / 64;
        if self.words.len() < at + 2 {
            self.words.resize(at + 2, 0);
        }
        self.words[at] |= bytes as u64;
        self.words[at + 1] |= (bytes >> 64) as u64;
    }
}

impl Interpreter<'_> {
    /// Notes what [`Interpreter::eval`] looks at.
    pub fn footprint(&self, state: &[u8], process: InstanceId, expr: &Expr, noted: &mut Footprint) {
        self.view(state, process).note(expr, noted);
    }

    /// Notes what [`Interpreter::is_unchanged`] looks at.
    pub fn footprint_of_assignment(
        &self,
        state: &[u8],
        process: InstanceId,
        (place, value): (&Place, &Expr),
        noted: &mut Footprint,
    ) {
        let view = self.view(state, process);
        view.note(value, noted);
        view.note_place(place, noted);
    }

    /// [`Interpreter::channel_status`], with a note of what it looks at.
    pub fn noted_channel_status(
        &self,
        state: &[u8],
        process: InstanceId,
        comm: &Comm,
        noted: &mut Footprint,
    ) -> Result<ChannelStatus, RuntimeErrorKind> {
        let view = self.view(state, process);
        let (_, chan) = view.note_status(comm, noted)?;
        view.status_of(chan, comm)
    }

    /// Notes what [`Interpreter::is_enabled`] looks at.
    pub fn footprint_of_enabled(
        &self,
        state: &[u8],
        process: InstanceId,
        transition: TransitionId,
        noted: &mut Footprint,
    ) {
        let view = self.view(state, process);
        let t = &self.model().transitions[transition];
        t.guards.iter().for_each(|&guard| view.note(&self.model().guards[guard], noted));
        if let Some(comm) = &t.comm {
            // A channel that fails does so for what is noted.
            let _ = view.note_status(comm, noted);
        }
        // Who else can move, or take part in a rendezvous, is a longer story.
        let may_meet = match &t.comm {
            Some(Comm::Send(Send { chan, .. })) => {
                view.channel(chan).is_ok_and(|(_, chan)| chan.capacity == 0)
            }
            _ => false,
        };
        if may_meet || !t.inhibitors.is_empty() {
            noted.give_up();
        }
    }

    fn view<'a>(&'a self, state: &'a [u8], process: InstanceId) -> View<'a> {
        View::new(self.model(), self.layout(), state, process)
    }
}

impl View<'_> {
    fn note(&self, expr: &Expr, noted: &mut Footprint) {
        match expr {
            // The same whatever the state is, or a matter of where the processes are.
            Expr::Const(_)
            | Expr::Pid
            | Expr::NumProcesses
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Accepting
            | Expr::Created => {}
            Expr::Load(place) => self.note_place(place, noted),
            Expr::Unary(_, operand) => self.note(operand, noted),
            Expr::Binary(_, operands) => operands.iter().for_each(|operand| self.note(operand, noted)),
            Expr::Conditional(parts) => parts.iter().for_each(|part| self.note(part, noted)),
            Expr::Chan(_, chan) => {
                self.note(chan, noted);
                if let Ok((_, chan)) = self.channel(chan) {
                    note_len(chan, noted);
                }
            }
            Expr::Poll(poll) => {
                self.note(&poll.chan, noted);
                if let Ok((_, chan)) = self.channel(&poll.chan) {
                    self.note_messages(chan, &poll.pattern, poll.random, noted);
                }
            }
            Expr::LastPid => self.model.last_pid.iter().for_each(|slot| noted.insert_slot(*slot)),
            Expr::LocationOf(pid) => self.note(pid, noted),
            Expr::At(remote, _) | Expr::RemotePid(remote) => {
                remote.pid.iter().for_each(|pid| self.note(pid, noted));
            }
            Expr::Remote(remote, place) => {
                remote.pid.iter().for_each(|pid| self.note(pid, noted));
                place.indices.iter().for_each(|index| self.note(&index.value, noted));
                if let (Ok(Some(process)), Ok(slot)) = (self.remote(remote), self.resolve(place)) {
                    noted.insert_slot(slot.shifted(self.layout.instance(process).base));
                }
            }
            Expr::Enabled(_) | Expr::PriorityOf(_) => noted.give_up(),
        }
    }

    #[inline]
    fn note_place(&self, place: &Place, noted: &mut Footprint) {
        place.indices.iter().for_each(|index| self.note(&index.value, noted));
        if let Ok(slot) = self.resolve(place) {
            let base = if place.region == Region::Global { 0 } else { self.base };
            noted.insert_slot(slot.shifted(base));
        }
    }

    /// The channel of an operation, which is looked at.
    fn note_status(&self, comm: &Comm, noted: &mut Footprint) -> Eval<(ChannelId, &ChannelPlace)> {
        let (Comm::Send(Send { chan, .. }) | Comm::Receive(Receive { chan, .. })) = comm;
        self.note(chan, noted);
        let found = self.channel(chan)?;
        match comm {
            Comm::Send(_) => note_len(found.1, noted),
            Comm::Receive(receive) => {
                self.note_messages(found.1, &receive.pattern, receive.random, noted);
            }
        }
        Ok(found)
    }

    fn note_messages(&self, chan: &ChannelPlace, pattern: &[Pattern], random: bool, noted: &mut Footprint) {
        note_len(chan, noted);
        let len = chan.len(self.state);
        let n_seen = if random { len } else { len.min(1) };
        noted.insert_bytes(chan.messages, n_seen * chan.message_size);
        for field in pattern {
            if let Pattern::Match(expected) = field {
                self.note(expected, noted);
            }
        }
    }
}

#[inline]
fn note_len(chan: &ChannelPlace, noted: &mut Footprint) {
    if chan.capacity > 0 {
        noted.insert_slot(chan.len);
    }
}
