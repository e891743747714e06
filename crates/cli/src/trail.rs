//! `stubborn trail`

use stubborn_check::{Job, PropertyResult, Refused, Verdict, check, from_spin, select, spin};

use crate::args::{TrailArgs, TrailFormat};
use crate::check::status;
use crate::exit::Status;
use crate::model::Source;
use crate::progress::ProgressLine;
use crate::{human, json, model, output, system};

pub(crate) fn run(args: &TrailArgs) -> Result<Status, String> {
    let source = model::read(&args.how.common)?;
    let results = results(args, &source)?;
    let explain = args.how.common.explain;
    output::results(&match args.format {
        TrailFormat::Human => human::check(&source, &results, explain),
        TrailFormat::Json => json::check(&source, &results)?,
        TrailFormat::Spin => spin_trail(&source, &results)?,
    });
    Ok(status(&results))
}

/// What is known of the first property that is violated; of all that were asked for, if none is.
fn results(args: &TrailArgs, source: &Source) -> Result<Vec<PropertyResult>, String> {
    let names: Vec<String> = args.property.iter().cloned().collect();
    let properties = select(&source.model, &names).map_err(|error| error.to_string())?;
    let config = args.how.config();
    let cancel = system::cancel_on_interrupt();
    let mut line = ProgressLine::new(config.memory);
    if let Some(file) = &args.from_spin {
        let text =
            model::read_text(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
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

/// The trail for SPIN; what is not violated has none.
fn spin_trail(source: &Source, results: &[PropertyResult]) -> Result<String, String> {
    let trail = results.iter().find_map(|result| result.trail.as_ref());
    let trail = trail.ok_or("no violation was found: there is no trail")?;
    Ok(spin::export(&source.model, trail))
}
