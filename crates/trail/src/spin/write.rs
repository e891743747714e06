//! A trail as SPIN replays it.
//!
//! Without claims, even where a claim is violated: its moves are not moves of the model, and SPIN does not ask
//! for them.

use std::fmt::Write;

use stubborn_ir::{Model, Pid, TransitionId};

use crate::trail::Trail;

/// The text of a `.trail` file.
pub fn export(model: &Model, trail: &Trail) -> String {
    let mut text = String::new();
    let mut depth = 0;
    let mut line = |text: &mut String, pid: Pid, transition: TransitionId| {
        depth += 1;
        let _ = writeln!(text, "{depth}:{pid}:{}", model.transitions[transition].number);
    };
    for (i, step) in trail.steps.iter().enumerate() {
        if trail.cycle > 0 && i == trail.prefix {
            text += "-1:-1:-1\n";
        }
        line(&mut text, step.made.pid, step.made.transition);
        if let Some((pid, with)) = step.made.partner {
            line(&mut text, pid, with);
        }
    }
    text
}
