//! Local control-flow distances: how many transitions a process takes at least from one
//! location to another, whatever the data (the FSM distance of Edelkamp, Leue and Lluch
//! Lafuente). A row is computed when it is first asked for.

use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};

use stubborn_ir::{LocationId, Model, Transition, TransitionId};

const UNREACHABLE: u16 = u16::MAX;

/// The distances between the locations of one process type.
#[derive(Clone, Debug)]
pub struct Distances {
    /// By location: those one transition away.
    next: Vec<Vec<u16>>,
    /// By location: how far the others are.
    rows: Vec<OnceCell<Box<[u16]>>>,
}

impl Distances {
    pub(crate) fn new(transitions: &[&Transition], n_locations: usize) -> Self {
        let mut next = vec![Vec::new(); n_locations];
        for t in transitions {
            next[t.from.0 as usize].extend(t.to.map(|to| to.0));
        }
        Distances { next, rows: vec![OnceCell::new(); n_locations] }
    }

    /// How many transitions lead from one location to the other; none if none do.
    pub fn between(&self, from: LocationId, to: LocationId) -> Option<u32> {
        known(self.row(from)[to.0 as usize])
    }

    /// How many transitions lead from a location to the nearest of those that are wanted.
    pub fn to_nearest(&self, from: LocationId, wanted: impl Fn(LocationId) -> bool) -> Option<u32> {
        let row = self.row(from).iter().enumerate();
        let wanted = row.filter(|&(location, _)| wanted(LocationId(location as u16)));
        wanted.map(|(_, &distance)| distance).min().and_then(known)
    }

    fn row(&self, from: LocationId) -> &[u16] {
        self.rows[from.0 as usize].get_or_init(|| {
            let mut row = vec![UNREACHABLE; self.next.len()].into_boxed_slice();
            row[from.0 as usize] = 0;
            let mut queue = vec![from.0];
            let mut at = 0;
            while let Some(&location) = queue.get(at) {
                at += 1;
                for &next in &self.next[location as usize] {
                    if row[next as usize] == UNREACHABLE {
                        // Shorter than the number of locations, which are fewer than 2^16.
                        row[next as usize] = row[location as usize] + 1;
                        queue.push(next);
                    }
                }
            }
            row
        })
    }
}

fn known(distance: u16) -> Option<u32> {
    (distance != UNREACHABLE).then_some(u32::from(distance))
}

/// A shortest cycle in the control flow of a process that a transition is on, the transition first; empty if it is on
/// none.
pub(crate) fn shortest_local_cycle(model: &Model, transition: TransitionId) -> Vec<TransitionId> {
    let t = &model.transitions[transition];
    let Some(start) = t.to else { return Vec::new() };
    // By location: the transition it was reached by.
    let mut reached = BTreeMap::from([(start, transition)]);
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        if at == t.from {
            break;
        }
        for next in model.processes[t.process].location(at).transition_ids() {
            if let Some(to) = model.transitions[next].to
                && !reached.contains_key(&to)
            {
                reached.insert(to, next);
                queue.push_back(to);
            }
        }
    }
    let mut cycle = Vec::new();
    let mut by = reached.get(&t.from).copied();
    while let Some(step) = by {
        cycle.push(step);
        by = (step != transition).then(|| reached[&model.transitions[step].from]);
    }
    cycle.reverse();
    cycle
}

#[cfg(test)]
mod tests {
    use stubborn_ir::LocationId;
    use stubborn_ir::fixture::{Fixture, transition};

    use super::shortest_local_cycle;
    use crate::Control;

    #[test]
    fn cycles_are_shortest_and_begin_with_their_transition() {
        let mut fixture = Fixture::new();
        let mut p = fixture.process("P");
        let edges = [(0, 1, "a"), (1, 2, "b"), (2, 0, "c"), (0, 2, "short"), (1, 1, "loop"), (1, 3, "out")];
        for (from, to, text) in edges {
            p.edge(from, to, text);
        }
        p.exit(3);
        p.finish();
        let model = fixture.finish();
        let cycle = |text: &str| {
            let found = shortest_local_cycle(&model, transition(&model, text));
            found.iter().map(|&t| model.transitions[t].origin.text.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(["a", "b", "c", "short"].map(cycle), ["a b c", "b c a", "c short", "short c"]);
        assert_eq!(["loop", "out"].map(cycle), ["loop", ""]);
    }

    /// `0 -> 1 -> 2 -> 0`, a short cut `0 -> 2`, and a way out `1 -> 3 -> end`.
    #[test]
    fn distances_are_shortest() {
        let mut fixture = Fixture::new();
        let mut p = fixture.process("P");
        for (from, to) in [(0, 1), (1, 2), (2, 0), (0, 2), (1, 3)] {
            p.edge(from, to, "skip");
        }
        p.exit(3);
        let p = p.finish();
        let model = fixture.finish();
        let control = &Control::of(&model)[p];
        let distances = control.distances();
        let between = |from, to| distances.between(LocationId(from), LocationId(to));
        assert_eq!([between(0, 0), between(0, 1), between(0, 2), between(0, 3)], [0, 1, 1, 2].map(Some));
        assert_eq!([between(2, 1), between(2, 3)], [2, 3].map(Some));
        assert_eq!([between(3, 0), between(3, 3)], [None, Some(0)]);
        assert_eq!(distances.to_nearest(LocationId(2), |l| l.0 == 1 || l.0 == 3), Some(2));
        assert_eq!(distances.to_nearest(LocationId(3), |l| l.0 == 1), None);
    }
}
