//! Runs that violate a claim, with fewer moves before their cycle and in it.
//!
//! As with other runs, what can be left out is tried: what is left must be possible, come back to where its cycle
//! begins, and violate the claim; fairly, if that is asked for.
//!
//! Invariant: the run always violates the claim; it never becomes longer.

use stubborn_ir::{Claim, Model, Move};

use crate::run::{ClaimedRun, replay_run};

/// Leaves out what it can, as long as `may_go_on` says so: what is left before the cycle, and of the cycle. The run
/// is returned as it is if it does not violate the claim.
pub fn run_without_irrelevant(
    model: &Model,
    claim: &Claim,
    run: ClaimedRun<'_>,
    may_go_on: &mut dyn FnMut() -> bool,
) -> (Vec<Move>, Vec<Move>) {
    let mut shortening =
        Shortening { model, claim, run, prefix: run.prefix.to_vec(), cycle: run.cycle.to_vec() };
    if !shortening.violates(run.prefix, run.cycle) {
        return (shortening.prefix, shortening.cycle);
    }
    shortening.without_rounds(may_go_on);
    shortening.without_parts(Part::Prefix, may_go_on);
    shortening.without_parts(Part::Cycle, may_go_on);
    shortening.begin_earlier(may_go_on);
    (shortening.prefix, shortening.cycle)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Prefix,
    Cycle,
}

struct Shortening<'a> {
    model: &'a Model,
    claim: &'a Claim,
    /// What it was, and is to stay.
    run: ClaimedRun<'a>,
    prefix: Vec<Move>,
    cycle: Vec<Move>,
}

impl Shortening<'_> {
    fn violates(&self, prefix: &[Move], cycle: &[Move]) -> bool {
        // A run with a cycle is not one that ends.
        let is_like_it = cycle.is_empty() == self.run.cycle.is_empty();
        is_like_it && replay_run(self.model, self.claim, ClaimedRun { prefix, cycle, ..self.run }).is_ok()
    }

    /// A cycle that is some moves several times over is those moves once, if they come back, too.
    fn without_rounds(&mut self, may_go_on: &mut dyn FnMut() -> bool) {
        let n_moves = self.cycle.len();
        for length in (1..=n_moves / 2).filter(|&length| n_moves.is_multiple_of(length)) {
            let is_repeated = (length..n_moves).all(|i| self.cycle[i] == self.cycle[i - length]);
            if is_repeated && may_go_on() && self.violates(&self.prefix, &self.cycle[..length]) {
                self.cycle.truncate(length);
                return;
            }
        }
    }

    /// Leaves out as many moves at a time as possible, from the end backwards.
    fn without_parts(&mut self, part: Part, may_go_on: &mut dyn FnMut() -> bool) {
        let moves = |it: &Self| if part == Part::Prefix { it.prefix.clone() } else { it.cycle.clone() };
        let mut size = moves(self).len().next_power_of_two();
        while size > 0 {
            let before = moves(self);
            let mut end = before.len();
            while end > 0 {
                if !may_go_on() {
                    return;
                }
                let start = end.saturating_sub(size);
                let mut rest = moves(self);
                rest.drain(start..end);
                match part {
                    Part::Prefix if self.violates(&rest, &self.cycle) => self.prefix = rest,
                    Part::Cycle if self.violates(&self.prefix, &rest) => self.cycle = rest,
                    _ => {}
                }
                end = start;
            }
            // What was needed by something that is gone may go now.
            if moves(self).len() == before.len() || size > 1 {
                size /= 2;
            }
        }
    }

    /// A cycle that ends as the moves before it do can begin earlier: the run is the same.
    fn begin_earlier(&mut self, may_go_on: &mut dyn FnMut() -> bool) {
        let mut n_moves = 0;
        let n_cycle = self.cycle.len();
        while n_cycle > 0
            && n_moves < self.prefix.len()
            && self.prefix[self.prefix.len() - 1 - n_moves] == self.cycle[n_cycle - 1 - n_moves % n_cycle]
        {
            n_moves += 1;
        }
        // Not where the cycle would begin inside an atomic run.
        for n_moves in (1..=n_moves).rev() {
            if !may_go_on() {
                return;
            }
            let prefix = self.prefix[..self.prefix.len() - n_moves].to_vec();
            let mut cycle = self.cycle.clone();
            cycle.rotate_right(n_moves % n_cycle);
            if self.violates(&prefix, &cycle) {
                (self.prefix, self.cycle) = (prefix, cycle);
                return;
            }
        }
    }
}
