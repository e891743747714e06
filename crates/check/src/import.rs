//! A trail of SPIN's verifier as a counterexample of ours.
//!
//! The file tells moves, not what is wrong at their end: the properties are held against it one by one. A safety
//! counterexample is then made shorter as if it had been found here.

use std::fmt;
use std::time::Instant;

use stubborn_ir::Model;
use stubborn_search::Order;
use stubborn_trail::spin::{ImportError, import};
use stubborn_trail::{ClaimedRun, replay_run, violations};

use crate::check::{PropertyResult, Verdict, kind_of, violated};
use crate::config::{Config, Job};
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
            NotATrail::NoViolation => {
                f.write_str("the trail is a run of the model, but at its end none of the properties is violated")
            }
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
    for property in properties {
        let mut result = PropertyResult::undecided(property, Order::DepthFirst, strategy.clone());
        match property.claim {
            Some(claim) => {
                let claimed = ClaimedRun {
                    prefix: &run.prefix,
                    cycle: &run.cycle,
                    is_infinite: run.is_infinite,
                    is_fair: false,
                };
                if let Ok(trail) = replay_run(model, &model.claims[claim], claimed) {
                    result.verdict = Verdict::Violated;
                    result.reason = Some(trail.violation.to_string());
                    result.trail = Some(trail);
                }
            }
            None if run.is_infinite => continue,
            None => {
                let is_wanted = |violation| kind_of(violation) == Some(property.kind);
                let wanted = violations(model, &moves).into_iter().find(|violation| is_wanted(*violation));
                let Some(violation) = wanted else { continue };
                let given = Counterexample { violation, moves: moves.clone(), is_shortest: false };
                violated(model, &shorten(model, given, &is_wanted, config, job), &mut result);
            }
        }
        if result.verdict == Verdict::Violated {
            result.time = started.elapsed();
            return Ok(result);
        }
    }
    Err(NotATrail::NoViolation)
}
