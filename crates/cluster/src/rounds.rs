//! The rounds of a level, as every worker goes through them.
//!
//! A round is one [time](crate::mailbox::Time) of the dataflow. In a round of [`Phase::Chosen`] the states of a level are
//! expanded by the steps that are chosen for them. With a proviso, a round of [`Phase::Answers`] follows, in which owners
//! have said which of their new states are on the next level, and one of [`Phase::Rest`], in which states of which no
//! chosen step leads there are expanded by the others, too: the proviso of levels of `stubborn_search`'s threads.
//!
//! If states could not be expanded because a process is created for the first time anywhere, the round is made again for
//! them, after what they lack was announced to all. So every worker goes through the same rounds, whether or not it has
//! anything to do in them, and lays states out alike.

use std::collections::BTreeSet;

use stubborn_ir::{InstanceId, Pid, ProcessTypeId};

/// What a round is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// Expands states by what is chosen for them.
    Chosen,
    /// Waits for the answers of owners.
    Answers,
    /// Expands states by the rest of their steps, if they may not be kept to what was chosen.
    Rest,
}

/// What follows a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// The states that were put off are expanded, after this was learned.
    Again(Vec<Announced>),
    /// Another phase of the same level.
    Phase(Phase),
    /// The next level.
    Level,
}

/// What a worker lacks to expand a state. Their order is the one in which all learn of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Announced {
    /// A frame in the layout.
    Frame(Pid, ProcessTypeId),
    /// A process that its reducer does not know.
    Process(InstanceId, Vec<i32>),
}

/// Where a worker is.
#[derive(Debug)]
pub(crate) struct Rounds {
    pub(crate) phase: Phase,
    has_proviso: bool,
    announced: BTreeSet<Announced>,
}

impl Rounds {
    pub(crate) fn new(has_proviso: bool) -> Self {
        Rounds { phase: Phase::Chosen, has_proviso, announced: BTreeSet::new() }
    }

    /// Whether owners are asked.
    pub(crate) fn has_proviso(&self) -> bool {
        self.has_proviso
    }

    /// Somebody lacks something; whether it was not known in this round.
    pub(crate) fn announce(&mut self, what: Announced) -> bool {
        self.announced.insert(what)
    }

    /// All letters of the round have arrived.
    pub(crate) fn finish(&mut self) -> Next {
        let announced = std::mem::take(&mut self.announced);
        if !announced.is_empty() {
            return Next::Again(announced.into_iter().collect());
        }
        let next = match self.phase {
            Phase::Chosen if self.has_proviso => Next::Phase(Phase::Answers),
            Phase::Answers => Next::Phase(Phase::Rest),
            Phase::Chosen | Phase::Rest => Next::Level,
        };
        self.phase = if let Next::Phase(phase) = next { phase } else { Phase::Chosen };
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_made_again_for_what_was_announced() {
        let mut rounds = Rounds::new(true);
        let frame = |pid| Announced::Frame(pid, ProcessTypeId(0));
        assert!(rounds.announce(frame(3)) && rounds.announce(frame(2)) && !rounds.announce(frame(3)));
        assert_eq!(rounds.finish(), Next::Again(vec![frame(2), frame(3)]));
        assert_eq!(rounds.phase, Phase::Chosen);
        assert_eq!(rounds.finish(), Next::Phase(Phase::Answers));
        assert_eq!(rounds.finish(), Next::Phase(Phase::Rest));
        assert_eq!(rounds.finish(), Next::Level);
        assert_eq!(rounds.phase, Phase::Chosen);
    }
}
