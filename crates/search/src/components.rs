//! Strongly connected components while they are found (Couvreur; Gabow's way of keeping roots).
//!
//! A component is accepting as soon as it has a cycle and an accepting node. Under weak fairness, every
//! process must besides be unable to move somewhere in it, or move: a process that could always move, and
//! never does, is treated unfairly.

use std::ops::ControlFlow;

use stubborn_ir::Pid;

use crate::product::{Arc, NOBODY, Node, Product};
use crate::walk::Emptiness;

/// Processes that fairness is told for.
pub(crate) const MAX_FAIR: usize = 256;

/// A set of processes by number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Pids([u64; MAX_FAIR / 64]);

impl Pids {
    const ALL: Pids = Pids([u64::MAX; MAX_FAIR / 64]);

    fn insert(&mut self, pid: Pid) {
        if let Some(word) = self.0.get_mut(usize::from(pid) / 64) {
            *word |= 1 << (pid % 64);
        }
    }

    fn remove(&mut self, pid: Pid) {
        if let Some(word) = self.0.get_mut(usize::from(pid) / 64) {
            *word &= !(1 << (pid % 64));
        }
    }

    fn add(&mut self, other: Pids) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }
}

/// A component so far.
#[derive(Clone, Copy, Debug)]
struct Root {
    /// Of the node it was entered by.
    order: u32,
    /// Some accepting node.
    accepting: Option<Node>,
    /// The processes that are treated fairly.
    fair: Pids,
    /// Who moved to come here.
    mover: Pid,
}

/// The node does not belong to any component that could still grow.
const CLOSED: u32 = u32::MAX;

/// The state of the search.
pub(crate) struct Components {
    is_fair: bool,
    /// By node: when it was entered; 0 if it was not.
    order: Vec<u32>,
    n_entered: u32,
    open: Vec<Node>,
    roots: Vec<Root>,
}

impl Components {
    pub(crate) fn new(is_fair: bool) -> Self {
        Components { is_fair, order: Vec::new(), n_entered: 0, open: Vec::new(), roots: Vec::new() }
    }

    /// Whether a process is treated fairly by coming to a node.
    pub(crate) fn rests(product: &Product<'_, '_>, node: Node, pid: Pid) -> bool {
        !product.movers(product.state(node)).contains(&pid)
    }
}

impl Emptiness for Components {
    fn clear(&mut self) {
        self.order.clear();
        self.n_entered = 0;
        self.open.clear();
        self.roots.clear();
    }

    fn bytes_per_node(&self) -> usize {
        2 * size_of::<u32>()
    }

    fn grow(&mut self, n_nodes: usize) {
        self.order.resize(n_nodes, 0);
    }

    fn enter(&mut self, product: &Product<'_, '_>, node: Node, mover: Pid) {
        self.n_entered += 1;
        self.order[node as usize] = self.n_entered;
        self.open.push(node);
        let mut fair = Pids::ALL;
        if self.is_fair {
            product.movers(product.state(node)).iter().for_each(|&pid| fair.remove(pid));
        }
        let accepting = product.is_accepting(node).then_some(node);
        self.roots.push(Root { order: self.n_entered, accepting, fair, mover });
    }

    fn meets(&mut self, _: &Product<'_, '_>, _: Node, arc: Arc) -> ControlFlow<Node> {
        let order = self.order[arc.to as usize];
        if order == CLOSED {
            return ControlFlow::Continue(());
        }
        let mut fair = Pids::default();
        fair.insert(arc.mover);
        let mut accepting = None;
        while let Some(root) = self.roots.pop_if(|root| root.order > order) {
            fair.add(root.fair);
            fair.insert(root.mover);
            accepting = accepting.or(root.accepting);
        }
        let root = self.roots.last_mut().expect("the node is in an open component");
        root.fair.add(fair);
        root.accepting = root.accepting.or(accepting);
        match root.accepting {
            Some(node) if root.fair == Pids::ALL => ControlFlow::Break(node),
            _ => ControlFlow::Continue(()),
        }
    }

    fn leave(&mut self, _: &Product<'_, '_>, node: Node) -> ControlFlow<Node> {
        let order = self.order[node as usize];
        if self.roots.pop_if(|root| root.order == order).is_some() {
            while let Some(member) = self.open.pop() {
                self.order[member as usize] = CLOSED;
                if member == node {
                    break;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn is_near(&self, node: Node) -> bool {
        let order = self.order.get(node as usize).copied().unwrap_or(0);
        let root = self.roots.last().map_or(CLOSED, |root| root.order);
        order != CLOSED && order >= root
    }
}

/// Arcs of nobody are fair to all.
const _: () = assert!(NOBODY as usize >= MAX_FAIR);
