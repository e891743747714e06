//! One thread of a search: takes blocks of the level, expands them, and puts what it finds into its shards.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use stubborn_ir::{Interpreter, Outcome, Step, Violation};
use stubborn_reduce::{Plan, Reducer, Reduction, Wish};

use super::shard::{self, Placed};
use super::{Common, Level, lock};
use crate::budget::{Budget, OutOfMemory};
use crate::limits::Incomplete;
use crate::observer::{Counts, Found};
use crate::store::{Key, StateId};

/// States that wait to be expanded.
#[derive(Debug)]
pub(super) struct Block {
    ids: Vec<StateId>,
    ends: Vec<usize>,
    bytes: Vec<u8>,
    /// What the budget gave for it.
    cost: usize,
}

impl Block {
    /// An empty one with room for states of that many bytes.
    pub(super) fn new(width: usize, n_states: usize, budget: &mut Budget) -> Result<Self, OutOfMemory> {
        let cost = n_states * (width + size_of::<StateId>() + size_of::<usize>());
        budget.replace(0, cost)?;
        Ok(Block {
            ids: Vec::with_capacity(n_states),
            ends: Vec::with_capacity(n_states),
            bytes: Vec::with_capacity(n_states * width),
            cost,
        })
    }

    /// Whether there is room for one more.
    fn has_room(&self, state: &[u8]) -> bool {
        self.len() < self.ids.capacity() && self.bytes.capacity() - self.bytes.len() >= state.len()
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn push(&mut self, id: StateId, state: &[u8]) {
        self.ids.push(id);
        self.bytes.extend_from_slice(state);
        self.ends.push(self.bytes.len());
    }

    fn state(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }
}

/// A violation, and where it was found.
#[derive(Debug)]
pub(super) struct Seen {
    violation: Violation,
    id: StateId,
    state: Vec<u8>,
    steps: Vec<Step>,
}

impl Seen {
    pub(super) fn found(&self, counts: Counts) -> Found<'_> {
        Found { violation: self.violation, state: self.id, steps: &self.steps, counts }
    }
}

/// One violation of each kind: the one with the fewest steps, from the state that comes first.
pub(super) fn least(found: Vec<Seen>) -> Vec<Seen> {
    let mut kept = Vec::new();
    found.into_iter().for_each(|seen| keep_least(&mut kept, seen));
    kept
}

fn keep_least(kept: &mut Vec<Seen>, seen: Seen) {
    match place_for(kept, seen.violation, &seen.state, &seen.steps) {
        Place::At(index) => kept[index] = seen,
        Place::Last => kept.push(seen),
        Place::Nowhere => {}
    }
}

/// Where a violation is to be kept.
enum Place {
    At(usize),
    Last,
    Nowhere,
}

fn place_for(kept: &[Seen], violation: Violation, state: &[u8], steps: &[Step]) -> Place {
    let kind = std::mem::discriminant(&violation);
    match kept.iter().position(|other| std::mem::discriminant(&other.violation) == kind) {
        None => Place::Last,
        Some(at) => {
            let other = &kept[at];
            let is_less = (steps.len(), state, steps) < (other.steps.len(), &other.state, &other.steps);
            if is_less { Place::At(at) } else { Place::Nowhere }
        }
    }
}

/// A successor that is still to be stored.
#[derive(Clone, Copy, Debug)]
struct Successor {
    /// Index of its source in the block.
    source: u32,
    key: Key,
    start: usize,
    end: usize,
}

/// Successors that are still to be stored, by shard.
#[derive(Debug)]
struct Outbox {
    bytes: Vec<u8>,
    by_shard: Vec<Vec<Successor>>,
}

/// Which part of a state's steps is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Chosen,
    Rest,
}

/// A thread of a search.
pub(super) struct Worker<'m, 'c> {
    common: &'c Common,
    interpreter: Interpreter<'m>,
    reducer: Option<Reducer<'m>>,
    outbox: Outbox,
    /// By state of the block: it keeps to part of its steps, and none of them is known to lead to the next level.
    unsettled: Vec<bool>,
    /// By state of the block: where its choice begins in `choices`. What is left of a state is what was not chosen at
    /// first: a reducer that has seen more may choose otherwise.
    starts: Vec<usize>,
    choices: Vec<bool>,
    level: Level,
    budget: Budget,
}

impl<'m, 'c> Worker<'m, 'c> {
    pub(super) fn new(interpreter: Interpreter<'m>, initial: &[u8], plan: &Plan, common: &'c Common) -> Self {
        let mut interpreter = interpreter;
        let clock = common.clock.clone();
        interpreter.set_interrupt(move || clock.check().is_err());
        let model = interpreter.model();
        Worker {
            common,
            interpreter,
            reducer: (plan.reduction != Reduction::None).then(|| Reducer::new(model, initial, plan.clone())),
            outbox: Outbox { bytes: Vec::new(), by_shard: vec![Vec::new(); shard::N] },
            unsettled: Vec::new(),
            starts: Vec::new(),
            choices: Vec::new(),
            level: Level::default(),
            budget: common.budget.clone(),
        }
    }

    /// Expands blocks of the level until none is left. Calls `tell` now and then with what this thread counted.
    pub(super) fn work(&mut self, tell: &mut dyn FnMut(Counts) -> ControlFlow<()>) {
        while !self.common.is_over.load(Ordering::Relaxed) {
            let Some(block) = lock(&self.common.open).pop() else { break };
            let before = self.level.counts.transitions;
            if self.expand_block(&block).is_break() || tell(self.level.counts).is_break() {
                break;
            }
            self.budget.give_back(block.cost);
            let found = self.level.counts.transitions - before;
            self.common.n_transitions.fetch_add(found, Ordering::Relaxed);
            if let Err(why) = self.common.clock.check() {
                self.common.halt(why);
            }
        }
    }

    /// What was found on this level.
    pub(super) fn take_level(&mut self) -> Level {
        std::mem::take(&mut self.level)
    }

    fn expand_block(&mut self, block: &Block) -> ControlFlow<()> {
        self.unsettled.clear();
        self.unsettled.resize(block.len(), false);
        self.starts.clear();
        self.choices.clear();
        for index in 0..block.len() {
            self.expand(block, index, Part::Chosen)?;
        }
        self.send(block)?;
        if self.common.has_proviso && self.reducer.is_some() {
            for index in 0..block.len() {
                if self.unsettled[index] {
                    self.expand(block, index, Part::Rest)?;
                }
            }
            self.send(block)?;
        }
        ControlFlow::Continue(())
    }

    fn expand(&mut self, block: &Block, index: usize, part: Part) -> ControlFlow<()> {
        let state = block.state(index);
        self.interpreter.reach(state.len());
        let prepared = self.interpreter.prepare(state);
        match (part, &mut self.reducer) {
            (Part::Chosen, Some(reducer)) => {
                self.starts.push(self.choices.len());
                if let Some(chosen) = reducer.choose(&self.interpreter, state, prepared, Wish::Nothing) {
                    self.unsettled[index] = true;
                    self.choices.extend_from_slice(chosen);
                    self.interpreter.retain(|i| chosen[i]);
                }
            }
            (Part::Rest, _) => {
                let chosen = &self.choices[self.starts[index]..];
                self.interpreter.retain(|i| !chosen[i]);
            }
            (Part::Chosen, None) => {}
        }
        let Worker { common, interpreter, outbox, level: Level { counts, found, cut_off, .. }, .. } = self;
        let mut see = |violation, steps: &[Step]| {
            // Millions may violate it: most are not worth a copy.
            let copy = || {
                let (id, state, steps) = (block.ids[index], state.to_vec(), steps.to_vec());
                Seen { violation, id, state, steps }
            };
            if common.tells_all {
                found.push(copy());
            } else if !matches!(place_for(found, violation, state, steps), Place::Nowhere) {
                keep_least(found, copy());
            }
        };
        let stopped = interpreter.edges(state, |edge| {
            for failed in edge.failed {
                counts.failed_assertions += 1;
                see(Violation::FailedAssertion(failed.transition), &edge.steps[..=failed.step]);
            }
            match edge.outcome {
                Outcome::State(target) => {
                    counts.transitions += 1;
                    outbox.add(index, target);
                }
                Outcome::Error(error) => {
                    counts.errors += 1;
                    see(Violation::Error(*error), edge.steps);
                }
                Outcome::Endless => {}
                Outcome::CutOff => *cut_off = true,
            }
            ControlFlow::Continue(())
        });
        if !prepared.is_alive() && !interpreter.is_valid_end(state) {
            counts.deadlocks += 1;
            see(Violation::InvalidEnd, &[]);
        }
        if stopped {
            // Only the clock stops it.
            self.common.halt(self.common.clock.check().err().unwrap_or(Incomplete::Cancelled));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Stores the successors found.
    fn send(&mut self, block: &Block) -> ControlFlow<()> {
        let Worker { common, outbox, unsettled, level, budget, .. } = self;
        let Outbox { bytes, by_shard } = outbox;
        for (shard, successors) in by_shard.iter_mut().enumerate() {
            if successors.is_empty() {
                continue;
            }
            let states =
                successors.iter().map(|s| (&bytes[s.start..s.end], s.key, block.ids[s.source as usize]));
            let result = common.shards.place(shard, states, |at, placed| {
                let successor = successors[at];
                if placed != Placed::Old {
                    unsettled[successor.source as usize] = false;
                }
                match placed {
                    Placed::New(id) => {
                        let state = &bytes[successor.start..successor.end];
                        push(&mut level.next, id, state, common.team.block, budget)
                    }
                    _ => Ok(()),
                }
            });
            common.stored(result)?;
            successors.clear();
        }
        bytes.clear();
        ControlFlow::Continue(())
    }
}

/// Adds a state to the last block, or to a new one.
fn push(
    blocks: &mut Vec<Block>,
    id: StateId,
    state: &[u8],
    n_states: usize,
    budget: &mut Budget,
) -> Result<(), OutOfMemory> {
    if !blocks.last().is_some_and(|block| block.has_room(state)) {
        blocks.push(Block::new(state.len(), n_states, budget)?);
    }
    blocks.last_mut().expect("there is one with room").push(id, state);
    Ok(())
}

impl Outbox {
    #[inline]
    fn add(&mut self, source: usize, state: &[u8]) {
        let key = Key::plain(state);
        let start = self.bytes.len();
        self.bytes.extend_from_slice(state);
        let successor = Successor { source: source as u32, key, start, end: self.bytes.len() };
        self.by_shard[shard::of_key(key)].push(successor);
    }
}
