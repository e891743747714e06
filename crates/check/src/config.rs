//! How a model is searched, and on whose behalf.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stubborn_ir::{Engines, Expr, Model};
use stubborn_reduce::{Discipline, Plan, Proviso, Purpose, Visibility, obstacle};
use stubborn_relations::Fault;
use stubborn_search::{
    Compression, Cycles, Guide, Limits, Order, Progress, refusal_in_bits, refusal_in_parallel,
};

use crate::engine::EngineChoice;
use crate::heuristic::HeuristicName;
use crate::store::StoreChoice;
use crate::strategy::{Asked, Choice, Refused, Strategy, settle};

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
    /// What finds and takes steps.
    pub engine: EngineChoice,
    /// What is kept of the states that were visited.
    pub store: StoreChoice,
    /// How many threads search together, where the search can be shared.
    pub threads: usize,
    /// States are divided among processes, see [`check_on`](crate::check_on): what they cannot do is refused.
    pub distributed: bool,
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
            engine: EngineChoice::Auto,
            store: StoreChoice::default(),
            threads: 1,
            distributed: false,
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
            _ if self.distributed => Order::BreadthFirst,
            // Of the way to a state, only what is on the stack is kept.
            _ if self.store == StoreChoice::Bitstate => Order::DepthFirst,
            Purpose::Deadlocks | Purpose::Safety | Purpose::Prefixes => Order::BreadthFirst,
            Purpose::Liveness => Order::DepthFirst,
        })
    }

    /// Why processes cannot search as is asked for, if so.
    pub(crate) fn refusal_of_cluster(&self) -> Option<Refused> {
        let why = match (self.guide, self.order) {
            _ if !self.distributed => return None,
            (Some(guide), _) => format!("{guide} is a search of one process"),
            (None, Some(Order::DepthFirst)) => "depth-first is a search of one process".to_owned(),
            _ if self.store == StoreChoice::Bitstate => "the store bitstate is for one process".to_owned(),
            _ => return None,
        };
        Some(Refused::new(format!("{why}; several search breadth-first, and keep states as they are")))
    }

    /// How a question is answered that needs `purpose` preserved.
    pub fn strategy(&self, model: &Model, purpose: Purpose) -> Result<Strategy, Refused> {
        let mut strategy = self.strategy_of_one(model, purpose)?;
        let order = self.order_for(purpose);
        if self.distributed {
            return match refusal_in_parallel(&strategy.plan, order) {
                Some(why) => Err(Refused::new(format!("several processes cannot search so: {why}"))),
                None => Ok(strategy),
            };
        }
        if self.threads > 1
            && purpose <= Purpose::Safety
            && let Some(why) = self.refusal_of_threads(order, &strategy.plan)
        {
            strategy.why += &format!("; it is searched by one thread: {why}");
        }
        Ok(strategy)
    }

    /// Why several threads cannot go through the states of a model together, if so: then one does.
    pub(crate) fn refusal_of_threads(&self, order: Order, plan: &Plan) -> Option<String> {
        self.obstacle_to_threads().map(str::to_owned).or_else(|| refusal_in_parallel(plan, order))
    }

    /// The same in whatever order, and whatever is left out.
    fn obstacle_to_threads(&self) -> Option<&'static str> {
        match (self.guide, self.store) {
            (Some(_), _) => Some("a search with a direction has one"),
            (None, _) if self.coverage => Some("it is noted what is seen of the model"),
            (None, StoreChoice::Exact(Compression::Auto | Compression::Plain)) => None,
            (None, StoreChoice::Exact(_)) => Some("with several, states are kept as they are"),
            (None, StoreChoice::Bitstate) => Some("with several, more is kept of states than bits"),
        }
    }

    fn strategy_of_one(&self, model: &Model, purpose: Purpose) -> Result<Strategy, Refused> {
        if let (StoreChoice::Bitstate, Choice::Named(reduction)) = (self.store, self.reduction) {
            let plan = Plan::new(reduction, self.proviso.unwrap_or(Proviso::None));
            if let Some(why) = refusal_in_bits(&plan, purpose) {
                return Err(Refused::new(format!("the store bitstate cannot be used: {why}")));
            }
        }
        let asked = Asked {
            choice: self.reduction,
            proviso: self.proviso,
            discipline: self.discipline(purpose),
            purpose,
            without_order: self.without_order(purpose),
        };
        settle(obstacle(model), &asked)
    }

    /// Why a proviso must look at no order of states, if so: in a product, all nodes of a state have the same steps.
    fn without_order(&self, purpose: Purpose) -> Option<&'static str> {
        match (purpose, self.store) {
            (Purpose::Prefixes, StoreChoice::Bitstate) => {
                Some("nobody would know which states used fewer steps before")
            }
            (Purpose::Liveness, _) if self.distributed => {
                Some("processes come to states in an order of their own")
            }
            (Purpose::Liveness, _) if self.threads > 1 && self.order_for(purpose) == Order::DepthFirst => {
                Some("threads come to states in an order of their own")
            }
            _ => None,
        }
    }

    fn discipline(&self, purpose: Purpose) -> Discipline {
        if self.store == StoreChoice::Bitstate {
            return Discipline::OpenList;
        }
        match (self.order_for(purpose), self.guide) {
            // Claims are searched for in a product, which threads go through in another way, or not at all.
            (Order::DepthFirst, _)
                if purpose <= Purpose::Safety && self.threads > 1 && self.obstacle_to_threads().is_none() =>
            {
                Discipline::Stacks
            }
            (Order::DepthFirst, _) => Discipline::Stack,
            // Claims are searched for in a product; several threads do not go through the states again.
            (Order::BreadthFirst, None)
                if purpose <= Purpose::Safety && self.threads <= 1 && !self.distributed =>
            {
                Discipline::Queue
            }
            (Order::BreadthFirst, _) => Discipline::OpenList,
        }
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
        let (memory, time, compression) = (self.memory, self.time, self.store.compression());
        let engine = self.engine.tier().map(Engines::from);
        Limits { memory, time, cancel: cancel.clone(), compression, engine }
    }
}
