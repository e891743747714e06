//! Stutter-invariance of a Büchi automaton that comes without a formula, and so without its complement.
//!
//! The profile of a word tells from which states it leads to which, and whether past an accepting state:
//! what the automaton can know of the word (Arnold 1985, "A syntactic congruence for rational ω-languages").
//! There are finitely many. Two ultimately periodic words that differ in repetitions can be turned into each
//! other by repeating one letter at a time, in the prefix or in the period. So an automaton is
//! stutter-invariant iff no letter `a` can be told from `aa`, neither in `x a y z^ω` nor in `x (a y)^ω`, for any
//! `x`, `y` and `z`; and of these only profiles matter.

use hashbrown::HashSet;

use crate::Error;
use crate::budget::Budget;

/// States as bits.
type States = u64;

/// The most states that a [`Table`] can have.
pub const MAX_TABLE_STATES: usize = 64;

/// More work than this is not done: less than a second on any machine of today.
const STEPS: u64 = 30_000_000;

/// A Büchi automaton by letter. A run is accepting if it meets accepting states again and again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// Where every run begins.
    pub initial: usize,
    /// By state.
    pub accepting: Vec<bool>,
    /// By letter and state: where it can go, as bits.
    pub moves: Vec<Vec<u64>>,
}

impl Table {
    /// Whether repetitions of letters do not matter. An error if there is too much to look at.
    pub fn is_stutter_invariant(&self, cancelled: &dyn Fn() -> bool) -> Result<bool, Error> {
        if self.accepting.len() > MAX_TABLE_STATES {
            return Err(Error::TooLarge);
        }
        let budget = Budget::new(STEPS, cancelled);
        let letters = self.letters(&budget)?;
        let mut doubtful = Vec::new();
        for letter in &letters {
            let twice = letter.then(letter, &budget)?;
            if twice != *letter {
                doubtful.push((letter, twice));
            }
        }
        if doubtful.is_empty() {
            return Ok(true);
        }
        let words = words(&letters, self.accepting.len(), &budget)?;
        let beginnings = closed(HashSet::from([1 << self.initial]), &letters, Profile::after, &budget)?;
        let mut endings = HashSet::new();
        // The first word is the empty one, which is no period.
        for word in &words[1..] {
            endings.insert(word.accepted_for_ever(&budget)?);
        }
        let endings = closed(endings, &letters, Profile::before, &budget)?;
        for (once, twice) in &doubtful {
            if once.reach().ne(twice.reach()) {
                for &beginning in &beginnings {
                    let ends = [once, twice].map(|profile| profile.after(beginning));
                    budget.spend(endings.len() as u64)?;
                    if endings.iter().any(|ending| (ends[0] & ending == 0) != (ends[1] & ending == 0)) {
                        return Ok(false);
                    }
                }
            }
            let mut compared = HashSet::new();
            for word in &words {
                let [a, b] = [once, twice].map(|profile| profile.then(word, &budget));
                let ever = [a?.accepted_for_ever(&budget)?, b?.accepted_for_ever(&budget)?];
                if ever[0] == ever[1] || !compared.insert(ever) {
                    continue;
                }
                budget.spend(beginnings.len() as u64)?;
                if beginnings.iter().any(|states| (states & ever[0] == 0) != (states & ever[1] == 0)) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The profiles of letters, each once, over the states that matter.
    fn letters(&self, budget: &Budget) -> Result<Vec<Profile>, Error> {
        let n_states = self.accepting.len();
        budget.spend((self.moves.len() * n_states) as u64)?;
        let accepting = bits((0..n_states).filter(|&state| self.accepting[state]));
        let profile = |kept: States, row: &[u64]| {
            let row = row.iter().enumerate();
            let kept_row = row.map(|(state, &to)| if kept >> state & 1 == 1 { to & kept } else { 0 });
            Profile(kept_row.map(|to| (to, to & accepting)).collect())
        };
        let mut any = Profile(vec![(0, 0); n_states].into());
        for row in &self.moves {
            any.join(&profile(States::MAX, row));
        }
        // Where nothing is accepted, or where no run comes, nothing matters.
        let far = any.closure(budget)?;
        let live = any.accepted_for_ever(budget)?;
        let kept = (far.after(1 << self.initial) | 1 << self.initial) & live;
        let mut seen = HashSet::new();
        let mut letters = Vec::new();
        for row in &self.moves {
            let profile = profile(kept, row);
            if seen.insert(profile.clone()) {
                letters.push(profile);
            }
        }
        Ok(letters)
    }
}

/// By state: which states a word leads to, and which of them past an accepting state, the first not counted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Profile(Box<[(States, States)]>);

impl Profile {
    /// Of the empty word.
    fn empty(n_states: usize) -> Self {
        Profile((0..n_states).map(|state| (1 << state, 0)).collect())
    }

    fn reach(&self) -> impl Iterator<Item = States> {
        self.0.iter().map(|row| row.0)
    }

    /// Of this word and then another.
    fn then(&self, other: &Profile, budget: &Budget) -> Result<Profile, Error> {
        let mut rows = Vec::with_capacity(self.0.len());
        let mut n_steps = 1;
        for &(reach, marked) in &self.0 {
            let (mut to, mut past) = (0, 0);
            for state in each(reach) {
                let (further, further_marked) = other.0[state];
                to |= further;
                past |= if marked >> state & 1 == 1 { further } else { further_marked };
                n_steps += 1;
            }
            rows.push((to, past));
        }
        budget.spend(n_steps)?;
        Ok(Profile(rows.into()))
    }

    fn join(&mut self, other: &Profile) {
        for (row, (reach, marked)) in self.0.iter_mut().zip(&other.0) {
            row.0 |= reach;
            row.1 |= marked;
        }
    }

    /// Of the word once, or twice, or more often.
    fn closure(&self, budget: &Budget) -> Result<Profile, Error> {
        let mut sum = self.clone();
        loop {
            let mut next = sum.clone();
            next.join(&sum.then(&sum, budget)?);
            if next == sum {
                return Ok(sum);
            }
            sum = next;
        }
    }

    /// Where these states lead.
    fn after(&self, states: States) -> States {
        each(states).fold(0, |to, state| to | self.0[state].0)
    }

    /// The states that lead to these.
    fn before(&self, states: States) -> States {
        bits((0..self.0.len()).filter(|&state| self.0[state].0 & states != 0))
    }

    /// The states from which the word, for ever, is accepted.
    fn accepted_for_ever(&self, budget: &Budget) -> Result<States, Error> {
        let often = self.closure(budget)?;
        let good = bits((0..self.0.len()).filter(|&state| often.0[state].1 >> state & 1 == 1));
        Ok(often.before(good))
    }
}

/// The profiles of all words; that of the empty one first.
fn words(letters: &[Profile], n_states: usize, budget: &Budget) -> Result<Vec<Profile>, Error> {
    let empty = Profile::empty(n_states);
    let mut known: HashSet<Profile> = HashSet::from([empty.clone()]);
    let mut words = vec![empty];
    let mut next = 0;
    while next < words.len() {
        for letter in letters {
            let word = words[next].then(letter, budget)?;
            if known.insert(word.clone()) {
                words.push(word);
            }
        }
        next += 1;
    }
    Ok(words)
}

/// These sets, and all that letters make of them.
fn closed(
    sets: HashSet<States>,
    letters: &[Profile],
    step: fn(&Profile, States) -> States,
    budget: &Budget,
) -> Result<Vec<States>, Error> {
    let mut found: Vec<States> = sets.iter().copied().collect();
    found.sort_unstable();
    let mut known = sets;
    let mut next = 0;
    while next < found.len() {
        for letter in letters {
            budget.spend(letter.0.len() as u64)?;
            let set = step(letter, found[next]);
            if known.insert(set) {
                found.push(set);
            }
        }
        next += 1;
    }
    Ok(found)
}

fn each(mut states: States) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let state = (states != 0).then(|| states.trailing_zeros() as usize)?;
        states &= states - 1;
        Some(state)
    })
}

fn bits(states: impl Iterator<Item = usize>) -> States {
    states.fold(0, |set, state| set | 1 << state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buchi, parse, translate};

    fn table(automaton: &Buchi, n_propositions: usize) -> Table {
        let n_states = automaton.states.len();
        let row = |letter: u64| {
            let to = |state| bits(automaton.successors(state, letter));
            (0..n_states).map(to).collect()
        };
        let accepting = automaton.states.iter().map(|state| state.accepting).collect();
        Table { initial: automaton.initial, accepting, moves: (0..1 << n_propositions).map(row).collect() }
    }

    #[track_caller]
    fn check(text: &str, expected: bool) {
        let parsed = parse(text);
        let automaton = translate(&parsed.formula, &|| false).unwrap();
        let table = table(&automaton, parsed.formula.n_propositions());
        assert_eq!(table.is_stutter_invariant(&|| false), Ok(expected), "{text}");
    }

    #[test]
    fn repetitions_in_the_prefix_and_in_the_period() {
        check("[](p0 -> <>p1)", true);
        check("p0 U (p1 && !p0 U p2)", true);
        check("X p0", false);
        check("[](p0 -> X p1)", false);
        check("<>(p0 && X !p0)", true);
        check("[](p0 -> X p0)", true);
        check("[]<>(p0 && X p0)", false);
        check("<>[](p0 -> X !p0)", false);
        check("[]<>(p0 && X !p0)", true);
    }

    /// The positions at which it is counted are not those at which the letter changes.
    #[test]
    fn an_automaton_that_counts() {
        // p at every other position.
        let even = Table { initial: 0, accepting: vec![true, false], moves: vec![vec![0, 1], vec![2, 1]] };
        assert_eq!(even.is_stutter_invariant(&|| false), Ok(false));
        // Whatever holds, at every other position and at all others: everything.
        let all = Table { initial: 0, accepting: vec![true, false], moves: vec![vec![2, 1], vec![2, 1]] };
        assert_eq!(all.is_stutter_invariant(&|| false), Ok(true));
    }

    #[test]
    fn what_is_called_off_is_not_decided() {
        let all = Table { initial: 0, accepting: vec![true], moves: vec![vec![1]] };
        assert_eq!(all.is_stutter_invariant(&|| true), Err(Error::Cancelled));
        let large = Table { initial: 0, accepting: vec![true; 65], moves: vec![vec![0; 65]] };
        assert_eq!(large.is_stutter_invariant(&|| false), Err(Error::TooLarge));
    }
}
