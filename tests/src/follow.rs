//! The word of a run: what holds along it, read off move by move with nothing of the engine but its semantics.

use stubborn_check::Trail;
use stubborn_ir::{Expr, Interpreter, Model, Prepared};
use stubborn_ltl::{Formula, Letter, evaluate};

use crate::graph::trimmed;

/// Whether the trail is a run of the model that violates the formula. A run that ends stays in its last state; one
/// that is bad however it goes on is tried with what occurs in it.
pub fn violates(
    model: &Model,
    formula: &Formula,
    propositions: &[Expr],
    trail: &Trail,
) -> Result<bool, String> {
    let mut interpreter = Interpreter::new(model);
    let mut state = interpreter.initial().map_err(|kind| kind.to_string())?;
    let mut holder = None;
    let mut letters: Vec<Letter> = Vec::new();
    let mut seed = None;
    for (i, step) in trail.steps.iter().enumerate() {
        let is_between = !holder.is_some_and(|holder| interpreter.goes_on(&state, holder));
        if i == trail.prefix {
            seed = Some((letters.len(), trimmed(&state)));
        }
        if is_between {
            letters.push(letter(&mut interpreter, &state, propositions)?);
        }
        let offered = interpreter.enabled_steps(&state, holder);
        let made = offered.into_iter().find(|(step_, _)| interpreter.layout().move_of(step_) == step.made);
        let Some((made, None)) = made else { return Err(format!("move {i} is not possible")) };
        holder = interpreter.apply(&mut state, &made).map_err(|kind| kind.to_string())?.holder;
    }
    let is_bad = |cycle: &[Letter]| !evaluate(formula, &letters, cycle);
    match seed {
        Some((start, before)) => {
            Ok(before == trimmed(&state) && !evaluate(formula, &letters[..start], &letters[start..]))
        }
        None => {
            let last = letter(&mut interpreter, &state, propositions)?;
            let ends = interpreter.enabled_steps(&state, holder).is_empty();
            Ok(is_bad(&[last]) && (ends || letters.iter().all(|&other| is_bad(&[last, other]))))
        }
    }
}

fn letter(interpreter: &mut Interpreter<'_>, state: &[u8], propositions: &[Expr]) -> Result<Letter, String> {
    let nothing_else = interpreter.prepare(state) != Prepared::Steps;
    let mut letter = 0;
    for (i, proposition) in propositions.iter().enumerate() {
        let holds =
            interpreter.holds_at(state, proposition, nothing_else).map_err(|kind| kind.to_string())?;
        letter |= Letter::from(holds) << i;
    }
    Ok(letter)
}
