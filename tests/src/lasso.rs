//! Lasso words against automata and against each other, by the plainest means: nothing of the engine is
//! used here.

use stubborn_ltl::{Buchi, Lasso};

/// Whether the automaton accepts the word: some accepting state can be met again in the word's cycle.
pub fn accepts(automaton: &Buchi, word: &Lasso) -> bool {
    let letters = [&word.prefix[..], &word.cycle[..]].concat();
    let after =
        |position: usize| if position + 1 == letters.len() { word.prefix.len() } else { position + 1 };
    let n = letters.len();
    let successors = |node: usize| {
        let (state, position) = (node / n, node % n);
        automaton.successors(state, letters[position]).map(move |target| target * n + after(position))
    };
    // The nodes that can be reached in one step or more.
    let reach = |from: usize| {
        let mut is_seen = vec![false; automaton.states.len() * n];
        let mut open: Vec<usize> = successors(from).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut is_seen[node], true) {
                open.extend(successors(node));
            }
        }
        is_seen
    };
    let start = reach(automaton.initial * n);
    let met = start.iter().enumerate().filter(|&(_, &is_seen)| is_seen).map(|(node, _)| node);
    met.filter(|node| automaton.states[node / n].accepting).any(|node| reach(node)[node])
}

/// The first letters of a word, each run of equal letters taken as one.
pub fn without_stuttering(word: &Lasso) -> Vec<u64> {
    const ROUNDS: usize = 40;
    let mut letters = word.prefix.clone();
    (0..ROUNDS).for_each(|_| letters.extend(&word.cycle));
    letters.dedup();
    letters
}

/// Whether two words differ in repetitions of letters only, as far as can be seen.
pub fn are_stutter_equivalent(a: &Lasso, b: &Lasso) -> bool {
    let (a, b) = (without_stuttering(a), without_stuttering(b));
    // Each word comes to its cycle many times over; one that ends is constant from there on.
    let n = a.len().min(b.len());
    let is_constant = |letters: &[u64]| letters.len() < 40;
    a[..n] == b[..n] && is_constant(&a) == is_constant(&b) && (a.len() == b.len() || !is_constant(&a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stubborn_ltl::{Formula, translate};

    fn word(prefix: &[u64], cycle: &[u64]) -> Lasso {
        Lasso { prefix: prefix.to_vec(), cycle: cycle.to_vec() }
    }

    #[test]
    fn acceptance_of_lassos() {
        let automaton = translate(&Formula::atom(0).eventually().always(), &|| false).expect("it is small");
        assert!(accepts(&automaton, &word(&[0, 0], &[0, 1])));
        assert!(!accepts(&automaton, &word(&[1, 1], &[0])));
    }

    #[test]
    fn stuttering() {
        assert!(are_stutter_equivalent(&word(&[1, 1], &[2]), &word(&[1, 2, 2], &[2, 2])));
        assert!(!are_stutter_equivalent(&word(&[1], &[2]), &word(&[1], &[2, 1])));
        assert!(!are_stutter_equivalent(&word(&[1], &[2]), &word(&[2], &[2])));
        assert!(are_stutter_equivalent(&word(&[], &[1, 2]), &word(&[1], &[2, 2, 1])));
        assert!(!are_stutter_equivalent(&word(&[], &[1, 2]), &word(&[1], &[2, 3, 1])));
    }
}
