//! A breadth-first search for one state.
//!
//! With a plan that has the state as its goal, a way to it of the fewest edges is kept: each edge of a shortest way can be
//! one of the set. So what is found first is found on a shortest way, whatever is left out.

use std::ops::ControlFlow;

use stubborn_base::Idx;
use stubborn_ir::{Expr, Model, RuntimeErrorKind, Violation};
use stubborn_reduce::Plan;

use crate::End;
use crate::claim::Answer;
use crate::exploration::{Exploration, Flow, Halt, Part};
use crate::lasso::Run;
use crate::limits::{Incomplete, Limits};
use crate::observer::{Finding, Observer};
use crate::store::StateId;

/// Looks for a state where `goal` holds. Fails if there is no initial state.
pub fn search_state(
    model: &Model,
    goal: &Expr,
    plan: &Plan,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<Answer, RuntimeErrorKind> {
    let mut exploration = Exploration::new(model, limits, plan)?;
    let mut found = None;
    let flow = visit(&mut exploration, goal, &mut found, observer);
    let end = exploration.finish(flow);
    let run = found.map(|state| {
        let counts = exploration.counts;
        let finding = Finding { violation: Violation::BadPrefix, state, steps: Vec::new(), counts };
        Run { prefix: exploration.moves_to(&finding), cycle: Vec::new(), is_infinite: false }
    });
    let end = if run.is_some() { End::Stopped } else { end };
    let (counts, time) = (exploration.counts, exploration.elapsed());
    Ok(Answer { end, run, counts, has_endless: exploration.has_endless(), time })
}

fn visit(
    exploration: &mut Exploration<'_>,
    goal: &Expr,
    found: &mut Option<StateId>,
    observer: &mut dyn Observer,
) -> Flow {
    exploration.start()?;
    let mut next = 0;
    let mut bytes = Vec::new();
    loop {
        let level_end = exploration.states.store().len();
        while next < level_end {
            let state = StateId::new(next);
            exploration.states.store().read(state, &mut bytes);
            match exploration.interpreter.holds(&bytes, goal) {
                Ok(true) => {
                    *found = Some(state);
                    return ControlFlow::Break(Halt::Observer);
                }
                Ok(false) => {}
                Err(kind) => return ControlFlow::Break(Halt::Incomplete(Incomplete::Proposition(kind))),
            }
            exploration.states.clear_targets();
            exploration.expand(state, Part::Chosen, observer)?;
            next += 1;
        }
        exploration.flush()?;
        if exploration.states.store().len() == level_end {
            return ControlFlow::Continue(());
        }
        exploration.counts.depth += 1;
    }
}
