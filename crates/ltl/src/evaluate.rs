//! Formulas evaluated directly on lasso words: the oracle of everything else in this crate, with which
//! it shares no code, and the judge of counterexamples.
//!
//! The word is `prefix · cycle^ω`. A formula has one truth value per position of `prefix · cycle`; the
//! position after the last is the first of the cycle. Until is a least fixpoint and release a greatest
//! one over these positions; going backwards through them twice reaches either.

use crate::{Formula, Letter};

/// Whether the word `prefix · cycle^ω` satisfies the formula. An empty cycle stands for the last letter
/// of the prefix for ever, or for the letter in which nothing holds if there is none.
pub fn evaluate(formula: &Formula, prefix: &[Letter], cycle: &[Letter]) -> bool {
    let last = [prefix.last().copied().unwrap_or(0)];
    let cycle = if cycle.is_empty() { &last } else { cycle };
    let word = Word { letters: [prefix, cycle].concat(), loops_to: prefix.len() };
    word.values(formula)[0]
}

struct Word {
    letters: Vec<Letter>,
    loops_to: usize,
}

impl Word {
    /// The formula's truth value in every position.
    fn values(&self, formula: &Formula) -> Vec<bool> {
        let constant = |value| vec![value; self.letters.len()];
        match formula {
            Formula::True => constant(true),
            Formula::False => constant(false),
            Formula::Atom(proposition) => {
                let holds = |letter: &Letter| proposition.0 < 64 && letter >> proposition.0 & 1 == 1;
                self.letters.iter().map(holds).collect()
            }
            Formula::Not(f) => self.values(f).iter().map(|value| !value).collect(),
            Formula::And(f, g) => self.pointwise(f, g, |f, g| f && g),
            Formula::Or(f, g) => self.pointwise(f, g, |f, g| f || g),
            Formula::Implies(f, g) => self.pointwise(f, g, |f, g| !f || g),
            Formula::Equivalent(f, g) => self.pointwise(f, g, |f, g| f == g),
            Formula::Next(f) => {
                let values = self.values(f);
                (0..values.len()).map(|position| values[self.after(position)]).collect()
            }
            Formula::Always(f) => self.fixpoint(&constant(false), &self.values(f), true),
            Formula::Eventually(f) => self.fixpoint(&self.values(f), &constant(true), false),
            Formula::Until(f, g) => self.fixpoint(&self.values(g), &self.values(f), false),
            Formula::WeakUntil(f, g) => self.fixpoint(&self.values(g), &self.values(f), true),
            Formula::Release(f, g) => {
                let (f, g) = (self.values(f), self.values(g));
                let both: Vec<bool> = f.iter().zip(&g).map(|(&f, &g)| f && g).collect();
                self.fixpoint(&both, &g, true)
            }
        }
    }

    fn pointwise(&self, f: &Formula, g: &Formula, operation: fn(bool, bool) -> bool) -> Vec<bool> {
        self.values(f).iter().zip(&self.values(g)).map(|(&f, &g)| operation(f, g)).collect()
    }

    /// The least or greatest solution of `x = now || (stay && X x)`, from below or from above.
    fn fixpoint(&self, now: &[bool], stay: &[bool], start: bool) -> Vec<bool> {
        let mut values = vec![start; self.letters.len()];
        // What the cycle's first position needs is known after the first round.
        for _ in 0..2 {
            for position in (0..values.len()).rev() {
                values[position] = now[position] || (stay[position] && values[self.after(position)]);
            }
        }
        values
    }

    fn after(&self, position: usize) -> usize {
        if position + 1 == self.letters.len() { self.loops_to } else { position + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(proposition: usize) -> Formula {
        Formula::atom(proposition)
    }

    #[track_caller]
    fn check(formula: Formula, prefix: &[Letter], cycle: &[Letter], expected: bool) {
        assert_eq!(evaluate(&formula, prefix, cycle), expected, "{formula:?} on {prefix:?} {cycle:?}");
    }

    #[test]
    fn until_needs_its_end_and_weak_until_does_not() {
        check(p(0).until(p(1)), &[1, 1], &[2, 0], true);
        check(p(0).until(p(1)), &[], &[1], false);
        check(p(0).weak_until(p(1)), &[], &[1], true);
        check(p(0).weak_until(p(1)), &[1], &[0], false);
        check(p(1).release(p(0)), &[1, 3], &[0], true);
        check(p(1).release(p(0)), &[1, 2], &[0], false);
    }

    #[test]
    fn the_last_position_is_followed_by_the_cycles_first() {
        check(p(0).next().next(), &[0], &[1, 0], false);
        check(p(0).next().next().next(), &[0], &[1, 0], true);
        check(p(0).eventually().always(), &[0], &[0, 1], true);
        check(p(0).always().eventually(), &[0], &[0, 1], false);
        check(p(0).always().eventually(), &[0], &[1, 1], true);
    }

    #[test]
    fn what_is_needed_comes_round_the_cycle() {
        // In the last position, the end of the until lies at the cycle's start.
        check(p(0).until(p(1)).eventually(), &[], &[2, 0, 1], true);
        check(p(0).until(p(1)), &[1], &[1, 1, 3, 0], true);
    }
}
