//! `stubborn check`

use stubborn_check::{Job, PropertyResult, Verdict, check_on, select};

use crate::args::{CheckArgs, Format};
use crate::cluster::Together;
use crate::exit::Status;
use crate::progress::ProgressLine;
use crate::{cluster, human, json, model, output, system};

pub(crate) fn run(args: &CheckArgs) -> Result<Status, String> {
    let mut source = model::read(&args.how.common.model)?;
    let mut names = args.property.clone();
    names.extend(source.add_goals(&args.how.common.model, &args.how.reach)?);
    let properties = select(&source.model, &names).map_err(|error| error.to_string())?;
    let mut config = args.how.config();
    if args.how.common.memory.is_none() {
        config.memory = cluster::share_of(config.memory, &args.cluster);
    }
    let cancel = system::cancel_on_interrupt();
    let mut together = cluster::join(&args.cluster, &source.model, &config, &properties, &cancel)?;
    let mut line = ProgressLine::new(config.memory);
    let job = Job { cancel, progress: &mut |progress| line.update(progress) };
    let others = together.as_mut().and_then(Together::cluster);
    let results = check_on(&source.model, &properties, &config, job, others);
    let results = results.map_err(|refused| refused.to_string())?;
    drop(line);
    if let Some(status) = together.as_ref().and_then(Together::status_elsewhere) {
        return Ok(status);
    }
    output::results(&match args.format {
        Format::Human => human::check(&source, &results, args.how.common.explain),
        Format::Json => json::check(&source, &results)?,
    });
    Ok(status(&results))
}

/// A violation is certain whatever else is not known.
pub(crate) fn status(results: &[PropertyResult]) -> Status {
    let any = |verdict| results.iter().any(|result| result.verdict == verdict);
    if any(Verdict::Violated) {
        Status::Violated
    } else if any(Verdict::Incomplete) {
        Status::Incomplete
    } else {
        Status::Success
    }
}
