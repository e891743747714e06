//! `stubborn simulate`

mod human;
mod json;

use std::io::BufRead;

use stubborn_check::simulation::{Chance, Over, Simulation};

use crate::args::{Format, SimulateArgs};
use crate::exit::Status;
use crate::{model, output};

/// How a run came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    Over(Over),
    /// It was as long as was asked for.
    Enough,
    /// Whoever chose had enough.
    Quit,
}

pub(crate) fn run(args: &SimulateArgs) -> Result<Status, String> {
    let source = model::read(&args.model)?;
    let simulation = Simulation::start(&source.model);
    let mut simulation = simulation.map_err(|kind| format!("there is no initial state: {kind}"))?;
    let mut chance = Chance::new(args.seed);
    let mut teller = human::Teller::new(&source.sources, &source.model, args.format == Format::Json);
    let ended = if args.interactive {
        ask(args, &mut simulation, &mut chance, &mut teller)?
    } else {
        walk(args, &mut simulation, &mut chance, &mut teller)?
    };
    teller.ended(&mut simulation, ended);
    if args.format == Format::Json {
        output::results(&json::text(args, &source, &simulation, ended)?);
    }
    Ok(match ended {
        Ended::Over(Over::Wrong(_)) => Status::Violated,
        _ => Status::Success,
    })
}

/// Chooses by chance until the run is over, or long enough.
fn walk(
    args: &SimulateArgs,
    simulation: &mut Simulation<'_>,
    chance: &mut Chance,
    teller: &mut human::Teller<'_>,
) -> Result<Ended, String> {
    for _ in 0..args.steps {
        if let Some(over) = simulation.over() {
            return Ok(Ended::Over(over));
        }
        let choices = simulation.choices();
        let chosen = &choices[chance.below(choices.len())];
        simulation.take(chosen).map_err(|error| error.to_string())?;
        if args.format == Format::Human {
            teller.step(simulation);
        }
    }
    Ok(simulation.over().map_or(Ended::Enough, Ended::Over))
}

/// Lets somebody choose.
fn ask(
    args: &SimulateArgs,
    simulation: &mut Simulation<'_>,
    chance: &mut Chance,
    teller: &mut human::Teller<'_>,
) -> Result<Ended, String> {
    let mut answers = std::io::stdin().lock().lines();
    loop {
        let choices = simulation.choices();
        let over = simulation.over();
        if over.is_none() && simulation.steps().len() >= args.steps {
            return Ok(Ended::Enough);
        }
        teller.choices(&choices, over);
        let Some(Ok(answer)) = answers.next() else { break };
        teller.answered();
        let chosen = match answer.trim() {
            "q" => break,
            "u" => {
                if !simulation.undo() {
                    teller.remark("there is no step to take back");
                }
                continue;
            }
            "r" if !choices.is_empty() => chance.below(choices.len()),
            "" if choices.len() == 1 => 0,
            number => match number.parse::<usize>().ok().filter(|n| (1..=choices.len()).contains(n)) {
                Some(number) => number - 1,
                None => {
                    teller.remark("no such choice");
                    continue;
                }
            },
        };
        simulation.take(&choices[chosen]).map_err(|error| error.to_string())?;
        teller.step(simulation);
    }
    teller.answered();
    Ok(simulation.over().map_or(Ended::Quit, Ended::Over))
}
