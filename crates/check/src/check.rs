//! Verdicts on properties.
//!
//! Deadlocks, assertions and run-time errors are all seen by one search, which
//! goes on until each property that was asked for is violated or every state was
//! visited. Each claim has a search of its own. Each result carries the counts at
//! the time it was decided.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use stubborn_ir::{Engines, Interpreter, Model, RuntimeErrorKind, Violation};
use stubborn_reduce::{Purpose, Reduction};
use stubborn_relations::siphons::has_no_dead_marking;
use stubborn_search::{
    Budget, Counts, Coverage, Distributed, End, Finding, Found, Guide, Incomplete, Limits, Observer, Order,
    Progress,
};
use stubborn_trail::{Trail, replay};

use crate::claims::check_claim;
use crate::config::{Config, Job};
use crate::directed::check_directed;
use crate::probe::{Probe, Probed};
use crate::property::{Property, PropertyKind};
use crate::shorten::{Counterexample, shorten};
use crate::strategy::{Choice, Refused, Strategy};
use crate::unfollowed::Unfollowed;
use crate::visited::{Visited, visit};

/// The answer to one question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every state was visited and none violates it, or no state can; of reachability, the trail shows how.
    Holds,
    /// It is violated; the trail shows how.
    Violated,
    /// Neither is known.
    Incomplete,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Incomplete => "incomplete",
        })
    }
}

/// What is known about one property.
#[derive(Clone, PartialEq, Debug)]
pub struct PropertyResult {
    /// The property.
    pub property: Property,
    /// Whether it holds.
    pub verdict: Verdict,
    /// What is wrong, or why it is not known; none if it holds.
    pub reason: Option<String>,
    /// The limit of the search that was reached, if that is why.
    pub limit: Option<Incomplete>,
    /// What was visited until it was decided.
    pub counts: Counts,
    /// The order of the search.
    pub order: Order,
    /// What was expanded first, if the search had a direction.
    pub guide: Option<Guide>,
    /// How states were left out.
    pub strategy: Strategy,
    /// How many threads searched.
    pub threads: usize,
    /// What the search saw of the model, if it visited all there is and was asked to note it.
    pub coverage: Option<Arc<Coverage>>,
    /// Time until it was decided.
    pub time: Duration,
    /// How it is violated.
    pub trail: Option<Trail>,
}

impl PropertyResult {
    /// What is known before anything was looked at.
    pub(crate) fn undecided(property: &Property, order: Order, strategy: Strategy) -> PropertyResult {
        PropertyResult {
            property: property.clone(),
            verdict: Verdict::Incomplete,
            reason: None,
            limit: None,
            counts: Counts::default(),
            order,
            guide: None,
            coverage: None,
            strategy,
            threads: 1,
            time: Duration::ZERO,
            trail: None,
        }
    }

    /// A limit was reached.
    pub(crate) fn reach(&mut self, limit: Incomplete) {
        self.reason = Some(limit.to_string());
        self.limit = Some(limit);
    }
}

/// Decides properties of a model, in the order they are given.
pub fn check(
    model: &Model,
    properties: &[Property],
    config: &Config,
    job: Job<'_>,
) -> Result<Vec<PropertyResult>, Refused> {
    check_on(model, properties, config, job, None)
}

/// The same with other processes, if there are any: all of them ask for the same, and the first has the results.
pub fn check_on(
    model: &Model,
    properties: &[Property],
    config: &Config,
    mut job: Job<'_>,
    mut cluster: Option<&mut dyn Distributed>,
) -> Result<Vec<PropertyResult>, Refused> {
    let config = &Config { distributed: cluster.is_some(), ..config.clone() };
    if let Some(refused) = config.refusal_of_cluster() {
        return Err(refused);
    }
    if let (Some(name), None) = (config.heuristic, config.guide) {
        return Err(Refused::new(format!(
            "the heuristic {name} needs a search with a direction; use --search"
        )));
    }
    if let Some(refused) = config.refusal_of_store() {
        return Err(refused);
    }
    // A search with a direction has one goal.
    let wants = |kind| config.guide.is_none() && properties.iter().any(|p| p.kind == kind);
    let mut safety = Safety {
        started: Instant::now(),
        deadlock: Sought::new(wants(PropertyKind::Deadlock)),
        assertion: Sought::new(wants(PropertyKind::Assertion)),
        coverage: config.coverage,
        probe: None,
        is_ahead: false,
        progress: &mut *job.progress,
    };
    // One search serves both, so it preserves what the more demanding one needs.
    let purpose = if safety.assertion.wanted { Purpose::Safety } else { Purpose::Deadlocks };
    let order = config.order_for(purpose);
    let unfollowed = Unfollowed::of(model, config, properties);
    let shared = Arc::new(unfollowed.searched(model).clone());
    let searched = &*shared;
    let mut strategy = Strategy::none("nothing was searched");
    let mut outcome = None;
    let is_live = safety.deadlock.wanted
        && !safety.assertion.wanted
        && config.reduction == Choice::Auto
        && is_live_by_structure(model);
    if is_live {
        strategy =
            Strategy::none("every siphon contains a marked trap: no marking is dead, whatever is reachable");
    } else if !safety.is_decided() {
        strategy = config.strategy(searched, purpose)?;
        unfollowed.tell(model, &mut strategy);
        let engine = config.engine.tier().map(|tier| Engines::shared(tier, shared.clone()));
        let limits = Limits { engine, ..config.limits(&job.cancel) };
        safety.probe = Probe::of(&shared, config, purpose, safety.sought(), &limits);
        let cluster = cluster.as_deref_mut();
        outcome = Some(visit(searched, order, &strategy, config, &limits, &mut safety, cluster));
    }
    let time = safety.started.elapsed();
    let Safety { deadlock, assertion, probe, .. } = safety;
    if let (Some(probe), Some(Ok(outcome))) = (&probe, &outcome)
        && !is_settled(outcome)
    {
        probe.catch_up();
    }
    let mut probed = probe.and_then(Probe::end);
    probed.iter_mut().for_each(|probed| unfollowed.tell(model, &mut probed.strategy));
    let coverage = match &outcome {
        Some(Ok((visited, End::Exhausted))) => {
            visited.coverage().map(|seen| Arc::new(unfollowed.seen(model, seen.clone())))
        }
        _ => None,
    };
    let mut refused = Vec::new();
    let mut found = Vec::new();
    let mut results = Vec::with_capacity(properties.len());
    for property in properties {
        let mut result = PropertyResult::undecided(property, order, strategy.clone());
        result.time = time;
        match (property.kind, &mut outcome) {
            (PropertyKind::Deadlock, None) if is_live => result.verdict = Verdict::Holds,
            (PropertyKind::Deadlock, Some(outcome)) => {
                let violated = decide(outcome, &deadlock, probed.as_ref(), &mut result);
                found.extend(violated.map(|counterexample| (results.len(), counterexample)));
            }
            (PropertyKind::Assertion, Some(outcome)) => {
                result.coverage.clone_from(&coverage);
                let violated = decide(outcome, &assertion, probed.as_ref(), &mut result);
                found.extend(violated.map(|counterexample| (results.len(), counterexample)));
            }
            _ => {
                let claim = property.claim.map(|claim| &model.claims[claim]);
                let decided = match (claim, config.guide) {
                    (Some(claim), _) => {
                        check_claim(model, property, claim, config, &mut job, cluster.as_deref_mut())
                    }
                    (None, Some(guide)) => check_directed(model, searched, property, guide, config, &mut job),
                    (None, None) => unreachable!("every other property is a claim of the model"),
                };
                match decided {
                    Ok(decided) => result = decided,
                    Err(why) => {
                        result.time = Duration::ZERO;
                        result.reason = Some(why.to_string());
                        refused.push(why);
                    }
                }
            }
        }
        results.push(result);
    }
    // Shorter counterexamples are looked for in the memory of the search that found them.
    drop(outcome);
    for (at, counterexample) in found {
        let result = &mut results[at];
        let is_wanted = |violation| kind_of(violation) == Some(result.property.kind);
        let counterexample = shorten(searched, counterexample, &is_wanted, config, &job);
        violated(model, &counterexample, result);
    }
    // What was asked for may suit some properties and not others.
    let is_refused = !refused.is_empty() && refused.len() == results.len();
    match refused.pop().filter(|_| is_refused) {
        Some(why) => Err(why),
        None => Ok(results),
    }
}

/// Whether the structure of a net shows that it has no dead marking.
fn is_live_by_structure(model: &Model) -> bool {
    model.net.is_some()
        && Interpreter::new(model).initial().is_ok_and(|initial| has_no_dead_marking(model, &initial, None))
}

type SearchResult<'m> = Result<(Visited<'m>, End), RuntimeErrorKind>;

/// Whether what a search has come to says all, or it was broken off, however far one beside it is.
fn is_settled((visited, end): &(Visited<'_>, End)) -> bool {
    match end {
        End::Exhausted => visited.counts().errors == 0,
        End::Incomplete(why) => matches!(why, Incomplete::Time { .. } | Incomplete::Cancelled),
        End::Stopped => true,
    }
}

/// The verdict on a property that the search looked for violations of, or the counterexample it found.
fn decide(
    outcome: &mut SearchResult<'_>,
    sought: &Sought,
    probed: Option<&Probed>,
    result: &mut PropertyResult,
) -> Option<Counterexample> {
    match outcome {
        Ok((visited, end)) => {
            result.counts = *visited.counts();
            result.threads = visited.n_threads();
            if let Some((finding, time)) = &sought.found {
                let moves = visited.moves_to(finding);
                result.counts = finding.counts;
                result.time = *time;
                // An edge may be a whole atomic run: then the fewest edges need not be the fewest steps.
                let is_shortest = result.order == Order::BreadthFirst
                    && result.strategy.plan.reduction == Reduction::None
                    && !visited.model().transitions.iter().any(|t| t.atomic);
                let is_near = result.order == Order::BreadthFirst;
                return Some(Counterexample { violation: finding.violation, moves, is_near, is_shortest });
            }
            if let Some(probed) = probed
                && let Some((finding, moves)) = probed.of_kind(result.property.kind)
            {
                result.order = Order::DepthFirst;
                result.strategy = probed.strategy.clone();
                result.strategy.why += "; it was found depth-first, before the search for the nearest";
                (result.counts, result.threads) = (finding.counts, 1);
                result.time = sought.probed.unwrap_or(result.time);
                let (violation, moves) = (finding.violation, moves.clone());
                return Some(Counterexample { violation, moves, is_near: false, is_shortest: false });
            }
            match end {
                // What comes after an undefined step is not known.
                End::Exhausted if result.counts.errors > 0 => {
                    result.reason = Some("some runs end in a run-time error".to_owned());
                }
                End::Exhausted => result.verdict = Verdict::Holds,
                End::Incomplete(why) => result.reach(*why),
                End::Stopped => result.reason = Some("the search stopped early".to_owned()),
            }
            None
        }
        Err(kind) if result.property.kind == PropertyKind::Assertion => {
            let violation = Violation::NoInitialState(*kind);
            Some(Counterexample { violation, moves: Vec::new(), is_near: true, is_shortest: true })
        }
        Err(kind) => {
            result.reason = Some(format!("there is no initial state: {kind}"));
            None
        }
    }
}

/// A violation counts only if it replays.
pub(crate) fn violated(model: &Model, counterexample: &Counterexample, result: &mut PropertyResult) {
    match replay(model, &counterexample.moves, counterexample.violation) {
        Ok(trail) => {
            result.verdict = Verdict::Violated;
            result.reason = Some(reason(model, &trail));
            result.trail = Some(Trail { is_shortest: counterexample.is_shortest, ..trail });
        }
        Err(error) => result.reason = Some(error.to_string()),
    }
}

/// What is wrong, and in which statement.
fn reason(model: &Model, trail: &Trail) -> String {
    let last = trail.steps.last();
    match (trail.violation, last) {
        (Violation::FailedAssertion(_) | Violation::Error(_), Some(step)) => {
            format!("{}: {}", trail.violation, step.mover.text)
        }
        (violation, _) => violation.told(model).to_string(),
    }
}

/// A violation that is looked for, and the first found.
struct Sought {
    wanted: bool,
    found: Option<(Finding, Duration)>,
    /// When it was known that there is one, from a search beside this one.
    probed: Option<Duration>,
}

impl Sought {
    fn new(wanted: bool) -> Self {
        Sought { wanted, found: None, probed: None }
    }

    fn is_decided(&self) -> bool {
        !self.wanted || self.found.is_some() || self.probed.is_some()
    }
}

/// Looks for the first violation of each kind.
struct Safety<'a> {
    started: Instant,
    deadlock: Sought,
    assertion: Sought,
    coverage: bool,
    probe: Option<Probe<'a>>,
    /// The search beside this one had not found all that is looked for when this one came to the level it is at.
    is_ahead: bool,
    progress: &'a mut dyn FnMut(&Progress),
}

impl Safety<'_> {
    fn is_decided(&self) -> bool {
        self.deadlock.is_decided() && self.assertion.is_decided()
    }

    /// The kinds of violations that are looked for.
    fn sought(&self) -> Vec<PropertyKind> {
        let both = [(PropertyKind::Deadlock, &self.deadlock), (PropertyKind::Assertion, &self.assertion)];
        both.into_iter().filter(|(_, sought)| sought.wanted).map(|(kind, _)| kind).collect()
    }

    /// What is wanted that a violation is one of.
    fn sought_by(&mut self, violation: Violation) -> Option<&mut Sought> {
        let sought = match kind_of(violation)? {
            PropertyKind::Deadlock => &mut self.deadlock,
            _ => &mut self.assertion,
        };
        sought.wanted.then_some(sought)
    }

    /// Hears what the search beside this one has found.
    fn hear(&mut self) {
        let Some(probe) = &self.probe else { return };
        let now = self.started.elapsed();
        for (kind, sought) in
            [(PropertyKind::Deadlock, &mut self.deadlock), (PropertyKind::Assertion, &mut self.assertion)]
        {
            if !sought.is_decided() && probe.has_found(kind) {
                sought.probed = Some(now);
            }
        }
    }

    /// Whether the search beside this one had found all that is looked for before this one came to the level it is at.
    fn is_late(&mut self) -> bool {
        if let (Some(probe), false) = (&self.probe, self.is_ahead) {
            probe.catch_up();
            self.hear();
            self.is_ahead = !self.is_decided();
        }
        self.probe.is_some() && !self.is_ahead
    }
}

impl Observer for Safety<'_> {
    fn violation(&mut self, found: Found<'_>) -> ControlFlow<()> {
        let is_new = self.sought_by(found.violation).is_some_and(|sought| sought.found.is_none());
        if is_new && !self.is_late() {
            let finding = (found.to_finding(), self.started.elapsed());
            if let Some(sought) = self.sought_by(found.violation) {
                sought.found = Some(finding);
            }
        }
        if self.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn progress(&mut self, progress: &Progress) {
        (self.progress)(progress);
    }

    fn level(&mut self, counts: &Counts, budget: &mut Budget) -> ControlFlow<()> {
        let Some(probe) = &mut self.probe else { return ControlFlow::Continue(()) };
        probe.advance(counts.states, budget);
        self.is_ahead = false;
        self.hear();
        if self.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn wants_coverage(&self) -> bool {
        self.coverage
    }
}

/// What a violation is one of; none for claims, which have searches of their own.
pub(crate) fn kind_of(violation: Violation) -> Option<PropertyKind> {
    match violation {
        Violation::InvalidEnd => Some(PropertyKind::Deadlock),
        Violation::FailedAssertion(_) | Violation::Error(_) | Violation::NoInitialState(_) => {
            Some(PropertyKind::Assertion)
        }
        Violation::InfiniteRun | Violation::BadPrefix => None,
    }
}

/// Passes on how far a search is.
pub(crate) struct Listener<'a>(pub(crate) &'a mut dyn FnMut(&Progress));

impl Observer for Listener<'_> {
    fn violation(&mut self, _: Found<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) {
        (self.0)(progress);
    }
}
