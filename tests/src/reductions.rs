//! Every reduction, proviso and search order on one model, against the whole state graph.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::{AddAssign, ControlFlow};
use std::path::Path;

use stubborn_ir::{BinaryOp, Expr, Interpreter, Model, Place, Region, TransitionId, Violation};
use stubborn_promela::load;
use stubborn_reduce::{
    Discipline, PROVISOS, Plan, Proviso, Purpose, Reduction, Visibility, most_preserved, obstacle, refusal,
};
use stubborn_relations::Fault;
use stubborn_search::{
    Compression, Counts, End, Finding, Found, Incomplete, Limits, Observer, Order, StateId, Team,
    refusal_in_bits, refusal_in_parallel, search, search_bitstate, search_in_parallel,
};
use stubborn_trail::replay;

use crate::generate::{Feature, Features, Random};
use crate::graph::{Graph, canonical};
use crate::nets;

/// Models with more states than this are left to the benchmarks.
pub const MAX_STATES: usize = 4000;

/// A way to search.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The reduction, without propositions.
    pub plan: Plan,
    /// The order.
    pub order: Order,
    /// What it preserves.
    pub purpose: Purpose,
    /// How many threads search.
    pub n_threads: usize,
    /// Bits are all that is kept.
    pub as_bits: bool,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { plan, order, n_threads, as_bits, .. } = self;
        let kept = if *as_bits { ", as bits" } else { "" };
        write!(f, "{} with proviso {}, {order}, {n_threads} threads{kept}", plan.reduction, plan.proviso)
    }
}

/// Every combination that is legal, each for the most it preserves.
pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for reduction in Reduction::all() {
        for proviso in PROVISOS {
            for (order, discipline, n_threads) in [
                (Order::DepthFirst, Discipline::Stack, 1),
                (Order::DepthFirst, Discipline::Stacks, 2),
                (Order::DepthFirst, Discipline::Stacks, 3),
                (Order::BreadthFirst, Discipline::Queue, 1),
                (Order::BreadthFirst, Discipline::Queue, 3),
            ] {
                let plan = Plan::new(reduction, proviso);
                let Some(purpose) = most_preserved(&plan, discipline) else { continue };
                if n_threads > 1 && refusal_in_parallel(&plan, order).is_some() {
                    continue;
                }
                // Levels see to it that safety is preserved, not liveness.
                let is_of_levels = n_threads > 1 && plan.proviso == Proviso::Queue;
                let purpose = if is_of_levels { purpose.min(Purpose::Safety) } else { purpose };
                all.push(Case { plan, order, purpose, n_threads, as_bits: false });
            }
            let plan = Plan::new(reduction, proviso);
            let mut purposes = [Purpose::Safety, Purpose::Deadlocks].into_iter();
            let is_legal = |purpose: &Purpose| {
                refusal(&plan, Discipline::OpenList, *purpose).is_none()
                    && refusal_in_bits(&plan, *purpose).is_none()
            };
            if let Some(purpose) = purposes.find(is_legal) {
                let order = Order::DepthFirst;
                all.push(Case { plan, order, purpose, n_threads: 1, as_bits: true });
            }
        }
    }
    all
}

/// What random models are made of: all that a reduction can be used with.
pub fn features() -> Features {
    Features::ALL
        - Features::of(Feature::Enabled)
        - Features::of(Feature::Last)
        - Features::of(Feature::Priority)
}

/// What a suite is about, counted.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Searches made.
    pub cases: u64,
    /// Of models with a deadlock or a failed assertion, or about a proposition that becomes true.
    pub violated: u64,
    /// That visited fewer states, or edges, than there are.
    pub reduced: u64,
    /// Of models whose states have cycles.
    pub cyclic: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.cases += other.cases;
        self.violated += other.violated;
        self.reduced += other.reduced;
        self.cyclic += other.cyclic;
    }
}

/// Compares all cases that `wanted` picks on a model, and counts. None if it is too large, cannot be
/// reduced or has no initial state; an error says how a case differs.
pub fn compare(
    text: &str,
    seed: u64,
    fault: Option<Fault>,
    wanted: impl Fn(usize, &Case) -> bool,
) -> Result<Option<Tally>, String> {
    let loaded = load(Path::new("model.pml"), text.into(), &NoFiles, &[]);
    let Some(model) = &loaded.model else { return Ok(None) };
    compare_model(model, seed, fault, wanted)
}

/// The same for a model of any language.
pub fn compare_model(
    model: &Model,
    seed: u64,
    fault: Option<Fault>,
    wanted: impl Fn(usize, &Case) -> bool,
) -> Result<Option<Tally>, String> {
    if obstacle(model).is_some() {
        return Ok(None);
    }
    let Some(graph) = Graph::build(model, MAX_STATES) else { return Ok(None) };
    let mut random = Random::new(seed);
    let propositions = propositions(model, &graph, &mut random);
    let is_cyclic = graph.has_cycle();
    let mut tally = Tally::default();
    for (i, case) in cases().into_iter().enumerate() {
        if !wanted(i, &case) {
            continue;
        }
        let mut plan = case.plan.clone();
        plan.fault = fault;
        if case.as_bits {
            tally +=
                compare_bits(model, &graph, &plan, case.purpose).map_err(|why| format!("{case}: {why}"))?;
            continue;
        }
        // A proposition now and then: visible steps make sets larger.
        if case.purpose != Purpose::Deadlocks
            && !propositions.is_empty()
            && (i as u64 + seed).is_multiple_of(2)
        {
            plan.propositions.push(propositions[i % propositions.len()].clone());
            if case.purpose == Purpose::Liveness {
                plan.visibility = if i % 2 == 0 { Visibility::VAndI } else { Visibility::C2 };
            }
        }
        // Small models are kept in other ways only if that is asked for.
        let compression =
            [Compression::Tree, Compression::Plain, Compression::Compact][(i as u64 + seed) as usize % 3];
        let found = run(model, &plan, &case, compression).map_err(|why| format!("{case}: {why}"))?;
        let mut violated = !graph.deadlocks.is_empty();
        if found.deadlocks != graph.deadlocks || found.n_deadlocks != graph.n_deadlocks {
            return Err(format!("{case}: {} of {} deadlocks found", found.n_deadlocks, graph.n_deadlocks));
        }
        if case.plan.reduction == Reduction::Sleep && found.n_states != graph.states.len() {
            return Err(format!("{case}: {} of {} states", found.n_states, graph.states.len()));
        }
        // C3' keeps what propositions see, and nothing else.
        let keeps_assertions = case.plan.proviso != Proviso::C3Prime;
        if case.purpose != Purpose::Deadlocks {
            violated |= !graph.failed.is_empty() || graph.has_errors;
            // What comes after an error is cut off: only that there is one is the same.
            let alike =
                found.has_errors == graph.has_errors && (graph.has_errors || found.failed == graph.failed);
            if keeps_assertions && !alike {
                return Err(format!(
                    "{case}: {} of {} assertions fail, errors {} instead of {}",
                    found.failed.len(),
                    graph.failed.len(),
                    found.has_errors,
                    graph.has_errors
                ));
            }
            for proposition in &plan.propositions {
                let expected = graph.reaches(proposition).map_err(|kind| kind.to_string())?;
                violated |= expected;
                if found.reached != Some(expected) && !graph.has_errors {
                    return Err(format!(
                        "{case}: a proposition is reached: {:?} instead of {expected}\n{proposition:?}",
                        found.reached
                    ));
                }
            }
        }
        let n_edges: usize = graph.edges.iter().map(Vec::len).sum();
        tally.cases += 1;
        tally.violated += u64::from(violated);
        tally.reduced += u64::from(found.n_states < graph.states.len() || found.n_edges < n_edges as u64);
        tally.cyclic += u64::from(is_cyclic);
    }
    Ok(Some(tally))
}

/// Compares a search that keeps bits, so many that none is missed in a small model: it finds that something is wrong, and
/// how much, and never says that it has seen everything.
fn compare_bits(model: &Model, graph: &Graph<'_>, plan: &Plan, purpose: Purpose) -> Result<Tally, String> {
    let mut collector = Collector::default();
    let (mut visited, end) = search_bitstate(model, plan, &Limits::memory(1 << 22), &mut collector)
        .map_err(|kind| kind.to_string())?;
    let End::Incomplete(Incomplete::Bitstate(loss)) = end else { return Err(format!("it ended in {end:?}")) };
    let counts = *visited.counts();
    if counts.deadlocks != graph.n_deadlocks as u64 {
        return Err(format!("{} of {} deadlocks found", counts.deadlocks, graph.n_deadlocks));
    }
    let finds_failures = !collector.failed.is_empty() || collector.has_errors;
    let fails = !graph.failed.is_empty() || graph.has_errors;
    if purpose != Purpose::Deadlocks && finds_failures != fails {
        return Err(format!("assertions and steps fail: {finds_failures} instead of {fails}"));
    }
    if loss.n_states != counts.states || counts.states > graph.states.len() as u64 {
        return Err(format!("{} of {} states", counts.states, graph.states.len()));
    }
    for finding in &collector.findings {
        let moves = visited.moves_to(finding);
        replay(model, &moves, finding.violation).map_err(|error| error.to_string())?;
    }
    let n_edges: usize = graph.edges.iter().map(Vec::len).sum();
    Ok(Tally {
        cases: 1,
        violated: u64::from(fails || graph.n_deadlocks > 0),
        reduced: u64::from(counts.states < graph.states.len() as u64 || counts.transitions < n_edges as u64),
        cyclic: u64::from(graph.has_cycle()),
    })
}

/// No model includes another file.
pub struct NoFiles;

impl stubborn_promela::Loader for NoFiles {
    fn load(&self, _: &Path, _: &str) -> Option<(std::path::PathBuf, std::sync::Arc<str>)> {
        None
    }
}

/// Propositions about globals: some that are reached, some that are not.
fn propositions(model: &Model, graph: &Graph<'_>, random: &mut Random) -> Vec<Expr> {
    let mut found = Vec::new();
    if model.globals.is_empty() {
        return found;
    }
    for _ in 0..4 {
        let mut equals = || {
            if let Some(net) = &model.net
                && random.below(3) > 0
            {
                return nets::propositions::proposition(model, net, random);
            }
            let variable = &model.globals[random.below(model.globals.len())];
            let values: Vec<i32> = graph.values(variable.slot).into_iter().collect();
            let value =
                if random.below(5) == 0 { variable.ty.wrap(77) } else { values[random.below(values.len())] };
            let load = Expr::Load(Place::simple(Region::Global, variable.slot));
            Expr::binary(BinaryOp::Eq, load, Expr::Const(value))
        };
        let (a, b) = (equals(), equals());
        found.push(if random.below(2) == 0 { a } else { Expr::binary(BinaryOp::And, a, b) });
    }
    found
}

struct Outcome {
    deadlocks: BTreeSet<Vec<u8>>,
    n_deadlocks: usize,
    failed: BTreeSet<TransitionId>,
    has_errors: bool,
    /// Whether the proposition was reached, if there is one.
    reached: Option<bool>,
    n_states: usize,
    n_edges: u64,
}

#[derive(Default)]
struct Collector {
    deadlocks: Vec<u32>,
    failed: BTreeSet<TransitionId>,
    has_errors: bool,
    findings: Vec<Finding>,
}

impl Observer for Collector {
    fn wants_every_violation(&self) -> bool {
        true
    }

    fn violation(&mut self, found: Found<'_>) -> ControlFlow<()> {
        self.findings.push(found.to_finding());
        match found.violation {
            Violation::InvalidEnd => self.deadlocks.push(found.state.0),
            Violation::FailedAssertion(transition) => {
                self.failed.insert(transition);
            }
            Violation::Error(_) | Violation::NoInitialState(_) => self.has_errors = true,
            Violation::InfiniteRun | Violation::BadPrefix => {}
        }
        ControlFlow::Continue(())
    }
}

fn run(model: &Model, plan: &Plan, case: &Case, compression: Compression) -> Result<Outcome, String> {
    let mut collector = Collector::default();
    let limits = Limits { compression, ..Limits::memory(1 << 30) };
    if case.n_threads > 1 {
        // So little that threads get in each other's way in small models, too.
        let team = Team { n_threads: case.n_threads, worth_sharing: 2, block: 3 };
        let (mut crowd, end) = search_in_parallel(model, case.order, team, plan, &limits, &mut collector)
            .map_err(|kind| kind.to_string())?;
        let mut states = Vec::new();
        crowd.for_each_state(|state| states.push(state.to_vec()));
        for finding in &collector.findings {
            let moves = crowd.moves_to(finding);
            replay(model, &moves, finding.violation).map_err(|error| error.to_string())?;
        }
        let dead = collector.deadlocks.iter().map(|&id| crowd.state(StateId(id))).collect();
        return outcome(plan, crowd.interpreter(), crowd.counts(), end, &states, dead, collector);
    }
    let (exploration, end) =
        search(model, case.order, plan, &limits, &mut collector).map_err(|kind| kind.to_string())?;
    let mut states: Vec<Vec<u8>> = Vec::new();
    exploration.for_each_state(|state| states.push(state.to_vec()));
    let dead = collector.deadlocks.iter().map(|&id| states[id as usize].clone()).collect();
    outcome(plan, exploration.interpreter(), exploration.counts(), end, &states, dead, collector)
}

fn outcome(
    plan: &Plan,
    interpreter: &Interpreter<'_>,
    counts: &Counts,
    end: End,
    states: &[Vec<u8>],
    dead: Vec<Vec<u8>>,
    collector: Collector,
) -> Result<Outcome, String> {
    if end != End::Exhausted {
        return Err(format!("the search ended in {end:?}"));
    }
    if counts.states != states.len() as u64 {
        return Err(format!("{} states are counted, and {} are there", counts.states, states.len()));
    }
    let wide = |state: &[u8]| {
        let mut state = state.to_vec();
        state.resize(interpreter.layout().size(), 0);
        state
    };
    let reached = plan.propositions.first().map(|proposition| {
        states.iter().any(|state| interpreter.holds(&wide(state), proposition).unwrap_or(false))
    });
    Ok(Outcome {
        deadlocks: dead.iter().map(|state| canonical(interpreter, state)).collect(),
        n_deadlocks: collector.deadlocks.iter().collect::<BTreeSet<_>>().len(),
        failed: collector.failed,
        has_errors: collector.has_errors,
        reached,
        n_states: states.len(),
        n_edges: counts.transitions,
    })
}
