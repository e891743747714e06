//! The smallest Büchi automaton that can be found: several ways are tried and the best result kept.
//!
//! Each way: merge states on trial ([`merge`](crate::merge)) or not, move acceptance to states in some
//! order of the sets ([`degeneralize`](crate::degeneralize)), reduce, merge again. For an obligation the
//! minimal weak deterministic automaton takes part, too.

use crate::Error;
use crate::automaton::Automaton;
use crate::budget::Budget;
use crate::degeneralize::degeneralized;
use crate::language::STEPS;
use crate::merge::merged;
use crate::obligation::weak_deterministic;
use crate::simulation::reduced;

/// The smallest automaton found for the language of the first, given automata of it and of its complement
/// (none if that is too large).
pub(crate) fn smallest(
    automata: &[Automaton],
    complement: Option<&Automaton>,
    n_classes: usize,
    budget: &Budget,
) -> Result<Automaton, Error> {
    let mut best: Option<Automaton> = None;
    for automaton in automata {
        let mut starts = vec![automaton.clone()];
        if let Some(complement) = complement {
            let smaller = affordable(budget, |budget| merged(automaton, complement, false, budget))?
                .map(|smaller| crate::acceptance::with_few_sets(&smaller));
            starts.extend(smaller.filter(|smaller| smaller.n_states() < automaton.n_states()));
        }
        for start in starts {
            for order in orders(start.n_sets) {
                let plain = degeneralized(&start, &order);
                let found = affordable(budget, |budget| {
                    let small = reduced(&plain, true, budget)?;
                    match complement {
                        Some(complement) => merged(&small, complement, true, budget),
                        None => Ok(small),
                    }
                })?;
                keep_smaller(&mut best, found.unwrap_or(plain));
            }
        }
    }
    if let Some(complement) = complement
        && let Some(automaton) = automata.first()
        && let Some(Some(found)) =
            affordable(budget, |budget| weak_deterministic(automaton, complement, n_classes, budget))?
    {
        keep_smaller(&mut best, found);
    }
    best.ok_or(Error::TooLarge)
}

fn keep_smaller(best: &mut Option<Automaton>, found: Automaton) {
    let size = |automaton: &Automaton| (automaton.n_states(), automaton.n_edges());
    if best.as_ref().is_none_or(|best| size(&found) < size(best)) {
        *best = Some(found);
    }
}

/// The result, or none if it is more work than one attempt is worth.
fn affordable<T>(
    budget: &Budget,
    work: impl FnOnce(&Budget) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let part = budget.part(STEPS / 20);
    let result = work(&part);
    budget.charge(&part);
    match result {
        Ok(result) => Ok(Some(result)),
        Err(Error::TooLarge) => Ok(None),
        Err(error) => Err(error),
    }
}

/// All orders of up to three acceptance sets, and two of more.
fn orders(n_sets: usize) -> Vec<Vec<usize>> {
    let ascending: Vec<usize> = (0..n_sets).collect();
    match n_sets {
        0 | 1 => vec![ascending],
        3 => vec![vec![0, 1, 2], vec![0, 2, 1], vec![1, 0, 2], vec![1, 2, 0], vec![2, 0, 1], vec![2, 1, 0]],
        _ => vec![ascending.clone(), ascending.into_iter().rev().collect()],
    }
}
