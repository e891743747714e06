//! The classical rewrite rules, applied as formulas are put together: those of Somenzi and Bloem (2000),
//! of Etessami and Holzmann (2000) for purely eventual and universal formulas, and those of Babiak,
//! Křetínský, Řehák and Strejček (2012) that shrink a formula.
//!
//! Every rule is an equivalence. Only `and`, `next` and `until` have rules; `or` and `release` are their
//! duals.

use crate::nnf::{Id, Node, Store};

impl Store {
    /// `X f`
    pub(crate) fn next(&mut self, f: Id) -> Id {
        if self.form(f).is_constant() {
            return f;
        }
        // X (f && GF g) = X f && GF g, and the dual.
        for is_and in [true, false] {
            if let (Some(rest), constant) = self.split_constant(f, is_and)
                && !constant.is_empty()
            {
                let rest = self.next(rest);
                let operands: Vec<Id> = constant.into_iter().chain([rest]).collect();
                return if is_and { self.and(&operands) } else { self.or(&operands) };
            }
        }
        self.intern(Node::Next(f))
    }

    /// `f || g || …`
    pub(crate) fn or(&mut self, operands: &[Id]) -> Id {
        let negated: Vec<Id> = operands.iter().map(|&f| self.negate(f)).collect();
        let dual = self.and(&negated);
        self.negate(dual)
    }

    /// `f V g`
    pub(crate) fn release(&mut self, f: Id, g: Id) -> Id {
        let dual = self.until(self.negate(f), self.negate(g));
        self.negate(dual)
    }

    /// `f && g && …`
    pub(crate) fn and(&mut self, operands: &[Id]) -> Id {
        let mut all = Vec::with_capacity(operands.len());
        for &f in operands {
            match self.node(f) {
                Node::And(inner) => all.extend(inner.iter().copied()),
                _ => all.push(f),
            }
        }
        if self.drop_implied(&mut all) {
            return Id::FALSE;
        }
        if self.join_groups(&mut all) && self.drop_implied(&mut all) {
            return Id::FALSE;
        }
        match all[..] {
            [] => Id::TRUE,
            [f] => f,
            _ => self.intern(Node::And(all.into())),
        }
    }

    /// Puts operands in order and drops those that others imply; whether two exclude each other.
    fn drop_implied(&mut self, all: &mut Vec<Id>) -> bool {
        all.sort_unstable();
        all.dedup();
        all.retain(|&f| f != Id::TRUE);
        let mut i = 0;
        while i < all.len() {
            let f = all[i];
            for &g in all.iter() {
                if g != f && self.implies(g, self.negate(f)) {
                    return true;
                }
            }
            let is_implied = all.iter().any(|&g| g != f && self.implies(g, f));
            if is_implied {
                all.remove(i);
            } else {
                i += 1;
            }
        }
        all.contains(&Id::FALSE)
    }

    /// Puts one operand in the place of several that have the same form; whether there were any.
    fn join_groups(&mut self, all: &mut Vec<Id>) -> bool {
        let mut has_joined = false;
        let mut at = 0;
        while at < all.len() {
            let (group, rest): (Vec<Id>, Vec<Id>) = match self.shape(all[at]) {
                Some(shape) => all[at..].iter().partition(|&&f| self.shape(f) == Some(shape)),
                None => Default::default(),
            };
            if group.len() < 2 {
                at += 1;
                continue;
            }
            let joined = self.join(&group);
            all.truncate(at);
            all.extend(rest);
            match self.node(joined) {
                Node::And(inner) => all.extend(inner.iter().copied()),
                _ => all.push(joined),
            }
            has_joined = true;
        }
        has_joined
    }

    /// What operands of a conjunction must have in common to be joined.
    fn shape(&self, f: Id) -> Option<Shape> {
        match *self.node(f) {
            Node::Next(_) => Some(Shape::Next),
            Node::Release(a, _) => Some(Shape::Release(a)),
            Node::Until(Id::TRUE, g) if matches!(self.node(g), Node::Release(Id::FALSE, _)) => {
                Some(Shape::EventuallyAlways)
            }
            Node::Until(_, b) => Some(Shape::Until(b)),
            _ => None,
        }
    }

    /// The conjunction of formulas of one shape.
    fn join(&mut self, group: &[Id]) -> Id {
        let shape = self.shape(group[0]);
        let part = |f: Id| match *self.node(f) {
            Node::Until(_, g) if shape == Some(Shape::EventuallyAlways) => match *self.node(g) {
                Node::Release(_, inner) => inner,
                _ => g,
            },
            Node::Next(f) | Node::Release(_, f) | Node::Until(f, _) => f,
            _ => f,
        };
        let parts: Vec<Id> = group.iter().map(|&f| part(f)).collect();
        let all = self.and(&parts);
        match shape {
            Some(Shape::Next) => self.next(all),
            Some(Shape::Release(a)) => self.release(a, all),
            // (a U c) && (b U c) = (a && b) U c
            Some(Shape::Until(b)) => self.until(all, b),
            // FG a && FG b = FG (a && b)
            Some(Shape::EventuallyAlways) => {
                let always = self.release(Id::FALSE, all);
                self.until(Id::TRUE, always)
            }
            None => all,
        }
    }

    /// `f U g`
    pub(crate) fn until(&mut self, f: Id, g: Id) -> Id {
        if self.form(g).is_eventual || f == Id::FALSE || self.implies(f, g) {
            return g;
        }
        if f != Id::TRUE && self.implies(self.negate(f), g) {
            return self.until(Id::TRUE, g);
        }
        if let Some(simpler) = self.until_of_right(f, g) {
            return simpler;
        }
        if let Some(simpler) = self.until_of_left(f, g) {
            return simpler;
        }
        self.intern(Node::Until(f, g))
    }

    /// Rules that look at the right side of an until.
    fn until_of_right(&mut self, f: Id, g: Id) -> Option<Id> {
        match self.node(g).clone() {
            // X a U X b = X (a U b)
            Node::Next(b) => match self.node(f).clone() {
                Node::Next(a) => {
                    let inner = self.until(a, b);
                    Some(self.next(inner))
                }
                Node::True => {
                    let inner = self.until(Id::TRUE, b);
                    Some(self.next(inner))
                }
                _ => None,
            },
            // f U (a U b) is one of its parts if one of f and a implies the other.
            Node::Until(a, b) => {
                if self.implies(f, a) {
                    Some(g)
                } else if self.implies(a, f) {
                    Some(self.until(f, b))
                } else {
                    None
                }
            }
            // f U (a && GF b) = (f U a) && GF b
            Node::And(_) => {
                let (rest, constant) = self.split_constant(g, true);
                let rest = rest.filter(|_| !constant.is_empty())?;
                let rest = self.until(f, rest);
                Some(self.and(&constant.into_iter().chain([rest]).collect::<Vec<_>>()))
            }
            Node::Or(operands) => self.until_of_or(f, &operands),
            _ => None,
        }
    }

    /// `f U (a || b)`: an eventual operand stands for itself, and an inner until needs no left side that
    /// f implies.
    fn until_of_or(&mut self, f: Id, operands: &[Id]) -> Option<Id> {
        let stands_alone = |&&operand: &&Id| {
            let form = self.form(operand);
            form.is_eventual && (f != Id::TRUE || form.is_universal)
        };
        let (eventual, rest): (Vec<Id>, Vec<Id>) = operands.iter().partition(stands_alone);
        if !eventual.is_empty() {
            let rest = self.or(&rest);
            let rest = self.until(f, rest);
            return Some(self.or(&eventual.into_iter().chain([rest]).collect::<Vec<_>>()));
        }
        // F (a || b U c) = F (a || c); F (a || F c) = F (a || c)
        let mut has_changed = false;
        let mut flat = Vec::new();
        for &operand in operands {
            match self.node(operand).clone() {
                Node::Until(a, b) if self.implies(a, f) => {
                    has_changed = true;
                    flat.push(b);
                }
                _ => flat.push(operand),
            }
        }
        has_changed.then(|| {
            let flat = self.or(&flat);
            self.until(f, flat)
        })
    }

    /// Rules that look at the left side of an until.
    fn until_of_left(&mut self, f: Id, g: Id) -> Option<Id> {
        match self.node(f).clone() {
            // (a || b) U g = a U g if b implies g
            Node::Or(operands) => {
                let mut kept = Vec::new();
                for &operand in &operands {
                    if !self.implies(operand, g) {
                        kept.push(operand);
                    }
                }
                (kept.len() < operands.len()).then(|| {
                    let kept = self.or(&kept);
                    self.until(kept, g)
                })
            }
            // (a U g) U g = a U g
            Node::Until(_, b) if b == g => Some(f),
            _ => None,
        }
    }

    /// The operands of a conjunction (or disjunction) that do not depend on the position, and the others
    /// joined; none if it is no such formula.
    fn split_constant(&mut self, f: Id, is_and: bool) -> (Option<Id>, Vec<Id>) {
        let operands = match (self.node(f), is_and) {
            (Node::And(operands), true) | (Node::Or(operands), false) => operands.clone(),
            _ => return (None, Vec::new()),
        };
        let (constant, rest): (Vec<Id>, Vec<Id>) =
            operands.iter().partition(|&&operand| self.form(operand).is_constant());
        if constant.is_empty() {
            return (Some(f), constant);
        }
        let rest = if is_and { self.and(&rest) } else { self.or(&rest) };
        (Some(rest), constant)
    }
}

/// A form of formula whose conjunctions are of the same form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Next,
    /// With the same left side.
    Release(Id),
    /// With the same right side.
    Until(Id),
    EventuallyAlways,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        // Propositions are numbered as they are met; a common head makes the numbers agree.
        let head = "(a || b || c || true) && ";
        let [left, right] = [text, expected].map(|text| parse(&format!("{head}({text})")).formula);
        let mut store = Store::new();
        let (left, right) = (store.add(&left), store.add(&right));
        assert_eq!(left, right, "{text}: {:?}, not {:?}", store.node(left), store.node(right));
    }

    #[test]
    fn rules_and_their_duals() {
        check("a U (a U b)", "a U b");
        check("a V (a V b)", "a V b");
        check("<>(a U b)", "<>b");
        check("[](a V b)", "[]b");
        check("<>[]<>a", "[]<>a");
        check("X[]<>a", "[]<>a");
        check("X a U X b", "X(a U b)");
        check("<>X a", "X<>a");
        check("[]a && []b", "[](a && b)");
        check("<>[]a && <>[]b", "<>[](a && b)");
        check("[]<>a || []<>b", "[]<>(a || b)");
        check("(a || b) U b", "a U b");
        check("!a U a", "<>a");
        check("a U (b && []<>c)", "(a U b) && []<>c");
        check("a && !a", "false");
        check("(a U b) && !(a U b)", "false");
        check("a W b", "b V (a || b)");
        check("!(a -> b)", "a && !b");
    }
}
