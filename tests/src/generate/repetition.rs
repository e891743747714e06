//! Loops. Inside `atomic` and `d_step` they count to a bound.

use super::features::Feature;
use super::names::{Generator, Segment, Type, Variable};
use super::statement::Place;
use super::tree::{Node, Sort};

impl Generator {
    pub(super) fn repetition(&mut self, place: Place) -> Option<Node> {
        if place.inline {
            return None;
        }
        if place.atomic || place.step {
            return Some(self.counted_do(place));
        }
        let inner = Place { breakable: true, repeated: true, ..place };
        let mut branches = self.branches(inner, false);
        if self.random.percent(55) {
            let condition = self.guard(inner.inner());
            let leave =
                Node::new(Sort::Branch).text(":: ").inline(vec![condition, Node::stmt("break")], "; ", 1);
            let at = self.random.below(branches.len() + 1);
            branches.insert(at, leave);
        }
        Some(Node::stmt("do").lines(branches, "", 1).text("od"))
    }

    /// A loop that ends whatever its body does.
    pub(super) fn counted_do(&mut self, place: Place) -> Node {
        let counter = self.counter();
        let inner = Place { breakable: false, repeated: true, ..place.inner() };
        let mut items = vec![
            Node::stmt(format!("({counter} < {})", self.random.range(1, 2))),
            Node::stmt(format!("{counter}++")),
        ];
        items.extend(self.scoped(|g| g.sequence(inner, 2)));
        let again = Node::new(Sort::Branch).text(":: ").inline(items, "; ", 2);
        let done = Node::new(Sort::Branch).text(":: else; break");
        Node::stmt(format!("{counter} = 0; do")).lines(vec![again, done], "", 2).text("od")
    }

    pub(super) fn count_loop(&mut self, place: Place) -> Node {
        let counter = self.counter();
        let inner = Place { breakable: !place.step, repeated: true, ..place.inner() };
        let n = 1 + self.random.below(2);
        let items = self.scoped(|g| {
            let read_only = Variable {
                base: counter.clone(),
                path: vec![Segment::Text(counter.clone())],
                ty: Type::Byte,
                writable: false,
            };
            g.scope().variables.push(read_only);
            g.block_of(inner, n)
        });
        let mut arrays: Vec<String> =
            self.scopes[0].variables.iter().filter(|v| v.path.len() == 3).filter_map(array).collect();
        arrays.retain(|name| !self.scopes[1..].iter().any(|s| s.variables.iter().any(|v| v.base == *name)));
        let header = match self.random.pick(&arrays) {
            Some(array) if self.random.percent(30) => format!("for ({counter} in {array}) {{"),
            _ => format!("for ({counter} : {} .. {}) {{", self.random.range(0, 1), self.random.range(1, 2)),
        };
        Node::stmt(header).lines(items, ";", 1).text("}").tagged(Feature::For)
    }

    fn counter(&mut self) -> String {
        let name = self.fresh("i");
        let ty = *self.random.pick(&["byte", "int", "short"]).expect("not empty");
        self.current.counters.push((name.clone(), ty));
        name
    }
}

fn array(variable: &Variable) -> Option<String> {
    let [Segment::Text(_), Segment::Index(_), Segment::Text(close)] = &variable.path[..] else { return None };
    (close == "]").then(|| variable.base.clone())
}
