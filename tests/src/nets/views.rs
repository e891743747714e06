//! What people are told of nets, on runs by chance: every firing is possible after only those it is said to rest on, no
//! place has more tokens than is proved, and a picture can be drawn of every net.

use stubborn_check::simulation::{Chance, Simulation};
use stubborn_check::{Explanation, Picture, TrailStep, explain_run};
use stubborn_ir::{Model, Move, Violation};
use stubborn_trail::{ReplayError, replay};

/// Steps of a run.
const MAX_STEPS: usize = 40;

/// Looks at one run; how many steps were left out where one was made after only those it rests on.
pub fn look(model: &Model, seed: u64) -> Result<u64, String> {
    let Some(net) = &model.net else { return Err("it is no net".to_owned()) };
    let picture = Picture::initial(model).ok_or("it has no picture")?;
    let drawn = picture.svg();
    if drawn != picture.svg() || !drawn.text.ends_with("</svg>\n") {
        return Err("its picture is not always the same".to_owned());
    }
    let mut run = Simulation::start(model).map_err(|kind| kind.to_string())?;
    let mut chance = Chance::new(seed);
    while run.steps().len() < MAX_STEPS && run.over().is_none() {
        let choices = run.choices();
        run.take(&choices[chance.below(choices.len())]).map_err(|error| error.to_string())?;
        for (place, tokens) in net.places.iter().zip(net.marking(run.state()).0) {
            let n: u64 = tokens.iter().map(|&(_, count)| u64::from(count.unsigned_abs())).sum();
            if place.most.is_some_and(|most| n > most) {
                return Err(format!("{} has {n} tokens, more than the {:?} proved", place.name, place.most));
            }
        }
    }
    let explanation = explain_run(model, run.steps()).map_err(|error| error.to_string())?;
    let mut n_left_out = 0;
    for last in 0..run.steps().len() {
        n_left_out += slice(model, run.steps(), &explanation, last)?;
    }
    Ok(n_left_out)
}

/// Makes a step after only those it rests on.
fn slice(model: &Model, steps: &[TrailStep], explanation: &Explanation, last: usize) -> Result<u64, String> {
    let mut needed = vec![false; last + 1];
    needed[last] = true;
    for step in (0..=last).rev().filter(|&step| step <= last) {
        if needed[step] {
            explanation.steps[step].causes.iter().for_each(|cause| needed[cause.step] = true);
        }
    }
    let made = || steps.iter().zip(&needed).filter(|(_, needed)| **needed).map(|(step, _)| step);
    let moves: Vec<Move> = made().map(|step| step.made).collect();
    match replay(model, &moves, Violation::InvalidEnd) {
        Ok(_) | Err(ReplayError::NoViolation { .. }) => Ok((last + 1 - moves.len()) as u64),
        Err(ReplayError::Fails { .. }) if last + 1 == steps.len() => Ok(0),
        Err(error) => {
            let told: Vec<&str> = made().map(|step| &*step.mover.text).collect();
            Err(format!(
                "step {} does not come after what it rests on: {error}\n{}",
                last + 1,
                told.join("\n")
            ))
        }
    }
}
