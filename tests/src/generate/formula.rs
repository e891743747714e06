//! Random formulas of linear temporal logic, and random lasso words to evaluate them on.

use stubborn_ltl::{Formula, Lasso};

use super::Random;

/// A formula of at most `size` operators and operands over so many propositions.
pub fn formula(random: &mut Random, size: usize, n_propositions: usize) -> Formula {
    if size <= 1 {
        return leaf(random, n_propositions);
    }
    if size == 2 || random.percent(40) {
        let unary = random.weighted::<fn(Formula) -> Formula>(&[
            (3, Formula::negated),
            (3, Formula::next),
            (3, Formula::always),
            (3, Formula::eventually),
        ]);
        return unary(formula(random, size - 1, n_propositions));
    }
    let binary = random.weighted::<fn(Formula, Formula) -> Formula>(&[
        (4, Formula::and),
        (4, Formula::or),
        (2, Formula::implies),
        (1, Formula::equivalent),
        (5, Formula::until),
        (2, Formula::weak_until),
        (3, Formula::release),
    ]);
    let left = 1 + random.below(size - 2);
    let first = formula(random, left, n_propositions);
    binary(first, formula(random, size - 1 - left, n_propositions))
}

fn leaf(random: &mut Random, n_propositions: usize) -> Formula {
    match random.below(20) {
        0 => Formula::True,
        1 => Formula::False,
        _ => Formula::atom(random.below(n_propositions)),
    }
}

/// What people ask, without the next operator.
pub fn usual(random: &mut Random, n_propositions: usize) -> Formula {
    let atom = |random: &mut Random| {
        let atom = Formula::atom(random.below(n_propositions));
        if random.below(3) == 0 { atom.negated() } else { atom }
    };
    let (a, b) = (atom(random), atom(random));
    let one = match random.below(8) {
        0 => a.eventually().always(),
        1 => a.always().eventually(),
        2 => a.implies(b.eventually()).always(),
        3 => a.until(b),
        4 => a.eventually(),
        5 => b.clone().negated().or(a.until(b)).always(),
        6 => a.implies(b.always()).always(),
        _ => a.weak_until(b),
    };
    match random.below(6) {
        0 => one.and(usual(random, n_propositions)),
        1 => one.or(usual(random, n_propositions)),
        2 => usual(random, n_propositions).implies(one),
        3 => one.negated(),
        _ => one,
    }
}

/// A word of at most so many letters before its cycle, and in it.
pub fn lasso(random: &mut Random, n_propositions: usize, longest: usize) -> Lasso {
    let (n_prefix, n_cycle) = (random.below(longest + 1), 1 + random.below(longest));
    // Letters that come again and again let formulas hold that hold on few words.
    let n_letters = 1 + random.below(3);
    let letters: Vec<u64> = (0..n_letters).map(|_| random.bits() % (1 << n_propositions)).collect();
    let mut word = |n: usize| (0..n).map(|_| letters[random.below(n_letters)]).collect();
    Lasso { prefix: word(n_prefix), cycle: word(n_cycle) }
}
