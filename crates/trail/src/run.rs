//! Replay of runs that violate a claim: the moves are made again, and the claim is held against the states
//! they lead through.
//!
//! A formula is evaluated directly on the word of the run, by code that knows nothing of automata. A claim
//! that is an automaton is run along the word.

use stubborn_ir::{Claim, ClaimBody, Expr, Model, Move, Pid, Violation};
use stubborn_ltl::{Letter, evaluate};

use crate::events::replay_trace;
use crate::replay::{Replay, ReplayError};
use crate::trail::Trail;
use crate::watch::{Word, accepting_way};

/// A run, as it is claimed to violate a claim.
#[derive(Clone, Copy, Debug)]
pub struct ClaimedRun<'a> {
    /// Moves before the cycle, or all.
    pub prefix: &'a [Move],
    /// Moves that repeat for ever; none if the run ends, and then stays where it is.
    pub cycle: &'a [Move],
    /// Whether it goes on for ever; otherwise its prefix is enough.
    pub is_infinite: bool,
    /// Whether it must be fair to every process.
    pub is_fair: bool,
}

/// Replays a run and checks that it violates the claim.
pub fn replay_run(model: &Model, claim: &Claim, run: ClaimedRun<'_>) -> Result<Trail, ReplayError> {
    let claimed = if run.is_infinite { Violation::InfiniteRun } else { Violation::BadPrefix };
    let wrong = || ReplayError::NoViolation { claimed };
    let mut replay = Replay::start(model)?;
    let propositions = match &claim.body {
        ClaimBody::Formula(formula) => &formula.propositions,
        ClaimBody::Automaton(automaton) => &automaton.propositions,
        ClaimBody::Trace(trace) => return replay_trace(model, trace, run),
        ClaimBody::Unchecked(_) => return Err(wrong()),
    };
    let mut letters = Vec::new();
    follow(&mut replay, run.prefix, propositions, &mut letters)?;
    let back_to = letters.len();
    letters.push(replay.letter(propositions)?);
    let start = replay.state().to_vec();
    let mut fairness = Fairness::default();
    if run.is_infinite {
        if run.cycle.is_empty() {
            let extends = match &claim.body {
                ClaimBody::Formula(formula) => formula.extends_finite_runs,
                _ => true,
            };
            if !extends || !replay.is_dead() {
                return Err(wrong());
            }
        } else {
            letters.pop();
            for &made in run.cycle {
                if replay.is_between_runs() {
                    letters.push(replay.letter(propositions)?);
                    fairness.note(&mut replay, made);
                }
                replay.make(made)?;
            }
            if !replay.is_between_runs() || !same(&start, replay.state()) {
                return Err(wrong());
            }
        }
    }
    let word = Word { letters, back_to: run.is_infinite.then_some(back_to) };
    let violates = match &claim.body {
        ClaimBody::Formula(formula) => {
            let letters: Vec<Letter> = word.letters.iter().map(|letter| bits(letter)).collect();
            let holds = |cycle: &[Letter]| evaluate(&formula.formula, &letters[..back_to], cycle);
            match run.is_infinite {
                true => !holds(&letters[back_to..]),
                // Whatever comes next: tried with all that occurs.
                false => {
                    let holds = |letter: &Letter| evaluate(&formula.formula, &letters, &[*letter]);
                    !letters.iter().any(holds) && ![0, Letter::MAX].iter().any(holds)
                }
            }
        }
        ClaimBody::Automaton(automaton) => accepting_way(automaton, &word).is_some(),
        ClaimBody::Trace(_) | ClaimBody::Unchecked(_) => false,
    };
    if !violates || (run.is_fair && !run.cycle.is_empty() && !fairness.is_fair()) {
        return Err(wrong());
    }
    let mut trail = replay.finish(claimed);
    (trail.prefix, trail.cycle) = (run.prefix.len(), run.cycle.len());
    Ok(trail)
}

/// Makes moves, and takes down what holds before each that is not inside an atomic run.
fn follow(
    replay: &mut Replay<'_>,
    moves: &[Move],
    propositions: &[Expr],
    letters: &mut Vec<Vec<bool>>,
) -> Result<(), ReplayError> {
    for &made in moves {
        if replay.is_between_runs() {
            letters.push(replay.letter(propositions)?);
        }
        replay.make(made)?;
    }
    Ok(())
}

/// States are the same up to zeros at their ends.
fn same(a: &[u8], b: &[u8]) -> bool {
    let n = a.len().min(b.len());
    a[..n] == b[..n] && a[n..].iter().chain(&b[n..]).all(|&byte| byte == 0)
}

fn bits(letter: &[bool]) -> Letter {
    letter.iter().enumerate().fold(0, |bits, (i, &holds)| bits | Letter::from(holds) << i)
}

/// Which processes could move at every position of the cycle, and which did.
#[derive(Default)]
struct Fairness {
    always_able: Option<Vec<Pid>>,
    moved: Vec<Pid>,
}

impl Fairness {
    fn note(&mut self, replay: &mut Replay<'_>, made: Move) {
        let able = replay.able();
        match &mut self.always_able {
            Some(always) => always.retain(|pid| able.contains(pid)),
            None => self.always_able = Some(able),
        }
        self.moved.push(made.pid);
    }

    fn is_fair(&self) -> bool {
        self.always_able.iter().flatten().all(|pid| self.moved.contains(pid))
    }
}
