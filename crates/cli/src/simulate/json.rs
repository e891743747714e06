//! A run for programs. The field names are a contract: add, never rename.

use serde::Serialize;
use stubborn_check::explain_run;
use stubborn_check::simulation::{Over, Simulation};

use super::Ended;
use crate::args::SimulateArgs;
use crate::json;
use crate::json::trail::{self, TrailJson};
use crate::model::Source;

#[derive(Serialize)]
struct Simulated<'a> {
    model: &'a str,
    language: &'a str,
    seed: u64,
    /// `end`, `violation`, `steps` or `quit`.
    ended: &'static str,
    /// What is wrong, if something is.
    reason: Option<String>,
    output: Vec<Output<'a>>,
    trail: TrailJson,
}

#[derive(Serialize)]
struct Output<'a> {
    /// From 1.
    step: usize,
    pid: u16,
    text: &'a str,
}

/// What `stubborn simulate --format json` writes.
pub(crate) fn text(
    args: &SimulateArgs,
    source: &Source,
    run: &Simulation<'_>,
    ended: Ended,
) -> Result<String, String> {
    let explanation = explain_run(&source.model, run.steps()).map_err(|error| error.to_string())?;
    let (ended, reason) = match ended {
        Ended::Over(Over::End) => ("end", None),
        Ended::Over(Over::Wrong(violation)) => ("violation", Some(violation.told(&source.model).to_string())),
        Ended::Enough => ("steps", None),
        Ended::Quit => ("quit", None),
    };
    let printed = run.printed().iter().enumerate();
    let output = printed.flat_map(|(i, all)| {
        all.iter().map(move |printed| Output { step: i + 1, pid: printed.pid, text: &printed.text })
    });
    Ok(json::line(&Simulated {
        model: &source.path,
        language: source.language,
        seed: args.seed,
        ended,
        reason,
        output: output.collect(),
        trail: trail::run(&source.sources, run.steps(), &explanation),
    }))
}
