//! The class of a property in the hierarchy of Manna and Pnueli (1990), decided on the language, not on
//! the form of the formula.
//!
//! A safety property is its own closure: the automaton in which every run is accepting adds no word. A
//! guarantee's negation is a safety property; an obligation has a weak deterministic automaton.

use crate::automaton::Automaton;
use crate::obligation::weak_deterministic;
use crate::product::are_disjoint;
use crate::{Error, Formula, Language};

/// The class of a property; the first that fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Each word that violates it has a prefix that shows it.
    Safety,
    /// Each word that satisfies it has a prefix that shows it.
    Guarantee,
    /// A Boolean combination of safety properties.
    Obligation,
    /// None of these, or not known within the limits.
    Other,
}

/// Formulas that do not depend on the word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trivial {
    /// Every word satisfies it.
    Valid,
    /// No word satisfies it.
    Unsatisfiable,
}

/// The class of a formula; [`Class::Other`] if it cannot be decided within the limits.
pub fn classify(formula: &Formula) -> Class {
    Language::of(formula, &|| false).and_then(|language| language.class()).unwrap_or(Class::Other)
}

impl Language<'_> {
    /// The class of the formula.
    pub fn class(&self) -> Result<Class, Error> {
        self.begin_question();
        let (positive, negative) = self.sides()?;
        if are_disjoint(&closure(positive), negative, &self.budget)? {
            return Ok(Class::Safety);
        }
        if are_disjoint(&closure(negative), positive, &self.budget)? {
            return Ok(Class::Guarantee);
        }
        let weak = weak_deterministic(positive, negative, self.alphabet.len(), &self.budget)?;
        Ok(if weak.is_some() { Class::Obligation } else { Class::Other })
    }

    /// Whether every word satisfies the formula, or none does.
    pub fn trivial(&self) -> Option<Trivial> {
        if self.positive[0].is_empty() {
            Some(Trivial::Unsatisfiable)
        } else if self.negative.first().is_some_and(Automaton::is_empty) {
            Some(Trivial::Valid)
        } else {
            None
        }
    }
}

/// Every run of a trimmed automaton accepted.
fn closure(automaton: &Automaton) -> Automaton {
    let mut closure = automaton.clone();
    let full = automaton.full();
    closure.rows.iter_mut().flatten().for_each(|edge| edge.marks = full);
    closure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[track_caller]
    fn check(text: &str, class: Class, trivial: Option<Trivial>) {
        let formula = parse(text).formula;
        let language = Language::of(&formula, &|| false).unwrap();
        assert_eq!((language.class(), language.trivial()), (Ok(class), trivial), "{text}");
        assert_eq!(classify(&formula), class);
    }

    #[test]
    fn meaning_decides_not_form() {
        check("[]p", Class::Safety, None);
        check("p && X q", Class::Safety, None);
        check("<>p", Class::Guarantee, None);
        check("p U q", Class::Guarantee, None);
        check("[]p || <>q", Class::Obligation, None);
        check("[]<>p", Class::Other, None);
        // As a formula it looks like more than it is.
        check("[]p && <>p", Class::Safety, None);
        check("[]<>[]p -> <>q || <>[]p", Class::Safety, Some(Trivial::Valid));
        check("<>p && []!p", Class::Safety, Some(Trivial::Unsatisfiable));
        check("p U []q", Class::Other, None);
    }
}
