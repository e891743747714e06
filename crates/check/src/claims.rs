//! Verdicts on claims about runs: formulas, `never` claims, accept and progress labels.
//!
//! Each claim has a search of its own, through the product of the model and an automaton that accepts what
//! violates it. A formula that is a safety property is decided by the prefixes that no continuation can
//! save, so its counterexample is finite; every other formula by the cycles of the product. States are left
//! out only where the formula cannot tell how often a state is repeated, which is decided; of a never claim it
//! is decided by what it does with each letter, since it comes without a formula.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use stubborn_ir::{
    Claim, ClaimAutomaton, ClaimBody, ClaimEdge, ClaimKind, ClaimState, Expr, Literal, Model,
    RuntimeErrorKind, TemporalClaim, TraceClaim, Violation,
};
use stubborn_ltl::{Buchi, Class, Dfa, Edge, Error, Language, StutterInvariance, Trivial};
use stubborn_reduce::{Plan, Purpose, in_propositions};
use stubborn_search::{
    Answer, By, Distributed, End, Finding, Found, Gathered, Guide, Incomplete, Limits, Observer, Order,
    Progress, Question, Run, Task, Watched, is_for_threads, search_claim, search_claim_in_parallel,
    search_prefix_bitstate, search_state, search_trace,
};
use stubborn_trail::replay_run;

use crate::check::{Listener, PropertyResult, Verdict};
use crate::config::{Config, Job};
use crate::directed::heuristic;
use crate::heuristic::HeuristicName;
use crate::invariant::{Directing, goal, not_by_states, refusal, refused, search_invariant};
use crate::never::told_by_repetition;
use crate::property::Property;
use crate::shorten_run::{claimed, shorten_run};
use crate::store::StoreChoice;
use crate::strategy::{Choice, Refused, Strategy};
use crate::visited::Elsewhere;

/// What there is to search for.
struct Sought {
    automaton: ClaimAutomaton,
    purpose: Purpose,
    extends_finite_runs: bool,
    /// Why nothing may be left out, if so.
    obstacle: Option<String>,
}

impl Sought {
    fn question(&self, config: &Config) -> Question<'_> {
        Question {
            automaton: &self.automaton,
            extends_finite_runs: self.extends_finite_runs,
            // A run that is not fair can always go on fairly, so prefixes are the same.
            is_fair: config.is_fair && self.purpose == Purpose::Liveness,
            cycles: config.cycles,
        }
    }
}

/// How a claim is decided.
enum Approach {
    /// It holds of every run there could be.
    Valid,
    Search(Sought),
}

/// Decides one claim.
pub(crate) fn check_claim(
    model: &Model,
    property: &Property,
    claim: &Claim,
    config: &Config,
    job: &mut Job<'_>,
    cluster: Elsewhere<'_, '_>,
) -> Result<PropertyResult, Refused> {
    let started = Instant::now();
    let order = config.order_for(Purpose::Liveness);
    let strategy = Strategy::none("nothing was searched");
    let mut result = PropertyResult::undecided(property, order, strategy);
    if let ClaimBody::Trace(trace) = &claim.body {
        if let Some(refused) = refusal_of_trace(config, cluster.is_some()) {
            return Err(refused);
        }
        check_trace(model, claim, trace, config, job, &mut result);
        return Ok(result);
    }
    let cancel = job.cancel.clone();
    let sought = match approach(claim, config, &|| cancel.load(Ordering::Relaxed)) {
        Ok(Approach::Search(sought)) => sought,
        Ok(Approach::Valid) => {
            result.verdict = Verdict::Holds;
            if claim.kind == ClaimKind::Reachability {
                turn_round(&mut result);
            }
            result.strategy = Strategy::none("the formula holds of every run, whatever the model does");
            result.time = started.elapsed();
            return Ok(result);
        }
        Err(why) => {
            // Whatever was being done, it is told alike.
            match cancel.load(Ordering::Relaxed) {
                true => result.reach(Incomplete::Cancelled),
                false => result.reason = Some(why),
            }
            result.time = started.elapsed();
            return Ok(result);
        }
    };
    let by = match not_by_states(&sought.automaton) {
        None => By::States,
        Some(_) => By::Runs { extends_finite_runs: sought.extends_finite_runs },
    };
    if cluster.is_some() && by != By::States && sought.question(config).is_fair {
        return Err(for_one_process(
            "weak fairness asks of a whole component who could move in it, which no process sees alone",
        ));
    }
    // In a product, whatever is left out has to be the same for all nodes of a state, in whatever order they are found.
    let purpose = match cluster {
        Some(_) if by != By::States => Purpose::Liveness,
        _ => sought.purpose,
    };
    let directing = match config.guide {
        Some(guide) => match refusal(&sought.automaton, guide) {
            Some(refused) => return Err(refused),
            None => Some((guide, heuristic(guide, config.heuristic, property.kind)?)),
        },
        None => None,
    };
    if let Some(refused) = config.refusal_of_store_for(sought.purpose) {
        return Err(refused);
    }
    result.order = config.order_for(sought.purpose);
    let led = if may_be_led(config, &sought) && (cluster.is_none() || by == By::States) {
        goal(model, &sought.automaton)
    } else {
        None
    };
    let propositions = &sought.automaton.propositions;
    let obstacle = sought.obstacle.clone().or_else(|| in_propositions(propositions).map(str::to_owned));
    result.strategy = match &led {
        Some(goal) => Strategy {
            plan: Plan { fault: config.fault, ..Plan::toward(goal.clone()) },
            why:
                "it is about one state: strong stubborn sets that contain whatever could bring it about lead \
                  there on a shortest way, and need no proviso"
                    .to_owned(),
        },
        None => config.strategy_for(model, purpose, propositions, obstacle)?,
    };
    let question = sought.question(config);
    let is_fair = question.is_fair;
    let is_shared = sought.purpose == Purpose::Liveness
        && result.order == Order::DepthFirst
        && is_for_threads(&question, &result.strategy.plan);
    result.threads = if is_shared { config.threads.max(1) } else { 1 };
    let way = match (cluster, directing, &led) {
        (Some(cluster), ..) => Way::Elsewhere(cluster, by),
        (None, None, Some(goal)) => Way::To(goal),
        (None, Some((guide, heuristic)), _) => {
            result.guide = Some(guide);
            Way::Directed(guide, heuristic)
        }
        (None, None, None) if config.store == StoreChoice::Bitstate => Way::Bits,
        (None, None, None) => Way::InOrder(result.order, result.threads),
    };
    let limits = config.limits(&job.cancel);
    let answer = search(model, &question, way, &result.strategy.plan, &limits, &mut Listener(job.progress));
    result.time = started.elapsed();
    match answer {
        Ok((mut answer, mut is_shortest, n_workers)) => {
            result.threads = n_workers.unwrap_or(result.threads);
            if let Some(run) = answer.run.take() {
                let (run, shortest) = shorten_run(model, claim, Some(&question), run, is_fair, config, job);
                answer.run = Some(run);
                is_shortest |= shortest;
            }
            decide(model, claim, &answer, sought.purpose, is_fair, &mut result);
            if claim.kind == ClaimKind::Reachability {
                turn_round(&mut result);
            }
            result.trail.iter_mut().for_each(|trail| trail.is_shortest = is_shortest);
        }
        Err(kind) => result.reason = Some(format!("there is no initial state: {kind}")),
    }
    Ok(result)
}

/// How what violates a claim is looked for.
enum Way<'a, 'b> {
    /// By several processes.
    Elsewhere(&'a mut (dyn Distributed + 'b), By),
    /// Towards the one state that the claim is about, by sets that contain whatever could bring it about.
    To(&'a Expr),
    /// Where a heuristic says that it is near.
    Directed(Guide, HeuristicName),
    /// Keeping bits of states.
    Bits,
    /// In an order, by so many threads.
    InOrder(Order, usize),
}

/// Looks for what violates a claim: the answer, whether it is known to be a shortest one, and how many workers of other
/// processes there were.
fn search(
    model: &Model,
    question: &Question<'_>,
    way: Way<'_, '_>,
    plan: &Plan,
    limits: &Limits,
    listener: &mut Listener<'_>,
) -> Result<(Answer, bool, Option<usize>), RuntimeErrorKind> {
    let automaton = question.automaton;
    let answer = match way {
        Way::Elsewhere(cluster, by) => {
            let task = Task { model, plan, claim: Some(Watched { automaton, by }) };
            let (answer, n_workers) = search_elsewhere(cluster, &task, limits, listener)?;
            return Ok((answer, plan.goal.is_some(), Some(n_workers)));
        }
        Way::To(goal) => return Ok((search_state(model, goal, plan, limits, listener)?, true, None)),
        Way::Directed(guide, heuristic) => {
            let directing = Directing { guide, heuristic, plan, limits };
            let (answer, is_shortest) = search_invariant(model, automaton, &directing, listener)?;
            return Ok((answer, is_shortest, None));
        }
        Way::Bits => search_prefix_bitstate(model, question, plan, limits, listener)?,
        Way::InOrder(_, n_threads @ 2..) => {
            search_claim_in_parallel(model, question, n_threads, plan, limits, listener)?
        }
        Way::InOrder(order, _) => search_claim(model, question, order, plan, limits, listener)?,
    };
    Ok((answer, false, None))
}

fn for_one_process(why: &str) -> Refused {
    Refused::new(format!("several processes cannot check this claim: {why}; check it with one"))
}

/// Looks for what violates a claim, with other processes; and how many workers they have.
fn search_elsewhere(
    cluster: &mut dyn Distributed,
    task: &Task<'_>,
    limits: &Limits,
    listener: &mut Listener<'_>,
) -> Result<(Answer, usize), RuntimeErrorKind> {
    let started = Instant::now();
    let mut first = FirstFound { listener, found: None };
    let (gathered, end) = cluster.search(task, limits, &mut first)?;
    let run = first.found.and_then(|finding| gathered.run_of(&finding).cloned());
    let Gathered { counts, has_endless, n_workers, .. } = gathered;
    Ok((Answer { end, run, counts, has_endless, time: started.elapsed() }, n_workers))
}

/// Stops at the first violation of the claim.
struct FirstFound<'a, 'b> {
    listener: &'a mut Listener<'b>,
    found: Option<Finding>,
}

impl Observer for FirstFound<'_, '_> {
    fn violation(&mut self, found: Found<'_>) -> ControlFlow<()> {
        if !matches!(found.violation, Violation::BadPrefix | Violation::InfiniteRun) {
            return ControlFlow::Continue(());
        }
        self.found = Some(found.to_finding());
        ControlFlow::Break(())
    }

    fn progress(&mut self, progress: &Progress) {
        self.listener.progress(progress);
    }
}

/// Whether a search may be led to a state: nothing else was asked for.
fn may_be_led(config: &Config, sought: &Sought) -> bool {
    let Config { order, guide, reduction, proviso, visibility, store, .. } = config;
    sought.purpose == Purpose::Prefixes
        && (*order, *guide, *reduction) == (None, None, Choice::Auto)
        && (*proviso, *visibility) == (None, None)
        && *store != StoreChoice::Bitstate
}

/// What was looked for is what was asked for: to find it is to show that the property holds, and the trail shows how.
fn turn_round(result: &mut PropertyResult) {
    match result.verdict {
        Verdict::Violated => {
            result.verdict = Verdict::Holds;
            result.reason = None;
        }
        Verdict::Holds => {
            result.verdict = Verdict::Violated;
            result.reason = Some("no such state can be reached".to_owned());
        }
        Verdict::Incomplete => {}
    }
}

/// Calls `then` with the question that decides a claim, or none if there is none.
pub(crate) fn with_question<T>(
    claim: &Claim,
    config: &Config,
    job: &Job<'_>,
    then: impl FnOnce(Option<&Question<'_>>) -> T,
) -> T {
    let cancel = job.cancel.clone();
    match approach(claim, config, &|| cancel.load(Ordering::Relaxed)) {
        Ok(Approach::Search(sought)) => then(Some(&sought.question(config))),
        _ => then(None),
    }
}

/// The automaton that accepts what violates a claim, as it is searched with; none if the claim is not about states,
/// cannot be checked, or holds of everything.
pub fn claim_automaton(claim: &Claim, cancelled: &dyn Fn() -> bool) -> Option<ClaimAutomaton> {
    match approach(claim, &Config::default(), cancelled) {
        Ok(Approach::Search(sought)) => Some(sought.automaton),
        _ => None,
    }
}

/// Why a claim about the events on channels cannot be decided as was asked for, if so.
fn refusal_of_trace(config: &Config, is_elsewhere: bool) -> Option<Refused> {
    let why = "it is about events, which no state shows";
    if let Some(guide) = config.guide {
        return Some(refused(guide, why));
    }
    if config.store == StoreChoice::Bitstate {
        return Some(Refused::new(format!("the store bitstate cannot be used for this claim: {why}")));
    }
    is_elsewhere.then(|| for_one_process(why))
}

/// Decides a claim about the events on channels.
fn check_trace(
    model: &Model,
    claim: &Claim,
    trace: &TraceClaim,
    config: &Config,
    job: &mut Job<'_>,
    result: &mut PropertyResult,
) {
    let why = "no reduction can be used: a trace is about the order of events, which no state shows";
    (result.order, result.strategy) = (Order::BreadthFirst, Strategy::none(why));
    let limits = config.limits(&job.cancel);
    let answer = match search_trace(model, trace, &limits, &mut Listener(job.progress)) {
        Ok(answer) => answer,
        Err(kind) => {
            result.reason = Some(format!("there is no initial state: {kind}"));
            return;
        }
    };
    result.time = answer.time;
    if answer.is_ambiguous {
        result.counts = answer.counts;
        result.reason = Some("at some event the trace could go two ways".to_owned());
        return;
    }
    let run = answer.run.map(|(prefix, ends)| {
        let run = Run { prefix, cycle: Vec::new(), is_infinite: ends };
        shorten_run(model, claim, None, run, false, config, job).0
    });
    let has_endless = false;
    let answer = Answer { end: answer.end, run, counts: answer.counts, has_endless, time: answer.time };
    decide(model, claim, &answer, Purpose::Prefixes, false, result);
}

fn decide(
    model: &Model,
    claim: &Claim,
    answer: &Answer,
    purpose: Purpose,
    is_fair: bool,
    result: &mut PropertyResult,
) {
    result.counts = answer.counts;
    if let Some(run) = &answer.run {
        match replay_run(model, claim, claimed(run, is_fair)) {
            Ok(trail) => {
                result.verdict = Verdict::Violated;
                let ends = trail.violation == Violation::InfiniteRun && trail.cycle == 0;
                result.reason = Some(match ends {
                    true => "violated by a run that ends, and stays in its last state".to_owned(),
                    false => trail.violation.to_string(),
                });
                result.trail = Some(trail);
            }
            Err(error) => result.reason = Some(error.to_string()),
        }
        return;
    }
    match answer.end {
        // What comes after an undefined step is not known.
        End::Exhausted if answer.counts.errors > 0 => {
            result.reason = Some("some runs end in a run-time error".to_owned());
        }
        End::Exhausted if answer.has_endless && purpose == Purpose::Liveness => {
            result.reason = Some("some atomic sequence never ends".to_owned());
        }
        End::Exhausted => result.verdict = Verdict::Holds,
        End::Incomplete(why) => result.reach(why),
        End::Stopped => result.reason = Some("the search stopped early".to_owned()),
    }
}

/// How to decide a claim, or why it cannot be.
fn approach(claim: &Claim, config: &Config, cancelled: &dyn Fn() -> bool) -> Result<Approach, String> {
    let fairness = || "under weak fairness, it matters at every step which processes could move".to_owned();
    match &claim.body {
        ClaimBody::Unchecked(why) => Err(why.clone()),
        ClaimBody::Trace(_) => Err("it is not about states".to_owned()),
        ClaimBody::Formula(formula) => {
            let approach = of_formula(formula, cancelled).map_err(|error| error.to_string())?;
            Ok(match approach {
                Approach::Search(sought) if config.is_fair && sought.purpose == Purpose::Liveness => {
                    Approach::Search(Sought { obstacle: Some(fairness()), ..sought })
                }
                other => other,
            })
        }
        ClaimBody::Automaton(automaton) => {
            // Without accepting states, what matters is whether the claim can come to its end.
            let purpose = match automaton.states.iter().any(|state| state.accepting) {
                true => Purpose::Liveness,
                false => Purpose::Prefixes,
            };
            let obstacle = match config.is_fair && purpose == Purpose::Liveness {
                true => Some(fairness()),
                false => told_by_repetition(automaton, cancelled).map(str::to_owned),
            };
            Ok(Approach::Search(Sought {
                automaton: automaton.clone(),
                purpose,
                extends_finite_runs: true,
                obstacle,
            }))
        }
    }
}

fn of_formula(claim: &TemporalClaim, cancelled: &dyn Fn() -> bool) -> Result<Approach, Error> {
    let TemporalClaim { formula, propositions, extends_finite_runs } = claim;
    let mut language = Language::of(formula, cancelled)?;
    if language.trivial() == Some(Trivial::Valid) {
        return Ok(Approach::Valid);
    }
    let obstacle = match language.stutter_invariance() {
        StutterInvariance::Invariant => None,
        StutterInvariance::Sensitive(_) => Some("the formula can tell how often a state is repeated"),
        StutterInvariance::Unknown => {
            Some("whether the formula can tell how often a state is repeated takes too long to decide")
        }
    };
    let is_safety = language.class() == Ok(Class::Safety) && *extends_finite_runs;
    let prefixes = if is_safety { language.bad_prefixes() } else { None };
    let (automaton, purpose) = match prefixes {
        Some(Ok(dfa)) => (of_dfa(&dfa), Purpose::Prefixes),
        _ => (of_buchi(&language.complement()?.buchi()?), Purpose::Liveness),
    };
    Ok(Approach::Search(Sought {
        automaton: ClaimAutomaton { propositions: propositions.clone(), ..automaton },
        purpose,
        extends_finite_runs: *extends_finite_runs,
        obstacle: obstacle.map(str::to_owned),
    }))
}

fn of_buchi(buchi: &Buchi) -> ClaimAutomaton {
    let state = |state: &stubborn_ltl::State| ClaimState {
        accepting: state.accepting,
        is_final: false,
        edges: edges(&state.edges),
    };
    let states = buchi.states.iter().map(state).collect();
    ClaimAutomaton { initial: buchi.initial as u32, states, propositions: Vec::new() }
}

fn of_dfa(dfa: &Dfa) -> ClaimAutomaton {
    let state = |state: &stubborn_ltl::DfaState| ClaimState {
        accepting: false,
        is_final: state.bad,
        edges: edges(&state.edges),
    };
    let states = dfa.states.iter().map(state).collect();
    ClaimAutomaton { initial: dfa.initial as u32, states, propositions: Vec::new() }
}

/// One edge per cube.
fn edges(edges: &[Edge]) -> Vec<ClaimEdge> {
    let cubes = edges.iter().flat_map(|edge| edge.guard.cubes.iter().map(|cube| (cube, edge.target)));
    let literal = |(proposition, holds)| Literal { proposition: proposition as u32, holds };
    let of_cube = |(cube, target): (&stubborn_ltl::Cube, usize)| ClaimEdge {
        literals: cube.literals().map(literal).collect(),
        unless: Box::new([]),
        target: target as u32,
    };
    cubes.map(of_cube).collect()
}
