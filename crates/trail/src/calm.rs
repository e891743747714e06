//! Runs with fewer context switches: people read what one process does in a row.
//!
//! Steps that do not depend on each other are put in another order. That is not derived but tried: from the same
//! state, the same moves in the other order must lead to the same state, so all that follows stays possible.
//!
//! Invariant: the moves stay as many, and a run that ends as it did.

use stubborn_ir::{Claim, Model, Move, Violation};

use crate::machine::{Machine, Position};
use crate::run::{ClaimedRun, replay_run};
use crate::shorten::trimmed;

/// How often the next move is another process's.
pub fn context_switches(moves: &[Move]) -> usize {
    moves.windows(2).filter(|pair| pair[0].pid != pair[1].pid).count()
}

/// Reorders moves to a violation, as long as `may_go_on` says so. They are returned as they are if they do not
/// lead there.
pub fn with_fewer_switches(
    model: &Model,
    moves: Vec<Move>,
    violation: Violation,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Vec<Move> {
    let Some(mut run) = Run::follow(model, &moves) else { return moves };
    if !run.machine.shows(violation) {
        return moves;
    }
    // A move that fails comes last.
    let n_free = match violation {
        Violation::InvalidEnd => moves.len(),
        _ => moves.len().saturating_sub(1),
    };
    let mut moves = moves;
    improve(&mut moves, n_free, may_go_on, &mut |moves, start, end| run.reorder(moves, start, end));
    moves
}

/// Reorders a run that violates a claim, as long as `may_go_on` says so: the moves before its cycle, and those of
/// its cycle.
pub fn run_with_fewer_switches(
    model: &Model,
    claim: &Claim,
    run: ClaimedRun<'_>,
    may_go_on: &mut dyn FnMut() -> bool,
) -> (Vec<Move>, Vec<Move>) {
    let (mut prefix, mut cycle) = (run.prefix.to_vec(), run.cycle.to_vec());
    let n_free = prefix.len();
    improve(&mut prefix, n_free, may_go_on, &mut |prefix, _, _| {
        replay_run(model, claim, ClaimedRun { prefix, ..run }).is_ok()
    });
    let n_free = cycle.len();
    improve(&mut cycle, n_free, may_go_on, &mut |cycle, _, _| {
        replay_run(model, claim, ClaimedRun { prefix: &prefix, cycle, ..run }).is_ok()
    });
    (prefix, cycle)
}

/// Brings together what a process does before and after others, wherever that leaves fewer switches and `is_run`
/// holds of the moves, of which those from `start` to before `end` are in another order.
fn improve(
    moves: &mut Vec<Move>,
    n_free: usize,
    may_go_on: &mut dyn FnMut() -> bool,
    is_run: &mut dyn FnMut(&[Move], usize, usize) -> bool,
) {
    loop {
        let mut is_better = false;
        // What one process does in a row is `first..start`, and again `next..end`.
        let mut first = 0;
        while first < n_free {
            let pid = moves[first].pid;
            let is_its = |i: &usize| moves[*i].pid == pid;
            let start = (first..n_free).find(|i| !is_its(i)).unwrap_or(n_free);
            let Some(next) = (start..n_free).find(is_its) else {
                first = start;
                continue;
            };
            let end = (next..n_free).find(|i| !is_its(i)).unwrap_or(n_free);
            // It goes on at once, or begins later.
            let mut sooner = moves.clone();
            sooner[start..end].rotate_left(next - start);
            let mut later = moves.clone();
            later[first..next].rotate_left(start - first);
            let n_switches = context_switches(moves);
            for (other, from, to) in [(sooner, start, end), (later, first, next)] {
                if !may_go_on() {
                    return;
                }
                if context_switches(&other) < n_switches && is_run(&other, from, to) {
                    *moves = other;
                    is_better = true;
                    break;
                }
            }
            first = start;
        }
        if !is_better {
            return;
        }
    }
}

/// A run, with where it is before each of its moves, and at the end.
struct Run<'m> {
    machine: Machine<'m>,
    positions: Vec<Position>,
}

impl<'m> Run<'m> {
    fn follow(model: &'m Model, moves: &[Move]) -> Option<Self> {
        let machine = Machine::start(model).ok()?;
        let positions = vec![trimmed(&machine.at)];
        let mut run = Run { machine, positions };
        for &made in moves {
            let found = run.machine.find(made)?;
            run.machine.take(found);
            run.positions.push(trimmed(&run.machine.at));
        }
        Some(run)
    }

    /// Takes over moves that are in another order in one part, if that leads to where it did.
    fn reorder(&mut self, moves: &[Move], start: usize, end: usize) -> bool {
        self.machine.go_to(&self.positions[start]);
        let mut positions = Vec::new();
        for &made in &moves[start..end] {
            let Some(found) = self.machine.find(made) else { return false };
            self.machine.take(found);
            if self.machine.error.is_some() || !self.machine.failed.is_empty() {
                return false;
            }
            positions.push(trimmed(&self.machine.at));
        }
        if positions.last() != Some(&self.positions[end]) {
            return false;
        }
        self.positions.splice(start + 1..=end, positions);
        true
    }
}
