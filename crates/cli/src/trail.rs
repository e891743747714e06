//! `stubborn trail`

mod human;

use stubborn_base::read_text;
use stubborn_check::{
    Job, PropertyResult, Refused, ReplayError, Subject, Trail, Verdict, chart, check, explain, from_spin,
    page, select, spin,
};

use crate::args::{TrailArgs, TrailFormat};
use crate::check::status;
use crate::exit::Status;
use crate::model::Source;
use crate::progress::ProgressLine;
use crate::{human as words, json, model, output, system};

pub(crate) fn run(args: &TrailArgs) -> Result<Status, String> {
    let mut source = model::read(&args.how.common.model)?;
    if (args.format == TrailFormat::Spin || args.from_spin.is_some()) && source.language != "promela" {
        return Err(format!("SPIN's trails are of Promela models, and {} is none", source.path));
    }
    let goals = source.add_goals(&args.how.common.model, &args.how.reach)?;
    let results = results(args, &source, goals)?;
    let is_told = args.how.common.explain;
    let shown = results.iter().find_map(|result| Some((result, result.trail.as_ref()?)));
    let text = match (args.format, shown) {
        (TrailFormat::Json, _) => json::check(&source, &results)?,
        (TrailFormat::Human, None) => words::check(&source, &results, is_told),
        (_, None) => {
            output::remarks(&words::check(&source, &results, is_told));
            String::new()
        }
        (format, Some((result, trail))) => show(format, &source, result, trail, is_told)?,
    };
    output::results(&text);
    Ok(status(&results))
}

/// A violation in a format that is not for programs.
fn show(
    format: TrailFormat,
    source: &Source,
    result: &PropertyResult,
    trail: &Trail,
    is_told: bool,
) -> Result<String, String> {
    let failed = |error: ReplayError| error.to_string();
    let explanation = explain(&source.model, &result.property, trail).map_err(failed)?;
    let title = format!("{}: {}", result.property.name, result.reason.as_deref().unwrap_or_default());
    let subject = Subject { sources: &source.sources, title: &title, trail, explanation: &explanation };
    match format {
        TrailFormat::Human => Ok(human::trail(source, result, &explanation, output::width(), is_told)),
        TrailFormat::Json => json::check(source, std::slice::from_ref(result)),
        TrailFormat::Spin => Ok(spin::export(&source.model, trail)),
        TrailFormat::Svg => Ok(chart(subject)),
        TrailFormat::Html => page(&source.model, subject).map_err(failed),
    }
}

/// What is known of the first property that is violated; of all that were asked for, if none is.
fn results(args: &TrailArgs, source: &Source, goals: Vec<String>) -> Result<Vec<PropertyResult>, String> {
    let names: Vec<String> = args.property.iter().cloned().chain(goals).collect();
    let properties = select(&source.model, &names).map_err(|error| error.to_string())?;
    let config = args.how.config();
    let cancel = system::cancel_on_interrupt();
    let mut line = ProgressLine::new(config.memory);
    if let Some(file) = &args.from_spin {
        let text = read_text(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let job = Job { cancel, progress: &mut |progress| line.update(progress) };
        let result = from_spin(&source.model, &text, &properties, &config, &job);
        return Ok(vec![result.map_err(|error| format!("{}: {error}", file.display()))?]);
    }
    let mut results: Vec<PropertyResult> = Vec::new();
    let mut refused: Option<Refused> = None;
    for property in &properties {
        let job = Job { cancel: cancel.clone(), progress: &mut |progress| line.update(progress) };
        match check(&source.model, std::slice::from_ref(property), &config, job) {
            Ok(mut found) if found.iter().any(|result| result.verdict == Verdict::Violated) => {
                found.retain(|result| result.verdict == Verdict::Violated);
                return Ok(found);
            }
            Ok(found) => results.extend(found),
            // What was asked for may suit another property.
            Err(why) => refused = Some(why),
        }
    }
    match refused {
        Some(why) => Err(why.to_string()),
        None => Ok(results),
    }
}
