//! A safety property by directed search: towards a violation, as far as a heuristic can tell.

use std::time::Instant;

use stubborn_ir::Model;
use stubborn_reduce::Purpose;
use stubborn_search::heuristics::{ActiveProcesses, NearestAssertion};
use stubborn_search::{Directed, End, Goal, Guide, Heuristic, Order, search_directed};

use crate::check::{Listener, PropertyResult, Verdict, kind_of, violated};
use crate::config::{Config, Job};
use crate::property::{Property, PropertyKind};
use crate::shorten::{Counterexample, shorten};
use crate::strategy::Refused;

/// Decides whether there are invalid end states, or failing assertions.
pub(crate) fn check_directed(
    model: &Model,
    property: &Property,
    guide: Guide,
    config: &Config,
    job: &mut Job<'_>,
) -> Result<PropertyResult, Refused> {
    let is_deadlock = property.kind == PropertyKind::Deadlock;
    let purpose = if is_deadlock { Purpose::Deadlocks } else { Purpose::Safety };
    let strategy = config.strategy(model, purpose)?;
    let mut result = PropertyResult::undecided(property, Order::BreadthFirst, strategy);
    result.guide = Some(guide);
    let started = Instant::now();
    let nearest = NearestAssertion::of(model);
    let heuristic: &dyn Heuristic = if is_deadlock { &ActiveProcesses } else { &nearest };
    let is_wanted = |violation| kind_of(violation) == Some(property.kind);
    let directed = Directed { guide, heuristic, goal: Goal::Violation(&is_wanted), bound: u32::MAX };
    let limits = config.limits(&job.cancel);
    let mut listener = Listener(&mut *job.progress);
    let found = search_directed(model, &directed, &result.strategy.plan, &limits, &mut listener);
    result.time = started.elapsed();
    let directions = match found {
        Ok(directions) => directions,
        Err(kind) => {
            result.reason = Some(format!("there is no initial state: {kind}"));
            return Ok(result);
        }
    };
    result.counts = directions.counts;
    if let Some(way) = directions.way {
        let violation = way.violation.expect("it was the goal");
        let given = Counterexample { violation, moves: way.moves, is_shortest: directions.is_shortest };
        violated(model, &shorten(model, given, &is_wanted, config, job), &mut result);
        return Ok(result);
    }
    match directions.end {
        // What comes after an undefined step is not known.
        End::Exhausted if result.counts.errors > 0 => {
            result.reason = Some("some runs end in a run-time error".to_owned());
        }
        End::Exhausted => result.verdict = Verdict::Holds,
        End::Incomplete(why) => result.reason = Some(why.to_string()),
        End::Stopped => result.reason = Some("the search stopped early".to_owned()),
    }
    Ok(result)
}
