//! From a node on an accepting cycle to the moves of a run: a shortest way there, and around.

use hashbrown::HashMap;
use stubborn_ir::{Move, Pid};

use crate::components::Components;
use crate::product::{Arc, Extent, NOBODY, Node, Product};

/// A run that a claim automaton accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The moves up to the cycle, or to the end.
    pub prefix: Vec<Move>,
    /// The moves of the cycle; none if nothing can move any more, or where the prefix is enough.
    pub cycle: Vec<Move>,
    /// Whether it goes on for ever; otherwise its prefix is enough.
    pub is_infinite: bool,
}

/// Arcs, each with the node it leaves.
pub(crate) type Path = Vec<(Node, Arc)>;

/// What is known of the arcs of nodes.
pub(crate) trait Graph {
    /// Appends the arcs of a node; none if they are not known.
    fn arcs(&self, node: Node, arcs: &mut Vec<Arc>);
}

impl Graph for Product<'_, '_> {
    fn arcs(&self, node: Node, arcs: &mut Vec<Arc>) {
        if self.extent(self.state(node)) > Extent::Unknown {
            self.append_arcs(node, arcs);
        }
    }
}

/// The run to a final node.
pub(crate) fn to_final(product: &mut Product<'_, '_>, initial: Node, node: Node) -> Run {
    let path = way(product, initial, node);
    // Where the automaton needs to see the last state again and again, the run is one that stays there.
    let is_infinite = path.iter().any(|(_, arc)| arc.mover == NOBODY);
    Run { prefix: moves(product, &path), cycle: Vec::new(), is_infinite }
}

/// The run to and around an accepting node. `is_near` holds of the nodes of its component, where that is
/// known; under weak fairness, the cycle is fair to every process.
pub(crate) fn around(
    product: &mut Product<'_, '_>,
    initial: Node,
    accepting: Node,
    is_near: &dyn Fn(Node) -> bool,
    is_fair: bool,
) -> Run {
    let prefix = way(product, initial, accepting);
    let mut cycle = Path::new();
    if is_fair {
        let n_processes = product.n_processes();
        for pid in 0..n_processes {
            let rests = |node| Components::rests(product, node, pid);
            let is_done = cycle.iter().any(|(_, arc)| arc.mover == pid || rests(arc.to));
            if is_done || rests(accepting) {
                continue;
            }
            let here = cycle.last().map_or(accepting, |(_, arc)| arc.to);
            cycle.extend(shortest(product, here, is_near, &|arc| arc.mover == pid || rests(arc.to)));
        }
    }
    let here = cycle.last().map_or(accepting, |(_, arc)| arc.to);
    if cycle.is_empty() || here != accepting {
        cycle.extend(shortest(product, here, is_near, &|arc| arc.to == accepting));
    }
    Run { prefix: moves(product, &prefix), cycle: moves(product, &cycle), is_infinite: true }
}

/// A shortest way to a node; none if it is where it begins.
pub(crate) fn way(graph: &dyn Graph, initial: Node, node: Node) -> Path {
    if initial == node {
        return Path::new();
    }
    shortest(graph, initial, &|_| true, &|arc| arc.to == node)
}

/// A shortest path of at least one arc whose last arc is wanted; none if there is none.
pub(crate) fn shortest(
    graph: &dyn Graph,
    from: Node,
    within: &dyn Fn(Node) -> bool,
    wanted: &dyn Fn(Arc) -> bool,
) -> Path {
    let mut reached: HashMap<Node, (Node, Pid)> = HashMap::new();
    let mut queue = vec![from];
    let mut arcs = Vec::new();
    let mut next = 0;
    while let Some(&node) = queue.get(next) {
        next += 1;
        arcs.clear();
        graph.arcs(node, &mut arcs);
        for &arc in arcs.iter().filter(|arc| within(arc.to)) {
            if wanted(arc) {
                let mut path = vec![(node, arc)];
                let mut at = node;
                while at != from {
                    let (before, mover) = reached[&at];
                    path.push((before, Arc { to: at, mover }));
                    at = before;
                }
                path.reverse();
                return path;
            }
            if arc.to != from && !reached.contains_key(&arc.to) {
                reached.insert(arc.to, (node, arc.mover));
                queue.push(arc.to);
            }
        }
    }
    Path::new()
}

/// The moves of the model along a path.
pub(crate) fn moves(product: &mut Product<'_, '_>, path: &Path) -> Vec<Move> {
    let mut moves = Vec::new();
    for &(from, arc) in path {
        if arc.mover != NOBODY {
            let (from, to) = (product.state(from), product.state(arc.to));
            product.exploration.moves_between(from, to, Some(arc.mover), &mut moves);
        }
    }
    moves
}
