//! What can be asked of a formula: one translation of it and of its negation serves all the questions.
//!
//! The pipeline: normal form and rewriting ([`simplify`](crate::simplify)), two tableaux per side
//! ([`tableau`](crate::tableau)), classes of letters ([`letters`](crate::letters)), then
//! [`smallest`](crate::smallest) for a small Büchi automaton.

use crate::acceptance::with_few_sets;
use crate::automaton::Automaton;
use crate::bdd::Bdds;
use crate::budget::Budget;
use crate::letters::Alphabet;
use crate::nnf::{Id, Store};
use crate::simulation::reduced;
use crate::tableau::{Branching, Tableau, tableau};
use crate::{Error, Formula, MAX_DEPTH, MAX_PROPOSITIONS};

/// More work than this is not done to translate a formula: less than a second on any machine of today.
pub(crate) const STEPS: u64 = 30_000_000;

/// Formulas with more operators and operands are refused.
const MAX_SIZE: usize = 10_000;

/// Larger tableaux are refused.
const MAX_STATES: usize = 1500;

/// A formula, translated.
pub struct Language<'a> {
    pub(crate) bdds: Bdds,
    pub(crate) alphabet: Alphabet,
    /// Automata of the formula, at least one; the smallest first.
    pub(crate) positive: Vec<Automaton>,
    /// Automata of its negation; none if they would be too large.
    pub(crate) negative: Vec<Automaton>,
    /// Whether the formula has a next operator that rewriting did not remove.
    pub(crate) has_next: bool,
    pub(crate) budget: Budget<'a>,
}

impl<'a> Language<'a> {
    /// Translates a formula and its negation. `cancelled` is asked now and then whether to go on.
    pub fn of(formula: &Formula, cancelled: &'a dyn Fn() -> bool) -> Result<Self, Error> {
        if formula.depth() > MAX_DEPTH {
            return Err(Error::TooDeep);
        }
        if formula.n_propositions() > MAX_PROPOSITIONS {
            return Err(Error::TooManyPropositions);
        }
        if formula.size() > MAX_SIZE {
            return Err(Error::TooLarge);
        }
        let budget = Budget::new(STEPS, cancelled);
        let mut store = Store::new();
        let root = store.add(formula);
        let mut bdds = Bdds::new();
        let positive = tableaux(&store, root, &mut bdds, &budget)?;
        let negative = match tableaux(&store, store.negate(root), &mut bdds, &budget) {
            Err(Error::TooLarge) => Vec::new(),
            other => other?,
        };
        let mut guards = Vec::new();
        for tableau in positive.iter().chain(&negative) {
            guards.extend(tableau.states.iter().flatten().map(|edge| edge.guard));
        }
        guards.sort_unstable();
        guards.dedup();
        bdds.allow(1_500_000);
        let alphabet = Alphabet::of(&guards, &mut bdds, &budget)?;
        let [positive, negative] =
            [positive, negative].map(|side| automata(&side, &alphabet, &bdds, &budget));
        let has_next = store.has_next(root);
        Ok(Language { bdds, alphabet, positive: positive?, negative: negative?, has_next, budget })
    }

    /// The negation's language.
    pub fn complement(mut self) -> Result<Self, Error> {
        if self.negative.is_empty() {
            return Err(Error::TooLarge);
        }
        std::mem::swap(&mut self.positive, &mut self.negative);
        Ok(self)
    }

    /// How much work has been done, in steps that do not depend on the machine.
    pub fn steps(&self) -> u64 {
        self.budget.spent()
    }

    /// Each question has some work of its own to spend, whatever was asked before.
    pub(crate) fn begin_question(&self) {
        self.budget.refill(STEPS / 3);
    }

    /// The smallest automata of both sides; an error if the negation's is too large.
    pub(crate) fn sides(&self) -> Result<(&Automaton, &Automaton), Error> {
        Ok((&self.positive[0], self.negative.first().ok_or(Error::TooLarge)?))
    }
}

/// Both tableaux of a formula, or the one that is not too large.
fn tableaux(store: &Store, root: Id, bdds: &mut Bdds, budget: &Budget) -> Result<Vec<Tableau>, Error> {
    let mut found: Vec<Tableau> = Vec::new();
    for branching in [Branching::Now, Branching::Postponed] {
        // What is much larger than another is no way to a small automaton.
        let max_states = found.first().map_or(MAX_STATES, |known| 4 * known.states.len() + 16);
        let part = budget.part(STEPS / 8);
        bdds.allow(300_000);
        let result = tableau(store, root, branching, max_states, bdds, &part);
        budget.charge(&part);
        match result {
            Ok(tableau) => found.push(tableau),
            Err(Error::TooLarge) => {}
            Err(error) => return Err(error),
        }
    }
    if found.is_empty() { Err(Error::TooLarge) } else { Ok(found) }
}

/// The automata of tableaux over the alphabet, reduced, the smallest first.
fn automata(
    tableaux: &[Tableau],
    alphabet: &Alphabet,
    bdds: &Bdds,
    budget: &Budget,
) -> Result<Vec<Automaton>, Error> {
    let mut automata = Vec::new();
    for tableau in tableaux {
        let n_edges: usize = tableau.states.iter().map(Vec::len).sum();
        budget.spend((alphabet.len() * n_edges) as u64)?;
        let automaton = with_few_sets(&Automaton::of(tableau, alphabet, bdds).trimmed());
        let part = budget.part(STEPS / 8);
        let smaller = reduced(&automaton, false, &part);
        budget.charge(&part);
        automata.push(match smaller {
            Ok(smaller) => with_few_sets(&smaller),
            Err(Error::TooLarge) => automaton,
            Err(error) => return Err(error),
        });
    }
    automata.sort_by_key(|automaton| (automaton.n_states(), automaton.n_sets, automaton.n_edges()));
    Ok(automata)
}
