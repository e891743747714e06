//! The auditor: whether a reduction does what its definition asks, on a given model.
//!
//! Nothing here uses the relations that reductions are made with. A small model's whole
//! state graph is built by the reference semantics (`graph`); a reduced search tells what it
//! did (`record`, through `translate`); then the conditions are checked on the graph, word by
//! word: D1, D2 and V for every set that was chosen (`definition`), the provisos on the
//! reduced graph (`ignoring`). Apart from any search, the declared read and write sets of
//! statements are held against what the statements do (`declared`, over `slots`).
//!
//! Invariant: a condition that was not checked everywhere is told as incomplete, not as kept.

mod declared;
mod definition;
mod graph;
mod ignoring;
mod record;
pub mod report;
mod slots;
mod translate;
mod words;

use std::collections::{HashMap, HashSet};

use stubborn_ir::{Expr, Model, RuntimeErrorKind};

use crate::plan::{Plan, Proviso, Purpose, Reduction, Stubborn, Visibility};
use declared::Declared;
use definition::{Demands, Inquiry, Tallies, Work};
use graph::{Cut, Graph, Node, Target};
use ignoring::Reduced;
use record::{Record, StubbornSet};

pub use declared::{Declarations, Declare};
pub use record::Recorder;
pub use report::{Condition, Tally, Violation};
pub use words::tell_move;

/// What an audit may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// States of the whole graph.
    pub states: usize,
    /// States visited along the paths from one choice.
    pub per_choice: u64,
    /// States visited along paths in all.
    pub total: u64,
    /// States that declarations are tried in.
    pub samples: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { states: 20_000, per_choice: 100_000, total: 20_000_000, samples: 400 }
    }
}

/// Audits searches of one model.
#[derive(Debug)]
pub struct Auditor<'m> {
    graph: Graph<'m>,
    work: Work,
    bounds: Bounds,
    sets: HashMap<StubbornSet, usize>,
    propositions: Vec<Vec<Expr>>,
    /// Choices that were found in order: state, set, what was asked of it, propositions.
    kept: HashSet<(Node, usize, Demands, usize)>,
}

/// How a search that is audited ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It visited all that it wanted to.
    Complete,
    /// It did not.
    Stopped,
}

impl<'m> Auditor<'m> {
    /// Builds the graph. Fails if there is no initial state.
    pub fn new(model: &'m Model, bounds: Bounds) -> Result<Self, RuntimeErrorKind> {
        Ok(Auditor {
            graph: Graph::build(model, bounds.states)?,
            work: Work { per_set: bounds.per_choice, total: bounds.total },
            bounds,
            sets: HashMap::new(),
            propositions: Vec::new(),
            kept: HashSet::new(),
        })
    }

    /// How many states the model has, as far as they were looked at.
    pub fn n_states(&self) -> usize {
        self.graph.n_states()
    }

    /// Why the graph is not the whole one, if so.
    pub fn incomplete(&self) -> Option<String> {
        self.graph.cut().map(|cut| match cut {
            Cut::Limit => format!("the model has more than {} states", self.bounds.states),
            Cut::Run => "an atomic or d_step sequence is too long to be followed to its end".to_owned(),
        })
    }

    /// Takes down what a search does.
    pub fn recorder(&self) -> Recorder<'_, 'm> {
        Recorder::new(&self.graph)
    }

    /// Checks what a search did that was to preserve `purpose`.
    pub fn audit(&mut self, plan: &Plan, purpose: Purpose, search: Searched, ending: Ending) -> Vec<Tally> {
        let mut record = search.0;
        if matches!(plan.reduction, Reduction::TwoPhase(_)) {
            // The first phase tries whether a step leads to one state.
            record.forget_unfollowed(&self.graph);
        }
        let values: Result<Vec<Vec<bool>>, _> = match purpose {
            Purpose::Deadlocks => Ok(Vec::new()),
            _ => plan.propositions.iter().map(|p| self.graph.values(p)).collect(),
        };
        let mut tallies = self.check_sets(plan, purpose, &record, values.as_deref().unwrap_or_default());
        if let Some(v) = tallies.iter_mut().find(|tally| tally.condition == Condition::V)
            && values.is_err()
        {
            v.cut("a proposition has no value in some state");
        }
        tallies.extend(self.check_graph(plan, purpose, &record, values.as_deref().unwrap_or_default()));
        for tally in &mut tallies {
            if ending == Ending::Stopped {
                tally.cut("the reduced search was stopped");
            }
            if record.n_unknown > 0 {
                tally.cut(&format!("{} states of the reduced search could not be found", record.n_unknown));
            }
            if let Some(why) = self.incomplete() {
                tally.cut(&why);
            }
        }
        tallies
    }

    fn check_sets(
        &mut self,
        plan: &Plan,
        purpose: Purpose,
        record: &Record,
        values: &[Vec<bool>],
    ) -> Vec<Tally> {
        if plan.reduction == Reduction::Sleep {
            return Vec::new();
        }
        let demands = Demands {
            strong: !matches!(plan.reduction, Reduction::Stubborn(Stubborn { weak: true, .. })),
            errors: purpose != Purpose::Deadlocks,
            no_visible: !matches!(plan.reduction, Reduction::Stubborn(_))
                || plan.visibility == Visibility::C2,
            invisible: plan.visibility == Visibility::VAndI,
        };
        let propositions = if values.is_empty() { &[] } else { &*plan.propositions };
        let propositions = intern(&mut self.propositions, propositions.to_vec());
        let mut tallies = Tallies::new();
        let sets: Vec<usize> = record.sets.iter().map(|set| self.intern_set(set)).collect();
        for &(node, set) in &record.choices {
            let key = (node, sets[set], demands, propositions);
            if self.kept.contains(&key) {
                for tally in [&mut tallies.d1, &mut tallies.d2] {
                    tally.n_checked += 1;
                }
                tallies.v.n_checked += u64::from(!values.is_empty());
                tallies.i.n_checked += u64::from(!values.is_empty() && demands.invisible);
                continue;
            }
            let inquiry = Inquiry { graph: &self.graph, node, set: &record.sets[set], demands, values };
            let mut own = Tallies::new();
            inquiry.check(&mut self.work, &mut own);
            if own.is_clean() {
                self.kept.insert(key);
            }
            tallies.add(own);
        }
        let Tallies { d1, d2, v, i } = tallies;
        match (values.is_empty(), demands.invisible) {
            (true, _) => vec![d1, d2],
            (false, false) => vec![d1, d2, v],
            (false, true) => vec![d1, d2, v, i],
        }
    }

    fn intern_set(&mut self, set: &StubbornSet) -> usize {
        let n_sets = self.sets.len();
        *self.sets.entry(set.clone()).or_insert(n_sets)
    }

    fn check_graph(
        &self,
        plan: &Plan,
        purpose: Purpose,
        record: &Record,
        values: &[Vec<bool>],
    ) -> Option<Tally> {
        let reduced = Reduced::new(&self.graph, record);
        let checked = |condition: Condition, check: &dyn Fn(&mut Tally)| {
            let mut tally = Tally::new(condition);
            check(&mut tally);
            Some(tally)
        };
        match (plan.reduction, plan.proviso, purpose) {
            (Reduction::Sleep, ..) => checked(Condition::AllStates, &|tally| self.check_all(record, tally)),
            (_, _, Purpose::Deadlocks) => None,
            (_, Proviso::C3Prime, _) => {
                checked(Condition::VisibleProviso, &|tally| reduced.check_visible(values, tally))
            }
            (_, _, Purpose::Safety | Purpose::Prefixes) => {
                checked(Condition::SafetyProviso, &|tally| reduced.check_safety(tally))
            }
            (_, _, Purpose::Liveness) => {
                checked(Condition::LivenessProviso, &|tally| reduced.check_liveness(tally))
            }
        }
    }

    /// Sleep sets leave out no state.
    fn check_all(&self, record: &Record, tally: &mut Tally) {
        let mut visited = vec![false; self.graph.n_states()];
        for (&node, taken) in &record.taken {
            visited[node as usize] = true;
            let edges = self.graph.edges(node).unwrap_or_default().iter();
            for edge in edges.filter(|edge| taken.binary_search(&edge.label).is_ok()) {
                if let Target::State(target) = edge.target {
                    visited[target as usize] = true;
                }
            }
        }
        for node in 0..self.graph.n_states() as Node {
            tally.n_checked += 1;
            if !visited[node as usize] && self.graph.cut().is_none() {
                tally
                    .violated(|| self.graph.violation(node, None, "this state was never visited".to_owned()));
            }
        }
    }

    /// Holds what statements are declared to read and write against what they do, in states
    /// picked by `seed`.
    pub fn check_declarations(&mut self, declare: &mut dyn Declare, seed: u64) -> Vec<Tally> {
        let mut tallies = Declared::new(&mut self.graph, declare, seed).check(self.bounds.samples);
        let incomplete = self.incomplete();
        if let Some(why) = incomplete {
            tallies.iter_mut().for_each(|tally| tally.cut(&why));
        }
        tallies
    }
}

/// What a search did, as it was taken down.
#[derive(Debug)]
pub struct Searched(Record);

impl Recorder<'_, '_> {
    /// Nothing more is done.
    pub fn finished(self) -> Searched {
        Searched(self.finish())
    }
}

fn intern<T: PartialEq>(all: &mut Vec<T>, value: T) -> usize {
    all.iter().position(|known| *known == value).unwrap_or_else(|| {
        all.push(value);
        all.len() - 1
    })
}
