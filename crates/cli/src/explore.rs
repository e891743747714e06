//! `stubborn explore`

use stubborn_check::{Choice, Job, Reduction, explore};

use crate::args::{ExploreArgs, Format, undirected};
use crate::exit::Status;
use crate::progress::ProgressLine;
use crate::{human, json, model, output, system};

pub(crate) fn run(args: &ExploreArgs) -> Result<Status, String> {
    undirected(args.common.search.search)?;
    let source = model::read(&args.common.model)?;
    let config = args.common.config(Choice::Named(Reduction::None));
    let mut line = ProgressLine::new(config.memory);
    let job = Job { cancel: system::cancel_on_interrupt(), progress: &mut |progress| line.update(progress) };
    let report = explore(&source.model, &config, job).map_err(|refused| refused.to_string())?;
    drop(line);
    output::results(&match args.format {
        Format::Human => human::explore(&source, &report, args.common.explain),
        Format::Json => json::explore(&source, &config, &report),
    });
    Ok(if report.incomplete.is_some() { Status::Incomplete } else { Status::Success })
}
