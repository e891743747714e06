//! The least number of statements to a violation, found statement by statement.
//!
//! Independent of the searches: no states are left out inside atomic sequences, and nothing is stored but what was
//! seen. A position is a state and the process that is in control of it.

use std::collections::HashSet;
use stubborn_ir::{InstanceId, Interpreter, Model};

use crate::graph::trimmed;

/// The least number of statements to an invalid end state, and to a failed assertion or run-time error; none
/// where there is no way. `None` as a whole if there are more positions than `limit`, or no initial state.
pub fn shortest(model: &Model, limit: usize) -> Option<[Option<usize>; 2]> {
    let mut interpreter = Interpreter::new(model);
    let initial = interpreter.initial().ok()?;
    let mut layer: Vec<(Vec<u8>, Option<InstanceId>)> = vec![(trimmed(&initial), None)];
    let mut seen: HashSet<(Vec<u8>, Option<InstanceId>)> = layer.iter().cloned().collect();
    let [mut deadlock, mut assertion] = [None; 2];
    let mut length = 0;
    while !layer.is_empty() && (deadlock.is_none() || assertion.is_none()) {
        let mut next = Vec::new();
        for (state, holder) in layer {
            let mut state = state;
            state.resize(interpreter.layout().size(), 0);
            let steps = interpreter.enabled_steps(&state, holder);
            if steps.is_empty() && deadlock.is_none() && !interpreter.is_valid_end(&state) {
                deadlock = Some(length);
            }
            for (step, error) in steps {
                let mut target = state.clone();
                let applied = match error {
                    Some(kind) => Err(kind),
                    None => interpreter.apply(&mut target, &step),
                };
                let Ok(applied) = applied else {
                    assertion.get_or_insert(length + 1);
                    continue;
                };
                if !applied.failed.is_empty() {
                    assertion.get_or_insert(length + 1);
                }
                let position = (trimmed(&target), applied.holder);
                if seen.insert(position.clone()) {
                    next.push(position);
                }
            }
            if seen.len() > limit {
                return None;
            }
        }
        layer = next;
        length += 1;
    }
    Some([deadlock, assertion])
}
