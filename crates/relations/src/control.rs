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
    /// The transitions after which it can be reached, or is.
    toward: ByLocation,
    distances: Distances,
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
        let (mut at, mut entering, mut reachable, mut toward) = (rows(), rows(), rows(), rows());
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
            for (location, _) in seen.iter().enumerate().filter(|(_, seen)| **seen) {
                bits::union(toward.row_mut(location), entering.row(start));
            }
        }
        let distances = Distances::new(transitions, n_locations);
        Control { first, n_transitions: transitions.len(), at, entering, reachable, toward, distances }
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

    /// The transitions after which a location can be reached, or is.
    #[inline]
    pub fn toward(&self, location: LocationId) -> &[u64] {
        self.toward.row(location.0 as usize)
    }
}
