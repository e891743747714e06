//! How a model is searched, and on whose behalf.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stubborn_ir::{Expr, Model};
use stubborn_reduce::{Proviso, Purpose, Visibility, obstacle};
use stubborn_relations::Fault;
use stubborn_search::{Compression, Cycles, Guide, Limits, Order, Progress};

use crate::heuristic::HeuristicName;
use crate::strategy::{Choice, Refused, Strategy, settle};

/// How a model is searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The order in which states are visited; none is what suits the question.
    pub order: Option<Order>,
    /// Deadlocks, assertions and invariants are decided by a search with a direction; other claims are refused.
    pub guide: Option<Guide>,
    /// What tells such a search the direction; none is what suits the question.
    pub heuristic: Option<HeuristicName>,
    /// Which states are left out because others stand for them.
    pub reduction: Choice,
    /// What keeps steps from being put off for ever; none is what suits the reduction.
    pub proviso: Option<Proviso>,
    /// How what a claim looks at is kept in order; none is V and I.
    pub visibility: Option<Visibility>,
    /// How cycles are looked for.
    pub cycles: Cycles,
    /// Runs count only if every process that could always move does move (weak fairness).
    pub is_fair: bool,
    /// How states are kept.
    pub compression: Compression,
    /// How many threads search together, where the search can be shared.
    pub threads: usize,
    /// Left out on purpose, by tests of the tests.
    pub fault: Option<Fault>,
    /// Bytes for everything that grows with the number of states.
    pub memory: usize,
    /// Time for one search.
    pub time: Option<Duration>,
    /// Time to make a counterexample shorter; none leaves it as it is found.
    pub shorten: Option<Duration>,
    /// Note which statements are executed and which values there are, see [`PropertyResult::coverage`].
    ///
    /// [`PropertyResult::coverage`]: crate::PropertyResult::coverage
    pub coverage: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            order: None,
            guide: None,
            heuristic: None,
            reduction: Choice::Auto,
            proviso: None,
            visibility: None,
            cycles: Cycles::default(),
            is_fair: false,
            compression: Compression::Auto,
            threads: 1,
            fault: None,
            memory: 1 << 30,
            time: None,
            shorten: None,
            coverage: false,
        }
    }
}

/// Who asked: can cancel, and hears how far it is.
pub struct Job<'a> {
    /// Set from outside to stop it.
    pub cancel: Arc<AtomicBool>,
    /// Called now and then.
    pub progress: &'a mut dyn FnMut(&Progress),
}

impl fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

impl Config {
    /// The order in which states are visited for a question: breadth-first finds the shortest way to a
    /// state, depth-first finds cycles.
    pub fn order_for(&self, purpose: Purpose) -> Order {
        self.order.unwrap_or(match purpose {
            Purpose::Deadlocks | Purpose::Safety | Purpose::Prefixes => Order::BreadthFirst,
            Purpose::Liveness => Order::DepthFirst,
        })
    }

    /// How a question is answered that needs `purpose` preserved.
    pub fn strategy(&self, model: &Model, purpose: Purpose) -> Result<Strategy, Refused> {
        settle(obstacle(model), self.reduction, self.proviso, self.order_for(purpose), purpose)
    }

    /// The same for a claim that looks at propositions. With a reason why nothing may be left out for this
    /// claim, nothing is, whatever was asked for.
    pub(crate) fn strategy_for(
        &self,
        model: &Model,
        purpose: Purpose,
        propositions: &[Expr],
        obstacle: Option<String>,
    ) -> Result<Strategy, Refused> {
        let mut strategy = match obstacle {
            Some(why) => Strategy::none(&format!("no reduction can be used: {why}")),
            None => self.strategy(model, purpose)?,
        };
        strategy.plan.propositions = propositions.to_vec();
        strategy.plan.fault = self.fault;
        strategy.plan.visibility = self.visibility.unwrap_or(Visibility::VAndI);
        Ok(strategy)
    }

    pub(crate) fn limits(&self, cancel: &Arc<AtomicBool>) -> Limits {
        let (memory, time, compression) = (self.memory, self.time, self.compression);
        Limits { memory, time, cancel: cancel.clone(), compression }
    }
}
