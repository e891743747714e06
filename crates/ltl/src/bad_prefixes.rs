//! Bad prefixes of a safety formula: finite words that no continuation can save (Kupferman, Vardi 2001).
//!
//! The subset construction over a trimmed automaton follows all runs; when none is left, the prefix is
//! bad. The result is minimal.

use crate::bdd::Bdds;
use crate::buchi::Edge;
use crate::deterministic::{Deterministic, subsets};
use crate::letters::{Alphabet, Letters};
use crate::{Class, Error, Formula, Guard, Language, Letter};

/// A deterministic automaton over finite words. Each letter has exactly one edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dfa {
    /// Where it begins.
    pub initial: usize,
    /// At most one of them is bad.
    pub states: Vec<DfaState>,
}

/// A state of a [`Dfa`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DfaState {
    /// Whether what was read so far is a bad prefix, and so is everything it begins.
    pub bad: bool,
    /// What it does with each letter.
    pub edges: Vec<Edge>,
}

impl Dfa {
    /// Where a state goes with a letter.
    pub fn successor(&self, state: usize, letter: Letter) -> usize {
        let edge = self.states[state].edges.iter().find(|edge| edge.guard.holds(letter));
        edge.expect("the guards of a state cover all letters").target
    }

    /// Whether the word is a bad prefix.
    pub fn is_bad(&self, word: &[Letter]) -> bool {
        self.states[word.iter().fold(self.initial, |state, &letter| self.successor(state, letter))].bad
    }
}

/// The minimal automaton of the bad prefixes of a safety formula; none if it is none. The error says
/// why it could not be made.
pub fn bad_prefixes(formula: &Formula) -> Option<Result<Dfa, Error>> {
    match Language::of(formula, &|| false) {
        Ok(mut language) => language.bad_prefixes(),
        Err(error) => Some(Err(error)),
    }
}

impl Language<'_> {
    /// The minimal automaton of the bad prefixes of a safety formula; none if it is none.
    pub fn bad_prefixes(&mut self) -> Option<Result<Dfa, Error>> {
        match self.class() {
            Ok(Class::Safety) => Some(self.dfa()),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        }
    }

    fn dfa(&mut self) -> Result<Dfa, Error> {
        self.begin_question();
        let automaton = &self.positive[0];
        let (deterministic, mut sets) = subsets(automaton, self.alphabet.len(), &self.budget)?;
        if automaton.is_empty() {
            // The state that stands for the empty automaton has no word to accept.
            sets[0].clear();
        }
        let bad: Vec<bool> = sets.iter().map(Vec::is_empty).collect();
        let (minimal, bad) = deterministic.minimized(&bad);
        dfa(&minimal, &bad, &self.alphabet, &mut self.bdds)
    }
}

fn dfa(minimal: &Deterministic, bad: &[bool], alphabet: &Alphabet, bdds: &mut Bdds) -> Result<Dfa, Error> {
    bdds.allow(1_000_000);
    let mut states = Vec::with_capacity(bad.len());
    for (state, row) in minimal.rows.iter().enumerate() {
        let mut letters: Vec<(usize, Letters)> = Vec::new();
        for (class, step) in row.iter().enumerate() {
            match letters.iter_mut().find(|(target, _)| *target == step.0) {
                Some((_, letters)) => letters.insert(class),
                None => letters.push((step.0, Letters::one(alphabet.len(), class))),
            }
        }
        let mut edges = Vec::with_capacity(letters.len());
        for (target, letters) in letters {
            let guard = alphabet.guard(&letters, bdds);
            edges.push(Edge { guard: Guard { cubes: bdds.cubes(guard)? }, target });
        }
        states.push(DfaState { bad: bad[state], edges });
    }
    Ok(Dfa { initial: 0, states })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[track_caller]
    fn check(text: &str, states: usize, bad: &[&[Letter]], good: &[&[Letter]]) {
        let dfa = bad_prefixes(&parse(text).formula).expect("it is a safety formula").unwrap();
        assert_eq!(dfa.states.len(), states, "{text}: {dfa:?}");
        bad.iter().for_each(|word| assert!(dfa.is_bad(word), "{text}: {word:?}"));
        good.iter().for_each(|word| assert!(!dfa.is_bad(word), "{text}: {word:?}"));
    }

    #[test]
    fn what_cannot_be_saved() {
        check("[]p", 2, &[&[0], &[1, 0, 1]], &[&[], &[1, 1]]);
        check("[](p -> X q)", 3, &[&[1, 1]], &[&[1], &[1, 2, 0], &[3, 3]]);
        check("true", 1, &[], &[&[], &[0, 1]]);
        check("false", 1, &[&[], &[1]], &[]);
        // No word of it ends well, though no single step is wrong.
        check("[](p && <>!p)", 1, &[&[]], &[]);
        check("X([]p && <>p)", 3, &[&[0, 0]], &[&[0], &[0, 1, 1]]);
    }

    #[test]
    fn only_safety_formulas_have_them() {
        assert!(bad_prefixes(&parse("<>p").formula).is_none());
        assert!(bad_prefixes(&parse("[]<>p").formula).is_none());
    }
}
