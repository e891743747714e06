//! Depth-first through the product of a model and a claim, under a proviso, for whoever looks for cycles.
//!
//! A walk is made in passes. If a set of steps grows that another node has used before, a further pass
//! follows: in the last one every node has the steps of its state, and no set grew. A cycle that is found is
//! one in any case.
//!
//! Each pass has another order, in which other sets may have to grow. Where the claim can always go on, all
//! states of the model have to be visited anyway. Then, after the first pass, the model alone is walked under the
//! proviso, which settles all sets: a cycle of the product is one of the model.

use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_reduce::{Demand, Guardian, Open, Proviso};
use stubborn_relations::Fault;

use crate::exploration::{Flow, Halt};
use crate::product::{Arc, Extent, NOBODY, Node, Product};
use crate::store::StateId;

/// Looks for accepting cycles while nodes are entered and left.
pub(crate) trait Emptiness {
    /// Forgets everything, for another pass.
    fn clear(&mut self);

    /// Bytes for each node.
    fn bytes_per_node(&self) -> usize;

    /// There are so many nodes now.
    fn grow(&mut self, n_nodes: usize);

    /// A node is entered, by an arc of `mover`.
    fn enter(&mut self, product: &Product<'_, '_>, node: Node, mover: stubborn_ir::Pid);

    /// An arc leads to a node that was entered before. Breaks with a node on an accepting cycle.
    fn meets(&mut self, product: &Product<'_, '_>, from: Node, arc: Arc) -> ControlFlow<Node>;

    /// All arcs of a node were looked at. Breaks with a node on an accepting cycle.
    fn leave(&mut self, product: &Product<'_, '_>, node: Node) -> ControlFlow<Node>;

    /// Whether a node belongs to the component of the cycle found last, as far as that is known.
    fn is_near(&self, node: Node) -> bool;
}

/// Why a walk ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// An accepting node that can be reached from itself.
    Cycle(Node),
    /// A node in which the automaton has accepted.
    Final(Node),
    /// Something else.
    Halt(Halt),
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Self {
        Stop::Halt(halt)
    }
}

pub(crate) type Walked = ControlFlow<Stop>;

/// Turns a reason to stop into another.
pub(crate) fn lift<T>(flow: ControlFlow<Halt, T>) -> ControlFlow<Stop, T> {
    flow.map_break(Stop::Halt)
}

/// What was seen so far, in all passes.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Seen {
    pub(crate) nodes: u64,
    pub(crate) arcs: u64,
    pub(crate) depth: u64,
}

struct Frame {
    node: Node,
    start: usize,
    next: usize,
}

/// A walk.
pub(crate) struct Walk<'w> {
    emptiness: &'w mut dyn Emptiness,
    guardian: Guardian,
    frames: Vec<Frame>,
    arcs: Vec<Arc>,
    /// Where the arcs of a node lead; kept for its buffer.
    targets: Vec<Node>,
    nodes: Nodes,
    /// Nodes of this state that were entered in this pass; [`SEVERAL`] stands for more, too.
    used: Vec<u8>,
    is_stale: bool,
    seen: Seen,
    since_check: usize,
}

const SEVERAL: u8 = 2;

/// What is known of each node, side by side, since who looks at one of a node's marks looks at others.
#[derive(Default)]
struct Nodes(Vec<u8>);

/// It was entered in this pass.
const ENTERED: u8 = 1;
/// An arc leads to it, in this pass; told for provisos alone.
const FOUND: u8 = 2;
/// It was entered in some pass.
const COUNTED: u8 = 4;

impl Nodes {
    #[inline]
    fn is_entered(&self, node: Node) -> bool {
        self.0[node as usize] & ENTERED != 0
    }

    /// Enters a node; whether that is the first time in any pass.
    fn enter(&mut self, node: Node) -> bool {
        let marks = &mut self.0[node as usize];
        let is_first = *marks & COUNTED == 0;
        *marks |= ENTERED | FOUND | COUNTED;
        is_first
    }

    fn find(&mut self, arcs: &[Arc]) {
        arcs.iter().for_each(|arc| self.0[arc.to as usize] |= FOUND);
    }

    fn begin_pass(&mut self) {
        self.0.iter_mut().for_each(|marks| *marks &= COUNTED);
    }
}

impl Open for Nodes {
    fn is_new(&self, node: u32) -> bool {
        self.0[node as usize] & FOUND == 0
    }

    fn is_open(&self, node: u32) -> bool {
        !self.is_entered(node)
    }
}

/// Nodes between two looks at the clock.
const INTERVAL: usize = 4096;

impl<'w> Walk<'w> {
    pub(crate) fn new(emptiness: &'w mut dyn Emptiness) -> Self {
        Walk {
            emptiness,
            guardian: Guardian::new(Proviso::None, None),
            frames: Vec::new(),
            arcs: Vec::new(),
            targets: Vec::new(),
            nodes: Nodes::default(),
            used: Vec::new(),
            is_stale: false,
            seen: Seen::default(),
            since_check: 0,
        }
    }

    pub(crate) fn is_near(&self, node: Node) -> bool {
        self.emptiness.is_near(node)
    }

    pub(crate) fn seen(&self) -> Seen {
        self.seen
    }

    /// Walks from `initial` until no set of steps grew after it was used.
    pub(crate) fn run(
        &mut self,
        product: &mut Product<'_, '_>,
        initial: Node,
        guardian: impl Fn() -> Guardian,
    ) -> Walked {
        loop {
            self.guardian = guardian();
            self.begin(product);
            self.pass(product, initial)?;
            if !self.is_stale || product.fault() == Some(Fault::SetsPerNode) {
                return ControlFlow::Continue(());
            }
            if product.claim_can_go_on() {
                self.guardian = Guardian::new(Proviso::None, None);
                lift(settle(product, initial, guardian()))?;
                self.begin(product);
                return self.pass(product, initial);
            }
        }
    }

    fn begin(&mut self, product: &Product<'_, '_>) {
        self.is_stale = false;
        self.frames.clear();
        self.arcs.clear();
        self.nodes.begin_pass();
        self.used.fill(0);
        self.emptiness.clear();
        self.emptiness.grow(product.n_nodes());
        self.seen.arcs = 0;
    }

    fn pass(&mut self, product: &mut Product<'_, '_>, initial: Node) -> Walked {
        lift(self.grow(product))?;
        self.enter(product, Arc { to: initial, mover: NOBODY })?;
        while let Some(frame) = self.frames.last_mut() {
            let node = frame.node;
            let Some(&arc) = self.arcs.get(frame.next) else {
                self.leave(product)?;
                continue;
            };
            frame.next += 1;
            if frame.next == self.arcs.len() && !self.guardian.is_idle() {
                self.guardian.last_successor();
            }
            if !self.nodes.is_entered(arc.to) {
                self.enter(product, arc)?;
                continue;
            }
            self.emptiness.meets(product, node, arc).map_break(Stop::Cycle)?;
            if !self.guardian.is_idle() && self.guardian.meets(arc.to) == Demand::Everything {
                self.expand_again(product)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn enter(&mut self, product: &mut Product<'_, '_>, arc: Arc) -> Walked {
        let node = arc.to;
        let state = product.state(node);
        self.seen.depth = self.seen.depth.max(self.frames.len() as u64);
        if self.nodes.enter(node) {
            self.seen.nodes += 1;
            product.exploration.counts.depth = self.seen.depth;
        }
        lift(self.tick(product))?;
        lift(product.extend(state, Extent::Chosen))?;
        if product.is_final(node) {
            return ControlFlow::Break(Stop::Final(node));
        }
        lift(self.grow(product))?;
        let start = self.arcs.len();
        lift(self.append(product, node))?;
        if !self.guardian.is_idle() {
            self.guardian.enter(node);
            if product.extent_of(node) < Extent::Full {
                self.collect_targets(start);
                match self.guardian.judge(&self.targets, &self.nodes) {
                    Demand::Nothing => {}
                    Demand::More | Demand::Everything => {
                        self.extend(product, node, start, Extent::Full, 0)?
                    }
                    Demand::Visible => self.extend(product, node, start, Extent::Visible, 0)?,
                }
            }
            self.guardian.expanded(product.extent_of(node) == Extent::Full);
            self.nodes.find(&self.arcs[start..]);
        }
        let used = &mut self.used[state.index()];
        *used = (*used + 1).min(SEVERAL);
        self.emptiness.enter(product, node, arc.mover);
        let pushed = product.exploration.budget.push(&mut self.frames, Frame { node, start, next: start });
        lift(product.exploration.flow(pushed))
    }

    fn collect_targets(&mut self, start: usize) {
        self.targets.clear();
        self.targets.extend(self.arcs[start..].iter().map(|arc| arc.to));
    }

    /// More steps for the state of a node, whose arcs begin at `start`; so many nodes have used it that will do
    /// so again.
    fn extend(
        &mut self,
        product: &mut Product<'_, '_>,
        node: Node,
        start: usize,
        extent: Extent,
        n_again: u8,
    ) -> Walked {
        let state = product.state(node);
        if lift(product.extend_node(node, extent))? {
            self.is_stale |= self.used[state.index()] > n_again;
            lift(self.grow(product))?;
            self.seen.arcs -= (self.arcs.len() - start) as u64;
            self.arcs.truncate(start);
            lift(self.append(product, node))?;
        }
        ControlFlow::Continue(())
    }

    /// All steps for the node on top, and all its arcs once more.
    fn expand_again(&mut self, product: &mut Product<'_, '_>) -> Walked {
        let frame = self.frames.last_mut().expect("a node is on top");
        frame.next = frame.start;
        let (node, start) = (frame.node, frame.start);
        self.extend(product, node, start, Extent::Full, 1)?;
        self.nodes.find(&self.arcs[start..]);
        self.guardian.expanded(true);
        ControlFlow::Continue(())
    }

    fn leave(&mut self, product: &mut Product<'_, '_>) -> Walked {
        let frame = self.frames.last().expect("a node is left");
        let (node, start) = (frame.node, frame.start);
        if !self.guardian.is_idle() {
            self.collect_targets(start);
            let n_claim_states = product.n_claim_states();
            let exploration = &mut product.exploration;
            let state = |node: &Node| StateId(node / n_claim_states);
            let demand = self.guardian.leave(&self.targets, |component| {
                let states: Vec<u32> = component.iter().map(|node| state(node).0).collect();
                exploration.ignores(state(&node), &states)
            });
            if demand != Demand::Nothing {
                return self.expand_again(product);
            }
        }
        self.emptiness.leave(product, node).map_break(Stop::Cycle)?;
        self.arcs.truncate(start);
        self.frames.pop();
        ControlFlow::Continue(())
    }

    /// Appends the arcs of a node.
    fn append(&mut self, product: &mut Product<'_, '_>, node: Node) -> Flow {
        let n_before = self.arcs.len();
        let capacity = self.arcs.capacity();
        product.append_arcs(node, &mut self.arcs);
        self.seen.arcs += (self.arcs.len() - n_before) as u64;
        if self.arcs.capacity() > capacity {
            let bytes = |capacity: usize| capacity * size_of::<Arc>();
            let (from, to) = (bytes(capacity), bytes(self.arcs.capacity()));
            let given = product.exploration.budget.replace(from, to);
            return product.exploration.flow(given);
        }
        ControlFlow::Continue(())
    }

    /// Makes room for nodes that are new.
    fn grow(&mut self, product: &mut Product<'_, '_>) -> Flow {
        let n_nodes = product.n_nodes();
        let n_new = n_nodes - self.nodes.0.len();
        if n_new == 0 {
            return ControlFlow::Continue(());
        }
        let given = product.exploration.budget.replace(0, n_new * self.bytes_per_node());
        product.exploration.flow(given)?;
        self.nodes.0.resize(n_nodes, 0);
        self.used.resize(product.n_states(), 0);
        self.emptiness.grow(n_nodes);
        ControlFlow::Continue(())
    }

    fn bytes_per_node(&self) -> usize {
        let guardian = Guardian::BYTES_PER_STATE * usize::from(!self.guardian.is_idle());
        size_of::<u8>() + guardian + self.emptiness.bytes_per_node()
    }

    fn tick(&mut self, product: &mut Product<'_, '_>) -> Flow {
        self.since_check += 1;
        if self.since_check < INTERVAL {
            return ControlFlow::Continue(());
        }
        self.since_check = 0;
        product.check_clock()
    }
}

/// Walks the model without the claim, so that all sets grow that have to.
fn settle(product: &mut Product<'_, '_>, initial: Node, guardian: Guardian) -> Flow {
    let initial = product.state(initial);
    product.leave_out_claim(true);
    let mut nothing = Nothing;
    let mut walk = Walk { guardian, ..Walk::new(&mut nothing) };
    let walked = walk.pass(product, initial.0);
    let n_bytes = walk.nodes.0.len() * walk.bytes_per_node();
    product.leave_out_claim(false);
    match walked {
        ControlFlow::Break(Stop::Halt(halt)) => return ControlFlow::Break(halt),
        ControlFlow::Break(Stop::Cycle(_) | Stop::Final(_)) => unreachable!("nothing is accepted"),
        ControlFlow::Continue(()) => {}
    }
    let given = product.exploration.budget.replace(n_bytes, 0);
    product.exploration.flow(given)
}

/// Looks for nothing.
struct Nothing;

impl Emptiness for Nothing {
    fn clear(&mut self) {}

    fn bytes_per_node(&self) -> usize {
        0
    }

    fn grow(&mut self, _: usize) {}

    fn enter(&mut self, _: &Product<'_, '_>, _: Node, _: stubborn_ir::Pid) {}

    fn meets(&mut self, _: &Product<'_, '_>, _: Node, _: Arc) -> ControlFlow<Node> {
        ControlFlow::Continue(())
    }

    fn leave(&mut self, _: &Product<'_, '_>, _: Node) -> ControlFlow<Node> {
        ControlFlow::Continue(())
    }

    fn is_near(&self, _: Node) -> bool {
        false
    }
}
