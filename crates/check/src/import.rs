//! A trail of SPIN's verifier as a counterexample of ours.
//!
//! The file tells moves, not what is wrong at their end: the properties are held against it one by one. The
//! counterexample is then made shorter as if it had been found here.

use std::fmt;
use std::time::Instant;

use stubborn_ir::{Claim, ClaimKind, Model, Move};
use stubborn_search::Order;
use stubborn_trail::spin::{Import, ImportError, import};
use stubborn_trail::{ClaimedRun, Trail, next_moves, replay_run, violations};

use crate::check::{PropertyResult, Verdict, kind_of, violated};
use crate::config::{Config, Job};
use crate::improve::improve;
use crate::property::Property;
use crate::shorten::{Counterexample, shorten};
use crate::strategy::Strategy;

/// Why a trail is no counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotATrail {
    /// It does not fit the model.
    Import(ImportError),
    /// It violates none of the properties.
    NoViolation,
}

impl fmt::Display for NotATrail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotATrail::Import(error) => error.fmt(f),
            NotATrail::NoViolation => f.write_str(
                "the trail is a run of the model, but at its end none of the properties is violated",
            ),
        }
    }
}

impl std::error::Error for NotATrail {}

/// What a trail of SPIN's says about the first of the properties that it violates.
pub fn from_spin(
    model: &Model,
    text: &str,
    properties: &[Property],
    config: &Config,
    job: &Job<'_>,
) -> Result<PropertyResult, NotATrail> {
    let started = Instant::now();
    let run = import(model, text).map_err(NotATrail::Import)?;
    let strategy = Strategy::none("the trail was given");
    let mut moves = run.prefix.clone();
    moves.extend_from_slice(&run.cycle);
    let undecided =
        |property: &Property| PropertyResult::undecided(property, Order::DepthFirst, strategy.clone());
    // What the last step does wrong comes before what is wrong about the state it leads to.
    let wrong = if run.is_infinite { Vec::new() } else { violations(model, &moves) };
    for violation in wrong {
        let is_wanted = |other| kind_of(other) == kind_of(violation);
        let Some(property) = properties.iter().find(|property| Some(property.kind) == kind_of(violation))
        else {
            continue;
        };
        let given = Counterexample { violation, moves: moves.clone(), is_near: false, is_shortest: false };
        let mut result = undecided(property);
        violated(model, &shorten(model, given, &is_wanted, config, job), &mut result);
        result.time = started.elapsed();
        return Ok(result);
    }
    for (property, claim) in properties.iter().filter_map(|property| Some((property, property.claim?))) {
        let claim = &model.claims[claim];
        // What happens on channels in the last step is no part of the verifier's trail.
        let n_more = if claim.kind == ClaimKind::Trace { MORE } else { 0 };
        if let Some(trail) = violating(model, claim, &run, n_more, config.is_fair) {
            let trail = improve(model, Some(claim), trail, config, job);
            let mut result = undecided(property);
            result.verdict = Verdict::Violated;
            result.reason = Some(trail.violation.to_string());
            result.trail = Some(trail);
            result.time = started.elapsed();
            return Ok(result);
        }
    }
    Err(NotATrail::NoViolation)
}

/// Steps that may be missing at the end of the trail of a run that violates a trace.
const MORE: usize = 4;
/// Ways to go on that are tried.
const WAYS: usize = 200;

/// The run as a violation of a claim, with up to `n_more` steps at its end; the fewest that do.
fn violating(model: &Model, claim: &Claim, run: &Import, n_more: usize, is_fair: bool) -> Option<Trail> {
    let mut ways = vec![run.prefix.clone()];
    for _ in 0..=n_more {
        for prefix in &ways {
            let cycle = &run.cycle;
            // A run that ends may be one that stays in its last state for ever.
            for is_infinite in [run.is_infinite, cycle.is_empty()] {
                let claimed = ClaimedRun { prefix, cycle, is_infinite, is_fair: is_fair && is_infinite };
                if let Ok(trail) = replay_run(model, claim, claimed) {
                    return Some(trail);
                }
            }
        }
        let longer = ways.iter().flat_map(|way| {
            let next = next_moves(model, way);
            next.into_iter().map(move |made| way.iter().copied().chain([made]).collect::<Vec<Move>>())
        });
        ways = longer.take(WAYS).collect();
    }
    None
}
