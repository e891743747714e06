//! Violations as they are found on a level, before it is decided which of them are told.

use stubborn_ir::{Step, Violation};

/// A violation, and where it was found: from which state, which has that number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen<I> {
    /// What is wrong.
    pub violation: Violation,
    /// The number of the state it was found from.
    pub id: I,
    /// That state.
    pub state: Vec<u8>,
    /// The steps from there to the violation.
    pub steps: Vec<Step>,
}

/// One violation of each kind: the one with the fewest steps, from the state that comes first.
pub(super) fn least<I>(found: Vec<Seen<I>>) -> Vec<Seen<I>> {
    let mut kept = Vec::new();
    found.into_iter().for_each(|seen| keep_least(&mut kept, seen));
    kept
}

/// Keeps a violation if it is the first of its kind, or comes before the one that is kept.
pub fn keep_least<I>(kept: &mut Vec<Seen<I>>, seen: Seen<I>) {
    match place_for(kept, seen.violation, &seen.state, &seen.steps) {
        Place::At(index) => kept[index] = seen,
        Place::Last => kept.push(seen),
        Place::Nowhere => {}
    }
}

/// Whether [`keep_least`] would keep it.
pub fn is_worth_keeping<I>(kept: &[Seen<I>], violation: Violation, state: &[u8], steps: &[Step]) -> bool {
    !matches!(place_for(kept, violation, state, steps), Place::Nowhere)
}

/// Where a violation is to be kept.
enum Place {
    At(usize),
    Last,
    Nowhere,
}

fn place_for<I>(kept: &[Seen<I>], violation: Violation, state: &[u8], steps: &[Step]) -> Place {
    let kind = std::mem::discriminant(&violation);
    match kept.iter().position(|other| std::mem::discriminant(&other.violation) == kind) {
        None => Place::Last,
        Some(at) => {
            let other = &kept[at];
            let is_less = (steps.len(), state, steps) < (other.steps.len(), &other.state, &other.steps);
            if is_less { Place::At(at) } else { Place::Nowhere }
        }
    }
}
