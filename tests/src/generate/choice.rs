//! Selections, their options, and what an option begins with.

use super::channel::Wanted;
use super::features::Feature;
use super::names::Generator;
use super::statement::Place;
use super::tree::{Node, Sort};

impl Generator {
    pub(super) fn selection(&mut self, place: Place) -> Node {
        let branches = self.branches(place, true);
        Node::stmt("if").lines(branches, "", 1).text("fi")
    }

    /// Options of a selection or repetition.
    pub(super) fn branches(&mut self, place: Place, is_selection: bool) -> Vec<Node> {
        let inner = place.inner();
        let n = 1 + self.random.below(3);
        let mut branches: Vec<Node> = (0..n).map(|_| self.branch(inner)).collect();
        // A selection inside a `d_step` must always have something to do.
        let inner_else = |b: &Node| b.features().has(Feature::NestedSelection) && b.render().contains("else");
        let wants_else = place.step
            || !branches.iter().any(inner_else)
                && self.chance(Feature::Else, if is_selection { 40 } else { 25 });
        let io = [Feature::BufferedChannel, Feature::Rendezvous, Feature::Poll];
        let io = io.iter().any(|&f| branches.iter().any(|b| b.features().has(f)));
        if wants_else && (!io || self.has(Feature::ElseIo) || place.step) {
            let rest = if self.random.percent(40) { Vec::new() } else { self.sequence(inner, 1) };
            let mut items = vec![Node::stmt("else").tagged(if io { Feature::ElseIo } else { Feature::Else })];
            items.extend(rest);
            let at =
                if self.random.percent(80) { branches.len() } else { self.random.below(branches.len() + 1) };
            branches.insert(at, Node::new(Sort::Branch).text(":: ").inline(items, "; ", 1));
        }
        branches
    }

    fn branch(&mut self, place: Place) -> Node {
        self.current.budget = self.current.budget.saturating_sub(1);
        let first = self.first(place);
        let n = self.random.below(4);
        let mut items = vec![first];
        if n > 0 {
            items.extend(self.scoped(|g| g.sequence(place, n)));
        }
        Node::new(Sort::Branch).text(":: ").inline(items, "; ", 1)
    }

    /// What an option or an escape begins with: mostly something that waits.
    pub(super) fn first(&mut self, place: Place) -> Node {
        if place.step {
            return self.guard(place);
        }
        let nest = usize::from(place.depth > 0);
        let choice = self.random.weighted(&[
            (40, 0),
            (24, 1),
            (14, 2),
            (self.weight(Feature::Timeout, 6), 3),
            (self.weight(Feature::NestedSelection, 16) * nest, 4),
            (self.weight(Feature::Atomic, 10) * nest, 5),
            (self.weight(Feature::Step, 9) * nest, 6),
            (8, 7),
            (
                self.weight(Feature::NestedSelection, 6) * nest * usize::from(!place.atomic && !place.inline),
                8,
            ),
        ]);
        let node = match choice {
            1 => self.receive(Wanted::Any, false),
            2 => self.send(Wanted::Any),
            3 => Some(Node::stmt("timeout").tagged(Feature::Timeout)),
            4 => Some(self.selection(place).tagged(Feature::NestedSelection)),
            5 => Some(self.atomic(place)),
            6 => Some(self.step(place)),
            7 => Some(self.assignment(place)),
            8 => self.repetition(place).map(|node| node.tagged(Feature::NestedSelection)),
            _ => None,
        };
        node.unwrap_or_else(|| self.guard(place))
    }
}
