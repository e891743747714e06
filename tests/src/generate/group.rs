//! Groups of statements: `atomic`, `d_step`, `unless`.

use super::channel::Wanted;
use super::features::{Feature, Features};
use super::names::Generator;
use super::statement::Place;
use super::tree::{Node, Sort};

impl Generator {
    pub(super) fn atomic(&mut self, place: Place) -> Node {
        let inner = Place { atomic: true, ..place.inner() };
        let n = 1 + self.random.below(4);
        let items = self.scoped(|g| {
            let first = if g.random.percent(40) { g.first(inner) } else { g.statement(inner) };
            let mut items = vec![first];
            items.extend(g.sequence(inner, n));
            items
        });
        Node::stmt("atomic {").lines(items, ";", 1).text("}").tagged(Feature::Atomic)
    }

    pub(super) fn step(&mut self, place: Place) -> Node {
        let inner = Place { step: true, breakable: false, ..place.inner() };
        let n = 1 + self.random.below(3);
        let before = self.on;
        self.on = self.on - Features::of(Feature::Remote);
        let items = self.scoped(|g| {
            // `pan` lets a `d_step` that begins with `assert` or `printf` answer somebody else's rendezvous.
            let first = match g.random.below(12) {
                0..=3 => Some(g.guard(place)),
                4..=5 => g.receive(Wanted::Buffered, false),
                6 => g.send(Wanted::Buffered),
                7 if inner.depth > 0 => Some(g.selection(inner)),
                8 if inner.depth > 0 && !place.inline => Some(g.counted_do(inner)),
                _ => None,
            };
            let mut items = vec![first.unwrap_or_else(|| g.assignment(place))];
            items.extend(g.sequence(inner, n));
            items
        });
        self.on = before;
        Node::stmt("d_step {").lines(items, ";", 1).text("}").tagged(Feature::Step)
    }

    pub(super) fn unless(&mut self, place: Place) -> Node {
        self.unless_depth += 1;
        let node = self.body_and_escape(place);
        self.unless_depth -= 1;
        node
    }

    fn body_and_escape(&mut self, place: Place) -> Node {
        let inner = place.inner();
        let body = match self.random.below(6) {
            0 if self.has(Feature::Atomic) => self.atomic(inner),
            1 => self.selection(inner),
            2 if !place.inline && !place.atomic && !place.breakable => {
                self.repetition(inner).unwrap_or_else(|| self.selection(inner))
            }
            _ => {
                let n = 1 + self.random.below(3);
                let items = self.scoped(|g| g.block_of(inner, n));
                Node::stmt("{").lines(items, ";", 1).text("}")
            }
        };
        // SPIN merges the options of an escape into those of the body, and wants at most one `else` among
        // them.
        let before = self.on;
        self.on = self.on - Features::of(Feature::Else);
        let escape = self.scoped(|g| {
            let mut items = vec![g.escape(inner)];
            let n = g.random.below(2);
            if n > 0 {
                items.extend(g.block_of(inner, n));
            }
            items
        });
        self.on = before;
        Node::new(Sort::Statement)
            .child(body)
            .text(" unless {")
            .lines(escape, ";", 1)
            .text("}")
            .tagged(Feature::Unless)
    }

    /// What an escape begins with.
    ///
    /// When an escape has several transitions, of which one is executable and a later one offers a
    /// rendezvous that nobody takes, `pan` forgets that there was an escape (the failed attempt sets
    /// `trpt->e_state` to 0) and lets the body go on as well:
    ///
    /// ```promela
    /// chan c = [0] of { byte };
    /// active proctype P() { skip unless { if :: c!0 :: skip fi } }
    /// ```
    ///
    /// has three transitions there and two here, since an escape that can be taken pre-empts the body.
    /// So a rendezvous is offered only by an escape that has no other transitions.
    fn escape(&mut self, place: Place) -> Node {
        if self.unless_depth == 1 && self.random.percent(15) {
            return self.send(Wanted::Any).unwrap_or_else(|| self.guard(place));
        }
        let before = std::mem::replace(&mut self.no_offers, true);
        let node = self.first(place);
        self.no_offers = before;
        node
    }
}
