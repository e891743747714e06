//! Automata that are larger than they have to be, for searches to go astray in.

use stubborn_ir::{ClaimAutomaton, ClaimEdge, ClaimState, Literal, TemporalClaim};
use stubborn_ltl::translate;

/// An automaton for what violates a formula that is larger than it has to be: it guesses whether the first
/// proposition first holds at an even position or never, or at an odd one, and keeps count; one of the
/// guesses is made a step later than the other. Searches that let the steps of a state depend on the
/// automaton lose runs that way.
pub fn scramble(claim: &TemporalClaim, late: bool) -> Option<ClaimAutomaton> {
    let automaton = translate(&claim.formula.clone().negated(), &|| false).ok()?;
    let mut scrambled = Scrambled { automaton, late, known: vec![(0, Mode::Start)], states: Vec::new() };
    scrambled.known[0].0 = scrambled.automaton.initial;
    while scrambled.states.len() < scrambled.known.len() {
        let (q, mode) = scrambled.known[scrambled.states.len()];
        let state = scrambled.state(q, mode);
        scrambled.states.push(state);
    }
    Some(ClaimAutomaton { initial: 0, states: scrambled.states, propositions: claim.propositions.clone() })
}

/// What is guessed and counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// At the first position.
    Start,
    /// At the second one, where the late guess is made.
    Waiting,
    /// It will hold first at a position whose number is odd, or not; this one is, or not.
    Guessed { odd: bool, now_odd: bool },
    /// It held.
    Held,
}

struct Scrambled {
    automaton: stubborn_ltl::Buchi,
    /// The guess that is made late.
    late: bool,
    known: Vec<(usize, Mode)>,
    states: Vec<ClaimState>,
}

impl Scrambled {
    fn number(&mut self, q: usize, mode: Mode) -> u32 {
        let known = self.known.iter().position(|known| *known == (q, mode));
        known.unwrap_or_else(|| {
            self.known.push((q, mode));
            self.known.len() - 1
        }) as u32
    }

    fn state(&mut self, q: usize, mode: Mode) -> ClaimState {
        let mut edges = Vec::new();
        for edge in self.automaton.states[q].edges.clone() {
            for cube in &edge.guard.cubes {
                for holds in [false, true] {
                    let literals: Vec<(usize, bool)> = cube.literals().chain([(0, holds)]).collect();
                    if literals.contains(&(0, !holds)) {
                        continue;
                    }
                    for next in self.next(mode, holds) {
                        let target = self.number(edge.target, next);
                        let literal = |&(p, holds): &(usize, bool)| Literal { proposition: p as u32, holds };
                        let literals = literals.iter().map(literal).collect();
                        edges.push(ClaimEdge { literals, unless: Box::new([]), target });
                    }
                }
            }
        }
        let may_accept = !matches!(mode, Mode::Guessed { odd: true, .. });
        ClaimState { accepting: may_accept && self.automaton.states[q].accepting, is_final: false, edges }
    }

    fn next(&self, mode: Mode, holds: bool) -> Vec<Mode> {
        let late = self.late;
        match (mode, holds) {
            (Mode::Held, _) => vec![Mode::Held],
            // The first position is even, the second one odd.
            (Mode::Start, true) => vec![Mode::Held],
            (Mode::Start, false) => vec![Mode::Guessed { odd: !late, now_odd: true }, Mode::Waiting],
            (Mode::Waiting, true) if late => vec![Mode::Held],
            (Mode::Waiting, true) => Vec::new(),
            (Mode::Waiting, false) => vec![Mode::Guessed { odd: late, now_odd: false }],
            (Mode::Guessed { odd, now_odd }, true) if odd == now_odd => vec![Mode::Held],
            (Mode::Guessed { .. }, true) => Vec::new(),
            (Mode::Guessed { odd, now_odd }, false) => vec![Mode::Guessed { odd, now_odd: !now_odd }],
        }
    }
}
