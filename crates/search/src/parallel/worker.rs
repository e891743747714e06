//! One thread of a search: takes blocks of the level, expands them, and puts what it finds into its shards.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use stubborn_ir::{Interpreter, Step, Violation};
use stubborn_reduce::Plan;

use super::expander::{self, Expander, Part};
use super::seen::{Seen, is_worth_keeping, keep_least};
use super::shard::{self, Placed};
use super::{Common, Level, lock};
use crate::budget::{Budget, OutOfMemory};
use crate::limits::Incomplete;
use crate::observer::Counts;
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

/// A thread of a search.
pub(super) struct Worker<'m, 'c> {
    common: &'c Common,
    expander: Expander<'m>,
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
        Worker {
            common,
            expander: Expander::new(interpreter, initial, plan, common.clock.watch(&common.budget)),
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
            self.expand(block, index, true)?;
        }
        self.send(block)?;
        if self.common.has_proviso && self.expander.reducer.is_some() {
            for index in 0..block.len() {
                if self.unsettled[index] {
                    self.expand(block, index, false)?;
                }
            }
            self.send(block)?;
        }
        ControlFlow::Continue(())
    }

    fn expand(&mut self, block: &Block, index: usize, is_first: bool) -> ControlFlow<()> {
        let state = block.state(index);
        let Worker { common, expander, outbox, starts, choices, level, .. } = self;
        let Level { counts, found, cut_off, .. } = level;
        let mut sink = Sink { common, outbox, found, id: block.ids[index], state, index };
        let taken = if is_first {
            starts.push(choices.len());
            expander.expand(state, Part::Chosen, choices, counts, &mut sink)
        } else {
            let part = Part::Rest(&choices[starts[index]..]);
            expander.expand(state, part, &mut Vec::new(), counts, &mut sink)
        };
        self.unsettled[index] |= taken.is_part;
        *cut_off |= taken.cut_off;
        if taken.stopped {
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
                if !placed.is_old() {
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

/// Where what is found in a state goes.
struct Sink<'a> {
    common: &'a Common,
    outbox: &'a mut Outbox,
    found: &'a mut Vec<Seen<StateId>>,
    id: StateId,
    state: &'a [u8],
    index: usize,
}

impl expander::Sink for Sink<'_> {
    #[inline]
    fn state(&mut self, target: &[u8]) {
        self.outbox.add(self.index, target);
    }

    fn violation(&mut self, violation: Violation, steps: &[Step]) {
        let Sink { common, found, id, state, .. } = self;
        // Millions may violate it: most are not worth a copy.
        let copy = || Seen { violation, id: *id, state: state.to_vec(), steps: steps.to_vec() };
        if common.tells_all {
            found.push(copy());
        } else if is_worth_keeping(found, violation, state, steps) {
            keep_least(found, copy());
        }
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
