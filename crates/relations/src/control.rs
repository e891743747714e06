//! Control flow of process types: what can be reached from where, without data.
//!
//! Rows are over the transitions of one type, first transition first. Those of what can be reached are long, and are
//! computed when they are first asked for, as are ways: a search is stopped between two of them.

use std::cell::OnceCell;

use stubborn_base::{Idx, IndexVec};
use stubborn_ir::{LocationId, Model, ProcessTypeId, Transition, TransitionId};

use crate::bits::{self, Row};
use crate::distance::Distances;

/// In a process with more locations than this, ways are not searched for: whatever leaves where it is may be on the way,
/// and whatever enters where it is to be.
const MOST_LOCATIONS: usize = 1024;

/// By transition of a row, in order: locations, as words.
type Ends = Box<[Box<[u64]>]>;

/// What is known of the ways between two locations.
#[derive(Clone, Copy)]
enum Between<'a> {
    /// Of a large process, whether there are any.
    Anything(bool),
    Ends(&'a Ends),
}

/// The control flow of one process type.
#[derive(Clone, Debug)]
pub struct Control {
    /// Its first transition.
    pub first: TransitionId,
    /// How many it has.
    pub n_transitions: usize,
    /// By location: the transitions that leave it.
    at: Vec<Row>,
    /// By location: the transitions that enter it.
    entering: Vec<Row>,
    /// By location: the transitions that can still be reached from it, as words.
    reachable: Vec<OnceCell<Box<[u64]>>>,
    /// By location: where each of the transitions that leave it leads to without coming back.
    beyond: Vec<OnceCell<Ends>>,
    /// By location: from where each of the transitions that enter it is reached without having been there before.
    before: Vec<OnceCell<Ends>>,
    distances: Distances,
    /// By transition: where it leads from and to.
    ends: Vec<(LocationId, Option<LocationId>)>,
}

impl Control {
    /// The control flow of every type.
    pub fn of(model: &Model) -> IndexVec<ProcessTypeId, Control> {
        let mut all = IndexVec::new();
        for (id, ty) in model.processes.iter_enumerated() {
            let own = || model.transitions.iter_enumerated().filter(move |(_, t)| t.process == id);
            let first = own().next().map_or(TransitionId(0), |(t, _)| t);
            let transitions: Vec<&Transition> = own().map(|(_, t)| t).collect();
            debug_assert!(own().all(|(t, _)| (t.index() - first.index()) < transitions.len()));
            all.push(Control::new(first, &transitions, ty.locations.len()));
        }
        all
    }

    fn new(first: TransitionId, transitions: &[&Transition], n_locations: usize) -> Self {
        let (mut at, mut entering) = (vec![Vec::new(); n_locations], vec![Vec::new(); n_locations]);
        for (i, t) in (0..).zip(transitions) {
            at[t.from.0 as usize].push(i);
            if let Some(to) = t.to {
                entering[to.0 as usize].push(i);
            }
        }
        let rows = |all: Vec<Vec<u32>>| all.into_iter().map(Row::of_numbers).collect();
        Control {
            first,
            n_transitions: transitions.len(),
            at: rows(at),
            entering: rows(entering),
            reachable: vec![OnceCell::new(); n_locations],
            beyond: vec![OnceCell::new(); n_locations],
            before: vec![OnceCell::new(); n_locations],
            distances: Distances::new(transitions, n_locations),
            ends: transitions.iter().map(|t| (t.from, t.to)).collect(),
        }
    }

    /// The transitions that leave a location.
    #[inline]
    pub fn at(&self, location: LocationId) -> &Row {
        &self.at[location.0 as usize]
    }

    /// How far locations are from each other.
    pub fn distances(&self) -> &Distances {
        &self.distances
    }

    /// The transitions that enter a location.
    pub fn entering(&self, location: LocationId) -> &Row {
        &self.entering[location.0 as usize]
    }

    /// The transitions that can still be reached from a location. Before they are looked for, `told` is told how many
    /// there may be.
    #[inline]
    pub fn reachable(&self, location: LocationId, told: impl FnOnce(usize)) -> &[u64] {
        self.reachable[location.0 as usize].get_or_init(|| {
            told(self.n_transitions);
            let seen = self.spread(location, &self.at, |i| self.ends[i as usize].1);
            let mut row = vec![0; self.n_words()].into_boxed_slice();
            bits::iter(&seen).for_each(|from| self.at[from as usize].add_to(&mut row));
            row
        })
    }

    /// Words of a row of this type.
    fn n_words(&self) -> usize {
        self.n_transitions.div_ceil(64).max(1)
    }

    /// The transitions by which a process leaves a location for the last time on its way to another one. More is safe.
    /// `told` is told what it takes, as by [`Control::reachable`].
    pub(crate) fn leading(
        &self,
        at: LocationId,
        target: LocationId,
        told: impl FnOnce(usize),
    ) -> impl Iterator<Item = u32> {
        let row = self.at(at);
        let beyond = || {
            self.beyond[at.0 as usize].get_or_init(|| {
                let after = |i: u32| self.ends[i as usize].1.filter(|to| *to != at);
                self.spread_each(row, &self.at, after, told)
            })
        };
        those(row, self.between(at, target, beyond), target)
    }

    /// The transitions by which a process enters a location for the first time on its way from another one. More is safe.
    pub(crate) fn arriving(
        &self,
        at: LocationId,
        target: LocationId,
        told: impl FnOnce(usize),
    ) -> impl Iterator<Item = u32> {
        let row = self.entering(target);
        let before = || {
            self.before[target.0 as usize].get_or_init(|| {
                let from = |i: u32| Some(self.ends[i as usize].0).filter(|from| *from != target);
                self.spread_each(row, &self.entering, from, told)
            })
        };
        those(row, self.between(at, target, before), at)
    }

    fn between<'a>(
        &'a self,
        at: LocationId,
        target: LocationId,
        ends: impl FnOnce() -> &'a Ends,
    ) -> Between<'a> {
        match self.at.len() > MOST_LOCATIONS {
            true => Between::Anything(self.distances.between(at, target).is_some()),
            false => Between::Ends(ends()),
        }
    }

    /// By transition of a row: the locations that are reached by it and what `next` says that comes then.
    fn spread_each(
        &self,
        row: &Row,
        rows: &[Row],
        next: impl Fn(u32) -> Option<LocationId>,
        told: impl FnOnce(usize),
    ) -> Ends {
        told(row.iter().count() * self.at.len());
        let spread = |i: u32| next(i).map_or_else(Box::default, |start| self.spread(start, rows, &next));
        row.iter().map(spread).collect()
    }

    /// The locations that are reached from one, as words, by the transitions of rows and where `next` says that they lead.
    fn spread(
        &self,
        start: LocationId,
        rows: &[Row],
        next: impl Fn(u32) -> Option<LocationId>,
    ) -> Box<[u64]> {
        let mut seen = vec![0; rows.len().div_ceil(64)].into_boxed_slice();
        bits::insert(&mut seen, start.0.into());
        let mut stack = vec![start];
        while let Some(location) = stack.pop() {
            for i in rows[location.0 as usize].iter() {
                if let Some(to) = next(i)
                    && !bits::contains(&seen, to.0.into())
                {
                    bits::insert(&mut seen, to.0.into());
                    stack.push(to);
                }
            }
        }
        seen
    }
}

/// Those transitions of a row with a location among the ends of them.
fn those<'a>(
    row: &'a Row,
    between: Between<'a>,
    location: LocationId,
) -> impl Iterator<Item = u32> + use<'a> {
    let has = move |i: usize| match between {
        Between::Anything(is_any) => is_any,
        Between::Ends(ends) => !ends[i].is_empty() && bits::contains(&ends[i], location.0.into()),
    };
    row.iter().enumerate().filter(move |&(i, _)| has(i)).map(|(_, transition)| transition)
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
        let ends = |row: Vec<u32>| {
            let ends = row.into_iter().map(|i| control.ends[i as usize]);
            ends.map(|(from, to)| (from.0, to.expect("it does not end").0)).collect::<Vec<_>>()
        };
        let [zero, one, two] = [0, 1, 2].map(LocationId);
        assert_eq!(ends(control.leading(zero, two, drop).collect()), [(0, 1)]);
        assert_eq!(ends(control.leading(one, two, drop).collect()), [(1, 2), (1, 3)]);
        assert_eq!(ends(control.arriving(zero, two, drop).collect()), [(1, 2), (3, 2)]);
        assert_eq!(ends(control.arriving(two, zero, drop).collect()), [(1, 0)]);
        assert_eq!(ends(control.leading(two, zero, drop).collect()), [(2, 3)]);
        assert_eq!(ends(control.arriving(two, one, drop).collect()), [(3, 1)]);
    }
}
