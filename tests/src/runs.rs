//! Formulas about one model, decided in every way there is, against the whole product of its state graph
//! and an automaton.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::AddAssign;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use stubborn_base::{FileId, Span};
use stubborn_check::{
    Choice, Config, Cycles, Incomplete, Job, Order, Plan, PropertyResult, StoreChoice, Verdict, Visibility,
    check, properties,
};
use stubborn_ir::expr::Remote;
use stubborn_ir::{
    BinaryOp, ChanTest, Claim, ClaimAutomaton, ClaimBody, ClaimKind, Expr, LocationId, Model, Pattern, Place,
    Poll, ProcessTypeId, Region, TemporalClaim,
};
use stubborn_ltl::{Formula, Letter, translate};
use stubborn_reduce::{Discipline, PROVISOS, Proviso, Purpose, Reduction, refusal};
use stubborn_relations::Fault;
use stubborn_search::{Ignore, Limits, Question, search_claim, search_claim_in_parallel};

use crate::generate::{Random, formula, usual};
use crate::graph::Graph;
use crate::nets;
use crate::scramble::scramble;

/// A way to decide a formula.
#[derive(Clone, PartialEq, Debug)]
pub struct Way {
    /// The reduction.
    pub reduction: Reduction,
    /// Its proviso.
    pub proviso: Proviso,
    /// How visible steps are kept in order.
    pub visibility: Visibility,
    /// The order.
    pub order: Order,
    /// How cycles are looked for.
    pub cycles: Cycles,
    /// What is kept of states.
    pub store: StoreChoice,
    /// How many threads search.
    pub threads: usize,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Way { reduction, proviso, visibility, order, cycles, store, threads } = self;
        write!(f, "{reduction} with proviso {proviso} and {visibility:?}, {order}, {cycles:?}, ")?;
        write!(f, "{store}, {threads} threads")
    }
}

/// Every legal way to decide a formula that needs `purpose` preserved.
pub fn ways(purpose: Purpose) -> Vec<Way> {
    let mut all = Vec::new();
    for (order, discipline) in
        [(Order::DepthFirst, Discipline::Stack), (Order::BreadthFirst, Discipline::OpenList)]
    {
        for cycles in [Cycles::Components, Cycles::Nested] {
            for reduction in [Reduction::None].into_iter().chain(Reduction::all()) {
                for proviso in PROVISOS {
                    let plan = Plan::new(reduction, proviso);
                    let is_idle = reduction == Reduction::None && proviso != Proviso::None;
                    if is_idle || refusal(&plan, discipline, purpose).is_some() {
                        continue;
                    }
                    for visibility in [Visibility::VAndI, Visibility::C2] {
                        let store = StoreChoice::default();
                        all.push(Way { reduction, proviso, visibility, order, cycles, store, threads: 1 });
                    }
                }
            }
        }
    }
    match purpose {
        Purpose::Prefixes => all.extend(ways_without_order(purpose, StoreChoice::Bitstate, 1)),
        _ => {
            for threads in [2, 3] {
                all.extend(ways_without_order(purpose, StoreChoice::default(), threads));
            }
        }
    }
    all
}

/// Every legal way in which a proviso looks at no order of states.
fn ways_without_order(purpose: Purpose, store: StoreChoice, threads: usize) -> impl Iterator<Item = Way> {
    let reductions = Reduction::all().into_iter().map(|reduction| (reduction, Proviso::Sticky));
    let is_legal = move |(reduction, proviso): &(Reduction, Proviso)| {
        let plan = Plan::new(*reduction, *proviso);
        refusal(&plan, Discipline::OpenList, purpose).is_none()
    };
    let all = [(Reduction::None, Proviso::None)].into_iter().chain(reductions).filter(is_legal);
    let (order, cycles) = (Order::DepthFirst, Cycles::Components);
    all.flat_map(move |(reduction, proviso)| {
        let way = move |visibility| Way { reduction, proviso, visibility, order, cycles, store, threads };
        [Visibility::VAndI, Visibility::C2].map(way)
    })
}

/// What a comparison saw.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Formulas decided, each in some way.
    pub cases: u64,
    /// Of these, violated.
    pub violated: u64,
    /// Decided by visiting all that a reduction leaves.
    pub reducible: u64,
    /// Of these, with states left out.
    pub reduced: u64,
    /// Of these, not safety properties.
    pub live: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.cases += other.cases;
        self.violated += other.violated;
        self.reducible += other.reducible;
        self.reduced += other.reduced;
        self.live += other.live;
    }
}

/// Decides random formulas of a model in every way that `wanted` picks. None if the model is not suitable.
pub fn compare(
    model: &Model,
    seed: u64,
    fault: Option<Fault>,
    max_states: usize,
    wanted: impl Fn(usize, &Way) -> bool,
) -> Result<Option<Tally>, String> {
    let Some(graph) = Graph::build(model, max_states) else { return Ok(None) };
    let mut tally = Tally::default();
    for claim in random_claims(model, &graph, seed) {
        tally += decide(model, &graph, claim, fault, &wanted)?;
    }
    Ok(Some(tally))
}

/// Formulas about a model.
pub fn random_claims(model: &Model, graph: &Graph<'_>, seed: u64) -> Vec<TemporalClaim> {
    let mut random = Random::new(seed ^ 0x11f0);
    let claim = |i| {
        let propositions = propositions(model, graph, &mut random);
        let formula = match random.below(4) {
            // Runs on which something happens again and again are the ones that searches lose.
            _ if i == 0 => Formula::atom(0).negated().always().eventually(),
            _ if i == 1 => {
                let last = Formula::atom(propositions.len() - 1).negated().always().eventually();
                Formula::atom(0).negated().always().eventually().or(last)
            }
            0 => {
                let size = 3 + random.below(6);
                formula(&mut random, size, propositions.len())
            }
            _ => usual(&mut random, propositions.len()),
        };
        TemporalClaim { formula, propositions, extends_finite_runs: true }
    };
    (0..5).map(claim).collect()
}

/// The model with a formula as its only claim.
pub fn with_claim(model: &Model, claim: &TemporalClaim) -> Model {
    let span = Span::new(FileId(0), 0, 0);
    let body = ClaimBody::Formula(claim.clone());
    let claims = vec![Claim { name: "it".into(), kind: ClaimKind::Ltl, body, span }];
    Model { claims, ..model.clone() }
}

/// Decides the formulas that a model itself states, in every way that `wanted` picks. None if the model is
/// not suitable.
pub fn compare_own(
    model: &Model,
    fault: Option<Fault>,
    max_states: usize,
    wanted: impl Fn(usize, &Way) -> bool,
) -> Result<Option<Tally>, String> {
    let Some(graph) = Graph::build(model, max_states) else { return Ok(None) };
    let mut tally = Tally::default();
    for claim in &model.claims {
        if let ClaimBody::Formula(formula) = &claim.body
            && formula.extends_finite_runs
        {
            tally += decide(model, &graph, formula.clone(), fault, &wanted)?;
        }
    }
    Ok(Some(tally))
}

fn decide(
    model: &Model,
    graph: &Graph<'_>,
    claim: TemporalClaim,
    fault: Option<Fault>,
    wanted: &impl Fn(usize, &Way) -> bool,
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let Some(letters) = letters(graph, &claim.propositions) else { return Ok(tally) };
    let Some(expected) = is_violated(graph, &claim, &letters) else { return Ok(tally) };
    let text = claim.formula.display(&|p| format!("p{}", p.0)).to_string();
    let told = format!("{text} over {:?}", claim.propositions);
    let model = with_claim(model, &claim);
    let property = properties(&model).pop().expect("the claim");
    let unreduced = run(&model, &property, None, None)?;
    let purpose = match stubborn_ltl::classify(&claim.formula) {
        stubborn_ltl::Class::Safety => Purpose::Prefixes,
        _ => Purpose::Liveness,
    };
    // Where an error or an atomic sequence without end comes after a bad prefix, there is no run to find; the
    // prefix is told if it is met, and nothing is said to hold if it is not.
    let begins_badly = purpose == Purpose::Prefixes && may_begin_badly(graph, &claim, &letters);
    let is_counting = purpose == Purpose::Liveness && stubborn_ltl::is_stutter_invariant(&claim.formula);
    let lates: &[bool] = if is_counting { &[false, true] } else { &[] };
    let scrambled: Vec<ClaimAutomaton> = lates.iter().filter_map(|&late| scramble(&claim, late)).collect();
    for (i, way) in ways(purpose).into_iter().enumerate() {
        if !wanted(i, &way) {
            continue;
        }
        let result = run(&model, &property, Some(&way), fault)?;
        if result.threads != way.threads && result.counts.states > 0 {
            return Err(format!("{way}: {} threads searched", result.threads));
        }
        // Who left out the same has seen the same.
        if way.threads > 1 && !expected && fault.is_none() {
            let alone = run(&model, &property, Some(&Way { threads: 1, ..way.clone() }), None)?;
            let seen = |result: &PropertyResult| (result.counts.states, result.counts.transitions);
            if seen(&alone) != seen(&result) {
                return Err(format!("{way}: {:?} instead of {:?}: {told}", seen(&result), seen(&alone)));
            }
        }
        let is_right = match result.verdict {
            Verdict::Violated => expected || begins_badly,
            // What holds of every run there could be is not searched for.
            Verdict::Holds if way.store == StoreChoice::Bitstate => !expected && result.counts.states == 0,
            Verdict::Holds => !expected && !graph.has_errors,
            Verdict::Incomplete if way.store == StoreChoice::Bitstate => {
                !expected && matches!(result.limit, Some(Incomplete::Bitstate(_)))
            }
            Verdict::Incomplete => {
                !expected
                    && match result.reason.as_deref() {
                        Some("some runs end in a run-time error") => graph.has_errors,
                        Some("some atomic sequence never ends") => graph.has_endless,
                        _ => false,
                    }
            }
        };
        if !is_right {
            let reason = result.reason.unwrap_or_default();
            let should = if expected { "violated" } else { "not violated" };
            return Err(format!("{way}: {} ({reason}), but it is {should}: {told}", result.verdict));
        }
        for automaton in &scrambled {
            if fault.is_none() {
                decide_never(&model, automaton, &way, expected).map_err(|why| format!("{why}: {told}"))?;
            }
            let found = search_scrambled(&model, automaton, &way, fault)?;
            if found != expected {
                let what = if expected { "no run is found" } else { "a run is found" };
                return Err(format!("{way}, automaton that counts: {what}: {told}"));
            }
        }
        tally.cases += 1;
        tally.violated += u64::from(expected);
        let is_reducible = !expected && way.reduction != Reduction::None && result.counts.states > 0;
        tally.reducible += u64::from(is_reducible);
        tally.reduced += u64::from(is_reducible && result.counts.states < unreduced.counts.states);
        tally.live += u64::from(purpose == Purpose::Liveness);
    }
    Ok(tally)
}

/// An automaton that cannot tell how often a state is repeated is a never claim that can be reduced, however
/// it is made.
fn decide_never(model: &Model, automaton: &ClaimAutomaton, way: &Way, expected: bool) -> Result<(), String> {
    let mut model = model.clone();
    model.claims[0].kind = ClaimKind::Never;
    model.claims[0].body = ClaimBody::Automaton(automaton.clone());
    let property = properties(&model).pop().expect("the claim");
    let result = run(&model, &property, Some(way), None)?;
    if (result.verdict == Verdict::Violated) != expected {
        let should = if expected { "violated" } else { "not violated" };
        return Err(format!("{way}, never claim that counts: {}, but it is {should}", result.verdict));
    }
    if result.strategy.plan.reduction != way.reduction {
        return Err(format!("{way}, never claim that counts: {}", result.strategy));
    }
    Ok(())
}

fn run(
    model: &Model,
    property: &stubborn_check::Property,
    way: Option<&Way>,
    fault: Option<Fault>,
) -> Result<stubborn_check::PropertyResult, String> {
    // As bits, all of it is taken at once.
    let mut config = Config { fault, memory: 1 << 26, ..Config::default() };
    config.reduction = Choice::Named(Reduction::None);
    if let Some(way) = way {
        config.reduction = Choice::Named(way.reduction);
        config.proviso = (way.reduction != Reduction::None).then_some(way.proviso);
        config.visibility = Some(way.visibility);
        config.order = Some(way.order);
        config.cycles = way.cycles;
        config.store = way.store;
        config.threads = way.threads;
    }
    let job = Job { cancel: std::sync::Arc::default(), progress: &mut |_| {} };
    let mut results =
        check(model, std::slice::from_ref(property), &config, job).map_err(|refused| refused.to_string())?;
    Ok(results.remove(0))
}

/// Whether a search finds a run that an automaton accepts.
fn search_scrambled(
    model: &Model,
    automaton: &ClaimAutomaton,
    way: &Way,
    fault: Option<Fault>,
) -> Result<bool, String> {
    let plan = Plan {
        propositions: automaton.propositions.clone(),
        visibility: way.visibility,
        fault,
        ..Plan::new(way.reduction, way.proviso)
    };
    let question = Question { automaton, extends_finite_runs: true, is_fair: false, cycles: way.cycles };
    let limits = Limits::memory(1 << 28);
    let answer = match way.threads {
        1 => search_claim(model, &question, way.order, &plan, &limits, &mut Ignore),
        threads => search_claim_in_parallel(model, &question, threads, &plan, &limits, &mut Ignore),
    };
    answer.map(|answer| answer.run.is_some()).map_err(|kind| kind.to_string())
}

/// What holds in each state; none where something cannot be evaluated.
fn letters(graph: &Graph<'_>, propositions: &[Expr]) -> Option<Vec<Letter>> {
    let mut letters: Vec<Letter> = vec![0; graph.states.len()];
    for (i, proposition) in propositions.iter().enumerate() {
        for (letter, holds) in letters.iter_mut().zip(graph.holds(proposition).ok()?) {
            *letter |= Letter::from(holds) << i;
        }
    }
    Some(letters)
}

/// Whether some states in a row are a bad prefix of a safety formula.
fn may_begin_badly(graph: &Graph<'_>, claim: &TemporalClaim, letters: &[Letter]) -> bool {
    let Some(Ok(dfa)) = stubborn_ltl::bad_prefixes(&claim.formula) else { return false };
    let mut reached = BTreeSet::from([(0, dfa.initial)]);
    let mut pending: Vec<(usize, usize)> = reached.iter().copied().collect();
    while let Some((state, before)) = pending.pop() {
        let after = dfa.successor(before, letters[state]);
        if dfa.states[before].bad || dfa.states[after].bad {
            return true;
        }
        let stays = graph.is_dead[state].then_some(state);
        for next in graph.edges[state].iter().copied().chain(stays) {
            if reached.insert((next, after)) {
                pending.push((next, after));
            }
        }
    }
    false
}

/// Whether some run violates the formula, by the whole product; none if that cannot be told.
fn is_violated(graph: &Graph<'_>, claim: &TemporalClaim, letters: &[Letter]) -> Option<bool> {
    let automaton = translate(&claim.formula.clone().negated(), &|| false).ok()?;
    let n = automaton.states.len();
    let mut product: DiGraph<(), ()> = DiGraph::new();
    for _ in 0..graph.states.len() * n {
        product.add_node(());
    }
    for (state, &letter) in letters.iter().enumerate() {
        let stays = [state];
        let targets = if graph.is_dead[state] { &stays[..] } else { &graph.edges[state] };
        for from in 0..n {
            for to in automaton.successors(from, letter) {
                for &target in targets {
                    let node = |state: usize, q: usize| NodeIndex::new(state * n + q);
                    product.add_edge(node(state, from), node(target, to), ());
                }
            }
        }
    }
    let mut reached = BTreeSet::new();
    let mut search = petgraph::visit::Dfs::new(&product, NodeIndex::new(automaton.initial));
    while let Some(node) = search.next(&product) {
        reached.insert(node);
    }
    Some(tarjan_scc(&product).iter().any(|component| {
        let is_cyclic = component.len() > 1 || product.contains_edge(component[0], component[0]);
        let accepts = |node: &NodeIndex| automaton.states[node.index() % n].accepting;
        is_cyclic && reached.contains(&component[0]) && component.iter().any(accepts)
    }))
}

/// What a formula may be about: values of globals, places of processes, labels.
fn propositions(model: &Model, graph: &Graph<'_>, random: &mut Random) -> Vec<Expr> {
    let n = [1, 1, 2, 3][random.below(4)];
    (0..n)
        .map(|_| match (&model.net, random.below(8)) {
            (Some(net), 0..4) => nets::propositions::proposition(model, net, random),
            (_, 0) if random.below(2) == 0 => Expr::NonProgress,
            (_, 0) => Expr::Accepting,
            (_, 1) => somewhere(model, random),
            (_, 2) if !model.channels.is_empty() => on_channel(model, random),
            (_, 2) => Expr::binary(BinaryOp::Gt, Expr::NumProcesses, Expr::Const(random.below(4) as i32)),
            (_, 3) => elsewhere(model, random),
            _ if model.globals.is_empty() => somewhere(model, random),
            _ => {
                let variable = &model.globals[random.below(model.globals.len())];
                let values: Vec<i32> = graph.values(variable.slot).into_iter().collect();
                let load = Expr::Load(Place::simple(Region::Global, variable.slot));
                let value = Expr::Const(values[random.below(values.len())]);
                let op = [BinaryOp::Eq, BinaryOp::Eq, BinaryOp::Gt, BinaryOp::Lt][random.below(4)];
                Expr::binary(op, load, value)
            }
        })
        .collect()
}

/// Some process, whether it exists or not.
fn somebody(model: &Model, random: &mut Random) -> Remote {
    let process = ProcessTypeId(random.below(model.processes.len()) as u32);
    let pid = (random.below(3) > 0).then(|| Expr::Const(random.below(model.initial.len() + 2) as i32));
    Remote { process, pid }
}

/// Whether a process is at some location.
fn somewhere(model: &Model, random: &mut Random) -> Expr {
    let remote = somebody(model, random);
    let n_locations = model.processes[remote.process].locations.len();
    Expr::At(Box::new(remote), LocationId(random.below(n_locations) as u16))
}

/// Whether a local of a process has some value.
fn elsewhere(model: &Model, random: &mut Random) -> Expr {
    let remote = somebody(model, random);
    let locals = &model.processes[remote.process].locals;
    if locals.is_empty() {
        return somewhere(model, random);
    }
    let place = Place::simple(Region::Local, locals[random.below(locals.len())].slot);
    let value = Expr::Remote(Box::new(remote), place);
    Expr::binary(BinaryOp::Eq, value, Expr::Const(random.below(3) as i32))
}

/// What is in a global channel.
fn on_channel(model: &Model, random: &mut Random) -> Expr {
    let channel = &model.channels[random.below(model.channels.len())];
    let chan = Expr::Load(Place::simple(Region::Global, channel.variable));
    let tests = [ChanTest::Full, ChanTest::Empty, ChanTest::NotFull, ChanTest::NotEmpty];
    match random.below(3) {
        2 if channel.fields.is_empty() => Expr::Chan(ChanTest::Empty, Box::new(chan)),
        0 => Expr::Chan(tests[random.below(tests.len())], Box::new(chan)),
        1 => {
            let len = Expr::Chan(ChanTest::Len, Box::new(chan));
            Expr::binary(BinaryOp::Gt, len, Expr::Const(random.below(2) as i32))
        }
        _ => {
            let mut pattern = vec![Pattern::Any; channel.fields.len()];
            pattern[0] = Pattern::Match(Expr::Const(random.below(2) as i32));
            Expr::Poll(Box::new(Poll { chan, random: random.below(2) == 0, pattern }))
        }
    }
}
