//! What an audit found.

use std::fmt;

use stubborn_ir::Move;

/// Violations of one condition that are told in full.
const MAX_TOLD: usize = 3;

/// A condition that is checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// A chosen step that comes after others, which are not chosen, can come first.
    D1,
    /// Steps that are not chosen leave a chosen one possible.
    D2,
    /// Steps that change what the property looks at keep their order.
    V,
    /// A step that the property does not see is chosen, if there is one.
    I,
    /// No step is put off for ever.
    SafetyProviso,
    /// No cycle is without a state that is fully expanded.
    LivenessProviso,
    /// No visible step is put off on a cycle.
    VisibleProviso,
    /// No state is left out.
    AllStates,
    /// What statements are declared to write is all they write.
    Writes,
    /// What statements are declared to read is all they depend on.
    Reads,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Condition::D1 => "D1",
            Condition::D2 => "D2",
            Condition::V => "V",
            Condition::I => "I",
            Condition::SafetyProviso => "C2^S",
            Condition::LivenessProviso => "C2^L'",
            Condition::VisibleProviso => "C3'",
            Condition::AllStates => "all states",
            Condition::Writes => "write sets",
            Condition::Reads => "read sets",
        })
    }
}

impl Condition {
    /// What is asked, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Condition::D1 => "what is chosen can always go first",
            Condition::D2 => "what is not chosen prevents nothing that is",
            Condition::V => "steps that the property sees keep their order",
            Condition::I => "a step that the property does not see is chosen, if there is one",
            Condition::SafetyProviso => "no step is put off for ever",
            Condition::LivenessProviso => "every cycle has a fully expanded state",
            Condition::VisibleProviso => "no cycle puts off a step that the property sees",
            Condition::AllStates => "every state is visited",
            Condition::Writes => "statements write only what is declared",
            Condition::Reads => "statements depend only on what is declared",
        }
    }

    /// What is counted when it is checked.
    pub fn unit(self) -> &'static str {
        match self {
            Condition::D1 | Condition::D2 | Condition::V | Condition::I => "choice",
            Condition::SafetyProviso
            | Condition::LivenessProviso
            | Condition::VisibleProviso
            | Condition::AllStates => "state",
            Condition::Writes => "step",
            Condition::Reads => "change",
        }
    }
}

/// Something wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The steps to the state; of an atomic run the first one.
    pub way: Vec<Move>,
    /// The state, in words.
    pub state: String,
    /// The step it is about, if it is about one.
    pub step: Option<Move>,
    /// What is wrong.
    pub what: String,
}

/// What was found about one condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The condition.
    pub condition: Condition,
    /// How often it was checked; see [`Condition::unit`].
    pub n_checked: u64,
    /// How often it did not hold.
    pub n_violations: u64,
    /// The first of these.
    pub violations: Vec<Violation>,
    /// Why not everything was checked, if so.
    pub incomplete: Option<String>,
}

impl Tally {
    /// Nothing checked yet.
    pub fn new(condition: Condition) -> Self {
        Tally { condition, n_checked: 0, n_violations: 0, violations: Vec::new(), incomplete: None }
    }

    /// Notes a violation; it is put into words only if it is one of the first.
    pub(crate) fn violated(&mut self, tell: impl FnOnce() -> Violation) {
        self.n_violations += 1;
        if self.violations.len() < MAX_TOLD {
            self.violations.push(tell());
        }
    }

    /// Adds what was found elsewhere.
    pub(crate) fn add(&mut self, other: Tally) {
        self.n_checked += other.n_checked;
        self.n_violations += other.n_violations;
        let room = MAX_TOLD - self.violations.len();
        self.violations.extend(other.violations.into_iter().take(room));
        self.incomplete = self.incomplete.take().or(other.incomplete);
    }

    /// Notes that something was left out.
    pub(crate) fn cut(&mut self, why: &str) {
        if self.incomplete.is_none() {
            self.incomplete = Some(why.to_owned());
        }
    }

    /// Everything was checked and nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.n_violations == 0 && self.incomplete.is_none()
    }
}
