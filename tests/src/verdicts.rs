//! Our verdict on a claim against that of SPIN's verifier.

use stubborn_check::{PropertyKind, PropertyResult, Verdict};
use stubborn_ir::Model;

use crate::pan::{Answer, Subject};

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
/// shown by a model of `models/promela/claims`.
pub fn oversight(
    model: &Model,
    theirs: &Answer,
    ours: &PropertyResult,
    is_fair: bool,
) -> Option<&'static str> {
    let trail = ours.trail.as_ref().filter(|_| *theirs == Answer::Holds && is_fair)?;
    if model.processes.iter().any(|process| process.n_provided > 0) {
        // It takes the turn of the process for one that the process could have used: `continue` leaves out
        // what is done for processes that are blocked.
        return Some("pan -f takes processes for able that a `provided` clause holds back");
    }
    if trail.cycle == 0 {
        // What the claim does alone at the end of a run is not counted as a turn of every process.
        return Some("pan -f overlooks runs that end if the claim's cycle there is longer than a step");
    }
    if ours.property.kind == PropertyKind::NonProgress {
        return Some("pan -l -f misses runs that pan -a -f finds if a never claim asks the same");
    }
    None
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
