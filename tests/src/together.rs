//! Claims decided by several processes, against one: each process is a thread here, and all else is as between programs.

use std::net::TcpListener;
use std::ops::AddAssign;
use std::thread;

use stubborn_check::{
    Choice, Config, Distributed, Job, Property, PropertyResult, Proviso, Reduction, Trail, Verdict,
    Visibility, check, check_on, properties,
};
use stubborn_cluster::{Cluster, Meeting, Place, Secret};
use stubborn_ir::Model;
use stubborn_reduce::{Stubborn, obstacle};
use stubborn_relations::Fault;

use crate::graph::Graph;
use crate::runs::{random_claims, with_claim};

/// Decides a property with so many processes of so many workers each.
pub fn check_together(
    model: &Model,
    property: &Property,
    config: &Config,
    n_processes: usize,
    workers: usize,
) -> Result<PropertyResult, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    let address = listener.local_addr().map_err(|error| error.to_string())?.to_string();
    let secret = Secret::of("known to tests").ok_or("no secret")?;
    let search = |process: usize, meeting: Meeting| -> Result<PropertyResult, String> {
        let place = Place { process, meeting, workers, secret: secret.clone() };
        let mut cluster = Cluster::form(place, &[], model, None, &|| false)?;
        let job = Job { cancel: std::sync::Arc::default(), progress: &mut |_| {} };
        let others: &mut dyn Distributed = &mut cluster;
        let results = check_on(model, std::slice::from_ref(property), config, job, Some(others));
        results.map_err(|refused| refused.to_string()).map(|mut results| results.remove(0))
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..n_processes)
            .map(|process| {
                let meeting = Meeting::There(address.clone(), n_processes);
                let search = &search;
                scope.spawn(move || search(process, meeting))
            })
            .collect();
        let first = search(0, Meeting::Here(listener, n_processes));
        for other in others {
            other.join().map_err(|_| "a process panicked".to_owned())??;
        }
        first
    })
}

/// What a comparison saw.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Claims decided.
    pub cases: u64,
    /// Of these, violated.
    pub violated: u64,
    /// Of these, by a run that goes round a cycle.
    pub cycles: u64,
    /// Of these, found again when nothing was looked for before all was searched.
    pub late: u64,
    /// Decided with reduction, by visiting all that it leaves.
    pub reducible: u64,
    /// Of these, with states left out.
    pub reduced: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.cases += other.cases;
        self.violated += other.violated;
        self.cycles += other.cycles;
        self.late += other.late;
        self.reducible += other.reducible;
        self.reduced += other.reduced;
    }
}

/// Decides random formulas about a model with one and two processes, with reduction and without. None if the model is not
/// suitable.
pub fn compare(model: &Model, seed: u64, max_states: usize) -> Result<Option<Tally>, String> {
    let Some(graph) = Graph::build(model, max_states) else { return Ok(None) };
    let mut tally = Tally::default();
    for claim in random_claims(model, &graph, seed) {
        let text = claim.formula.display(&|p| format!("p{}", p.0)).to_string();
        let told = |why: String| format!("{why}: {text} over {:?}", claim.propositions);
        tally += compare_claim(&with_claim(model, &claim)).map_err(told)?;
    }
    Ok(Some(tally))
}

/// Decides the last claim of a model.
pub fn compare_claim(model: &Model) -> Result<Tally, String> {
    let property = properties(model).pop().ok_or("no claim")?;
    let whole = Config { memory: 1 << 28, reduction: Choice::Named(Reduction::None), ..Config::default() };
    let job = Job { cancel: std::sync::Arc::default(), progress: &mut |_| {} };
    let one = std::slice::from_ref(&property);
    let alone = check(model, one, &whole, job).map_err(|refused| refused.to_string())?.remove(0);
    // An invariant is decided by the states of the model, which are as many as those of the product.
    let seen = |result: &PropertyResult| result.counts.states;
    let in_the_end = Config { fault: Some(Fault::ForgetElders), ..whole.clone() };
    let (mut n_late, mut ways) = (0, [None, None]);
    for (n_processes, workers, config) in
        [(1, 1, &whole), (2, 1, &whole), (1, 3, &whole), (1, 1, &in_the_end), (2, 2, &in_the_end)]
    {
        let found = check_together(model, &property, config, n_processes, workers)?;
        let when = if config.fault.is_some() { ", with cycles found in the end" } else { "" };
        let who = format!("{n_processes} processes of {workers} workers, without reduction{when}");
        let lasso = found.trail.as_ref().filter(|trail| trail.cycle > 0);
        n_late = u64::from(lasso.is_some());
        // Whoever has which state, and whatever is told first.
        let made = |trail: &Trail| trail.steps.iter().map(|step| step.made).collect::<Vec<_>>();
        let way = lasso.map(|trail| (trail.cycle, made(trail)));
        let known = ways[usize::from(config.fault.is_some())].get_or_insert_with(|| way.clone());
        if *known != way {
            return Err(format!("{who}: another run, {way:?} instead of {known:?}"));
        }
        if found.verdict != alone.verdict {
            return Err(format!("{who}: {:?} instead of {:?}", verdict(&found), verdict(&alone)));
        }
        if alone.verdict == Verdict::Holds && seen(&found) != seen(&alone) {
            return Err(format!("{who}: {} instead of {} states", seen(&found), seen(&alone)));
        }
    }
    let mut tally = Tally {
        cases: 1,
        violated: u64::from(alone.verdict == Verdict::Violated),
        cycles: u64::from(alone.trail.as_ref().is_some_and(|trail| trail.cycle > 0)),
        late: n_late,
        ..Tally::default()
    };
    if obstacle(model).is_some() {
        return Ok(tally);
    }
    for visibility in [Visibility::VAndI, Visibility::C2] {
        let reduced = Config {
            reduction: Choice::Named(Reduction::Stubborn(Stubborn::BEAM)),
            proviso: Some(Proviso::Sticky),
            visibility: Some(visibility),
            ..whole.clone()
        };
        let mut left = None;
        for n_processes in [2, 1] {
            let found = check_together(model, &property, &reduced, n_processes, 1)?;
            let who = format!("{n_processes} processes with reduction and {visibility:?}");
            // What comes after an error is not known; a prefix is told if it is met.
            let is_open = found.verdict == Verdict::Incomplete
                && matches!(
                    found.reason.as_deref(),
                    Some("some runs end in a run-time error" | "some atomic sequence never ends")
                );
            if found.verdict != alone.verdict && !is_open {
                return Err(format!("{who}: {:?} instead of {:?}", verdict(&found), verdict(&alone)));
            }
            if found.verdict == Verdict::Holds && *left.get_or_insert(seen(&found)) != seen(&found) {
                return Err(format!("{who}: {} states left instead of {left:?}", seen(&found)));
            }
            let is_whole = found.verdict == Verdict::Holds && found.counts.states > 0;
            let was_left = found.strategy.plan.reduction != Reduction::None;
            tally.reducible += u64::from(is_whole && was_left);
            tally.reduced += u64::from(is_whole && was_left && found.counts.states < alone.counts.states);
        }
    }
    Ok(tally)
}

fn verdict(result: &PropertyResult) -> (Verdict, Option<&str>) {
    (result.verdict, result.reason.as_deref())
}
