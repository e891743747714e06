//! Breadth-first through the product of a model and a claim, under a proviso: for claims that are decided by
//! a node in which the automaton has accepted, and to settle the sets of steps for a search for cycles.

use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_reduce::{Demand, Guardian, Open};

use crate::product::{Arc, Extent, Node, Product};
use crate::walk::{Seen, Stop, Walked, lift};

/// Nodes in the order they are found, which is the order they are visited in.
#[derive(Default)]
struct Queue {
    nodes: Vec<Node>,
    /// By node: its place in the queue, from 1; 0 if it is not there.
    place: Vec<u32>,
    /// The place of the node being visited.
    at: u32,
    /// Places before the node being visited was expanded.
    n_before: u32,
}

impl Open for Queue {
    fn is_new(&self, node: u32) -> bool {
        let place = self.place[node as usize];
        place == 0 || place > self.n_before
    }

    fn is_open(&self, node: u32) -> bool {
        let place = self.place[node as usize];
        place == 0 || place > self.at
    }
}

/// Bytes for each node.
const BYTES: usize = 2 * size_of::<Node>();

/// Visits all nodes, in passes as [`Walk::run`](crate::walk::Walk::run) does. Breaks with a final node.
pub(crate) fn visit(
    product: &mut Product<'_, '_>,
    initial: Node,
    guardian: &Guardian,
    seen: &mut Seen,
) -> Walked {
    let mut queue = Queue::default();
    let mut used = Vec::new();
    let mut arcs: Vec<Arc> = Vec::new();
    let mut counted: Vec<bool> = Vec::new();
    loop {
        let mut is_stale = false;
        used.clear();
        queue.nodes.clear();
        queue.place.clear();
        queue.place.resize(product.n_nodes(), 0);
        queue.nodes.push(initial);
        queue.place[initial as usize] = 1;
        seen.arcs = 0;
        let (mut next, mut level_end) = (0, 1);
        seen.depth = 0;
        while next < queue.nodes.len() {
            if next == level_end {
                seen.depth += 1;
                level_end = queue.nodes.len();
            }
            let node = queue.nodes[next];
            next += 1;
            queue.at = next as u32;
            queue.n_before = queue.nodes.len() as u32;
            let state = product.state(node);
            counted.resize(product.n_nodes(), false);
            if !std::mem::replace(&mut counted[node as usize], true) {
                seen.nodes += 1;
            }
            if next.is_multiple_of(4096) {
                lift(product.check_clock())?;
            }
            lift(product.extend(state, Extent::Chosen))?;
            if product.is_final(node) {
                return ControlFlow::Break(Stop::Final(node));
            }
            used.resize(product.n_states(), false);
            arcs.clear();
            product.append_arcs(node, &mut arcs);
            lift(grow(&mut queue, product))?;
            if !guardian.is_idle() && product.extent(state) < Extent::Full {
                let targets: Vec<Node> = arcs.iter().map(|arc| arc.to).collect();
                if guardian.judge(&targets, &queue) != Demand::Nothing {
                    lift(product.extend(state, Extent::Full))?;
                    is_stale |= used[state.index()];
                    used.resize(product.n_states(), false);
                    arcs.clear();
                    product.append_arcs(node, &mut arcs);
                    lift(grow(&mut queue, product))?;
                }
            }
            used[state.index()] = true;
            seen.arcs += arcs.len() as u64;
            for arc in &arcs {
                if queue.place[arc.to as usize] == 0 {
                    queue.nodes.push(arc.to);
                    queue.place[arc.to as usize] = queue.nodes.len() as u32;
                }
            }
        }
        if !is_stale {
            return ControlFlow::Continue(());
        }
    }
}

fn grow(queue: &mut Queue, product: &mut Product<'_, '_>) -> crate::exploration::Flow {
    let n_new = product.n_nodes() - queue.place.len();
    if n_new > 0 {
        let given = product.exploration.budget.replace(0, n_new * BYTES);
        product.exploration.flow(given)?;
        queue.place.resize(product.n_nodes(), 0);
    }
    ControlFlow::Continue(())
}
