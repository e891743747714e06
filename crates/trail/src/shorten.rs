//! Moves that a violation does without.
//!
//! Edelkamp, Leue and Lluch Lafuente call a transition irrelevant to a run if it can be left out (definition 2).
//! Here that is not derived but tried: what is left must be possible, and end in the same violation. First ways
//! round and back to the same state go, then all that one process does, then moves from the end backwards,
//! many at a time and then fewer, down to one.
//!
//! Invariant: the moves always are a run that ends in the violation; they never become more.

use hashbrown::HashMap;
use stubborn_ir::{Model, Move, Pid, Violation};

use crate::machine::{Machine, Position};

/// Leaves out what it can, as long as `may_go_on` says so. The moves are returned as they are if they do not
/// lead to the violation.
pub fn without_irrelevant(
    model: &Model,
    moves: Vec<Move>,
    violation: Violation,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Vec<Move> {
    let Ok(machine) = Machine::start(model) else { return moves };
    let start = trimmed(&machine.at);
    let mut shortening = Shortening { machine, violation, positions: vec![start], moves: Vec::new() };
    if !shortening.accept(0, &moves) {
        return moves;
    }
    let without_detours = shortening.without_detours();
    shortening.accept(0, &without_detours);
    shortening.without_processes(may_go_on);
    shortening.without_parts(may_go_on);
    shortening.moves
}

struct Shortening<'m> {
    machine: Machine<'m>,
    violation: Violation,
    /// The run as it is now.
    moves: Vec<Move>,
    /// Where it is before each of its moves, and at the end.
    positions: Vec<Position>,
}

impl Shortening<'_> {
    /// Makes the first `kept` moves and then `rest` the run, if that is one to the violation.
    fn accept(&mut self, kept: usize, rest: &[Move]) -> bool {
        self.machine.go_to(&self.positions[kept]);
        let mut positions = Vec::with_capacity(rest.len());
        for (i, &made) in rest.iter().enumerate() {
            let Some(found) = self.machine.find(made) else { return false };
            self.machine.take(found);
            positions.push(trimmed(&self.machine.at));
            // What fails is the last move, or not what is looked for.
            if self.machine.error.is_some() && i + 1 < rest.len() {
                return false;
            }
        }
        if !self.machine.shows(self.violation) {
            return false;
        }
        self.moves.truncate(kept);
        self.moves.extend_from_slice(rest);
        self.positions.truncate(kept + 1);
        self.positions.append(&mut positions);
        true
    }

    /// The moves without those between two visits to the same state.
    fn without_detours(&self) -> Vec<Move> {
        let mut kept: Vec<usize> = Vec::new();
        let mut first: HashMap<&Position, usize> = HashMap::new();
        let Some((last, before)) = self.moves.split_last() else { return Vec::new() };
        for at in 0..before.len() {
            let position = &self.positions[at];
            if let Some(&n_kept) = first.get(position) {
                for dropped in kept.drain(n_kept + 1..) {
                    first.remove(&self.positions[dropped]);
                }
                kept.truncate(n_kept);
            }
            first.insert(position, kept.len());
            kept.push(at);
        }
        // The last move is made where it fails, or leads to the end: from the first visit there.
        let n_kept = first.get(&self.positions[before.len()]).copied().unwrap_or(kept.len());
        kept.truncate(n_kept);
        kept.into_iter().map(|at| self.moves[at]).chain([*last]).collect()
    }

    /// Leaves out all that a process does, if nobody needs it.
    fn without_processes(&mut self, may_go_on: &mut dyn FnMut() -> bool) {
        let mut pids: Vec<Pid> = self.moves.iter().map(|made| made.pid).collect();
        pids.sort_unstable();
        pids.dedup();
        for pid in pids.into_iter().rev() {
            if !may_go_on() {
                return;
            }
            let others: Vec<Move> = self.moves.iter().copied().filter(|made| made.pid != pid).collect();
            self.accept(0, &others);
        }
    }

    /// Leaves out as many moves at a time as possible, from the end backwards.
    fn without_parts(&mut self, may_go_on: &mut dyn FnMut() -> bool) {
        let mut size = self.moves.len().next_power_of_two() / 2;
        while size > 0 {
            let n_before = self.moves.len();
            let mut end = n_before;
            while end > 0 {
                if !may_go_on() {
                    return;
                }
                let start = end.saturating_sub(size);
                let rest = self.moves[end..].to_vec();
                self.accept(start, &rest);
                end = start;
            }
            // What was needed by something that is gone may go now.
            let is_settled = self.moves.len() == n_before || size > 1;
            if is_settled {
                size /= 2;
            }
        }
    }
}

/// A position whose state does not tell how much room there was.
pub(crate) fn trimmed(position: &Position) -> Position {
    let used = position.state.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    Position { state: position.state[..used].to_vec(), holder: position.holder }
}
