//! Stutter-invariance, decided (Michaud, Duret-Lutz 2015, "Practical stutter-invariance checks for
//! ω-regular languages"; the product of two self-loopised automata).
//!
//! Two words that differ in repetitions only have a common expansion, in which each letter is repeated as
//! often as in either. So a formula is stutter-invariant iff no word is an expansion both of a word that
//! satisfies it and of one that does not. Each side of the product either moves or, if the letter is the
//! one before, stays; staying for ever is not accepting.

use hashbrown::HashMap;

use crate::automaton::Automaton;
use crate::graph::{Arc, accepting_lasso};
use crate::{Error, Formula, Language, Letter};

/// Whether repetitions of letters matter to a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StutterInvariance {
    /// They do not.
    Invariant,
    /// They do; here is the proof.
    Sensitive(Witness),
    /// Too much work to decide.
    Unknown,
}

/// Two words that differ in repetitions of letters only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// Satisfies the formula.
    pub satisfying: Lasso,
    /// Does not.
    pub violating: Lasso,
}

/// The word `prefix · cycle^ω`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lasso {
    /// What comes once.
    pub prefix: Vec<Letter>,
    /// What comes for ever; not empty.
    pub cycle: Vec<Letter>,
}

/// Whether repetitions of letters do not matter to the formula. What cannot be decided within the limits
/// counts as not invariant.
pub fn is_stutter_invariant(formula: &Formula) -> bool {
    let language = Language::of(formula, &|| false);
    language.is_ok_and(|language| language.stutter_invariance() == StutterInvariance::Invariant)
}

impl Language<'_> {
    /// Whether repetitions of letters matter to the formula.
    pub fn stutter_invariance(&self) -> StutterInvariance {
        if !self.has_next {
            return StutterInvariance::Invariant;
        }
        self.begin_question();
        let lasso = self.sides().and_then(|(positive, negative)| self.stretched_word(positive, negative));
        match lasso {
            Ok(None) => StutterInvariance::Invariant,
            Ok(Some(witness)) => StutterInvariance::Sensitive(witness),
            Err(_) => StutterInvariance::Unknown,
        }
    }

    fn stretched_word(&self, positive: &Automaton, negative: &Automaton) -> Result<Option<Witness>, Error> {
        // Each side has an acceptance set, which only its moves meet: no side stays for ever.
        let full = u128::from(positive.full()) | u128::from(negative.full()) << 62;
        if positive.n_sets > 60 || negative.n_sets > 60 {
            return Err(Error::TooLarge);
        }
        let start = (positive.initial, negative.initial, self.alphabet.len());
        let mut numbers: HashMap<_, usize> = HashMap::from([(start, 0)]);
        let mut states = vec![start];
        let mut rows: Vec<Vec<Move>> = Vec::new();
        while rows.len() < states.len() {
            let (p, q, last) = states[rows.len()];
            let mut row = Vec::new();
            for class in 0..self.alphabet.len() {
                for (left, left_marks) in moves(positive, p, class, last, LEFT_MOVES, 0) {
                    for (right, right_marks) in moves(negative, q, class, last, RIGHT_MOVES, 62) {
                        let marks = left_marks | right_marks;
                        // If both stay, the letter could as well be left out.
                        if marks & (LEFT_MOVES | RIGHT_MOVES) == 0 {
                            continue;
                        }
                        let next = states.len();
                        let state = (left, right, class);
                        let target = *numbers.entry(state).or_insert(next);
                        if target == next {
                            states.push(state);
                        }
                        row.push(Move { target, marks, class });
                    }
                }
            }
            self.budget.spend((self.alphabet.len() + row.len()) as u64 * 2)?;
            rows.push(row);
        }
        let Some((prefix, cycle)) = accepting_lasso(&rows, 0, full) else { return Ok(None) };
        let read = |side: u128| {
            let letters = |path: &[(usize, usize)]| {
                let moves = path.iter().map(|&(state, edge)| &rows[state][edge]);
                let taken = moves.filter(|edge| edge.marks & side != 0);
                taken.map(|edge| self.alphabet.some_letter(edge.class)).collect()
            };
            Lasso { prefix: letters(&prefix), cycle: letters(&cycle) }
        };
        Ok(Some(Witness { satisfying: read(LEFT_MOVES), violating: read(RIGHT_MOVES) }))
    }
}

/// Which side moved.
const LEFT_MOVES: u128 = 1 << 126;
const RIGHT_MOVES: u128 = 1 << 127;

struct Move {
    target: usize,
    marks: u128,
    class: usize,
}

impl Arc for Move {
    fn target(&self) -> usize {
        self.target
    }

    fn marks(&self) -> u128 {
        self.marks
    }
}

/// What one side can do with a letter: its edges, and to stay if the letter is the one before.
fn moves(
    automaton: &Automaton,
    state: usize,
    class: usize,
    last: usize,
    moved: u128,
    shift: u32,
) -> impl Iterator<Item = (usize, u128)> {
    let edges = automaton.rows[state].iter().filter(move |edge| edge.letters.contains(class));
    let edges = edges.map(move |edge| (edge.target, u128::from(edge.marks) << shift | moved));
    edges.chain((class == last).then_some((state, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{evaluate, parse};

    #[track_caller]
    fn check(text: &str, expected: bool) {
        let formula = parse(text).formula;
        assert_eq!(is_stutter_invariant(&formula), expected, "{text}");
        let language = Language::of(&formula, &|| false).unwrap();
        if let StutterInvariance::Sensitive(Witness { satisfying, violating }) = language.stutter_invariance()
        {
            assert!(evaluate(&formula, &satisfying.prefix, &satisfying.cycle), "{text}: {satisfying:?}");
            assert!(!evaluate(&formula, &violating.prefix, &violating.cycle), "{text}: {violating:?}");
        }
    }

    #[test]
    fn next_may_be_harmless() {
        check("[](p -> <>q)", true);
        check("X p", false);
        check("[](p -> X q)", false);
        // Somewhere p ends: to say so with X is no more than to say it without.
        check("<>(p && X !p)", true);
        check("X(p || !p)", true);
        check("p && X(p || <>!p)", true);
        check("[](p -> X p)", true);
        check("[](p -> XX p)", false);
    }
}
