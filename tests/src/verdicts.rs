//! Our verdict on a claim against that of SPIN's verifier.

use std::io;

use stubborn_check::{PropertyKind, PropertyResult, Trail, Verdict};
use stubborn_ir::{ClaimBody, Model};

use crate::pan::{Answer, Subject, Verifier};

/// How two verdicts compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// The same, or both say that there is no telling.
    Same,
    /// One of us ran out of time or memory; why.
    Undecided(String),
    /// What differs.
    Different(String),
}

/// Compares. Where `pan` does what is undefined we must not say that the property holds; a violation of ours
/// is one, since it was replayed.
pub fn compare(theirs: &Answer, ours: Verdict, reason: &str) -> Agreement {
    match (theirs, ours) {
        (Answer::Undecided(why), _) => Agreement::Undecided(format!("pan: {why}")),
        (Answer::Holds, Verdict::Holds) | (Answer::Violated(_), Verdict::Violated) => Agreement::Same,
        (Answer::Undefined(_), Verdict::Violated) => Agreement::Same,
        (Answer::Undefined(_), Verdict::Incomplete) if !reason.is_empty() => Agreement::Same,
        _ => Agreement::Different(format!("pan {theirs:?}, stubborn {ours} ({reason})")),
    }
}

/// Why `pan -f` may have overlooked a violation that we found, and replayed as a fair run. Each of these is
/// shown by a model of `models/promela/claims`, and nothing is excused that is not like what is shown.
pub fn oversight(
    model: &Model,
    verifier: &Verifier,
    theirs: &Answer,
    ours: &PropertyResult,
    is_fair: bool,
) -> io::Result<Option<&'static str>> {
    let Some(trail) = ours.trail.as_ref().filter(|_| *theirs == Answer::Holds && is_fair) else {
        return Ok(None);
    };
    if rests_by_its_clause(model, trail) {
        // It takes the turn of the process for one that the process could have used: `continue` leaves out
        // what is done for processes that are blocked.
        return Ok(Some("pan -f takes processes for able that a `provided` clause holds back"));
    }
    if trail.cycle == 0 && !stays_in_place(model, ours) {
        // What the claim does alone at the end of a run is not counted as a turn of every process.
        return Ok(Some("pan -f overlooks runs that end if the claim's cycle there is longer than a step"));
    }
    let is_found = ours.property.kind == PropertyKind::NonProgress
        && matches!(verifier.progress_by_claim()?, Answer::Violated(_));
    Ok(is_found.then_some("pan -l -f misses runs that pan -a -f finds if a never claim asks the same"))
}

/// Whether a process with a `provided` clause exists in a cycle, and never moves there.
fn rests_by_its_clause(model: &Model, trail: &Trail) -> bool {
    let cycle = &trail.steps[trail.prefix..];
    let moves = |pid| {
        let movers = cycle.iter().flat_map(|step| std::iter::once(&step.mover).chain(&step.partner));
        movers.map(|mover| mover.pid).any(|mover| mover == pid)
    };
    let has_clause = |name: &str| model.processes.iter().any(|p| p.name == name && p.n_provided > 0);
    trail.waiting.iter().any(|waiting| has_clause(&waiting.process) && !moves(waiting.pid))
}

/// Whether a never claim could accept by staying in one state. What SPIN makes of a formula is not known here.
fn stays_in_place(model: &Model, ours: &PropertyResult) -> bool {
    let claim = ours.property.claim.map(|claim| &model.claims[claim].body);
    let Some(ClaimBody::Automaton(automaton)) = claim else { return false };
    let states = automaton.states.iter().enumerate();
    let mut accepting = states.filter(|(_, state)| state.accepting);
    accepting.all(|(i, state)| state.edges.iter().any(|edge| edge.target as usize == i))
}

/// What to ask `pan` for a property; none if it is no claim about runs.
pub fn subject(name: &str, kind: PropertyKind) -> Option<Subject> {
    match kind {
        PropertyKind::Ltl | PropertyKind::Never => Some(Subject::Claim(name.to_owned())),
        PropertyKind::Acceptance => Some(Subject::Acceptance),
        PropertyKind::NonProgress => Some(Subject::NonProgress),
        PropertyKind::Trace => Some(Subject::Trace { negated: name == "notrace" }),
        PropertyKind::Deadlock | PropertyKind::Assertion | PropertyKind::Reachability => None,
    }
}
