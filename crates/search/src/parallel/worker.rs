//! What one thread of a search does with states: expands a block of them, and puts what it finds into its shards.
//!
//! Each lock is taken once for all successors of a block that belong there, and their places are fetched before they are
//! looked at: to look up one at a time would take as long as several threads save.

use std::ops::ControlFlow;

use stubborn_ir::{Interpreter, Step, Violation};
use stubborn_reduce::{Plan, Proviso};

use super::Common;
use super::expander::{self, Expander, Part};
use super::seen::{Seen, is_worth_keeping, keep_least};
use super::shard::{self, Placed};
use crate::budget::{Budget, OutOfMemory};
use crate::limits::Incomplete;
use crate::observer::Counts;
use crate::store::{Key, StateId};

/// States that wait to be expanded, and over how many edges each was reached.
#[derive(Debug)]
pub(super) struct Block {
    ids: Vec<StateId>,
    depths: Vec<u32>,
    ends: Vec<usize>,
    bytes: Vec<u8>,
    /// What the budget gave for it.
    cost: usize,
}

impl Block {
    /// An empty one with room for states of that many bytes.
    pub(super) fn new(width: usize, n_states: usize, budget: &mut Budget) -> Result<Self, OutOfMemory> {
        let cost = n_states * (width + size_of::<StateId>() + size_of::<u32>() + size_of::<usize>());
        budget.replace(0, cost)?;
        Ok(Block {
            ids: Vec::with_capacity(n_states),
            depths: Vec::with_capacity(n_states),
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

    /// What the budget gave for it.
    pub(super) fn cost(&self) -> usize {
        self.cost
    }

    pub(super) fn push(&mut self, id: StateId, depth: u32, state: &[u8]) {
        self.ids.push(id);
        self.depths.push(depth);
        self.bytes.extend_from_slice(state);
        self.ends.push(self.bytes.len());
    }

    /// Takes the last states of another one, as many as there is room for.
    pub(super) fn fill_from(&mut self, other: &mut Block) {
        while let Some(last) = other.len().checked_sub(1)
            && self.has_room(other.state(last))
        {
            self.push(other.ids[last], other.depths[last], other.state(last));
            let start = other.start(last);
            other.bytes.truncate(start);
            other.ids.pop();
            other.depths.pop();
            other.ends.pop();
        }
    }

    fn start(&self, index: usize) -> usize {
        if index == 0 { 0 } else { self.ends[index - 1] }
    }

    fn state(&self, index: usize) -> &[u8] {
        &self.bytes[self.start(index)..self.ends[index]]
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

/// What a thread found.
#[derive(Debug, Default)]
pub(super) struct Haul {
    /// States that were found first by this thread, the newest last.
    pub(super) next: Vec<Block>,
    pub(super) counts: Counts,
    pub(super) found: Vec<Seen<StateId>>,
    /// Some run was too long to be followed.
    pub(super) cut_off: bool,
}

/// A thread of a search.
pub(super) struct Worker<'m, 'c> {
    pub(super) common: &'c Common,
    expander: Expander<'m>,
    outbox: Outbox,
    /// By state of the block: it keeps to part of its steps, and none of them is known to lead to the next level.
    unsettled: Vec<bool>,
    /// By state of the block: where its choice begins in `choices`. What is left of a state is what was not chosen at
    /// first: a reducer that has seen more may choose otherwise.
    starts: Vec<usize>,
    choices: Vec<bool>,
    pub(super) found: Haul,
    pub(super) budget: Budget,
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
            found: Haul::default(),
            budget: common.budget.clone(),
        }
    }

    /// Expands the states of a block. It breaks if the search has to end before its end.
    pub(super) fn expand_block(&mut self, block: &Block) -> ControlFlow<()> {
        self.unsettled.clear();
        self.unsettled.resize(block.len(), false);
        self.starts.clear();
        self.choices.clear();
        for index in 0..block.len() {
            self.expand(block, index, true)?;
        }
        self.send(block)?;
        if self.common.proviso != Proviso::None && self.expander.reducer.is_some() {
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
        let Worker { common, expander, outbox, starts, choices, found, .. } = self;
        let Haul { counts, found, cut_off, .. } = found;
        counts.depth = counts.depth.max(u64::from(block.depths[index]));
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
        let Worker { common, outbox, unsettled, found, budget, .. } = self;
        let Outbox { bytes, by_shard } = outbox;
        for (shard, successors) in by_shard.iter_mut().enumerate() {
            if successors.is_empty() {
                continue;
            }
            let states =
                successors.iter().map(|s| (&bytes[s.start..s.end], s.key, block.ids[s.source as usize]));
            let result = common.shards.place(shard, states, |at, placed| {
                let successor = successors[at];
                let source = successor.source as usize;
                if common.settles(placed) {
                    unsettled[source] = false;
                }
                match placed {
                    Placed::New(id) => {
                        let state = &bytes[successor.start..successor.end];
                        let depth = block.depths[source] + 1;
                        push(&mut found.next, id, depth, state, common.team.block, budget)
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
    depth: u32,
    state: &[u8],
    n_states: usize,
    budget: &mut Budget,
) -> Result<(), OutOfMemory> {
    if !blocks.last().is_some_and(|block| block.has_room(state)) {
        blocks.push(Block::new(state.len(), n_states, budget)?);
    }
    blocks.last_mut().expect("there is one with room").push(id, depth, state);
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
