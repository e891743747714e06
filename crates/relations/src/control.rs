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
    /// By location: the transitions that leave it.
    at: Vec<Box<[u64]>>,
    /// By location: the transitions that enter it.
    entering: Vec<Box<[u64]>>,
    /// By location: the transitions that can still be reached from it.
    reachable: Vec<Box<[u64]>>,
    /// By location: the transitions after which it can be reached, or is.
    toward: Vec<Box<[u64]>>,
    distances: Distances,
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
        let rows = || vec![vec![0u64; n_words].into_boxed_slice(); n_locations];
        let (mut at, mut entering, mut reachable, mut toward) = (rows(), rows(), rows(), rows());
        for (i, t) in transitions.iter().enumerate() {
            bits::insert(&mut at[t.from.0 as usize], i as u32);
            if let Some(to) = t.to {
                bits::insert(&mut entering[to.0 as usize], i as u32);
            }
        }
        let mut stack = Vec::new();
        for start in 0..n_locations {
            let mut seen = vec![false; n_locations];
            seen[start] = true;
            stack.push(start);
            while let Some(location) = stack.pop() {
                bits::union(&mut reachable[start], &at[location]);
                for i in bits::iter(&at[location]) {
                    if let Some(to) = transitions[i as usize].to.map(|to| to.0 as usize)
                        && !std::mem::replace(&mut seen[to], true)
                    {
                        stack.push(to);
                    }
                }
            }
            for (location, _) in seen.iter().enumerate().filter(|(_, seen)| **seen) {
                bits::union(&mut toward[location], &entering[start]);
            }
        }
        let distances = Distances::new(transitions, n_locations);
        Control { first, n_transitions: transitions.len(), at, entering, reachable, toward, distances }
    }

    /// The transitions that leave a location.
    #[inline]
    pub fn at(&self, location: LocationId) -> &[u64] {
        &self.at[location.0 as usize]
    }

    /// How far locations are from each other.
    pub fn distances(&self) -> &Distances {
        &self.distances
    }

    /// The transitions that enter a location.
    pub fn entering(&self, location: LocationId) -> &[u64] {
        &self.entering[location.0 as usize]
    }

    /// The transitions that can still be reached from a location.
    #[inline]
    pub fn reachable(&self, location: LocationId) -> &[u64] {
        &self.reachable[location.0 as usize]
    }

    /// The transitions after which a location can be reached, or is.
    #[inline]
    pub fn toward(&self, location: LocationId) -> &[u64] {
        &self.toward[location.0 as usize]
    }
}
