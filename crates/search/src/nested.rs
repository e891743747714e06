//! Nested depth-first search: an accepting node is looked for from itself when it is left.
//!
//! Schwoon and Esparza, "A note on on-the-fly verification algorithms": a cycle is found as soon as an arc
//! closes it if one of its ends is accepting, and nodes that lead nowhere new are red without being searched.

use std::ops::ControlFlow;

use stubborn_ir::Pid;

use crate::product::{Arc, Node, Product};
use crate::walk::Emptiness;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Colour {
    /// Not entered.
    White,
    /// On the stack.
    Cyan,
    /// Left, and not yet searched from an accepting node.
    Blue,
    /// On no accepting cycle.
    Red,
}

/// The state of a nested search.
#[derive(Default)]
pub(crate) struct Nested {
    colours: Vec<Colour>,
    /// By node on the stack: all its successors so far are red.
    all_red: Vec<bool>,
}

impl Nested {
    /// The inner search: whether a node on the stack can be reached.
    fn search_red(&mut self, product: &Product<'_, '_>, seed: Node) -> ControlFlow<Node> {
        let mut arcs = Vec::new();
        product.inner_arcs(seed, &mut arcs);
        while let Some(arc) = arcs.pop() {
            match self.colours[arc.to as usize] {
                Colour::Cyan => return ControlFlow::Break(seed),
                Colour::Blue => {
                    self.colours[arc.to as usize] = Colour::Red;
                    product.inner_arcs(arc.to, &mut arcs);
                }
                Colour::White | Colour::Red => {}
            }
        }
        ControlFlow::Continue(())
    }
}

impl Emptiness for Nested {
    fn clear(&mut self) {
        self.colours.clear();
        self.all_red.clear();
    }

    fn bytes_per_node(&self) -> usize {
        size_of::<Colour>()
    }

    fn grow(&mut self, n_nodes: usize) {
        self.colours.resize(n_nodes, Colour::White);
    }

    fn enter(&mut self, _: &Product<'_, '_>, node: Node, _: Pid) {
        self.colours[node as usize] = Colour::Cyan;
        self.all_red.push(true);
    }

    fn meets(&mut self, product: &Product<'_, '_>, from: Node, arc: Arc) -> ControlFlow<Node> {
        let colour = self.colours[arc.to as usize];
        if colour == Colour::Cyan {
            for node in [from, arc.to] {
                if product.is_accepting(node) {
                    return ControlFlow::Break(node);
                }
            }
        }
        if colour != Colour::Red {
            self.note_other();
        }
        ControlFlow::Continue(())
    }

    fn leave(&mut self, product: &Product<'_, '_>, node: Node) -> ControlFlow<Node> {
        let all_red = self.all_red.pop().expect("the node is on the stack");
        let colour = if all_red {
            Colour::Red
        } else if product.is_accepting(node) {
            // It stays on the stack meanwhile: to come back to it closes a cycle.
            self.search_red(product, node)?;
            Colour::Red
        } else {
            Colour::Blue
        };
        self.colours[node as usize] = colour;
        if colour != Colour::Red {
            self.note_other();
        }
        ControlFlow::Continue(())
    }

    fn is_near(&self, _: Node) -> bool {
        true
    }
}

impl Nested {
    /// The node on top has a successor that is not red.
    fn note_other(&mut self) {
        if let Some(all_red) = self.all_red.last_mut() {
            *all_red = false;
        }
    }
}
