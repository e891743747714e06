//! Counting all states of a model.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use stubborn_ir::{Fill, Model, RuntimeErrorKind};
use stubborn_reduce::Purpose;
use stubborn_search::{Counts, Distributed, End, Found, Incomplete, Observer, Progress, Used};

use crate::config::{Config, Job};
use crate::strategy::{Refused, Strategy};
use crate::visited::{Visited, visit};

/// What an exploration counted.
#[derive(Clone, PartialEq, Debug)]
pub struct ExploreReport {
    /// What was visited and found.
    pub counts: Counts,
    /// Why it is not everything, if so.
    pub incomplete: Option<Incomplete>,
    /// Why there is no initial state, if so; the one error that is then counted.
    pub no_initial_state: Option<RuntimeErrorKind>,
    /// How states were left out.
    pub strategy: Strategy,
    /// How long it took.
    pub time: Duration,
    /// The most memory in use, in bytes.
    pub peak_bytes: usize,
    /// Bytes in use for each stored state: itself, its place in the table, and how it was reached.
    pub bytes_per_state: f64,
    /// How full the places of a net were, in what was visited.
    pub fill: Option<Fill>,
    /// What each process used, if there were several.
    pub used: Vec<Used>,
}

/// Visits all states of a model, past any violation.
///
/// A reduction preserves at least the deadlocks, and with a proviso whatever that is for.
pub fn explore(model: &Model, config: &Config, job: Job<'_>) -> Result<ExploreReport, Refused> {
    explore_on(model, config, job, None)
}

/// The same with other processes, if there are any: all of them ask for the same, and the first has the report.
pub fn explore_on(
    model: &Model,
    config: &Config,
    job: Job<'_>,
    cluster: Option<&mut dyn Distributed>,
) -> Result<ExploreReport, Refused> {
    let started = Instant::now();
    let config = &Config { distributed: cluster.is_some(), ..config.clone() };
    if let Some(refused) = config.refusal_of_cluster() {
        return Err(refused);
    }
    if let Some(refused) = config.refusal_of_store() {
        return Err(refused);
    }
    let strategy = config.strategy(model, Purpose::Deadlocks)?;
    let mut observer = Count { progress: &mut *job.progress };
    Ok(
        match visit(
            model,
            config.order_for(Purpose::Deadlocks),
            &strategy,
            config,
            &config.limits(&job.cancel),
            &mut observer,
            cluster,
        ) {
            Ok((visited, end)) => ExploreReport {
                counts: *visited.counts(),
                incomplete: match end {
                    End::Incomplete(why) => Some(why),
                    End::Exhausted | End::Stopped => None,
                },
                no_initial_state: None,
                strategy,
                time: started.elapsed(),
                peak_bytes: visited.peak_bytes(),
                bytes_per_state: visited.bytes_per_state(),
                fill: fill(model, &visited),
                used: visited.used(),
            },
            Err(kind) => ExploreReport {
                counts: Counts { errors: 1, ..Counts::default() },
                incomplete: None,
                no_initial_state: Some(kind),
                strategy,
                time: started.elapsed(),
                peak_bytes: 0,
                bytes_per_state: 0.0,
                fill: None,
                used: Vec::new(),
            },
        },
    )
}

/// How full places get in these states.
fn fill(model: &Model, visited: &Visited<'_>) -> Option<Fill> {
    let net = model.net.as_ref()?;
    let mut fill = Fill::default();
    visited.for_each_state(|state| net.measure(state, &mut fill)).then_some(fill)
}

struct Count<'a> {
    progress: &'a mut dyn FnMut(&Progress),
}

impl Observer for Count<'_> {
    fn violation(&mut self, _: Found<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) {
        (self.progress)(progress);
    }
}
