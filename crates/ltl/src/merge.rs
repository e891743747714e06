//! States merged on trial. Merging two states, with the edges of both and accepting if one of them is,
//! only adds words. If the automaton of the negation accepts none of the words, nothing was added.
//!
//! This subsumes the quotients under delayed and fair simulation on the automata it can be afforded on.
//! A pair `(p, q)` is tried only if no word that leads to `p` can be continued wrongly from `q`, and the
//! other way round; both are read off one product.

use crate::Error;
use crate::automaton::{Automaton, Edge, joined};
use crate::budget::Budget;
use crate::product::{Product, are_disjoint};
use crate::simulation::reduced;

/// Merges states while that does not change the language, given an automaton of the complement.
pub(crate) fn merged(
    automaton: &Automaton,
    complement: &Automaton,
    on_states: bool,
    budget: &Budget,
) -> Result<Automaton, Error> {
    let mut best = automaton.clone();
    'again: loop {
        let wrong = Wrong::new(&best, complement, budget)?;
        for p in 0..best.n_states() {
            for q in p + 1..best.n_states() {
                if !wrong.may_merge(p, q) {
                    continue;
                }
                let candidate = merge(&best, p, q, on_states);
                if are_disjoint(&candidate, complement, budget)? {
                    best = reduced(&candidate.trimmed(), on_states, budget)?;
                    continue 'again;
                }
            }
        }
        return Ok(best);
    }
}

/// Which states of the complement can be met together with a state, and which have a word in common with
/// it, which must not be accepted.
struct Wrong {
    n_words: usize,
    met: Vec<u64>,
    common: Vec<u64>,
}

impl Wrong {
    fn new(automaton: &Automaton, complement: &Automaton, budget: &Budget) -> Result<Self, Error> {
        let n_words = complement.n_states().div_ceil(64);
        let (mut met, mut common) =
            (vec![0; automaton.n_states() * n_words], vec![0; automaton.n_states() * n_words]);
        let start = (automaton.initial, complement.initial);
        let reachable = Product::new(automaton, complement, &[start], budget)?;
        for &(p, q) in &reachable.pairs {
            met[p * n_words + q / 64] |= 1 << (q % 64);
        }
        let pairs = (0..automaton.n_states()).flat_map(|p| (0..complement.n_states()).map(move |q| (p, q)));
        let all = Product::new(automaton, complement, &pairs.collect::<Vec<_>>(), budget)?;
        for (&(p, q), is_live) in all.pairs.iter().zip(all.live()) {
            if is_live {
                common[p * n_words + q / 64] |= 1 << (q % 64);
            }
        }
        Ok(Wrong { n_words, met, common })
    }

    fn may_merge(&self, p: usize, q: usize) -> bool {
        let meet = |a: usize, b: usize| {
            let (a, b) = (a * self.n_words, b * self.n_words);
            (0..self.n_words).any(|word| self.met[a + word] & self.common[b + word] != 0)
        };
        !meet(p, q) && !meet(q, p)
    }
}

/// One state with the edges of both.
fn merge(automaton: &Automaton, p: usize, q: usize, on_states: bool) -> Automaton {
    let mut result = automaton.clone();
    let is_accepting = automaton.is_accepting(p) || automaton.is_accepting(q);
    let moved = std::mem::take(&mut result.rows[q]);
    result.rows[p].extend(moved);
    if on_states && is_accepting {
        result.rows[p].iter_mut().for_each(|edge| edge.marks = 1);
    }
    let to = |state: usize| if state == q { p } else { state };
    for row in &mut result.rows {
        if row.iter().any(|edge| edge.target == q) {
            *row = joined(row.drain(..).map(|edge| Edge { target: to(edge.target), ..edge }));
        }
    }
    result.rows[p] = joined(result.rows[p].drain(..));
    result.initial = to(result.initial);
    result
}
