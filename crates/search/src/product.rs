//! The product of a model and a claim automaton, found while it is walked.
//!
//! A node is a state of the model with a state of the automaton. The automaton moves first: by what holds in
//! the model's state, which then makes a step of its own. The steps of a model's state are found once and
//! kept: so all nodes with that state have the same (Siegel, "What's wrong with on-the-fly partial order
//! reduction"), and so has every search inside a search. A set of steps can grow; whoever used the smaller
//! one before has to begin again.

use std::ops::{ControlFlow, Range};

use hashbrown::HashMap;
use stubborn_base::Idx;
use stubborn_ir::{ClaimAutomaton, Pid};
use stubborn_relations::Fault;

use crate::exploration::{Exploration, Flow, Halt, Part};
use crate::limits::Incomplete;
use crate::observer::{Found, Observer, Progress};
use crate::store::StateId;

/// A state of the model and one of the automaton.
pub(crate) type Node = u32;

/// An arc of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arc {
    pub(crate) to: Node,
    /// Who moves in the model; [`NOBODY`] where a run that has ended stays as it is.
    pub(crate) mover: Pid,
}

/// No process.
pub(crate) const NOBODY: Pid = Pid::MAX;

/// How much of a state's steps is known and used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Extent {
    /// Nothing yet.
    Unknown,
    /// What the reducer chose.
    Chosen,
    /// That, and all visible steps with what they bring with them.
    Visible,
    /// All.
    Full,
}

/// What is known of a state of the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Its successors are `targets[start..start + len]`.
    start: usize,
    /// The length, and in the upper bits the extent: there is one of these for each state.
    len_and_extent: u32,
    /// What holds in it, by number of the combination.
    letter: u32,
}

const LEN_BITS: u32 = 30;

const EXTENTS: [Extent; 4] = [Extent::Unknown, Extent::Chosen, Extent::Visible, Extent::Full];

pub(crate) const UNKNOWN: Known = Known { start: 0, len_and_extent: 0, letter: 0 };

impl Known {
    pub(crate) fn new(steps: Range<usize>, letter: u32, extent: Extent) -> Self {
        debug_assert!(steps.len() < 1 << LEN_BITS);
        let len_and_extent = steps.len() as u32 | (extent as u32) << LEN_BITS;
        Known { start: steps.start, len_and_extent, letter }
    }

    #[inline]
    pub(crate) fn extent(&self) -> Extent {
        EXTENTS[(self.len_and_extent >> LEN_BITS) as usize]
    }

    /// What holds in the state, by number of the combination.
    pub(crate) fn letter(&self) -> u32 {
        self.letter
    }

    #[inline]
    pub(crate) fn steps(&self) -> Range<usize> {
        self.start..self.start + (self.len_and_extent & ((1 << LEN_BITS) - 1)) as usize
    }
}

/// What it is the product of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factors<'a> {
    pub(crate) automaton: &'a ClaimAutomaton,
    /// A run that ends stays in its last state for ever; otherwise it is no run.
    pub(crate) extends_finite_runs: bool,
}

pub(crate) struct Product<'m, 'a> {
    pub(crate) exploration: Exploration<'m>,
    factors: Factors<'a>,
    /// One while the claim is left out.
    n_claim_states: u32,
    is_without_claim: bool,
    has_final: bool,
    known: Vec<Known>,
    targets: Vec<StateId>,
    movers: Vec<Pid>,
    /// How many steps each takes, if that is asked for.
    lengths: Option<Vec<u32>>,
    letters: HashMap<Box<[bool]>, u32>,
    holds: Vec<bool>,
    /// By letter and state of the automaton: where it goes.
    claim_moves: Vec<Box<[u32]>>,
    /// A planted fault: sets as they were before they grew, and the nodes that saw them grow.
    smaller: HashMap<StateId, Known>,
    larger: Vec<Node>,
    watcher: Watcher<'a>,
}

/// Goes on whatever is violated, and passes on how far it is.
struct Watcher<'a>(&'a mut dyn Observer);

impl Observer for Watcher<'_> {
    fn violation(&mut self, _: Found<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) {
        self.0.progress(progress);
    }
}

impl<'m, 'a> Product<'m, 'a> {
    pub(crate) fn new(
        mut exploration: Exploration<'m>,
        factors: Factors<'a>,
        observer: &'a mut dyn Observer,
    ) -> Self {
        exploration.record_edges();
        Product {
            exploration,
            factors,
            n_claim_states: factors.automaton.states.len() as u32,
            is_without_claim: false,
            has_final: factors.automaton.states.iter().any(|state| state.is_final),
            known: Vec::new(),
            targets: Vec::new(),
            movers: Vec::new(),
            lengths: None,
            letters: HashMap::new(),
            holds: Vec::new(),
            claim_moves: Vec::new(),
            smaller: HashMap::new(),
            larger: Vec::new(),
            watcher: Watcher(observer),
        }
    }

    /// Stores the initial state; the node that every run begins in.
    pub(crate) fn start(&mut self) -> ControlFlow<Halt, Node> {
        let state = self.exploration.start()?;
        self.grow()?;
        ControlFlow::Continue(self.node(state, self.factors.automaton.initial))
    }

    /// Leaves the claim out from now on, or no more: meanwhile a node is a state of the model, and nothing is
    /// final.
    pub(crate) fn leave_out_claim(&mut self, is_without_claim: bool) {
        self.is_without_claim = is_without_claim;
        self.n_claim_states = if is_without_claim { 1 } else { self.factors.automaton.states.len() as u32 };
    }

    /// Whether the automaton can always go on, by the letters so far: then every state of the model is part of a
    /// node.
    pub(crate) fn claim_can_go_on(&self) -> bool {
        let n = self.n_claim_states as usize;
        let mut goes_on = vec![true; n];
        loop {
            let is_stuck = |&state: &usize| {
                let mut moves = self.claim_moves.iter().skip(state).step_by(n);
                goes_on[state] && moves.any(|targets| !targets.iter().any(|&to| goes_on[to as usize]))
            };
            match (0..n).find(is_stuck) {
                Some(state) => goes_on[state] = false,
                None => return goes_on[self.factors.automaton.initial as usize],
            }
        }
    }

    /// What is left out on purpose.
    pub(crate) fn fault(&self) -> Option<Fault> {
        self.exploration.reducer.as_ref().and_then(|reducer| reducer.plan().fault)
    }

    /// States of the model so far.
    pub(crate) fn n_states(&self) -> usize {
        self.known.len()
    }

    pub(crate) fn n_claim_states(&self) -> u32 {
        self.n_claim_states
    }

    /// The most processes that there were in a state.
    pub(crate) fn n_processes(&self) -> Pid {
        let layout = self.exploration.interpreter.layout();
        layout.instances().map(|(_, instance)| instance.pid + 1).max().unwrap_or(0)
    }

    /// One more than the largest node so far.
    pub(crate) fn n_nodes(&self) -> usize {
        self.known.len() * self.n_claim_states as usize
    }

    fn node(&self, state: StateId, claim_state: u32) -> Node {
        state.0 * self.n_claim_states + claim_state
    }

    /// The model's part of a node.
    #[inline]
    pub(crate) fn state(&self, node: Node) -> StateId {
        StateId(node / self.n_claim_states)
    }

    fn claim_state(&self, node: Node) -> &stubborn_ir::ClaimState {
        &self.factors.automaton.states[(node % self.n_claim_states) as usize]
    }

    pub(crate) fn is_accepting(&self, node: Node) -> bool {
        self.claim_state(node).accepting
    }

    /// Whether the automaton has accepted in a node whose state was expanded, or does so by what holds there.
    pub(crate) fn is_final(&self, node: Node) -> bool {
        let is_final = |&state: &u32| self.factors.automaton.states[state as usize].is_final;
        self.has_final
            && !self.is_without_claim
            && (self.claim_state(node).is_final || self.claim_moves(node).iter().any(is_final))
    }

    /// Where the automaton can go from a node whose state was expanded.
    fn claim_moves(&self, node: Node) -> &[u32] {
        if self.is_without_claim {
            return &[0];
        }
        let known = &self.known[self.state(node).index()];
        debug_assert!(known.extent() > Extent::Unknown);
        &self.claim_moves[(known.letter * self.n_claim_states + node % self.n_claim_states) as usize]
    }

    /// How much of the steps of a state is used.
    #[inline]
    pub(crate) fn extent(&self, state: StateId) -> Extent {
        self.known[state.index()].extent()
    }

    /// Sees to it that a state has at least so many of its steps; whether it had not.
    pub(crate) fn extend(&mut self, state: StateId, extent: Extent) -> ControlFlow<Halt, bool> {
        if self.extent(state) >= extent {
            return ControlFlow::Continue(false);
        }
        let Product { exploration, watcher, .. } = self;
        exploration.forget_edges();
        let mut is_full = true;
        if extent < Extent::Full {
            is_full = exploration.expand(state, Part::Chosen, watcher)?;
            if !is_full && extent == Extent::Visible {
                is_full = exploration.expand(state, Part::VisibleRest, watcher)?;
            }
        } else {
            exploration.expand(state, Part::All, watcher)?;
        }
        exploration.flush()?;
        let letter = self.read_letter()?;
        let is_end = !self.exploration.was_alive() && self.factors.extends_finite_runs;
        let start = self.targets.len();
        let Product { exploration, targets, movers, lengths, .. } = self;
        let n_new = exploration.states.targets().len() + usize::from(is_end);
        let reserved = exploration.budget.reserve(targets, n_new);
        let reserved = reserved.and_then(|()| exploration.budget.reserve(movers, n_new));
        exploration.flow(reserved)?;
        targets.extend_from_slice(exploration.states.targets());
        let layout = exploration.interpreter.layout();
        movers.extend(exploration.taken().iter().map(|edge| layout.instance(edge.mover).pid));
        if is_end {
            targets.push(state);
            movers.push(NOBODY);
        }
        if let Some(lengths) = lengths {
            let reserved = exploration.budget.reserve(lengths, n_new);
            exploration.flow(reserved)?;
            lengths.extend(exploration.taken().iter().map(|edge| edge.length));
            lengths.extend(is_end.then_some(0));
        }
        let extent = if is_full { Extent::Full } else { extent };
        self.grow()?;
        let is_faulty = matches!(self.fault(), Some(Fault::InnerSets | Fault::SetsPerNode));
        if is_faulty && self.extent(state) > Extent::Unknown {
            self.smaller.entry(state).or_insert(self.known[state.index()]);
        }
        self.known[state.index()] = Known::new(start..start + n_new, letter, extent);
        ControlFlow::Continue(true)
    }

    /// What holds in the state just expanded, as the number of that combination.
    fn read_letter(&mut self) -> ControlFlow<Halt, u32> {
        let Product { exploration, factors, holds, letters, claim_moves, .. } = self;
        holds.clear();
        for proposition in &factors.automaton.propositions {
            match exploration.holds(proposition) {
                Ok(value) => holds.push(value),
                Err(kind) => return ControlFlow::Break(Halt::Incomplete(Incomplete::Proposition(kind))),
            }
        }
        if let Some(&letter) = letters.get(&**holds) {
            return ControlFlow::Continue(letter);
        }
        let letter = letters.len() as u32;
        letters.insert(holds.as_slice().into(), letter);
        for claim_state in 0..factors.automaton.states.len() as u32 {
            let to = factors.automaton.successors(claim_state, |proposition| holds[proposition as usize]);
            claim_moves.push(to.into());
        }
        ControlFlow::Continue(letter)
    }

    /// Appends the arcs of a node whose state was expanded.
    pub(crate) fn append_arcs(&self, node: Node, arcs: &mut Vec<Arc>) {
        if let Some(known) = self.is_small(node) {
            return self.arcs_among(node, known, arcs);
        }
        self.arcs_among(node, &self.known[self.state(node).index()], arcs);
    }

    /// Sees to it that a node has at least so many steps; whether its state had not.
    pub(crate) fn extend_node(&mut self, node: Node, extent: Extent) -> ControlFlow<Halt, bool> {
        if self.fault() == Some(Fault::SetsPerNode) {
            self.larger.push(node);
            self.extend(self.state(node), extent)?;
            return ControlFlow::Continue(true);
        }
        self.extend(self.state(node), extent)
    }

    /// How much of its steps a node uses.
    #[inline]
    pub(crate) fn extent_of(&self, node: Node) -> Extent {
        match self.is_small(node) {
            Some(known) => known.extent(),
            None => self.extent(self.state(node)),
        }
    }

    /// A planted fault: a node that did not see the set of its state grow.
    #[inline]
    fn is_small(&self, node: Node) -> Option<&Known> {
        if self.smaller.is_empty() || self.fault() != Some(Fault::SetsPerNode) {
            return None;
        }
        self.smaller.get(&self.state(node)).filter(|_| !self.larger.contains(&node))
    }

    fn arcs_among(&self, node: Node, known: &Known, arcs: &mut Vec<Arc>) {
        let steps = known.steps();
        for &to in self.claim_moves(node) {
            let targets = self.targets[steps.clone()].iter().zip(&self.movers[steps.clone()]);
            arcs.extend(targets.map(|(&target, &mover)| Arc { to: self.node(target, to), mover }));
        }
    }

    /// From now on, the lengths of arcs are kept.
    pub(crate) fn measure(&mut self) {
        self.lengths = Some(Vec::new());
    }

    /// Appends the arcs of a node whose state was expanded, with how many steps each takes. They are measured.
    pub(crate) fn measured_arcs(&self, node: Node, arcs: &mut Vec<(Arc, u32)>) {
        let steps = self.known[self.state(node).index()].steps();
        let lengths = self.lengths.as_ref().expect("they are measured");
        for &to in self.claim_moves(node) {
            for i in steps.clone() {
                let arc = Arc { to: self.node(self.targets[i], to), mover: self.movers[i] };
                arcs.push((arc, lengths[i]));
            }
        }
    }

    /// Appends the arcs of a node as a search inside a search takes them: the same.
    pub(crate) fn inner_arcs(&self, node: Node, arcs: &mut Vec<Arc>) {
        match self.smaller.get(&self.state(node)).filter(|_| self.fault() == Some(Fault::InnerSets)) {
            Some(known) => self.arcs_among(node, known, arcs),
            None => self.append_arcs(node, arcs),
        }
    }

    /// The processes that can move in a state all of whose steps are known.
    pub(crate) fn movers(&self, state: StateId) -> &[Pid] {
        &self.movers[self.known[state.index()].steps()]
    }

    /// Makes room for states that are new.
    fn grow(&mut self) -> Flow {
        let Product { exploration, known, .. } = self;
        let n_states = exploration.states.store().len();
        let reserved = exploration.budget.reserve(known, n_states - known.len());
        exploration.flow(reserved)?;
        known.resize(n_states, UNKNOWN);
        if self.known.len() * self.factors.automaton.states.len() > Node::MAX as usize {
            // Nodes are numbered like states: there are no more numbers than memory for states.
            return self.exploration.out_of_memory();
        }
        ControlFlow::Continue(())
    }

    /// Looks at the clock.
    pub(crate) fn check_clock(&mut self) -> Flow {
        self.exploration.check_clock(&mut self.watcher)
    }
}
