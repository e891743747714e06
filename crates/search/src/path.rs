//! The way from the initial state to a violation.
//!
//! Only the parent of each state is kept. Which steps lead from a parent to its
//! child is found by expanding the parent once more.

use std::ops::ControlFlow;

use stubborn_ir::{InstanceId, Interpreter, Move, Outcome, Pid, Step};

use crate::exploration::Exploration;
use crate::observer::Finding;
use crate::store::StateId;

impl Exploration<'_> {
    /// The moves from the initial state to a violation that this search reported.
    pub fn moves_to(&mut self, finding: &Finding) -> Vec<Move> {
        let mut chain = vec![finding.state];
        let mut state = finding.state;
        while self.states.parent(state) != state {
            state = self.states.parent(state);
            chain.push(state);
        }
        let mut moves = Vec::new();
        for pair in chain.windows(2).rev() {
            self.moves_between(pair[1], pair[0], None, &mut moves);
        }
        moves.extend(finding.steps.iter().map(|step| self.interpreter.layout().move_of(step)));
        moves
    }

    /// Appends the moves of the shortest edge from `parent` to `child`, by `mover` if it is told.
    pub(crate) fn moves_between(
        &mut self,
        parent: StateId,
        child: StateId,
        mover: Option<Pid>,
        moves: &mut Vec<Move>,
    ) {
        let Exploration { states, interpreter, .. } = self;
        let store = states.store();
        moves_between(interpreter, &store.get(parent), mover, |target| store.is(child, target), moves);
    }
}

/// Appends the moves of the shortest edge from one state to another, by `mover` if it is told.
pub(crate) fn moves_between(
    interpreter: &mut Interpreter<'_>,
    parent: &[u8],
    mover: Option<Pid>,
    is_child: impl Fn(&[u8]) -> bool,
    moves: &mut Vec<Move>,
) {
    let layout = interpreter.layout();
    let instances = layout.instances().filter(|(_, instance)| Some(instance.pid) == mover);
    let movers: Vec<InstanceId> = instances.map(|(id, _)| id).collect();
    let mut steps: Vec<Step> = Vec::new();
    interpreter.successors(parent, |edge| match edge.outcome {
        Outcome::State(target)
            if (steps.is_empty() || edge.steps.len() < steps.len())
                && is_child(target)
                && (mover.is_none() || movers.contains(&edge.steps[0].process)) =>
        {
            edge.steps.clone_into(&mut steps);
            // None is shorter.
            if steps.len() == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        _ => ControlFlow::Continue(()),
    });
    moves.extend(steps.iter().map(|step| interpreter.layout().move_of(step)));
}

/// The moves along a way, state by state.
pub fn moves_along(interpreter: &mut Interpreter<'_>, chain: &[Vec<u8>]) -> Vec<Move> {
    let mut moves = Vec::new();
    for pair in chain.windows(2) {
        moves_between(interpreter, &pair[0], None, |to| is_same(&pair[1], to), &mut moves);
    }
    moves
}

/// Whether two states are the same but for zeros appended.
pub fn is_same(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    long.starts_with(short) && long[short.len()..].iter().all(|&byte| byte == 0)
}
