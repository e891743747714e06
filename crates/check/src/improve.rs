//! The improvement of a trail that is given, wherever it comes from.

use stubborn_ir::{Claim, ClaimBody, Model, Move, Violation};
use stubborn_search::Run;
use stubborn_trail::{Trail, replay, replay_run};

use crate::check::kind_of;
use crate::claims::with_question;
use crate::config::{Config, Job};
use crate::shorten::{Counterexample, shorten};
use crate::shorten_run::{claimed, shorten_run};

/// Makes a trail shorter that violates a property, or a claim of the model, as far as [`Config::shorten`] allows.
/// What is returned was replayed, violates the same, and is not longer.
pub fn improve(model: &Model, claim: Option<&Claim>, trail: Trail, config: &Config, job: &Job<'_>) -> Trail {
    let moves: Vec<Move> = trail.steps.iter().map(|step| step.made).collect();
    let better = match claim {
        Some(claim) => improve_run(model, claim, &trail, &moves, config, job),
        None => improve_moves(model, &trail, moves, config, job),
    };
    better.filter(|better| better.steps.len() <= trail.steps.len()).unwrap_or(trail)
}

fn improve_moves(
    model: &Model,
    trail: &Trail,
    moves: Vec<Move>,
    config: &Config,
    job: &Job<'_>,
) -> Option<Trail> {
    let Trail { violation, is_shortest, .. } = *trail;
    let given = Counterexample { violation, moves, is_near: false, is_shortest };
    let is_wanted = |violation| kind_of(violation) == kind_of(trail.violation);
    let found = shorten(model, given, &is_wanted, config, job);
    let better = replay(model, &found.moves, found.violation).ok()?;
    Some(Trail { is_shortest: found.is_shortest, ..better })
}

fn improve_run(
    model: &Model,
    claim: &Claim,
    trail: &Trail,
    moves: &[Move],
    config: &Config,
    job: &Job<'_>,
) -> Option<Trail> {
    let (prefix, cycle) = moves.split_at(trail.prefix);
    let is_infinite = trail.violation == Violation::InfiniteRun;
    let run = Run { prefix: prefix.to_vec(), cycle: cycle.to_vec(), is_infinite };
    let is_fair = config.is_fair && is_infinite;
    let (run, is_shortest) = match &claim.body {
        ClaimBody::Trace(_) => shorten_run(model, claim, None, run, is_fair, config, job),
        _ => with_question(claim, config, job, |question| {
            shorten_run(model, claim, question, run, is_fair, config, job)
        }),
    };
    let better = replay_run(model, claim, claimed(&run, is_fair)).ok()?;
    Some(Trail { is_shortest, ..better })
}
