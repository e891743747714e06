//! A safety property by directed search: towards a violation, as far as a heuristic can tell.

use std::ops::ControlFlow;
use std::time::Instant;

use stubborn_ir::{Model, RuntimeErrorKind, Violation};
use stubborn_reduce::Purpose;
use stubborn_search::{
    Directed, Directions, End, Found, Goal, Guide, Observer, Order, Progress, Way, search, search_directed,
};

use crate::check::{Listener, PropertyResult, Verdict, kind_of, violated};
use crate::config::{Config, Job};
use crate::heuristic::HeuristicName;
use crate::property::{Property, PropertyKind};
use crate::shorten::{Counterexample, shorten};
use crate::strategy::{Choice, Refused};

/// Decides whether there are invalid end states, or failing assertions, by a model that has them where this one has.
pub(crate) fn check_directed(
    model: &Model,
    searched: &Model,
    property: &Property,
    guide: Guide,
    config: &Config,
    job: &mut Job<'_>,
) -> Result<PropertyResult, Refused> {
    let name = heuristic(guide, config.heuristic, property.kind)?;
    let strategy = config.strategy(searched, purpose(property))?;
    let mut result = PropertyResult::undecided(property, Order::BreadthFirst, strategy);
    result.guide = Some(guide);
    let started = Instant::now();
    let found = find(searched, property, guide, name, config, &result, job);
    result.time = started.elapsed();
    let directions = match found {
        Ok(directions) => directions,
        Err(kind) if property.kind == PropertyKind::Assertion => {
            let violation = Violation::NoInitialState(kind);
            let found = Counterexample { violation, moves: Vec::new(), is_near: true, is_shortest: true };
            violated(model, &found, &mut result);
            return Ok(result);
        }
        Err(kind) => {
            result.reason = Some(format!("there is no initial state: {kind}"));
            return Ok(result);
        }
    };
    result.counts = directions.counts;
    if let Some(way) = directions.way {
        let violation = way.violation.expect("it was the goal");
        let (moves, is_shortest) = (way.moves, directions.is_shortest);
        let given = Counterexample { violation, moves, is_near: false, is_shortest };
        let is_wanted = |violation| kind_of(violation) == Some(property.kind);
        violated(model, &shorten(searched, given, &is_wanted, config, job), &mut result);
        return Ok(result);
    }
    match directions.end {
        // What comes after an undefined step is not known.
        End::Exhausted if result.counts.errors > 0 => {
            result.reason = Some("some runs end in a run-time error".to_owned());
        }
        End::Exhausted => result.verdict = Verdict::Holds,
        End::Incomplete(why) => result.reach(why),
        End::Stopped => result.reason = Some("the search stopped early".to_owned()),
    }
    Ok(result)
}

/// The heuristic for a question, or why there is none.
pub(crate) fn heuristic(
    guide: Guide,
    asked: Option<HeuristicName>,
    kind: PropertyKind,
) -> Result<HeuristicName, Refused> {
    match asked {
        None if guide.is_informed() => Ok(HeuristicName::default_for(kind)),
        None => Ok(HeuristicName::Zero),
        Some(name) if !guide.is_informed() => Err(Refused::new(format!(
            "{guide} goes by no heuristic, so {name} is of no use; it is for a-star, best-first and ida-star"
        ))),
        Some(name) => name.refusal(kind).map_or(Ok(name), |why| Err(Refused::new(why))),
    }
}

fn purpose(property: &Property) -> Purpose {
    match property.kind {
        PropertyKind::Deadlock => Purpose::Deadlocks,
        _ => Purpose::Safety,
    }
}

fn find(
    model: &Model,
    property: &Property,
    guide: Guide,
    name: HeuristicName,
    config: &Config,
    result: &PropertyResult,
    job: &mut Job<'_>,
) -> Result<Directions, RuntimeErrorKind> {
    let is_wanted = |violation| kind_of(violation) == Some(property.kind);
    let first = match name.needs_counterexample() {
        true => Some(first(model, property, config, job)?),
        false => None,
    };
    let heuristic = match first.as_ref().map(|first| &first.way) {
        Some(None) => return Ok(first.expect("it was looked at")),
        Some(Some(way)) => way.violation.and_then(|violation| name.towards(model, &way.moves, violation)),
        None => None,
    };
    let heuristic = heuristic.unwrap_or_else(|| name.without_counterexample(model));
    let directed =
        Directed { guide, heuristic: &*heuristic, goal: Goal::Violation(&is_wanted), bound: u32::MAX };
    let limits = config.limits(&job.cancel);
    let mut listener = Listener(&mut *job.progress);
    let directions = search_directed(model, &directed, &result.strategy.plan, &limits, &mut listener)?;
    Ok(match first {
        Some(first) => after(first, directions),
        None => directions,
    })
}

/// What two searches came to. A violation that the first found is certain, whatever comes of the second.
pub(crate) fn after(first: Directions, mut second: Directions) -> Directions {
    let length = |directions: &Directions| directions.way.as_ref().map_or(usize::MAX, |way| way.moves.len());
    if length(&first) < length(&second) {
        second.way = first.way;
    }
    second.counts.states += first.counts.states;
    second.counts.transitions += first.counts.transitions;
    second.peak_bytes = second.peak_bytes.max(first.peak_bytes);
    second
}

/// What a depth-first search finds first: as the paper does, it is where a distance leads to.
fn first(
    model: &Model,
    property: &Property,
    config: &Config,
    job: &mut Job<'_>,
) -> Result<Directions, RuntimeErrorKind> {
    let depth_first =
        Config { order: Some(Order::DepthFirst), reduction: Choice::Auto, proviso: None, ..config.clone() };
    let strategy = depth_first.strategy(model, purpose(property)).expect("what is picked is sound");
    let mut first = First { kind: property.kind, found: None, progress: &mut *job.progress };
    let limits = config.limits(&job.cancel);
    let (mut exploration, end) = search(model, Order::DepthFirst, &strategy.plan, &limits, &mut first)?;
    let way = first
        .found
        .map(|finding| Way { violation: Some(finding.violation), moves: exploration.moves_to(&finding) });
    let (counts, peak_bytes) = (*exploration.counts(), exploration.peak_bytes());
    Ok(Directions { end, way, is_shortest: false, counts, peak_bytes })
}

/// Stops at the first violation of a kind.
struct First<'a> {
    kind: PropertyKind,
    found: Option<stubborn_search::Finding>,
    progress: &'a mut dyn FnMut(&Progress),
}

impl Observer for First<'_> {
    fn violation(&mut self, found: Found<'_>) -> ControlFlow<()> {
        if kind_of(found.violation) != Some(self.kind) {
            return ControlFlow::Continue(());
        }
        self.found = Some(found.to_finding());
        ControlFlow::Break(())
    }

    fn progress(&mut self, progress: &Progress) {
        (self.progress)(progress);
    }
}
