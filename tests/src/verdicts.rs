//! Our verdict on a claim against that of SPIN's verifier.

use stubborn_check::{PropertyKind, Verdict};

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

/// What to ask `pan` for a property; none if it is no claim about runs.
pub fn subject(name: &str, kind: PropertyKind) -> Option<Subject> {
    match kind {
        PropertyKind::Ltl | PropertyKind::Never => Some(Subject::Claim(name.to_owned())),
        PropertyKind::Acceptance => Some(Subject::Acceptance),
        PropertyKind::NonProgress => Some(Subject::NonProgress),
        PropertyKind::Deadlock | PropertyKind::Assertion | PropertyKind::Reachability => None,
    }
}
