//! One thread of a nested depth-first search.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::thread;

use hashbrown::HashSet;
use stubborn_ir::{Interpreter, Outcome, Pid, Prepared};
use stubborn_reduce::{Plan, Reducer, Reduction, Wish};

use super::Going;
use super::shared::{Shared, Steps};
use crate::budget::{Budget, OutOfMemory};
use crate::limits::Incomplete;
use crate::observer::{Counts, Progress};
use crate::product::{Arc, NOBODY, Node};
use crate::store::StateId;

/// What a thread found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Discovery {
    /// An accepting node that can be reached from itself.
    Cycle(Node),
    /// A node in which the automaton has accepted.
    Final(Node),
}

/// Nodes between two looks at the clock.
const INTERVAL: usize = 1024;

/// A node on the stack; its arcs not yet looked at are `next..` of all, up to the next frame's `start`.
struct Frame {
    node: Node,
    start: usize,
    next: usize,
}

/// Nodes, counted in the budget.
struct Nodes {
    nodes: HashSet<Node>,
    cost: usize,
}

impl Nodes {
    fn new() -> Self {
        Nodes { nodes: HashSet::new(), cost: 0 }
    }

    /// Adds a node; whether it was not there.
    fn insert(&mut self, node: Node, budget: &mut Budget) -> Result<bool, OutOfMemory> {
        if self.nodes.len() == self.nodes.capacity() {
            // A node and a byte of control, in a table that is twice as large and never quite full.
            let cost = 2 * (self.nodes.capacity() + 8) * (size_of::<Node>() + 1) * 8 / 7;
            budget.replace(self.cost, cost)?;
            self.cost = cost;
            self.nodes.reserve(self.nodes.len() + 1);
        }
        Ok(self.nodes.insert(node))
    }

    fn contains(&self, node: Node) -> bool {
        self.nodes.contains(&node)
    }
}

/// A thread of a search.
pub(super) struct Worker<'m, 's> {
    number: usize,
    shared: &'s Shared<'s>,
    interpreter: Interpreter<'m>,
    reducer: Option<Reducer<'m>>,
    /// By letter and state of the automaton: where it goes.
    claim_moves: Vec<Box<[u32]>>,
    has_final: bool,
    frames: Vec<Frame>,
    arcs: Vec<Arc>,
    cyan: Nodes,
    budget: Budget,
    depth: usize,
    since_check: usize,
    /// Kept for their buffers.
    state: Vec<u8>,
    found: Steps,
    steps: Vec<(StateId, Pid)>,
}

impl<'m, 's> Worker<'m, 's> {
    pub(super) fn new(
        number: usize,
        interpreter: Interpreter<'m>,
        initial: &[u8],
        plan: &Plan,
        shared: &'s Shared<'s>,
    ) -> Self {
        let mut interpreter = interpreter;
        interpreter.heed(shared.clock.watch(&shared.budget));
        let model = interpreter.model();
        Worker {
            number,
            shared,
            interpreter,
            reducer: (plan.reduction != Reduction::None).then(|| Reducer::new(model, initial, plan.clone())),
            claim_moves: Vec::new(),
            has_final: shared.factors.automaton.states.iter().any(|state| state.is_final),
            frames: Vec::new(),
            arcs: Vec::new(),
            cyan: Nodes::new(),
            budget: shared.budget.clone(),
            depth: 0,
            since_check: 0,
            state: Vec::new(),
            found: Steps::default(),
            steps: Vec::new(),
        }
    }

    /// The longest way on the stack.
    pub(super) fn depth(&self) -> u64 {
        self.depth.saturating_sub(1) as u64
    }

    /// The outer search, from a node. Calls `tell` now and then.
    pub(super) fn run(&mut self, start: Node, tell: &mut dyn FnMut(&Progress)) {
        if !self.shared.is_over() {
            // It breaks when the search is over, which all threads see.
            let _ = self.search_blue(start, tell);
        }
    }

    fn search_blue(&mut self, start: Node, tell: &mut dyn FnMut(&Progress)) -> Going {
        self.enter(start)?;
        while let Some(frame) = self.frames.last_mut() {
            let node = frame.node;
            let Some(&arc) = self.arcs.get(frame.next) else {
                self.leave()?;
                self.tick(tell)?;
                continue;
            };
            frame.next += 1;
            if self.cyan.contains(arc.to) {
                if let Some(node) = [node, arc.to].into_iter().find(|&node| self.shared.is_accepting(node)) {
                    return self.shared.find(Discovery::Cycle(node));
                }
            } else if !self.shared.is_blue(arc.to) {
                self.enter(arc.to)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn enter(&mut self, node: Node) -> Going {
        let inserted = self.cyan.insert(node, &mut self.budget);
        self.shared.stored(inserted)?;
        let start = self.arcs.len();
        self.append(node)?;
        self.shared.enter(node, self.arcs.len() - start);
        self.permute(node, start);
        let pushed = self.budget.push(&mut self.frames, Frame { node, start, next: start });
        self.shared.stored(pushed)?;
        self.depth = self.depth.max(self.frames.len());
        ControlFlow::Continue(())
    }

    fn leave(&mut self) -> Going {
        let frame = self.frames.pop().expect("a node is left");
        self.arcs.truncate(frame.start);
        let node = frame.node;
        self.shared.make_blue(node);
        if self.shared.is_accepting(node) && !self.shared.is_red(node) {
            self.search_red(node)?;
        }
        self.cyan.nodes.remove(&node);
        ControlFlow::Continue(())
    }

    /// The inner search: whether a node on the stack can be reached from an accepting one, which is on top of it.
    fn search_red(&mut self, seed: Node) -> Going {
        let mut met = Nodes::new();
        let mut all = vec![seed];
        let bottom = self.arcs.len();
        let inserted = met.insert(seed, &mut self.budget);
        self.shared.stored(inserted)?;
        self.append(seed)?;
        while self.arcs.len() > bottom {
            let arc = self.arcs.pop().expect("one is there");
            if self.cyan.contains(arc.to) {
                return self.shared.find(Discovery::Cycle(seed));
            }
            if met.contains(arc.to) || self.shared.is_red(arc.to) {
                continue;
            }
            let inserted = met.insert(arc.to, &mut self.budget);
            self.shared.stored(inserted)?;
            let pushed = self.budget.push(&mut all, arc.to);
            self.shared.stored(pushed)?;
            self.append(arc.to)?;
            self.tick(&mut |_| {})?;
        }
        for &node in all.iter().filter(|&&node| node != seed && self.shared.is_accepting(node)) {
            self.wait_for(node)?;
        }
        all.iter().for_each(|&node| self.shared.make_red(node));
        self.budget.give_back(met.cost + all.capacity() * size_of::<Node>());
        ControlFlow::Continue(())
    }

    /// Waits until another thread has searched from a node.
    fn wait_for(&mut self, node: Node) -> Going {
        while !self.shared.is_red(node) {
            if self.shared.is_over() {
                return ControlFlow::Break(());
            }
            if let Err(why) = self.shared.clock.check() {
                return self.shared.halt(why);
            }
            thread::yield_now();
        }
        ControlFlow::Continue(())
    }

    /// Another order for every thread: the first has the one of the model.
    fn permute(&mut self, node: Node, start: usize) {
        let arcs = &mut self.arcs[start..];
        let mut random = (self.number as u64) << 32 | u64::from(node);
        if self.number > 0 {
            for at in (1..arcs.len()).rev() {
                random = crate::tree::hash_pair(random);
                arcs.swap(at, (random % (at as u64 + 1)) as usize);
            }
        }
    }

    /// Appends the arcs of a node. Breaks if the automaton has accepted in it.
    fn append(&mut self, node: Node) -> Going {
        let shared = self.shared;
        let state = shared.state(node);
        self.steps.clear();
        let mut letter = shared.steps(state, &mut self.steps);
        if letter.is_none() {
            self.expand(state)?;
            let published = shared.publish(state, &self.found);
            shared.stored(published)?;
            letter = shared.steps(state, &mut self.steps);
        }
        let letter = letter.expect("it was published");
        let at = (letter * shared.n_claim_states() + shared.claim_state(node)) as usize;
        if at >= self.claim_moves.len() {
            shared.learn(&mut self.claim_moves);
        }
        let to = &self.claim_moves[at];
        let states = &shared.factors.automaton.states;
        let is_final = |state: u32| states[state as usize].is_final;
        if self.has_final && (is_final(shared.claim_state(node)) || to.iter().any(|&to| is_final(to))) {
            return shared.find(Discovery::Final(node));
        }
        let reserved = self.budget.reserve(&mut self.arcs, to.len() * self.steps.len());
        shared.stored(reserved)?;
        for &to in to {
            let arc = |&(target, mover): &(StateId, Pid)| Arc { to: shared.node(target, to), mover };
            self.arcs.extend(self.steps.iter().map(arc));
        }
        ControlFlow::Continue(())
    }

    /// Finds the steps of a state.
    fn expand(&mut self, id: StateId) -> Going {
        let Worker { shared, interpreter, reducer, state, found, .. } = self;
        shared.read(id, state);
        interpreter.reach(state.len());
        let prepared = interpreter.prepare(state);
        if let Some(reducer) = reducer
            && let Some(chosen) = reducer.choose(interpreter, state, prepared, Wish::Nothing)
        {
            interpreter.retain(|i| chosen[i]);
        }
        found.targets.clear();
        found.movers.clear();
        found.counts = Counts::default();
        let mut movers = Vec::new();
        let mut failed = None;
        let stopped = interpreter.edges(state, |edge| {
            found.counts.failed_assertions += edge.failed.len() as u64;
            match edge.outcome {
                Outcome::State(target) => match shared.insert(target) {
                    Ok(target) => {
                        found.targets.push(target);
                        movers.push(edge.steps[0].process);
                    }
                    Err(out) => failed = Some(out),
                },
                Outcome::Error(_) => found.counts.errors += 1,
                Outcome::Endless => shared.has_endless.store(true, Ordering::Relaxed),
                Outcome::CutOff => shared.cut_off(),
            }
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        shared.stored(failed.map_or(Ok(()), Err))?;
        if stopped || reducer.as_ref().is_some_and(Reducer::is_over) {
            // Only the clock stops it.
            return shared.halt(shared.clock.check().err().unwrap_or(Incomplete::Cancelled));
        }
        let layout = interpreter.layout();
        found.movers.extend(movers.into_iter().map(|mover| layout.instance(mover).pid));
        if !prepared.is_alive() {
            found.counts.deadlocks += u64::from(!interpreter.is_valid_end(state));
            if shared.factors.extends_finite_runs {
                found.targets.push(id);
                found.movers.push(NOBODY);
            }
        }
        self.read_letter(prepared)
    }

    /// What holds in the state just expanded.
    fn read_letter(&mut self, prepared: Prepared) -> Going {
        let Worker { shared, interpreter, state, found, .. } = self;
        let is_timeout = prepared != Prepared::Steps;
        let propositions = shared.factors.automaton.propositions.iter();
        let holds: Result<Vec<bool>, _> =
            propositions.map(|p| interpreter.holds_at(state, p, is_timeout)).collect();
        match holds {
            Ok(holds) => found.letter = shared.letter(&holds),
            Err(kind) => return shared.halt(Incomplete::Proposition(kind)),
        }
        ControlFlow::Continue(())
    }

    fn tick(&mut self, tell: &mut dyn FnMut(&Progress)) -> Going {
        self.since_check += 1;
        if self.since_check < INTERVAL {
            return ControlFlow::Continue(());
        }
        self.since_check = 0;
        if self.number == 0 {
            tell(&Progress { counts: self.shared.counts(), bytes: self.budget.used() });
        }
        match self.shared.clock.check() {
            _ if self.shared.is_over() => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => self.shared.halt(why),
        }
    }
}
