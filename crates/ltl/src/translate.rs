//! From a formula to a Büchi automaton.

use crate::smallest::smallest;
use crate::{Buchi, Error, Formula, Language};

/// A small Büchi automaton that accepts the words that satisfy the formula. `cancelled` is asked now and
/// then whether to give up.
pub fn translate(formula: &Formula, cancelled: &dyn Fn() -> bool) -> Result<Buchi, Error> {
    Language::of(formula, cancelled)?.buchi()
}

impl Language<'_> {
    /// A small Büchi automaton that accepts the words that satisfy the formula.
    pub fn buchi(&mut self) -> Result<Buchi, Error> {
        let smallest = smallest(&self.positive, self.negative.first(), self.alphabet.len(), &self.budget)?;
        Ok(Buchi::of(&smallest, &self.alphabet, &mut self.bdds))
    }
}
