//! Control flow of process types: what can be reached from where, without data.
//!
//! Rows are words over the transitions of one type, first transition first.

use stubborn_base::{Idx, IndexVec};
use stubborn_ir::{LocationId, Model, ProcessTypeId, Transition, TransitionId};

use crate::bits;
use crate::distance::Distances;

/// The control flow of one process type.
#[derive(Clone, Debug)]
pub struct Control {
    /// Its first transition.
    pub first: TransitionId,
    /// How many it has.
    pub n_transitions: usize,
    /// The transitions that leave a location.
    at: ByLocation,
    /// The transitions that enter it.
    entering: ByLocation,
    /// The transitions that can still be reached from it.
    reachable: ByLocation,
    distances: Distances,
    /// By transition: where it leads from and to.
    ends: Vec<(LocationId, Option<LocationId>)>,
}

/// A row for every location.
#[derive(Clone, Debug)]
struct ByLocation {
    words: Vec<u64>,
    n_words: usize,
}

impl ByLocation {
    #[inline]
    fn row(&self, location: usize) -> &[u64] {
        &self.words[location * self.n_words..][..self.n_words]
    }

    fn row_mut(&mut self, location: usize) -> &mut [u64] {
        &mut self.words[location * self.n_words..][..self.n_words]
    }
}

impl Control {
    /// The control flow of every type.
    pub fn of(model: &Model) -> IndexVec<ProcessTypeId, Control> {
        let mut all = IndexVec::new();
        for (id, ty) in model.processes.iter_enumerated() {
            let own = || model.transitions.iter_enumerated().filter(move |(_, t)| t.process == id);
            let first = own().next().map_or(TransitionId(0), |(t, _)| t);
            let n_transitions = own().count();
            debug_assert!(own().all(|(t, _)| (t.index() - first.index()) < n_transitions));
            let transitions: Vec<&Transition> = own().map(|(_, t)| t).collect();
            all.push(Control::new(first, &transitions, ty.locations.len()));
        }
        all
    }

    fn new(first: TransitionId, transitions: &[&Transition], n_locations: usize) -> Self {
        let n_words = transitions.len().div_ceil(64).max(1);
        let rows = || ByLocation { words: vec![0; n_words * n_locations], n_words };
        let (mut at, mut entering, mut reachable) = (rows(), rows(), rows());
        for (i, t) in transitions.iter().enumerate() {
            bits::insert(at.row_mut(t.from.0 as usize), i as u32);
            if let Some(to) = t.to {
                bits::insert(entering.row_mut(to.0 as usize), i as u32);
            }
        }
        let mut stack = Vec::new();
        let mut seen = vec![false; n_locations];
        for start in 0..n_locations {
            seen.fill(false);
            seen[start] = true;
            stack.push(start);
            while let Some(location) = stack.pop() {
                bits::union(reachable.row_mut(start), at.row(location));
                for i in bits::iter(at.row(location)) {
                    if let Some(to) = transitions[i as usize].to.map(|to| to.0 as usize)
                        && !std::mem::replace(&mut seen[to], true)
                    {
                        stack.push(to);
                    }
                }
            }
        }
        let distances = Distances::new(transitions, n_locations);
        let ends = transitions.iter().map(|t| (t.from, t.to)).collect();
        Control { first, n_transitions: transitions.len(), at, entering, reachable, distances, ends }
    }

    /// The transitions that leave a location.
    #[inline]
    pub fn at(&self, location: LocationId) -> &[u64] {
        self.at.row(location.0 as usize)
    }

    /// How far locations are from each other.
    pub fn distances(&self) -> &Distances {
        &self.distances
    }

    /// The transitions that enter a location.
    pub fn entering(&self, location: LocationId) -> &[u64] {
        self.entering.row(location.0 as usize)
    }

    /// The transitions that can still be reached from a location.
    #[inline]
    pub fn reachable(&self, location: LocationId) -> &[u64] {
        self.reachable.row(location.0 as usize)
    }

    /// The transitions by which a process leaves a location for the last time on its way to another one.
    pub(crate) fn leading(&self, at: LocationId, target: LocationId) -> Vec<u64> {
        if let Some(only) = self.only(self.at(at), at, target) {
            return only;
        }
        let before = |i: u32| Some(self.ends[i as usize].0).filter(|from| *from != at);
        let seen = self.spread(target, &self.entering, before);
        self.those(self.at(at), |(_, to)| to.is_some_and(|to| seen[to.0 as usize]))
    }

    /// The transitions by which a process enters a location for the first time on its way from another one.
    pub(crate) fn arriving(&self, at: LocationId, target: LocationId) -> Vec<u64> {
        if let Some(only) = self.only(self.entering(target), at, target) {
            return only;
        }
        let after = |i: u32| self.ends[i as usize].1.filter(|to| *to != target);
        let seen = self.spread(at, &self.at, after);
        self.those(self.entering(target), |(from, _)| seen[from.0 as usize])
    }

    /// Where there is one way out or one way in, it is on every way, if there are any: nothing has to be searched.
    fn only(&self, row: &[u64], at: LocationId, target: LocationId) -> Option<Vec<u64>> {
        let is_possible = self.distances.between(at, target).is_some();
        match bits::count(row) {
            _ if !is_possible => Some(vec![0; row.len()]),
            1 => Some(row.to_vec()),
            _ => None,
        }
    }

    /// The locations that are reached from one, by the transitions of rows and where `next` says that they lead.
    fn spread(
        &self,
        start: LocationId,
        rows: &ByLocation,
        next: impl Fn(u32) -> Option<LocationId>,
    ) -> Vec<bool> {
        let mut seen = vec![false; self.n_locations()];
        seen[start.0 as usize] = true;
        let mut stack = vec![start];
        while let Some(location) = stack.pop() {
            for i in bits::iter(rows.row(location.0 as usize)) {
                if let Some(to) = next(i)
                    && !std::mem::replace(&mut seen[to.0 as usize], true)
                {
                    stack.push(to);
                }
            }
        }
        seen
    }

    /// Those transitions of a row whose ends satisfy a condition.
    fn those(&self, row: &[u64], keep: impl Fn((LocationId, Option<LocationId>)) -> bool) -> Vec<u64> {
        let mut kept = vec![0; row.len()];
        bits::iter(row).filter(|&i| keep(self.ends[i as usize])).for_each(|i| bits::insert(&mut kept, i));
        kept
    }

    fn n_locations(&self) -> usize {
        self.at.words.len() / self.at.n_words
    }
}

#[cfg(test)]
mod tests {
    use stubborn_ir::fixture::Fixture;

    use super::*;

    /// Loops where a process is and where it is to come to, and ways back, are not on the way.
    #[test]
    fn ways_neither_begin_nor_end_with_a_loop() {
        let mut model = Fixture::new();
        let mut p = model.process("P");
        for (from, to) in [(0, 0), (0, 1), (1, 0), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2), (3, 1)] {
            p.edge(from, to, "it");
        }
        let p = p.finish();
        model.activate(p);
        let control = &Control::of(&model.finish())[p];
        let ends = |row: Vec<u64>| {
            let ends = bits::iter(&row).map(|i| control.ends[i as usize]);
            ends.map(|(from, to)| (from.0, to.expect("it does not end").0)).collect::<Vec<_>>()
        };
        let [zero, one, two] = [0, 1, 2].map(LocationId);
        assert_eq!(ends(control.leading(zero, two)), [(0, 1)]);
        assert_eq!(ends(control.leading(one, two)), [(1, 2), (1, 3)]);
        assert_eq!(ends(control.arriving(zero, two)), [(1, 2), (3, 2)]);
        assert_eq!(ends(control.arriving(two, zero)), [(1, 0)]);
        assert_eq!(ends(control.leading(two, zero)), [(2, 3)]);
        assert_eq!(ends(control.arriving(two, one)), [(3, 1)]);
    }
}
