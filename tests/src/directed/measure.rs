//! One search on one model: how many states it stores, and how long a way it finds.

use std::time::{Duration, Instant};

use stubborn_ir::{Model, Move, Violation};
use stubborn_reduce::{Plan, Proviso, Reduction, Visibility};
use stubborn_search::heuristics::{ActiveProcesses, Assertions, FsmDistance, Hamming, Relevant, Snapshot};
use stubborn_search::{Directed, Goal, Guide, Heuristic, Ignore, Limits, Zero, search_directed};
use stubborn_trail::end_of;

use super::subjects::{Awaited, Subject, Wrong};

/// What a search came to.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) states: u64,
    /// None if it found nothing in time.
    pub(crate) moves: Option<Vec<Move>>,
    /// How many of the moves repeat for ever.
    pub(crate) cycle: usize,
    pub(crate) violation: Option<Violation>,
    pub(crate) is_finished: bool,
    /// The most that was used at a time, if it was asked.
    pub(crate) bytes: Option<usize>,
    pub(crate) time: Duration,
}

impl Found {
    pub(crate) fn length(&self) -> Option<usize> {
        self.moves.as_ref().map(Vec::len)
    }

    /// As the paper writes it.
    pub(crate) fn told_length(&self) -> String {
        match (self.length(), self.cycle) {
            (None, _) => "-".to_owned(),
            (Some(length), 0) => length.to_string(),
            (Some(length), cycle) => format!("{}+{cycle}", length - cycle),
        }
    }
}

/// Where moves lead to: that state, or those that have in common with it what is relevant.
#[derive(Clone, Copy)]
pub(crate) struct End<'a> {
    pub(crate) moves: &'a [Move],
    pub(crate) class: Option<&'a Relevant>,
}

impl<'a> End<'a> {
    pub(crate) fn of(moves: &'a [Move]) -> Self {
        End { moves, class: None }
    }

    fn snapshot(self, model: &Model) -> Option<Snapshot> {
        let (interpreter, end) = end_of(model, self.moves)?;
        let whole = Snapshot::of(&interpreter, &end);
        Some(match self.class {
            Some(class) => whole.only(class),
            None => whole,
        })
    }
}

/// Which heuristic, and where it leads to.
#[derive(Clone, Copy)]
pub(crate) enum Towards<'a> {
    Nothing,
    Hamming(End<'a>),
    Fsm(End<'a>),
    /// H_f for assertions, active processes for deadlocks.
    Property,
}

/// A model, and what is measured on it.
pub(crate) struct Bench<'a> {
    pub(crate) subject: &'a Subject,
    pub(crate) model: &'a Model,
    pub(crate) time: Duration,
}

const MEMORY: usize = 4 << 30;

impl Bench<'_> {
    /// The paper's DFS: what is found last is expanded first. For an invariant, with its claim.
    pub(crate) fn depth_first(&self, plan: &Plan) -> Option<Found> {
        if self.subject.wrong == Wrong::Invariant {
            return super::runs::first(self).ok().flatten();
        }
        self.run(Guide::BestFirst, Towards::Nothing, None, plan)
    }

    /// A search for what is wrong, or for where moves lead to.
    pub(crate) fn run(
        &self,
        guide: Guide,
        towards: Towards<'_>,
        same: Option<End<'_>>,
        plan: &Plan,
    ) -> Option<Found> {
        let heuristic = self.heuristic(towards)?;
        let target = match same {
            Some(end) => Some(end.snapshot(self.model)?),
            None => None,
        };
        let awaited = Awaited::of(self.model);
        let is_wanted = |violation| self.subject.is_wanted(violation);
        let is_awaited = |interpreter: &stubborn_ir::Interpreter<'_>, state: &[u8]| {
            awaited.as_ref().is_some_and(|awaited| awaited.is(interpreter, state))
        };
        let is_same = |interpreter: &stubborn_ir::Interpreter<'_>, state: &[u8]| {
            target.as_ref().is_some_and(|target| target.distance(interpreter, state) == 0)
        };
        let goal = match (same, self.subject.wrong) {
            (Some(_), _) => Goal::State(&is_same),
            (None, Wrong::Invariant) => Goal::State(&is_awaited),
            (None, _) => Goal::Violation(&is_wanted),
        };
        let directed = Directed { guide, heuristic: &*heuristic, goal, bound: u32::MAX };
        let limits = Limits { time: Some(self.time), ..Limits::memory(MEMORY) };
        let started = Instant::now();
        let directions = search_directed(self.model, &directed, plan, &limits, &mut Ignore).ok()?;
        Some(Found {
            states: directions.counts.states,
            bytes: Some(directions.peak_bytes),
            time: started.elapsed(),
            cycle: 0,
            violation: directions.way.as_ref().and_then(|way| way.violation),
            moves: directions.way.map(|way| way.moves),
            is_finished: directions.end == stubborn_search::End::Exhausted,
        })
    }

    fn heuristic(&self, towards: Towards<'_>) -> Option<Box<dyn Heuristic + '_>> {
        Some(match (towards, self.subject.wrong) {
            (Towards::Nothing, _) => Box::new(Zero),
            (Towards::Property, Wrong::Deadlock) => Box::new(ActiveProcesses),
            (Towards::Property, _) => Box::new(Assertions::of(self.model)),
            (Towards::Hamming(to), _) => Box::new(Hamming(to.snapshot(self.model)?)),
            (Towards::Fsm(to), _) => {
                let (interpreter, end) = end_of(self.model, to.moves)?;
                let matters = |pid| to.class.is_none_or(|class| class.pids.contains(&pid));
                Box::new(FsmDistance::to_class(&interpreter, &end, &matters))
            }
        })
    }

    /// Stubborn sets with a proviso, for what is wrong.
    pub(crate) fn plan(&self, proviso: Proviso) -> Plan {
        let reduction: Reduction = "stubborn:beam".parse().expect("it is a reduction");
        let propositions = match self.subject.wrong {
            Wrong::Invariant => Awaited::of(self.model).map_or(Vec::new(), |it| it.propositions.to_vec()),
            _ => Vec::new(),
        };
        Plan { propositions, visibility: Visibility::V, ..Plan::new(reduction, proviso) }
    }
}
