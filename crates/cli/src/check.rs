//! `stubborn check`

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use stubborn_check::{Job, PropertyResult, Verdict, check_on, select};

use crate::args::{CheckArgs, CheckFormat};
use crate::cluster::Together;
use crate::exit::Status;
use crate::model::{Reading, Source};
use crate::progress::ProgressLine;
use crate::watch::{Files, interruptible};
use crate::{cluster, human, json, model, output, sarif, system};

pub(crate) fn run(args: &CheckArgs) -> Result<Status, String> {
    let interrupted = system::cancel_on_interrupt();
    if args.watch {
        return Ok(watch(args, &interrupted));
    }
    let (text, status) = once(args, model::load(&args.how.common.model)?, interrupted)?;
    output::results(&text);
    Ok(status)
}

/// Checks what was read, and returns what is to be shown.
fn once(args: &CheckArgs, read: Reading, cancel: Arc<AtomicBool>) -> Result<(String, Status), String> {
    let wants_errors = args.format == CheckFormat::Sarif && read.diagnostics.iter().any(|d| d.is_error());
    if wants_errors {
        return Ok((sarif::errors(&read), Status::Rejected));
    }
    let mut source = read.source()?;
    let results = match results(args, &mut source, cancel)? {
        Checked::Here(results) => results,
        Checked::Elsewhere(status) => return Ok((String::new(), status)),
    };
    let text = match args.format {
        CheckFormat::Human => human::check(&source, &results, args.how.common.explain),
        CheckFormat::Json => json::check(&source, &results)?,
        CheckFormat::Sarif => sarif::check(&source, &results),
    };
    Ok((text, status(&results)))
}

/// Who has the results.
enum Checked {
    /// This process.
    Here(Vec<PropertyResult>),
    /// Another one of the cluster; this one ends so.
    Elsewhere(Status),
}

fn results(args: &CheckArgs, source: &mut Source, cancel: Arc<AtomicBool>) -> Result<Checked, String> {
    let mut names = args.property.clone();
    names.extend(source.add_goals(&args.how.common.model, &args.how.reach)?);
    let properties = select(&source.model, &names).map_err(|error| error.to_string())?;
    let mut config = args.how.config();
    if args.how.common.memory.is_none() {
        config.memory = cluster::share_of(config.memory, &args.cluster);
    }
    let mut together = cluster::join(&args.cluster, &source.model, &config, &properties, &cancel)?;
    let mut line = ProgressLine::new(config.memory);
    let job = Job { cancel, progress: &mut |progress| line.update(progress) };
    let others = together.as_mut().and_then(Together::cluster);
    let results = check_on(&source.model, &properties, &config, job, others);
    let results = results.map_err(|refused| refused.to_string())?;
    Ok(match together.as_ref().and_then(Together::status_elsewhere) {
        Some(status) => Checked::Elsewhere(status),
        None => Checked::Here(results),
    })
}

/// Checks again and again; ends with the status of the last check.
fn watch(args: &CheckArgs, interrupted: &AtomicBool) -> Status {
    let mut last = Status::Success;
    while !interrupted.load(Ordering::Relaxed) {
        let read = model::load(&args.how.common.model);
        let mut files = match &read {
            Ok(read) => Files::of(&read.sources),
            Err(_) => Files::missing(args.how.common.model.file.clone()),
        };
        let checked = interruptible(&mut files, interrupted, |cancel| once(args, read?, cancel));
        match checked {
            // Something has changed meanwhile.
            None => continue,
            Some(Ok((text, status))) => {
                output::results(&text);
                last = status;
            }
            Some(Err(why)) => {
                output::failure(&why);
                last = Status::Rejected;
            }
        }
        files.wait(|| interrupted.load(Ordering::Relaxed));
    }
    last
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
