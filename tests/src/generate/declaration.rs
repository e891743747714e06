//! Declarations among statements, and the blocks they are local to.

use super::features::{Feature, Features};
use super::names::{Generator, Segment, Variable};
use super::statement::Place;
use super::tree::Node;

impl Generator {
    pub(super) fn block(&mut self, place: Place) -> Node {
        let inner = place.inner();
        let items = self.scoped(|g| {
            // SPIN lets disjoint blocks use one name, but no block hide a name of an outer one.
            let visible: Vec<String> = g.variables().iter().map(|v| v.base.clone()).collect();
            let mut names: Vec<&str> = vec!["b1", "b2"];
            names.retain(|name| !visible.iter().any(|v| v == name));
            let name = match g.random.pick(&names) {
                Some(name) if !place.inline => name.to_string(),
                _ => g.fresh("b_"),
            };
            let mut items = vec![g.declare(name).tagged(Feature::MidDeclaration)];
            let n = 1 + g.random.below(2);
            items.extend(g.block_of(inner, n));
            items
        });
        Node::stmt("{").lines(items, ";", 1).text("}").tagged(Feature::Shadow)
    }

    pub(super) fn declaration(&mut self, _place: Place) -> Node {
        let name = self.fresh("m");
        self.declare(name).tagged(Feature::MidDeclaration)
    }

    /// A declaration of a local scalar, with or without a value.
    pub(super) fn declare(&mut self, name: String) -> Node {
        let ty = self.scalar_type();
        let node = Node::stmt(self.declarator(ty, &name));
        let node = if self.random.percent(65) {
            let before = self.on;
            self.on = self.on - Features::of(Feature::Remote);
            // A constant that does not fit is an error in an initialiser, unlike in an assignment.
            let value = match ty.tiny() {
                true => Node::expr(self.random.below(2).to_string()),
                false => self.value(ty),
            };
            self.on = before;
            node.text(" = ").child(value)
        } else {
            node
        };
        let path = vec![Segment::Text(name.clone())];
        self.scope().variables.push(Variable { base: name, path, ty, writable: true });
        node
    }
}
