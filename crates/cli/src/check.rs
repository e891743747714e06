//! `stubborn check`

use stubborn_check::{Job, PropertyResult, Verdict, check, select};

use crate::args::{CheckArgs, Format};
use crate::exit::Status;
use crate::progress::ProgressLine;
use crate::{human, json, model, output, system};

pub(crate) fn run(args: &CheckArgs) -> Result<Status, String> {
    let mut source = model::read(&args.how.common.model)?;
    let mut names = args.property.clone();
    names.extend(source.add_goals(&args.how.common.model, &args.how.reach)?);
    let properties = select(&source.model, &names).map_err(|error| error.to_string())?;
    let config = args.how.config();
    let mut line = ProgressLine::new(config.memory);
    let job = Job { cancel: system::cancel_on_interrupt(), progress: &mut |progress| line.update(progress) };
    let results = check(&source.model, &properties, &config, job).map_err(|refused| refused.to_string())?;
    drop(line);
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
