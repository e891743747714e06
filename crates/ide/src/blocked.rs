//! The processes that a deadlock leaves waiting, and what each waits for. To tell why, a trail is made again step by
//! step; so this is found where the check runs, and kept.

use stubborn_base::Span;
use stubborn_check::{PropertyResult, Standing, Waiting, explain};
use stubborn_ir::{Model, Violation};

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
        let waiting = trail.waiting.iter().filter(|waiting| !waiting.is_end);
        let tell = |w: &Waiting| {
            let what = format!("{}({}) waits here for ever", w.process, w.pid);
            Blocked { process: w.process.to_string(), span: w.span, what }
        };
        return waiting.map(tell).collect();
    };
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
