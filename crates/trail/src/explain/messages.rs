//! Messages on their way: which step sent what another one receives.
//!
//! Invariant: each queue holds the messages of its channel in the order that the state holds them, so sorted sends
//! and random receives are matched like all others.

use stubborn_ir::{ChannelId, Event, Interpreter};

use super::{Link, Message};

/// Messages so far, and those on their way.
#[derive(Default)]
pub(super) struct Messages {
    all: Vec<Message>,
    /// By the channel's number.
    queues: Vec<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    n_sent: usize,
    /// Who took a message, in order.
    taken: Vec<By>,
    /// The last of each process that took one.
    takers: Vec<By>,
    /// The same for as many as had to be taken to make room, and how many those are.
    made_room: Vec<By>,
    n_room: usize,
}

/// A message that was not yet taken.
#[derive(Clone)]
struct Waiting {
    message: usize,
    sent: By,
    /// Who took messages from before it: the last step of each process, which rests on its others.
    uncovered: Vec<By>,
}

/// A step, and the process that took it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct By {
    life: usize,
    step: usize,
}

/// What became of a step's events.
#[derive(Default)]
pub(super) struct Exchange {
    pub(super) sends: Vec<usize>,
    pub(super) receives: Vec<usize>,
    pub(super) causes: Vec<(usize, Link)>,
}

impl Messages {
    /// Follows the events of a step of a process.
    pub(super) fn follow(
        &mut self,
        interpreter: &Interpreter<'_>,
        events: &[Event],
        life: usize,
        step: usize,
    ) -> Exchange {
        let by = By { life, step };
        let mut exchange = Exchange::default();
        let (model, layout) = (interpreter.model(), interpreter.layout());
        for event in events {
            let Ok(number) = u16::try_from(event.chan) else { continue };
            let Some(info) = layout.channel_info(ChannelId(number)) else { continue };
            if event.is_send {
                let message = self.all.len();
                let channel = layout.channel_name(model, event.chan).unwrap_or_default();
                let text = layout.message_text(model, event.chan, &event.message);
                let is_rendezvous = info.capacity == 0;
                let received = is_rendezvous.then_some(step);
                self.all.push(Message { channel, text, sent: step, received, received_later: None });
                exchange.sends.push(message);
                if is_rendezvous {
                    exchange.receives.push(message);
                } else {
                    let freed = self.queue(number).put(message, event.at, by, usize::from(info.capacity));
                    exchange.causes.extend(freed.into_iter().map(|by| (by.step, Link::Room)));
                }
            } else if info.capacity > 0
                && let Some(taken) = self.queue(number).take(event.at, by)
            {
                self.all[taken.message].received = Some(step);
                exchange.receives.push(taken.message);
                exchange.causes.extend(taken.behind());
            }
        }
        exchange
    }

    /// Channels whose process is gone lose what is in them.
    pub(super) fn forget_dead(&mut self, interpreter: &Interpreter<'_>, state: &[u8]) {
        let layout = interpreter.layout();
        for (number, queue) in self.queues.iter_mut().enumerate() {
            let owner = layout.channel_info(ChannelId(number as u16)).and_then(|info| info.owner);
            if owner.is_some_and(|owner| !layout.is_alive(state, owner)) {
                *queue = Queue::default();
            }
        }
    }

    /// The steps behind what a look into a channel sees: its first message, or all.
    pub(super) fn seen(&self, number: u16, all: bool) -> Vec<(usize, Link)> {
        let Some(queue) = self.queues.get(usize::from(number)) else { return Vec::new() };
        let n_seen = if all { queue.waiting.len() } else { 1 };
        queue.waiting.iter().take(n_seen).flat_map(Waiting::behind).collect()
    }

    /// The steps behind the number of messages in a channel: the last of each process that sent one that is
    /// there, or took one that is not.
    pub(super) fn behind_level(&self, number: u16) -> Vec<usize> {
        let Some(queue) = self.queues.get(usize::from(number)) else { return Vec::new() };
        let mut senders: Vec<By> = Vec::new();
        queue.waiting.iter().for_each(|waiting| note_last(&mut senders, waiting.sent));
        senders.iter().chain(&queue.takers).map(|by| by.step).collect()
    }

    /// Whether a channel that messages were taken from since some step holds one of the first `n_steps` steps.
    pub(super) fn has_on_its_way(&self, n_steps: usize, since: usize) -> bool {
        self.queues.iter().any(|queue| {
            queue.taken.last().is_some_and(|by| by.step >= since)
                && queue.waiting.iter().any(|waiting| waiting.sent.step < n_steps)
        })
    }

    /// The messages of the first `n_steps` steps, after which the cycle was made again.
    pub(super) fn finish(self, n_steps: usize, cycle: usize) -> Vec<Message> {
        let told = self.all.into_iter().filter(|message| message.sent < n_steps);
        let in_round = |message: Message| Message {
            received: message.received.filter(|&step| step < n_steps),
            received_later: message
                .received
                .filter(|&step| step >= n_steps)
                .map(|step| n_steps - cycle + (step - n_steps) % cycle),
            ..message
        };
        told.map(in_round).collect()
    }

    fn queue(&mut self, number: u16) -> &mut Queue {
        let at = usize::from(number);
        if self.queues.len() <= at {
            self.queues.resize_with(at + 1, Queue::default);
        }
        &mut self.queues[at]
    }
}

impl Waiting {
    fn behind(&self) -> Vec<(usize, Link)> {
        let uncovered = self.uncovered.iter().map(|by| (by.step, Link::Uncovering));
        std::iter::once((self.sent.step, Link::Sending)).chain(uncovered).collect()
    }
}

impl Queue {
    /// Puts a message in its place. Returns who made room for it, if it had to be made.
    fn put(&mut self, message: usize, at: u32, sent: By, capacity: usize) -> Vec<By> {
        let at = (at as usize).min(self.waiting.len());
        self.waiting.insert(at, Waiting { message, sent, uncovered: Vec::new() });
        self.n_sent += 1;
        let n_freed = self.n_sent.saturating_sub(capacity).min(self.taken.len());
        for &by in &self.taken[self.n_room.min(n_freed)..n_freed] {
            note_last(&mut self.made_room, by);
        }
        self.n_room = self.n_room.max(n_freed);
        self.made_room.clone()
    }

    fn take(&mut self, at: u32, by: By) -> Option<Waiting> {
        let at = at as usize;
        if at >= self.waiting.len() {
            return None;
        }
        let taken = self.waiting.remove(at);
        for behind in &mut self.waiting[at..] {
            note_last(&mut behind.uncovered, by);
        }
        self.taken.push(by);
        note_last(&mut self.takers, by);
        Some(taken)
    }
}

/// Keeps the last step of each process, which rests on its others.
fn note_last(last: &mut Vec<By>, by: By) {
    match last.iter_mut().find(|other| other.life == by.life) {
        Some(other) => other.step = other.step.max(by.step),
        None => last.push(by),
    }
}
