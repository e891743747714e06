//! The heuristics by name, and which question each can be asked.
//!
//! Those of Edelkamp, Leue and Lluch Lafuente, sections 2.5, 3.1 and 3.3. The distances are to a state that is
//! given: that of a counterexample, which a depth-first search finds first.

use std::fmt;
use std::str::FromStr;

use stubborn_ir::{Effect, Expr, Interpreter, Model, Move, Pid, Region, Violation};
use stubborn_search::heuristics::{ActiveProcesses, Assertions, FsmDistance, Hamming, Relevant, Snapshot};
use stubborn_search::{Heuristic, Zero};
use stubborn_trail::end_of;

use crate::named::{UnknownName, find};
use crate::property::PropertyKind;

/// The name of a heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeuristicName {
    /// Knows nothing.
    Zero,
    /// H_f: how far it is to where an assertion or an invariant fails.
    Formula,
    /// H_ap: how many processes can move.
    ActiveProcesses,
    /// H_d: in how many bits a state differs from that of a counterexample.
    Hamming,
    /// The same for the part of that state that the violation is about.
    HammingClass,
    /// H_m: how far the processes are from where they are in the state of a counterexample.
    FsmDistance,
    /// The same for the processes that the violation is about.
    FsmDistanceClass,
}

/// All heuristics, in the order they are listed.
pub const HEURISTICS: [HeuristicName; 7] = [
    HeuristicName::Zero,
    HeuristicName::Formula,
    HeuristicName::ActiveProcesses,
    HeuristicName::Hamming,
    HeuristicName::HammingClass,
    HeuristicName::FsmDistance,
    HeuristicName::FsmDistanceClass,
];

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HeuristicName::Zero => "zero",
            HeuristicName::Formula => "formula",
            HeuristicName::ActiveProcesses => "active-processes",
            HeuristicName::Hamming => "hamming",
            HeuristicName::HammingClass => "hamming-class",
            HeuristicName::FsmDistance => "fsm-distance",
            HeuristicName::FsmDistanceClass => "fsm-distance-class",
        })
    }
}

impl FromStr for HeuristicName {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find(HEURISTICS, text, "a heuristic")
    }
}

impl HeuristicName {
    /// What suits a question that has no counterexample yet.
    pub(crate) fn default_for(kind: PropertyKind) -> Self {
        match kind {
            PropertyKind::Deadlock => HeuristicName::ActiveProcesses,
            _ => HeuristicName::Formula,
        }
    }

    /// Whether it is the distance to a state of a counterexample.
    pub(crate) fn needs_counterexample(self) -> bool {
        !matches!(self, HeuristicName::Zero | HeuristicName::Formula | HeuristicName::ActiveProcesses)
    }

    /// Why it cannot be asked, if so.
    pub(crate) fn refusal(self, kind: PropertyKind) -> Option<String> {
        let why = match (self, kind) {
            (HeuristicName::Formula, PropertyKind::Deadlock) => {
                "no formula says where processes wait for each other; use active-processes"
            }
            (HeuristicName::ActiveProcesses, kind) if kind != PropertyKind::Deadlock => {
                "that few processes can move says nothing of assertions and invariants; use formula"
            }
            _ => return None,
        };
        Some(format!("the heuristic {self} cannot be used: {why}"))
    }

    /// The heuristic, where no counterexample is known.
    pub(crate) fn without_counterexample(self, model: &Model) -> Box<dyn Heuristic + '_> {
        match self {
            HeuristicName::Formula => Box::new(Assertions::of(model)),
            HeuristicName::ActiveProcesses => Box::new(ActiveProcesses),
            _ => Box::new(Zero),
        }
    }

    /// The heuristic that leads to where a counterexample does; none if its moves are not possible.
    pub(crate) fn towards<'m>(
        self,
        model: &'m Model,
        moves: &[Move],
        violation: Violation,
    ) -> Option<Box<dyn Heuristic + 'm>> {
        let (interpreter, end) = end_of(model, moves)?;
        let relevant = || relevant(&interpreter, &end, moves.last(), violation);
        Some(match self {
            HeuristicName::Hamming => Box::new(Hamming(Snapshot::of(&interpreter, &end))),
            HeuristicName::HammingClass => {
                Box::new(Hamming(Snapshot::of(&interpreter, &end).only(&relevant())))
            }
            HeuristicName::FsmDistance => Box::new(FsmDistance::to(&interpreter, &end)),
            HeuristicName::FsmDistanceClass => {
                let relevant = relevant();
                let matters = |pid| relevant.pids.contains(&pid);
                Box::new(FsmDistance::to_class(&interpreter, &end, &matters))
            }
            other => other.without_counterexample(model),
        })
    }
}

/// What all violations of this kind have in common: for a deadlock where the processes are, for an assertion the
/// process that fails and what it looks at.
fn relevant(
    interpreter: &Interpreter<'_>,
    end: &[u8],
    last: Option<&Move>,
    violation: Violation,
) -> Relevant {
    let failing = match violation {
        Violation::FailedAssertion(transition) => Some(transition),
        Violation::Error(error) => Some(error.transition),
        _ => None,
    };
    let (Some(failing), Some(last)) = (failing, last) else {
        let n_processes = Model::num_processes_slot().read(end) as Pid;
        return Relevant { pids: (0..n_processes).collect(), ..Relevant::default() };
    };
    let mut globals = Vec::new();
    let mut note = |expr: &Expr| {
        if let Expr::Load(place) = expr
            && place.region == Region::Global
            && place.indices.is_empty()
        {
            globals.push((place.slot.offset, place.slot.size()));
        }
        false
    };
    for effect in &interpreter.model().transitions[failing].effects {
        if let Effect::Assert(said) = effect {
            said.any(&mut note);
        }
    }
    let pids = [Some(last.pid), last.partner.map(|(pid, _)| pid)].into_iter().flatten().collect();
    Relevant { pids, locals: true, globals }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in HEURISTICS {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        assert!("distance".parse::<HeuristicName>().is_err());
    }
}
