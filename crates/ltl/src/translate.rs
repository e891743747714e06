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
        self.begin_question();
        let smallest = smallest(&self.positive, self.negative.first(), self.alphabet.len(), &self.budget)?;
        Buchi::of(&smallest, &self.alphabet, &mut self.bdds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn conjunction(parts: impl Iterator<Item = String>) -> String {
        parts.collect::<Vec<_>>().join(" && ")
    }

    #[track_caller]
    fn check(text: &str, states: usize) {
        let parsed = parse(text);
        assert_eq!(parsed.errors, [], "{text}");
        let automaton =
            translate(&parsed.formula, &|| false).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(automaton.states.len(), states, "{text}: {automaton:?}");
    }

    #[test]
    fn small_automata() {
        check("true", 1);
        check("false", 1);
        check("p", 2);
        check("[]p", 1);
        check("p U q", 2);
        check("XXp", 4);
        check("[]<>p", 2);
        check("<>[]p", 2);
        check("[](p -> <>q)", 2);
        check("[]<>p && []<>q", 3);
        check("!([]<>p -> []<>q)", 3);
        check("[](p -> (q U r)) && <>p", 3);
    }

    #[test]
    fn as_many_states_as_there_must_be() {
        check(&conjunction((0..8).map(|n| format!("[]<>p{n}"))), 9);
        check(&conjunction((0..7).map(|n| format!("<>p{n}"))), 128);
        check(&format!("[](p -> {}q)", "X ".repeat(8)), 256);
        check(&format!("<>(p && {}q)", "X ".repeat(30)), 32);
    }

    #[test]
    fn too_large_is_an_error() {
        let translated = |text: &str| translate(&parse(text).formula, &|| false);
        let wide = conjunction((0..40).map(|n| format!("<>p{n}")));
        assert_eq!(translated(&wide), Err(Error::TooLarge));
        let equal = conjunction((0..30).map(|n| format!("[](p{n} <-> q{n})")));
        assert_eq!(translated(&equal), Err(Error::TooLarge));
        let many = conjunction((0..65).map(|n| format!("[]p{n}")));
        assert_eq!(translated(&many), Err(Error::TooManyPropositions));
        let deep = (0..2000).fold(Formula::atom(0), |formula, _| formula.next());
        assert_eq!(translate(&deep, &|| false), Err(Error::TooDeep));
    }

    #[test]
    fn it_can_be_called_off() {
        let formula = parse("[](p -> <>q)").formula;
        assert_eq!(translate(&formula, &|| true), Err(Error::Cancelled));
    }

    #[test]
    fn twice_the_same() {
        let formula = parse("(p U (q || X[]r)) && []<>(p -> q)").formula;
        assert_eq!(translate(&formula, &|| false), translate(&formula, &|| false));
    }
}
