//! The processes that a deadlock leaves waiting, and what each waits for; of a net, the transitions that lack least, and
//! what they lack. To tell why, a trail is made again step by
//! step; so this is found where the check runs, and kept.

use stubborn_base::{FileId, Span};
use stubborn_check::{Explanation, Obstacle, PropertyResult, Standing, Waiting, explain};
use stubborn_ir::{Model, Net, Violation};

/// Of a longer trail it is not told what the processes wait for.
const MAX_EXPLAINED: usize = 2_000;

/// A process that waits where it may not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    /// The name of its type.
    pub process: String,
    /// Where it waits.
    pub span: Span,
    /// Who it is and what it waits for.
    pub what: String,
}

/// All of them, at the end of a trail that ends in a deadlock.
pub(crate) fn blocked(model: &Model, result: &PropertyResult) -> Vec<Blocked> {
    let ends_so = |trail: &&stubborn_check::Trail| trail.violation == Violation::InvalidEnd;
    let Some(trail) = result.trail.as_ref().filter(ends_so) else { return Vec::new() };
    let explanation = match trail.steps.len() <= MAX_EXPLAINED {
        true => explain(model, &result.property, trail).ok(),
        false => None,
    };
    let Some(explanation) = explanation else {
        if model.net.is_some() {
            return Vec::new();
        }
        let waiting = trail.waiting.iter().filter(|waiting| !waiting.is_end);
        let tell = |w: &Waiting| {
            let what = format!("{}({}) waits here for ever", w.process, w.pid);
            Blocked { process: w.process.to_string(), span: w.span, what }
        };
        return waiting.map(tell).collect();
    };
    if let Some(net) = &model.net {
        return dead_marking(model, net, &explanation);
    }
    let standing = explanation.standing.iter().filter(|standing| !standing.is_end && !standing.can_move);
    let tell = |standing: &Standing| {
        let life = &explanation.lives[standing.life];
        let reasons = standing.obstacles.iter().map(|o| format!("{}: {}", o.text, o.why));
        let who = format!("{}({}) waits here for ever", life.process, life.pid);
        let what = [who].into_iter().chain(reasons).collect::<Vec<_>>().join("\n");
        Blocked { process: life.process.to_string(), span: standing.span, what }
    };
    standing.map(tell).collect()
}

/// Of the transitions of a net that lack something, those that lack least are told of.
const MAX_TRANSITIONS: usize = 8;

/// The transitions that are nearest to firing in a dead marking; the net itself if it has none.
fn dead_marking(model: &Model, net: &Net, explanation: &Explanation) -> Vec<Blocked> {
    let obstacles: Vec<&Obstacle> = explanation.standing.iter().flat_map(|s| &s.obstacles).collect();
    let lacks = |obstacle: &Obstacle| obstacle.why.split(", ").count();
    let least = obstacles.iter().map(|obstacle| lacks(obstacle)).min().unwrap_or(0);
    let nearest = obstacles.into_iter().filter(|obstacle| lacks(obstacle) == least).take(MAX_TRANSITIONS);
    let process = || model.processes.iter().next().map_or(String::new(), |ty| ty.name.to_string());
    let tell = |obstacle: &Obstacle| Blocked {
        process: process(),
        span: obstacle.span,
        what: format!("dead marking: {} for {}", obstacle.why, obstacle.text),
    };
    let told: Vec<Blocked> = nearest.map(tell).collect();
    if told.is_empty() {
        let span = model.processes.iter().next().map_or(Span::new(FileId(0), 0, 0), |ty| ty.span);
        let n = net.transitions.len();
        let what = format!("dead marking: none of the {n} transitions can ever fire");
        return vec![Blocked { process: process(), span, what }];
    }
    told
}
