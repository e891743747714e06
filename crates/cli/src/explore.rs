//! `stubborn explore`

use stubborn_check::{Choice, Job, Reduction, explore_on};

use crate::args::{ExploreArgs, Format, undirected};
use crate::cluster::Together;
use crate::exit::Status;
use crate::progress::ProgressLine;
use crate::{cluster, human, json, model, output, system};

pub(crate) fn run(args: &ExploreArgs) -> Result<Status, String> {
    undirected(args.common.search.search)?;
    let source = model::read(&args.common.model)?;
    let mut config = args.common.config(Choice::Named(Reduction::None));
    if args.common.memory.is_none() {
        config.memory = cluster::share_of(config.memory, &args.cluster);
    }
    let cancel = system::cancel_on_interrupt();
    let mut together = cluster::join(&args.cluster, &source.model, &config, &[], &cancel)?;
    let mut line = ProgressLine::new(config.memory);
    let job = Job { cancel, progress: &mut |progress| line.update(progress) };
    let others = together.as_mut().and_then(Together::cluster);
    let report = explore_on(&source.model, &config, job, others).map_err(|refused| refused.to_string())?;
    drop(line);
    if let Some(status) = together.as_ref().and_then(Together::status_elsewhere) {
        return Ok(status);
    }
    output::results(&match args.format {
        Format::Human => human::explore(&source, &report, args.common.explain),
        Format::Json => json::explore(&source, &config, &report),
    });
    Ok(if report.incomplete.is_some() { Status::Incomplete } else { Status::Success })
}
