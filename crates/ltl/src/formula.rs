//! Formulas of linear temporal logic as people and front-ends write them: a plain tree.

use stubborn_base::Idx;

stubborn_base::define_index! {
    /// An atomic proposition of a formula.
    pub struct Proposition;
}

/// A formula of linear temporal logic.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// An atomic proposition holds now.
    Atom(Proposition),
    /// The formula does not hold.
    Not(Box<Formula>),
    /// Both hold.
    And(Box<Formula>, Box<Formula>),
    /// At least one holds.
    Or(Box<Formula>, Box<Formula>),
    /// If the first holds, so does the second.
    Implies(Box<Formula>, Box<Formula>),
    /// Both hold or none.
    Equivalent(Box<Formula>, Box<Formula>),
    /// Holds in the next position.
    Next(Box<Formula>),
    /// Holds now and in every later position.
    Always(Box<Formula>),
    /// Holds now or in some later position.
    Eventually(Box<Formula>),
    /// The second holds at some time, and the first at all times before.
    Until(Box<Formula>, Box<Formula>),
    /// As until, or the first holds for ever.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// The second holds up to and including when the first does, or for ever.
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The proposition with this number.
    pub fn atom(proposition: usize) -> Self {
        Formula::Atom(Proposition::new(proposition))
    }

    /// `! self`
    #[must_use]
    pub fn negated(self) -> Self {
        Formula::Not(Box::new(self))
    }

    /// `self && other`
    #[must_use]
    pub fn and(self, other: Formula) -> Self {
        Formula::And(Box::new(self), Box::new(other))
    }

    /// `self || other`
    #[must_use]
    pub fn or(self, other: Formula) -> Self {
        Formula::Or(Box::new(self), Box::new(other))
    }

    /// `self -> other`
    #[must_use]
    pub fn implies(self, other: Formula) -> Self {
        Formula::Implies(Box::new(self), Box::new(other))
    }

    /// `self <-> other`
    #[must_use]
    pub fn equivalent(self, other: Formula) -> Self {
        Formula::Equivalent(Box::new(self), Box::new(other))
    }

    /// `X self`
    #[must_use]
    pub fn next(self) -> Self {
        Formula::Next(Box::new(self))
    }

    /// `[] self`
    #[must_use]
    pub fn always(self) -> Self {
        Formula::Always(Box::new(self))
    }

    /// `<> self`
    #[must_use]
    pub fn eventually(self) -> Self {
        Formula::Eventually(Box::new(self))
    }

    /// `self U other`
    #[must_use]
    pub fn until(self, other: Formula) -> Self {
        Formula::Until(Box::new(self), Box::new(other))
    }

    /// `self W other`
    #[must_use]
    pub fn weak_until(self, other: Formula) -> Self {
        Formula::WeakUntil(Box::new(self), Box::new(other))
    }

    /// `self V other`
    #[must_use]
    pub fn release(self, other: Formula) -> Self {
        Formula::Release(Box::new(self), Box::new(other))
    }

    /// The direct subformulas.
    pub fn operands(&self) -> impl Iterator<Item = &Formula> {
        use Formula::*;
        let (first, second) = match self {
            True | False | Atom(_) => (None, None),
            Not(f) | Next(f) | Always(f) | Eventually(f) => (Some(f), None),
            And(f, g) | Or(f, g) | Implies(f, g) | Equivalent(f, g) => (Some(f), Some(g)),
            Until(f, g) | WeakUntil(f, g) | Release(f, g) => (Some(f), Some(g)),
        };
        first.into_iter().chain(second).map(|formula| &**formula)
    }

    /// The length of the longest branch; found without recursion, so that it can be asked of any
    /// formula.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(self, 1)];
        while let Some((formula, depth)) = open.pop() {
            deepest = deepest.max(depth);
            open.extend(formula.operands().map(|operand| (operand, depth + 1)));
        }
        deepest
    }

    /// The number of operators and operands.
    pub fn size(&self) -> usize {
        let mut size = 0;
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            size += 1;
            open.extend(formula.operands());
        }
        size
    }

    /// One more than the largest number of a proposition in it.
    pub fn n_propositions(&self) -> usize {
        let mut n_propositions = 0;
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            if let Formula::Atom(proposition) = formula {
                n_propositions = n_propositions.max(proposition.index() + 1);
            }
            open.extend(formula.operands());
        }
        n_propositions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_and_propositions() {
        let formula = Formula::atom(3).until(Formula::atom(1).negated()).always();
        assert_eq!((formula.depth(), formula.size()), (4, 5));
        assert_eq!(formula.n_propositions(), 4);
        assert_eq!((Formula::True.depth(), Formula::True.n_propositions()), (1, 0));
    }
}
