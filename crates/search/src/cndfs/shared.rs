//! The product of a model and a claim, as several threads find it, and its colours.
//!
//! States are divided among parts by their hash, each behind a lock: with the states are their steps, once they are known,
//! and the colours of their nodes. The steps that are published first stay: who finds others later, because it knew more
//! or less of the model, takes these.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use hashbrown::HashMap;
use stubborn_base::Idx;
use stubborn_ir::Pid;

use super::Going;
use super::worker::Discovery;
use crate::budget::{Budget, OutOfMemory};
use crate::lasso::Graph;
use crate::limits::{Clock, Incomplete, Limits};
use crate::observer::Counts;
use crate::parallel::{id_of, lock, shard};
use crate::product::{Arc, Extent, Factors, Known, Node, UNKNOWN};
use crate::store::{Compression, Key, StateId, Store};

/// Some thread has left it.
const BLUE: u8 = 1;
/// It is on no accepting cycle.
const RED: u8 = 2;
/// Some thread has entered it.
const ENTERED: u8 = 4;

/// What all threads see.
pub(super) struct Shared<'a> {
    parts: Vec<Mutex<Part>>,
    pub(super) factors: Factors<'a>,
    letters: Mutex<Letters>,
    pub(super) budget: Budget,
    pub(super) clock: Clock,
    is_over: AtomicBool,
    why: Mutex<Option<Incomplete>>,
    found: Mutex<Option<Discovery>>,
    pub(super) has_endless: AtomicBool,
    cut_off: AtomicBool,
}

struct Part {
    store: Store,
    /// By state.
    known: Vec<Known>,
    targets: Vec<StateId>,
    movers: Vec<Pid>,
    /// By state and state of the claim.
    colours: Vec<u8>,
    counts: Counts,
    budget: Budget,
}

/// What holds in states, by number, and where the automaton goes by that from each of its states.
#[derive(Default)]
struct Letters {
    numbers: HashMap<Box<[bool]>, u32>,
    claim_moves: Vec<Box<[u32]>>,
}

/// The steps of a state, found by one thread.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) targets: Vec<StateId>,
    pub(super) movers: Vec<Pid>,
    pub(super) letter: u32,
    pub(super) counts: Counts,
}

impl<'a> Shared<'a> {
    pub(super) fn new(width: usize, factors: Factors<'a>, limits: &Limits) -> Self {
        let budget = Budget::new(limits.memory);
        let part = || Part {
            store: Store::new(width, Compression::Plain),
            known: Vec::new(),
            targets: Vec::new(),
            movers: Vec::new(),
            colours: Vec::new(),
            counts: Counts::default(),
            budget: budget.clone(),
        };
        Shared {
            parts: (0..shard::N).map(|_| Mutex::new(part())).collect(),
            factors,
            letters: Mutex::default(),
            clock: Clock::start(limits),
            is_over: AtomicBool::new(false),
            why: Mutex::default(),
            found: Mutex::default(),
            has_endless: AtomicBool::new(false),
            cut_off: AtomicBool::new(false),
            budget,
        }
    }

    /// Stores the initial state; the node that every run begins in.
    pub(super) fn start(&self, initial: &[u8]) -> Node {
        let stored = self.insert(initial);
        let state = self.stored(stored).continue_value().unwrap_or(StateId(0));
        self.node(state, self.factors.automaton.initial)
    }

    pub(super) fn n_claim_states(&self) -> u32 {
        self.factors.automaton.states.len() as u32
    }

    pub(super) fn node(&self, state: StateId, claim_state: u32) -> Node {
        state.0 * self.n_claim_states() + claim_state
    }

    pub(super) fn state(&self, node: Node) -> StateId {
        StateId(node / self.n_claim_states())
    }

    pub(super) fn claim_state(&self, node: Node) -> u32 {
        node % self.n_claim_states()
    }

    pub(super) fn is_accepting(&self, node: Node) -> bool {
        self.factors.automaton.states[self.claim_state(node) as usize].accepting
    }

    /// The part of a state, and its number there.
    fn part(&self, state: StateId) -> (&Mutex<Part>, usize) {
        (&self.parts[state.index() % shard::N], state.index() >> shard::BITS)
    }

    /// The bytes of the model's state.
    pub(super) fn bytes(&self, node: Node) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.read(self.state(node), &mut bytes);
        bytes
    }

    pub(super) fn read(&self, state: StateId, bytes: &mut Vec<u8>) {
        let (part, local) = self.part(state);
        lock(part).store.read(StateId::new(local), bytes);
    }

    /// Finds a state, or adds it.
    pub(super) fn insert(&self, bytes: &[u8]) -> Result<StateId, OutOfMemory> {
        let key = Key::plain(bytes);
        let at = shard::of_key(key);
        let mut part = lock(&self.parts[at]);
        let Part { store, known, colours, budget, .. } = &mut *part;
        let id = store.insert_by_key(bytes, key, budget)?.id();
        let n_claim_states = self.n_claim_states() as usize;
        if id.index() == known.len() {
            let is_numbered = (store.len() << shard::BITS) * n_claim_states <= Node::MAX as usize;
            if !is_numbered {
                return Err(OutOfMemory);
            }
            budget.push(known, UNKNOWN)?;
            budget.reserve(colours, n_claim_states)?;
            colours.resize(colours.len() + n_claim_states, 0);
        }
        Ok(id_of(at, id))
    }

    /// Appends the steps of a state, if they are known; and by which letter the automaton goes.
    pub(super) fn steps(&self, state: StateId, targets: &mut Vec<(StateId, Pid)>) -> Option<u32> {
        let (part, local) = self.part(state);
        let part = lock(part);
        let known = part.known[local];
        if known.extent() == Extent::Unknown {
            return None;
        }
        let steps = known.steps();
        let pairs = part.targets[steps.clone()].iter().zip(&part.movers[steps]);
        targets.extend(pairs.map(|(&target, &mover)| (target, mover)));
        Some(known.letter())
    }

    /// Makes steps those of a state, unless it has some by now.
    pub(super) fn publish(&self, state: StateId, steps: &Steps) -> Result<(), OutOfMemory> {
        let (part, local) = self.part(state);
        let mut part = lock(part);
        let Part { known, targets, movers, counts, budget, .. } = &mut *part;
        if known[local].extent() > Extent::Unknown {
            return Ok(());
        }
        let start = targets.len();
        budget.reserve(targets, steps.targets.len())?;
        budget.reserve(movers, steps.movers.len())?;
        targets.extend_from_slice(&steps.targets);
        movers.extend_from_slice(&steps.movers);
        known[local] = Known::new(start..targets.len(), steps.letter, Extent::Chosen);
        counts.deadlocks += steps.counts.deadlocks;
        counts.failed_assertions += steps.counts.failed_assertions;
        counts.errors += steps.counts.errors;
        Ok(())
    }

    /// The number of a combination of what holds.
    pub(super) fn letter(&self, holds: &[bool]) -> u32 {
        let mut letters = lock(&self.letters);
        if let Some(&letter) = letters.numbers.get(holds) {
            return letter;
        }
        let letter = letters.numbers.len() as u32;
        letters.numbers.insert(holds.into(), letter);
        for claim_state in 0..self.n_claim_states() {
            let to = self.factors.automaton.successors(claim_state, |p| holds[p as usize]);
            letters.claim_moves.push(to.into());
        }
        letter
    }

    /// Adds where the automaton goes by the letters that are not there yet.
    pub(super) fn learn(&self, claim_moves: &mut Vec<Box<[u32]>>) {
        let letters = lock(&self.letters);
        claim_moves.extend_from_slice(&letters.claim_moves[claim_moves.len()..]);
    }

    fn mark(&self, node: Node, mark: u8, arcs: u64) -> bool {
        let (part, local) = self.part(self.state(node));
        let mut part = lock(part);
        let at = local * self.n_claim_states() as usize + self.claim_state(node) as usize;
        let is_new = part.colours[at] & mark == 0;
        part.colours[at] |= mark;
        if is_new && mark == ENTERED {
            part.counts.states += 1;
            part.counts.transitions += arcs;
        }
        is_new
    }

    fn has(&self, node: Node, mark: u8) -> bool {
        let (part, local) = self.part(self.state(node));
        let at = local * self.n_claim_states() as usize + self.claim_state(node) as usize;
        lock(part).colours[at] & mark != 0
    }

    /// A thread enters a node with so many arcs; they are counted once.
    pub(super) fn enter(&self, node: Node, n_arcs: usize) {
        self.mark(node, ENTERED, n_arcs as u64);
    }

    pub(super) fn is_blue(&self, node: Node) -> bool {
        self.has(node, BLUE)
    }

    pub(super) fn make_blue(&self, node: Node) {
        self.mark(node, BLUE, 0);
    }

    pub(super) fn is_red(&self, node: Node) -> bool {
        self.has(node, RED)
    }

    pub(super) fn make_red(&self, node: Node) {
        self.mark(node, RED, 0);
    }

    /// Whether threads have to stop.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Ends the search with what was found.
    pub(super) fn find(&self, discovery: Discovery) -> Going {
        lock(&self.found).get_or_insert(discovery);
        self.is_over.store(true, Ordering::Relaxed);
        ControlFlow::Break(())
    }

    /// Ends the search before its end.
    pub(super) fn halt(&self, why: Incomplete) -> Going {
        lock(&self.why).get_or_insert(why);
        self.is_over.store(true, Ordering::Relaxed);
        ControlFlow::Break(())
    }

    pub(super) fn stored<T>(&self, result: Result<T, OutOfMemory>) -> Going<T> {
        match result {
            Ok(value) => ControlFlow::Continue(value),
            Err(OutOfMemory) => {
                self.halt(Incomplete::Memory { limit: self.budget.limit() })?;
                ControlFlow::Break(())
            }
        }
    }

    pub(super) fn cut_off(&self) {
        self.cut_off.store(true, Ordering::Relaxed);
    }

    pub(super) fn discovery(&self) -> Option<Discovery> {
        *lock(&self.found)
    }

    /// Why not all was seen, if so.
    pub(super) fn why(&self) -> Option<Incomplete> {
        let cut_off = self.cut_off.load(Ordering::Relaxed).then_some(Incomplete::CutOff);
        lock(&self.why).or(cut_off)
    }

    pub(super) fn counts(&self) -> Counts {
        let mut all = Counts::default();
        for part in &self.parts {
            let counts = lock(part).counts;
            all.states += counts.states;
            all.transitions += counts.transitions;
            all.deadlocks += counts.deadlocks;
            all.failed_assertions += counts.failed_assertions;
            all.errors += counts.errors;
        }
        all
    }
}

/// The arcs that are known when the search is over.
pub(super) struct Arcs<'s, 'a> {
    shared: &'s Shared<'a>,
    claim_moves: Vec<Box<[u32]>>,
}

impl<'s, 'a> Arcs<'s, 'a> {
    pub(super) fn of(shared: &'s Shared<'a>) -> Self {
        let mut claim_moves = Vec::new();
        shared.learn(&mut claim_moves);
        Arcs { shared, claim_moves }
    }
}

impl Graph for Arcs<'_, '_> {
    fn arcs(&self, node: Node, arcs: &mut Vec<Arc>) {
        let Arcs { shared, claim_moves } = self;
        let mut steps = Vec::new();
        let Some(letter) = shared.steps(shared.state(node), &mut steps) else { return };
        for &to in &claim_moves[(letter * shared.n_claim_states() + shared.claim_state(node)) as usize] {
            arcs.extend(steps.iter().map(|&(target, mover)| Arc { to: shared.node(target, to), mover }));
        }
    }
}
