//! Feedback sets: transitions without which the others can be ranked.
//!
//! Two ways, of which the smaller result is taken. The transitions that close a cycle in a
//! depth-first search of the control flow always will do. And a hitting set: T-invariants
//! are collected; a set that meets them all, found greedily, is tried; what it does not meet
//! yet is collected too. Of either, those that are not needed after all are dropped.

use stubborn_base::{Idx, IndexVec};
use stubborn_ir::{Model, TransitionId};

use super::potential::{Incidence, Potential};
use super::ranking::{Ranked, rank};

/// Ranks all but a small set of transitions. `closing` says which of them close cycles;
/// `work` is how much may be done to find it.
pub(super) fn rank_most(
    incidence: &Incidence,
    closing: &IndexVec<TransitionId, bool>,
    work: u64,
) -> Vec<Potential> {
    let all: Vec<TransitionId> = incidence.columns.indices().collect();
    let mut left = work / 2;
    let hits = hitting_set(incidence, &all, closing, &mut left);
    let hits = hits.map(|hits| irredundant(incidence, &all, hits, &mut left));
    let mut left = work / 2;
    let closes = all.iter().copied().filter(|&t| closing[t]).collect();
    let closes = irredundant(incidence, &all, closes, &mut left);
    let set = hits.filter(|hits| hits.len() < closes.len()).unwrap_or(closes);
    let mut unlimited = u64::MAX;
    match rank(incidence, without(&all, &set), &mut unlimited) {
        Ranked::All(ranking) => ranking,
        // Not reached, as it was ranked before; if it were, all would be sticky.
        Ranked::Invariant(_) | Ranked::Unknown => Vec::new(),
    }
}

/// The transitions that lead back to a location on the way to them, depth first.
pub(super) fn closing_transitions(model: &Model) -> IndexVec<TransitionId, bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnTheWay,
        Left,
    }
    let mut closing: IndexVec<_, _> = model.transitions.iter().map(|_| false).collect();
    for ty in model.processes.iter() {
        let mut marks = vec![Mark::New; ty.locations.len()];
        for root in 0..ty.locations.len() {
            if marks[root] != Mark::New {
                continue;
            }
            marks[root] = Mark::OnTheWay;
            let mut way = vec![(root, ty.locations[root].transition_ids())];
            while let Some((location, leaving)) = way.last_mut() {
                let Some(t) = leaving.next() else {
                    marks[*location] = Mark::Left;
                    way.pop();
                    continue;
                };
                let Some(to) = model.transitions[t].to.map(|to| usize::from(to.0)) else { continue };
                match marks[to] {
                    Mark::New => {
                        marks[to] = Mark::OnTheWay;
                        way.push((to, ty.locations[to].transition_ids()));
                    }
                    Mark::OnTheWay => closing[t] = true,
                    Mark::Left => {}
                }
            }
        }
    }
    closing
}

/// A set that meets all T-invariants; none if it is too much work.
fn hitting_set(
    incidence: &Incidence,
    all: &[TransitionId],
    closing: &IndexVec<TransitionId, bool>,
    work: &mut u64,
) -> Option<Vec<TransitionId>> {
    let mut found: Vec<Vec<TransitionId>> = Vec::new();
    loop {
        let hits = greedy(all, &found, closing);
        *work = work.checked_sub(found.iter().map(|invariant| invariant.len() as u64).sum())?;
        let mut rest = without(all, &hits);
        let n_found = found.len();
        loop {
            match rank(incidence, rest.clone(), work) {
                Ranked::All(_) => break,
                Ranked::Invariant(invariant) => {
                    rest = without(&rest, &invariant);
                    found.push(invariant);
                }
                Ranked::Unknown => return None,
            }
        }
        if found.len() == n_found {
            return Some(hits);
        }
    }
}

/// Takes what meets most of the invariants that are not met yet, until all are; those that
/// close cycles before others.
fn greedy(
    all: &[TransitionId],
    invariants: &[Vec<TransitionId>],
    closing: &IndexVec<TransitionId, bool>,
) -> Vec<TransitionId> {
    let mut hits = Vec::new();
    let mut open: Vec<&Vec<TransitionId>> = invariants.iter().collect();
    while !open.is_empty() {
        let mut n_met = vec![0; all.len()];
        open.iter().flat_map(|invariant| invariant.iter()).for_each(|t| n_met[t.index()] += 1);
        let value = |t: &TransitionId| (n_met[t.index()], closing[*t], std::cmp::Reverse(*t));
        let Some(best) = all.iter().copied().max_by_key(value) else { break };
        open.retain(|invariant| !invariant.contains(&best));
        hits.push(best);
    }
    hits
}

/// Drops members of a feedback set as long as the others will do, the last first.
fn irredundant(
    incidence: &Incidence,
    all: &[TransitionId],
    mut set: Vec<TransitionId>,
    work: &mut u64,
) -> Vec<TransitionId> {
    for i in (0..set.len()).rev() {
        let dropped = set.remove(i);
        let ranked = rank(incidence, without(all, &set), work);
        if !matches!(ranked, Ranked::All(_)) {
            set.insert(i, dropped);
        }
        if matches!(ranked, Ranked::Unknown) {
            break;
        }
    }
    set
}

/// The transitions of an ordered set that are not in another.
fn without(set: &[TransitionId], other: &[TransitionId]) -> Vec<TransitionId> {
    let mut other = other.to_vec();
    other.sort_unstable();
    set.iter().copied().filter(|t| other.binary_search(t).is_err()).collect()
}
