//! Which steps a violation rests on: a backward slice from where it shows.
//!
//! A failure shows in the last step; an invalid end where processes are stuck; the violation of a claim where what
//! the claim looks at changes, and, if that does not change any more, in what goes on for ever.

use stubborn_ir::{Claim, ClaimBody, Expr, Slot, Violation};

use super::StepReason;
use crate::machine::Machine;
use crate::trail::Trail;

/// Notes the steps that a claim can see.
pub(super) struct Watch<'m> {
    claim: Option<&'m Claim>,
    letter: Vec<Option<bool>>,
    seen: Vec<usize>,
    /// Of a net, where tokens are counted, so that one step alone does not make what holds: where what the claim looks
    /// at is kept, what is there, and the steps that changed that.
    slots: Vec<Slot>,
    counts: Vec<i32>,
    touched: Vec<usize>,
}

impl<'m> Watch<'m> {
    pub(super) fn start(claim: Option<&'m Claim>, machine: &Machine<'_>) -> Self {
        let mut watch = Watch {
            claim,
            letter: Vec::new(),
            seen: Vec::new(),
            slots: Vec::new(),
            counts: Vec::new(),
            touched: Vec::new(),
        };
        watch.letter = watch.read(machine);
        if machine.interpreter.model().net.is_some() {
            watch.slots = watch.looked_at();
            watch.counts = watch.count(machine);
        }
        watch
    }

    /// What is to be evaluated whenever something happens on a channel.
    pub(super) fn watched(&self) -> &'m [Expr] {
        match self.claim.map(|claim| &claim.body) {
            Some(ClaimBody::Trace(trace)) => &trace.watched,
            _ => &[],
        }
    }

    /// Looks at what a step did.
    pub(super) fn note(&mut self, machine: &Machine<'_>, step: usize) {
        let letter = self.read(machine);
        let is_heard = match self.claim.map(|claim| &claim.body) {
            Some(ClaimBody::Trace(trace)) => machine.interpreter.events().iter().any(|event| {
                let edges = trace.states.iter().flat_map(|state| &state.edges);
                let mut same = edges.filter(|edge| edge.is_send == event.is_send);
                same.any(|edge| event.watched[edge.chan] == Some(event.chan))
            }),
            _ => false,
        };
        if is_heard || letter != self.letter {
            self.seen.push(step);
        }
        self.letter = letter;
        let counts = self.count(machine);
        if counts != self.counts {
            self.touched.push(step);
            self.counts = counts;
        }
    }

    /// The slots that the claim's propositions look at.
    fn looked_at(&self) -> Vec<Slot> {
        let mut slots: Vec<Slot> = Vec::new();
        for proposition in self.propositions() {
            proposition.any(&mut |expr| {
                if let Expr::Load(place) = expr
                    && !slots.contains(&place.slot)
                {
                    slots.push(place.slot);
                }
                false
            });
        }
        slots
    }

    fn count(&self, machine: &Machine<'_>) -> Vec<i32> {
        self.slots.iter().map(|slot| slot.read(&machine.at.state)).collect()
    }

    /// The steps in which the violation shows; `stuck` are those that leave processes stuck.
    pub(super) fn seeds(&self, trail: &Trail, stuck: Vec<usize>) -> Vec<usize> {
        let last = trail.steps.len().checked_sub(1);
        let seen = self.seen.iter().chain(&self.touched).copied().filter(|&step| step < trail.steps.len());
        match trail.violation {
            Violation::FailedAssertion(_) | Violation::Error(_) => last.into_iter().collect(),
            Violation::InvalidEnd => stuck,
            Violation::NoInitialState(_) => Vec::new(),
            Violation::BadPrefix => seen.chain(last).collect(),
            Violation::InfiniteRun => {
                let cycle = trail.prefix..trail.steps.len();
                let repeats = match self.seen.iter().any(|step| cycle.contains(step)) {
                    true => 0..0,
                    false => cycle,
                };
                seen.chain(repeats).chain(stuck).collect()
            }
        }
    }

    /// What holds now of what the claim looks at.
    fn read(&self, machine: &Machine<'_>) -> Vec<Option<bool>> {
        let holds = |p| machine.interpreter.holds(&machine.at.state, p).ok();
        self.propositions().iter().map(holds).collect()
    }

    fn propositions(&self) -> &'m [Expr] {
        match self.claim.map(|claim| &claim.body) {
            Some(ClaimBody::Formula(formula)) => &formula.propositions[..],
            Some(ClaimBody::Automaton(automaton)) => &automaton.propositions,
            _ => &[],
        }
    }
}

/// Marks the seeds and all they rest on.
pub(super) fn mark(steps: &mut [StepReason], seeds: Vec<usize>) {
    let mut work = seeds;
    while let Some(step) = work.pop() {
        if !std::mem::replace(&mut steps[step].matters, true) {
            work.extend(steps[step].causes.iter().map(|cause| cause.step));
        }
    }
}
