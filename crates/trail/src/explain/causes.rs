//! Who wrote what: the steps that each step rests on.

use stubborn_ir::{Claim, InstanceId, Model, Move, Step};

use super::lives::Lives;
use super::matters::Watch;
use super::messages::Messages;
use super::origins::Origins;
use super::reads::{Read, Reader};
use super::{Cause, Life, Link, Message, Standing, StepReason, standing};
use crate::machine::Machine;
use crate::replay::ReplayError;

/// A trail on its way, with the last writer of everything.
pub(super) struct Causes<'m> {
    machine: Machine<'m>,
    steps: Vec<StepReason>,
    /// By byte of the state: the step that changed it last.
    writers: Vec<Option<usize>>,
    messages: Messages,
    lives: Lives,
    watch: Watch<'m>,
    /// Of a net: its tokens.
    origins: Option<Origins<'m>>,
}

impl<'m> Causes<'m> {
    /// In the initial state, which nobody wrote.
    pub(super) fn start(mut machine: Machine<'m>, claim: Option<&'m Claim>) -> Self {
        let watch = Watch::start(claim, &machine);
        machine.interpreter.record_events(watch.watched().to_vec());
        let lives = Lives::start(&machine.interpreter, &machine.at.state);
        let (steps, writers, messages) = (Vec::new(), Vec::new(), Messages::default());
        let origins = Origins::start(machine.interpreter.model(), &machine.at.state);
        Causes { machine, steps, writers, messages, lives, watch, origins }
    }

    /// Where everybody is now.
    pub(super) fn standing(&mut self) -> Vec<Standing> {
        standing::standing(&mut self.machine, &self.lives)
    }

    pub(super) fn watch(&self) -> &Watch<'m> {
        &self.watch
    }

    /// Whether a message of the first `n_steps` steps may yet be received: messages were, since some step.
    pub(super) fn has_message_on_its_way(&self, n_steps: usize, since: usize) -> bool {
        self.messages.has_on_its_way(n_steps, since)
    }

    /// What was found: reasons of all steps, messages and lives of the first ones.
    pub(super) fn finish(self, n_steps: usize, cycle: usize) -> (Vec<StepReason>, Vec<Message>, Vec<Life>) {
        (self.steps, self.messages.finish(n_steps, cycle), self.lives.finish(n_steps))
    }

    /// Makes the next move, which is step `at`.
    pub(super) fn make(&mut self, at: usize, made: Move) -> Result<(), ReplayError> {
        let found = self.machine.find(made).ok_or(ReplayError::NotEnabled { step: at, made })?;
        let (step, _) = found;
        let mut causes = self.behind(&step);
        let reason = StepReason {
            life: self.lives.of(step.process),
            partner: step.partner.map(|(process, _)| self.lives.of(process)),
            ..StepReason::default()
        };
        let before = self.machine.at.state.clone();
        self.machine.take(found);
        let Machine { interpreter, at: position, error, .. } = &self.machine;
        let events = if error.is_none() { interpreter.events() } else { &[] };
        let exchange = self.messages.follow(interpreter, events, reason.life, at);
        // Inside a d_step, a message may be sent and received in one step.
        causes.extend(exchange.causes.into_iter().filter(|(step, _)| *step != at));
        note_writes(&mut self.writers, &before, &position.state, at);
        if let Some(origins) = &mut self.origins {
            origins.note(step.transition, at, &position.state);
        }
        self.messages.forget_dead(interpreter, &position.state);
        for life in std::iter::once(reason.life).chain(reason.partner) {
            self.lives.moves(life, at);
        }
        self.lives.note(interpreter, &position.state, Some(at));
        self.watch.note(&self.machine, at);
        let (sends, receives) = (exchange.sends, exchange.receives);
        self.steps.push(StepReason { causes: in_order(causes), sends, receives, ..reason });
        Ok(())
    }

    /// The steps that are behind a step that can be taken now, messages apart.
    fn behind(&self, step: &Step) -> Vec<(usize, Link)> {
        if let Some(origins) = &self.origins {
            return origins.behind(step.transition);
        }
        let mut causes = self.own(step.process);
        let mut reader = Reader::new(&self.machine.interpreter, &self.machine.at.state);
        reader.taken(step.process, step.transition);
        if let Some((partner, with)) = step.partner {
            causes.extend(self.own(partner));
            reader.taken(partner, with);
        }
        causes.extend(reader.reads.iter().flat_map(|read| self.writers_of(read)));
        causes
    }

    /// The steps that brought processes to where they may not stay, and keep them there.
    pub(super) fn behind_standing(&self, standing: &[Standing]) -> Vec<usize> {
        // A dead marking is what all tokens that were taken and put have come to.
        if self.origins.is_some() {
            return (0..self.steps.len()).collect();
        }
        let is_stuck = |life: usize| standing.iter().any(|s| s.life == life && !s.is_end && !s.can_move);
        let mut behind = Vec::new();
        for process in self.lives.alive().filter(|&process| is_stuck(self.lives.of(process))) {
            behind.extend(self.own(process).into_iter().map(|(step, _)| step));
            let reads = standing::reads(&self.machine, process);
            // Where the others are matters only as far as they are stuck themselves.
            let reads = reads.iter().filter(|read| !matches!(read, Read::Places));
            behind.extend(reads.flat_map(|read| self.writers_of(read)).map(|(step, _)| step));
        }
        behind
    }

    /// The step of a process before, or the one that created it. A net has none, unless some firings go before others.
    fn own(&self, process: InstanceId) -> Vec<(usize, Link)> {
        if self.origins.is_some() {
            return Vec::new();
        }
        match self.lives.last(self.lives.of(process)) {
            (Some(last), _) => vec![(last, Link::Order)],
            (None, Some(born)) => vec![(born, Link::Creation)],
            (None, None) => Vec::new(),
        }
    }

    fn writers_of(&self, read: &Read) -> Vec<(usize, Link)> {
        let place = |(life, told): (usize, &Life)| {
            let (last, born) = self.lives.last(life);
            let name = format!("{}({})", told.process, told.pid);
            last.or(born).map(|step| (step, Link::Place(name.into())))
        };
        let of = |process: InstanceId| self.lives.all().nth(self.lives.of(process));
        match read {
            // A slot is written as a whole, even if not all its bytes change.
            Read::Bytes(bytes) => {
                let last = bytes.clone().filter_map(|byte| *self.writers.get(byte)?).max();
                last.map(|step| (step, self.link_of(bytes.start))).into_iter().collect()
            }
            Read::Level { channel } => {
                let model = self.machine.interpreter.model();
                let name = self.machine.interpreter.layout().channel_name(model, i32::from(*channel));
                let link = Link::Value(name.unwrap_or_default());
                let behind = self.messages.behind_level(*channel).into_iter();
                behind.map(|step| (step, link.clone())).collect()
            }
            Read::Messages { channel, all } => self.messages.seen(*channel, *all),
            Read::Place(process) => of(*process).and_then(place).into_iter().collect(),
            Read::Places => self.lives.all().filter_map(place).collect(),
        }
    }

    /// What a write to a byte does for who reads it.
    fn link_of(&self, byte: usize) -> Link {
        if byte < Model::num_processes_slot().size() as usize {
            return Link::Number;
        }
        let interpreter = &self.machine.interpreter;
        if let Some(link) = self.token_link(byte) {
            return link;
        }
        Link::Value(interpreter.layout().name_at(interpreter.model(), byte).unwrap_or_default())
    }
}

impl Causes<'_> {
    /// What a write to a byte does for who looks for tokens.
    fn token_link(&self, byte: usize) -> Option<Link> {
        let tokens = self.origins.as_ref()?.tokens();
        let offset = u32::try_from(byte).ok()?;
        let value = tokens.slot(offset)?.read(&self.machine.at.state);
        let interpreter = &self.machine.interpreter;
        Some(match tokens.find(offset, value) {
            Some(token) if value > 0 => Link::Putting(tokens.name(token)),
            Some(token) => Link::Taking(tokens.name(token)),
            None => Link::Taking(interpreter.layout().name_at(interpreter.model(), byte)?),
        })
    }
}

fn note_writes(writers: &mut Vec<Option<usize>>, before: &[u8], after: &[u8], step: usize) {
    let n = before.len().max(after.len());
    writers.resize(n.max(writers.len()), None);
    let at = |state: &[u8], byte: usize| state.get(byte).copied().unwrap_or(0);
    for (byte, writer) in writers.iter_mut().enumerate().take(n) {
        if at(before, byte) != at(after, byte) {
            *writer = Some(step);
        }
    }
}

fn in_order(causes: Vec<(usize, Link)>) -> Vec<Cause> {
    let mut causes: Vec<Cause> =
        causes.into_iter().map(|(step, link)| Cause { step, in_round_before: false, link }).collect();
    causes.sort();
    causes.dedup();
    causes
}
