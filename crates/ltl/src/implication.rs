//! Implications that can be read off the form of two formulas (Somenzi, Bloem 2000, and their extension
//! to purely eventual and universal formulas).
//!
//! Sound, not complete: `false` means that it is not known.

use crate::nnf::{Id, Node, Store};

/// Of more pairs than this it is not found out.
const MAX_KNOWN: usize = 300_000;

impl Store {
    /// Whether `f` is seen to imply `g`.
    pub(crate) fn implies(&mut self, f: Id, g: Id) -> bool {
        if f == g || f == Id::FALSE || g == Id::TRUE {
            return true;
        }
        if f == Id::TRUE || g == Id::FALSE {
            return false;
        }
        if let Some(&known) = self.implications.get(&(f, g)) {
            return known;
        }
        if self.implications.len() > MAX_KNOWN {
            return false;
        }
        let result = self.implies_by_left(f, g) || self.implies_by_right(f, g) || self.implies_by_both(f, g);
        self.implications.insert((f, g), result);
        result
    }

    /// Rules that look into `f`.
    fn implies_by_left(&mut self, f: Id, g: Id) -> bool {
        match self.node(f).clone() {
            Node::And(operands) => operands.iter().any(|&operand| self.implies(operand, g)),
            Node::Or(operands) => operands.iter().all(|&operand| self.implies(operand, g)),
            Node::Next(a) => self.form(g).is_eventual && self.implies(a, g),
            Node::Until(a, b) => self.implies(b, g) && (self.form(g).is_eventual || self.implies(a, g)),
            Node::Release(a, b) => {
                // It implies b, and b && (a || X f).
                self.implies(b, g) || a == Id::FALSE && self.always_implies(b, g)
            }
            _ => false,
        }
    }

    /// Whether `G f` implies `g`, looking through next operators.
    fn always_implies(&mut self, f: Id, g: Id) -> bool {
        match self.node(g).clone() {
            Node::Next(a) => self.implies(f, a) || self.always_implies(f, a),
            _ => false,
        }
    }

    /// Rules that look into `g`.
    fn implies_by_right(&mut self, f: Id, g: Id) -> bool {
        match self.node(g).clone() {
            Node::And(operands) => operands.iter().all(|&operand| self.implies(f, operand)),
            Node::Or(operands) => operands.iter().any(|&operand| self.implies(f, operand)),
            Node::Next(a) => self.form(f).is_universal && self.implies(f, a),
            Node::Until(_, b) => self.implies(f, b),
            Node::Release(a, b) => self.implies(f, b) && (self.form(f).is_universal || self.implies(f, a)),
            _ => false,
        }
    }

    /// Rules that look into both.
    fn implies_by_both(&mut self, f: Id, g: Id) -> bool {
        match (self.node(f).clone(), self.node(g).clone()) {
            (Node::Next(a), Node::Next(b)) => self.implies(a, b),
            (Node::Until(a, b), Node::Until(c, d)) => self.implies(a, c) && self.implies(b, d),
            (Node::Release(a, b), Node::Release(c, d)) => self.implies(a, c) && self.implies(b, d),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        // The text is an implication; its sides are stored one by one, so that no rule joins them.
        let crate::Formula::Implies(f, g) = parse(text).formula else { panic!("{text} is no implication") };
        let mut store = Store::new();
        let (f, g) = (store.add(&f), store.add(&g));
        assert_eq!(store.implies(f, g), expected, "{text}");
    }

    #[test]
    fn what_is_seen() {
        check("[]a -> a U (a && X a)", true);
        check("[]a -> X a", true);
        check("a U b -> <>b", true);
        check("a U b -> a || b", true);
        check("[]a -> b V a", true);
        check("b -> a U b", true);
        check("X<>a -> <>a", true);
        check("a -> b", false);
        check("<>a -> a", false);
        check("a U b -> []b", false);
        check("(a && c) U b -> a U (b || c)", true);
    }
}
