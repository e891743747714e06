//! The shortest cycle through a seed.
//!
//! Under weak fairness, a way round also remembers which processes it has treated fairly, and ends when it has all: so
//! there may be a way to a node for each set of them. What that takes is limited as all memory is.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use hashbrown::HashMap;
use stubborn_ir::Pid;

use super::{Search, pop};
use crate::exploration::Halt;
use crate::lasso::Path;
use crate::product::{Arc, Node};

/// A node on the way round, whether an accepting one was passed, and who was treated fairly.
type Passing = (Node, bool, Pids);

/// Processes by number.
type Pids = u64;

/// With more processes than there are numbers, no fair cycle is looked for.
pub(super) const MAX_PIDS: Pid = Pids::BITS as Pid;

/// What is kept of a node on the way round: in a table that may be half empty, and in the list of what is open.
const BYTES_PER_PASSING: usize = 3 * size_of::<(Passing, (u32, Passing, Pid))>();

impl Search<'_, '_> {
    /// The shortest cycle through a seed and an accepting node, if it has fewer steps than `bound`.
    pub(super) fn cycle(
        &mut self,
        seed: Node,
        bound: u32,
        component: &[u32],
    ) -> ControlFlow<Halt, Option<(u32, Path)>> {
        let mut round = Round::default();
        let found = self.go_round(seed, bound, component, &mut round);
        let given = self.product.exploration.budget.replace(round.bytes, 0);
        self.product.exploration.flow(given)?;
        found
    }

    fn go_round(
        &mut self,
        seed: Node,
        bound: u32,
        component: &[u32],
        round: &mut Round,
    ) -> ControlFlow<Halt, Option<(u32, Path)>> {
        let start = (seed, self.product.is_accepting(seed), self.resting(seed));
        let mut open = BTreeMap::from([(0, vec![start])]);
        let mut arcs = Vec::new();
        while let Some((cost, at)) = pop(&mut open) {
            if cost >= bound {
                break;
            }
            if round.reached.get(&at).is_some_and(|&(known, ..)| cost > known) {
                continue;
            }
            self.tick()?;
            if at == (seed, true, Pids::MAX) && round.reached.contains_key(&at) {
                return ControlFlow::Continue(Some((cost, round.path(start, at))));
            }
            arcs.clear();
            self.product.measured_arcs(at.0, &mut arcs);
            for &(arc, length) in &arcs {
                if component[arc.to as usize] != component[seed as usize] {
                    continue;
                }
                let fair = at.2 | bit(arc.mover) | self.resting(arc.to);
                let to = (arc.to, at.1 || self.product.is_accepting(arc.to), fair);
                let cost = cost.saturating_add(length);
                let known = round.reached.get(&to).map(|&(known, ..)| known);
                if known.is_none_or(|known| cost < known) {
                    if known.is_none() {
                        let given = self.product.exploration.budget.replace(0, BYTES_PER_PASSING);
                        self.product.exploration.flow(given)?;
                        round.bytes += BYTES_PER_PASSING;
                    }
                    round.reached.insert(to, (cost, at, arc.mover));
                    open.entry(cost).or_default().push(to);
                }
            }
        }
        ControlFlow::Continue(None)
    }

    /// Whether going through all of a component treats every process fairly.
    pub(super) fn is_fair_to_all(&self, members: &[Node], component: &[u32]) -> bool {
        let mut arcs = Vec::new();
        let mut fair = 0;
        for &member in members {
            fair |= self.resting(member);
            arcs.clear();
            self.product.append_arcs(member, &mut arcs);
            let inside = arcs.iter().filter(|arc| component[arc.to as usize] == component[member as usize]);
            fair |= inside.fold(0, |pids, arc| pids | bit(arc.mover));
        }
        fair == Pids::MAX
    }

    /// Who is treated fairly by coming to a node, since it cannot move there: everybody, if that is not asked.
    fn resting(&self, node: Node) -> Pids {
        if !self.is_fair {
            return Pids::MAX;
        }
        let movers = self.product.movers(self.product.state(node));
        !movers.iter().fold(0, |pids, &pid| pids | bit(pid))
    }
}

/// What a way round has come to.
#[derive(Default)]
struct Round {
    /// With the steps so far, where from and who moved.
    reached: HashMap<Passing, (u32, Passing, Pid)>,
    /// What it takes.
    bytes: usize,
}

impl Round {
    fn path(&self, start: Passing, end: Passing) -> Path {
        let mut path = Path::new();
        let mut to = end;
        loop {
            let (_, before, mover) = self.reached[&to];
            path.push((before.0, Arc { to: to.0, mover }));
            to = before;
            if to == start {
                break;
            }
        }
        path.reverse();
        path
    }
}

/// A process alone; nobody is no process.
fn bit(pid: Pid) -> Pids {
    if pid < MAX_PIDS { 1 << pid } else { 0 }
}
