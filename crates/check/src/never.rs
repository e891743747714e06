//! Whether a never claim can tell how often a state is repeated.
//!
//! A claim is decided by what holds in the states of a run and by nothing else, also where it gets stuck, has
//! an `else`, or comes to its closing brace. So its words are all there is to look at: with every valuation of its
//! propositions for a letter, whether the model can have it or not. What looks at more than a state shows, such
//! as `timeout`, is an obstacle of its own.

use stubborn_ir::ClaimAutomaton;
use stubborn_ltl::{MAX_TABLE_STATES, Table};

/// Why nothing may be left out for a never claim, if it can tell how often a state is repeated.
pub(crate) fn told_by_repetition(
    automaton: &ClaimAutomaton,
    cancelled: &dyn Fn() -> bool,
) -> Option<&'static str> {
    match table(automaton).map(|table| table.is_stutter_invariant(cancelled)) {
        Some(Ok(true)) => None,
        Some(Ok(false)) => Some("the claim can tell how often a state is repeated"),
        Some(Err(_)) | None => {
            Some("whether the claim can tell how often a state is repeated takes too long to decide")
        }
    }
}

/// Letters of a never claim are looked at one by one, if there are no more propositions than this.
const MAX_PROPOSITIONS: usize = 12;

/// What a never claim does by letter: in a state that is final it accepts whatever comes.
fn table(automaton: &ClaimAutomaton) -> Option<Table> {
    let n_propositions = automaton.propositions.len();
    if n_propositions > MAX_PROPOSITIONS || automaton.states.len() > MAX_TABLE_STATES {
        return None;
    }
    let to = |state: usize, letter: u64| match automaton.states[state].is_final {
        true => 1 << state,
        false => {
            let targets = automaton.successors(state as u32, |proposition| letter >> proposition & 1 == 1);
            targets.iter().fold(0, |set, target| set | 1 << target)
        }
    };
    let row = |letter| (0..automaton.states.len()).map(|state| to(state, letter)).collect();
    let accepting = automaton.states.iter().map(|state| state.accepting || state.is_final).collect();
    let moves = (0..1 << n_propositions).map(row).collect();
    Some(Table { initial: automaton.initial as usize, accepting, moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stubborn_ir::{ClaimEdge, ClaimState, Expr, Literal};

    /// An edge on literals, each a proposition and whether it holds, unless one of the edges before is taken.
    fn edge(literals: &[(u32, bool)], unless: &[u32], target: u32) -> ClaimEdge {
        let literals = literals.iter().map(|&(proposition, holds)| Literal { proposition, holds });
        ClaimEdge { literals: literals.collect(), unless: unless.into(), target }
    }

    fn state(accepting: bool, edges: Vec<ClaimEdge>) -> ClaimState {
        ClaimState { accepting, is_final: false, edges }
    }

    fn end() -> ClaimState {
        ClaimState { is_final: true, ..ClaimState::default() }
    }

    #[track_caller]
    fn check(states: Vec<ClaimState>, is_told: bool) {
        let propositions = vec![Expr::NumProcesses, Expr::Const(1)];
        let automaton = ClaimAutomaton { initial: 0, states, propositions };
        assert_eq!(told_by_repetition(&automaton, &|| false).is_some(), is_told);
    }

    #[test]
    fn a_claim_that_waits_cannot_tell() {
        let waits = || edge(&[], &[], 0);
        // Some time, p for ever.
        check(
            vec![
                state(false, vec![waits(), edge(&[(0, true)], &[], 1)]),
                state(true, vec![edge(&[(0, true)], &[], 1)]),
            ],
            false,
        );
        // Some time p, and the claim ends.
        check(vec![state(false, vec![waits(), edge(&[(0, true)], &[], 1)]), end()], false);
        // Some time p and at the next step q.
        let q = state(false, vec![edge(&[(1, true)], &[], 2)]);
        check(vec![state(false, vec![waits(), edge(&[(0, true)], &[], 1)]), q, end()], true);
    }

    #[test]
    fn a_claim_that_gets_stuck_or_ends_can_count() {
        // p at the first step: how often that is repeated does not matter; at the second it does.
        check(vec![state(false, vec![edge(&[(0, true)], &[], 1)]), end()], false);
        let second = state(false, vec![edge(&[(0, true)], &[], 2)]);
        check(vec![state(false, vec![edge(&[], &[], 1)]), second, end()], true);
        // It ends after two steps, whatever holds.
        let second = state(false, vec![edge(&[], &[], 2)]);
        check(vec![state(false, vec![edge(&[], &[], 1)]), second, end()], false);
    }

    #[test]
    fn else_is_what_holds_otherwise() {
        let p = || edge(&[(0, true)], &[], 0);
        // While p, else the end: some time not p.
        check(vec![state(false, vec![p(), edge(&[], &[0], 1)]), end()], false);
        // p and not p by turns.
        let other = state(true, vec![edge(&[(0, true)], &[], 2), edge(&[], &[0], 0)]);
        check(vec![state(false, vec![edge(&[(0, true)], &[], 1)]), other, state(false, vec![])], true);
    }

    #[test]
    fn too_many_propositions_are_not_looked_at() {
        let propositions = vec![Expr::NumProcesses; MAX_PROPOSITIONS + 1];
        let automaton = ClaimAutomaton { initial: 0, states: vec![end()], propositions };
        assert!(told_by_repetition(&automaton, &|| false).is_some());
    }
}
