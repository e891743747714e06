//! A search of all states by as many threads as were asked for, and what it visited.

use stubborn_ir::{Model, Move, RuntimeErrorKind};
use stubborn_search::{
    Bitstate, Counts, Coverage, Crowd, Distributed, End, Exploration, Finding, Gathered, Limits, Observer,
    Order, Task, Team, Used, search, search_bitstate, search_in_parallel,
};

use crate::config::Config;
use crate::store::StoreChoice;
use crate::strategy::Strategy;

/// What a search visited.
#[derive(Debug)]
pub(crate) enum Visited<'m> {
    /// By one thread.
    Alone(Box<Exploration<'m>>),
    /// By several.
    Together(Box<Crowd<'m>>),
    /// By one thread that kept bits.
    AsBits(Box<Bitstate<'m>>),
    /// By several processes.
    Elsewhere(&'m Model, Box<Gathered>),
}

/// Somebody who searches with other processes, if there is one.
pub(crate) type Elsewhere<'a, 'b> = Option<&'a mut (dyn Distributed + 'b)>;

/// Visits the states of a model.
pub(crate) fn visit<'m>(
    model: &'m Model,
    order: Order,
    strategy: &Strategy,
    config: &Config,
    limits: &Limits,
    observer: &mut dyn Observer,
    cluster: Elsewhere<'_, '_>,
) -> Result<(Visited<'m>, End), RuntimeErrorKind> {
    let plan = &strategy.plan;
    if let Some(cluster) = cluster {
        let task = Task { model, plan, claim: None };
        let (gathered, end) = cluster.search(&task, limits, observer)?;
        return Ok((Visited::Elsewhere(model, Box::new(gathered)), end));
    }
    if config.store == StoreChoice::Bitstate {
        let (bitstate, end) = search_bitstate(model, plan, limits, observer)?;
        return Ok((Visited::AsBits(Box::new(bitstate)), end));
    }
    if config.threads <= 1 || config.refusal_of_threads(order, plan).is_some() {
        let (exploration, end) = search(model, order, plan, limits, observer)?;
        return Ok((Visited::Alone(Box::new(exploration)), end));
    }
    let team = Team::of(config.threads, order);
    let (crowd, end) = search_in_parallel(model, order, team, plan, limits, observer)?;
    Ok((Visited::Together(Box::new(crowd)), end))
}

impl<'m> Visited<'m> {
    /// What was visited and found.
    pub(crate) fn counts(&self) -> &Counts {
        match self {
            Visited::Alone(exploration) => exploration.counts(),
            Visited::Together(crowd) => crowd.counts(),
            Visited::AsBits(bitstate) => bitstate.counts(),
            Visited::Elsewhere(_, gathered) => &gathered.counts,
        }
    }

    /// How many threads took part.
    pub(crate) fn n_threads(&self) -> usize {
        match self {
            Visited::Alone(_) | Visited::AsBits(_) => 1,
            Visited::Together(crowd) => crowd.team().n_threads,
            Visited::Elsewhere(_, gathered) => gathered.n_workers,
        }
    }

    /// What was seen of the model, if it was noted.
    pub(crate) fn coverage(&self) -> Option<&Coverage> {
        match self {
            Visited::Alone(exploration) => exploration.coverage(),
            Visited::Together(_) | Visited::AsBits(_) | Visited::Elsewhere(..) => None,
        }
    }

    /// The model.
    pub(crate) fn model(&self) -> &'m Model {
        match self {
            Visited::Alone(exploration) => exploration.interpreter().model(),
            Visited::Together(crowd) => crowd.interpreter().model(),
            Visited::AsBits(bitstate) => bitstate.interpreter().model(),
            Visited::Elsewhere(model, _) => model,
        }
    }

    /// The moves from the initial state to a violation that was reported.
    pub(crate) fn moves_to(&mut self, finding: &Finding) -> Vec<Move> {
        match self {
            Visited::Alone(exploration) => exploration.moves_to(finding),
            Visited::Together(crowd) => crowd.moves_to(finding),
            Visited::AsBits(bitstate) => bitstate.moves_to(finding),
            Visited::Elsewhere(_, gathered) => gathered.moves_to(finding),
        }
    }

    /// What each process used, if there were several.
    pub(crate) fn used(&self) -> Vec<Used> {
        match self {
            Visited::Elsewhere(_, gathered) => gathered.used.clone(),
            _ => Vec::new(),
        }
    }

    /// The most memory that was in use, in bytes, all processes together.
    pub(crate) fn peak_bytes(&self) -> usize {
        match self {
            Visited::Alone(exploration) => exploration.peak_bytes(),
            Visited::Together(crowd) => crowd.peak_bytes(),
            Visited::AsBits(bitstate) => bitstate.peak_bytes(),
            Visited::Elsewhere(_, gathered) => gathered.used.iter().map(|used| used.peak_bytes).sum(),
        }
    }

    /// Bytes in use for each stored state.
    pub(crate) fn bytes_per_state(&self) -> f64 {
        match self {
            Visited::Alone(exploration) => exploration.bytes_per_state(),
            Visited::Together(crowd) => crowd.bytes_per_state(),
            Visited::AsBits(bitstate) => bitstate.bytes_per_state(),
            Visited::Elsewhere(_, gathered) => {
                let bytes: usize = gathered.used.iter().map(|used| used.bytes).sum();
                bytes as f64 / gathered.counts.states.max(1) as f64
            }
        }
    }

    /// Calls `see` with every state; whether they are there.
    pub(crate) fn for_each_state(&self, see: impl FnMut(&[u8])) -> bool {
        match self {
            Visited::Alone(exploration) => exploration.for_each_state(see),
            Visited::Together(crowd) => crowd.for_each_state(see),
            Visited::AsBits(_) | Visited::Elsewhere(..) => return false,
        }
        true
    }
}
