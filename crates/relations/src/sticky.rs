//! Sticky transitions: at least one on every cycle of the state space.
//!
//! Kurshan, Levin, Minea, Peled and Yenigün, "Static Partial Order Reduction", as used
//! in C3_static of Edelkamp, Leue and Lluch Lafuente. A cycle of the state space, counted by
//! how often each transition is executed, is a T-invariant of the matrix whose rows are the
//! locations of process types and the variables that are only changed by known amounts: it
//! changes none of them. So a set that meets every T-invariant will do. For a process that is
//! a set that meets its local cycles, but for those that have a net effect: `byte x; do ::
//! x++ od` wraps and *is* a cycle, `do :: x < 5 -> x++ od` is none, and
//! `do :: x < 5 -> x++ :: x > 0 -> x-- od` needs one of the two.
//!
//! Invariant: every transition that is not sticky raises the first potential that it changes
//! ([`Incidence::is_ranked`]). What finds set and potentials need not be trusted. Processes
//! end, which raises the first potential, and are created only by sticky transitions.

mod counters;
mod feedback;
mod invariants;
mod potential;
mod ranking;
#[cfg(test)]
mod tests;

use stubborn_base::IndexVec;
use stubborn_ir::{Effect, Model, ProcessTypeId, Transition, TransitionId};

use feedback::{closing_transitions, rank_most};
use potential::Incidence;
use ranking::{cheap_ranking, parts};

/// How much may be done to find a small set: some milliseconds.
const WORK: u64 = 1_000_000;

/// By transition: whether it is sticky. More is safe.
/// `singletons` says of which types there is exactly one process, from the start to its end.
pub(crate) fn sticky_transitions(
    model: &Model,
    singletons: &IndexVec<ProcessTypeId, bool>,
) -> IndexVec<TransitionId, bool> {
    let incidence = Incidence::of(model, singletons);
    let fewer_processes = incidence.fewer_processes();
    let mut set: Vec<TransitionId> = model.transitions.indices().collect();
    set.retain(|&t| incidence.change(t, &fewer_processes) == Some(0));
    let mut ranking = vec![fewer_processes];
    ranking.extend(cheap_ranking(&incidence, &mut set));

    let closing = closing_transitions(model);
    let mut rankings = Vec::new();
    for transitions in parts(&incidence, &set, |_| true) {
        let (part, rows) = incidence.part(&transitions);
        let closing = transitions.iter().map(|&t| closing[t]).collect();
        let share = WORK / set.len() as u64 * transitions.len() as u64;
        rankings.push((rows, rank_most(&part, &closing, share)));
    }
    ranking.extend(incidence.side_by_side(rankings));
    model.transitions.indices().map(|t| !incidence.is_ranked(t, &ranking)).collect()
}

pub(crate) fn creates_process(t: &Transition) -> bool {
    t.any_effect(|effect| matches!(effect, Effect::Run(_)))
}
