//! Replay of runs whose events are not as a trace says.

use stubborn_ir::{Event, Model, TraceClaim, TraceEdge, Violation};

use crate::replay::{Replay, ReplayError};
use crate::run::ClaimedRun;
use crate::trail::Trail;

/// Replays a run and checks that its last step, or its end, is not as the trace says.
pub(crate) fn replay_trace(
    model: &Model,
    trace: &TraceClaim,
    run: ClaimedRun<'_>,
) -> Result<Trail, ReplayError> {
    let claimed = if run.is_infinite { Violation::InfiniteRun } else { Violation::BadPrefix };
    let mut replay = Replay::start(model)?;
    replay.record_events(&trace.watched);
    let mut watch = Watch { trace, at: Some(0), is_violated: false };
    for &made in run.prefix {
        replay.make(made)?;
        replay.events().iter().for_each(|event| watch.hear(event));
    }
    let is_so = match run.is_infinite {
        true => !watch.is_violated && !watch.may_end() && replay.is_valid_end(),
        false => watch.is_violated,
    };
    if !is_so || !run.cycle.is_empty() {
        return Err(ReplayError::NoViolation { claimed });
    }
    let mut trail = replay.finish(claimed);
    (trail.prefix, trail.cycle) = (run.prefix.len(), 0);
    Ok(trail)
}

/// Where a trace is; none where nothing counts any more.
struct Watch<'a> {
    trace: &'a TraceClaim,
    at: Option<u32>,
    is_violated: bool,
}

impl Watch<'_> {
    fn hear(&mut self, event: &Event) {
        let concerns =
            |edge: &TraceEdge| (edge.is_send, event.watched[edge.chan]) == (event.is_send, Some(event.chan));
        let Some(at) = self.at else { return };
        if self.is_violated || !self.trace.states.iter().any(|state| state.edges.iter().any(concerns)) {
            return;
        }
        let is_right = |(field, &value): (&Option<usize>, &i32)| match field {
            Some(wanted) => event.watched[*wanted] == Some(value),
            None => true,
        };
        let says_so =
            |edge: &&TraceEdge| concerns(edge) && edge.fields.iter().zip(&event.message).all(is_right);
        let state = &self.trace.states[at as usize];
        let edge = if state.is_last { None } else { state.edges.iter().find(says_so) };
        self.at = edge.map(|edge| edge.target);
        self.is_violated = match self.at {
            Some(to) => self.trace.negated && self.trace.states[to as usize].is_last,
            None => !self.trace.negated,
        };
    }

    fn may_end(&self) -> bool {
        self.trace.negated || self.at.is_none_or(|at| self.trace.states[at as usize].is_end)
    }
}
