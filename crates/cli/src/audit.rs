//! `stubborn audit`

mod human;
mod json;

use stubborn_check::{AuditConfig, AuditReport, Bounds, audit};

use crate::args::{AuditArgs, Format, undirected};
use crate::exit::Status;
use crate::{model, output, system};

pub(crate) fn run(args: &AuditArgs) -> Result<Status, String> {
    undirected(args.search)?;
    let source = model::read(&args.model)?;
    let config = AuditConfig {
        reduction: args.reduction,
        proviso: args.proviso,
        order: args.search.map(|search| search.order()),
        bounds: Bounds { states: args.limit, ..Bounds::default() },
        memory: system::default_memory(),
        ..AuditConfig::default()
    };
    let report =
        audit(&source.model, &config, &system::cancel_on_interrupt()).map_err(|error| error.to_string())?;
    output::results(&match args.format {
        Format::Human => human::audit(&source, &report),
        Format::Json => json::audit(&source, &report),
    });
    Ok(status(&report))
}

/// A violation is certain whatever else is not known.
fn status(report: &AuditReport) -> Status {
    if report.is_violated() {
        Status::Violated
    } else if report.is_incomplete() {
        Status::Incomplete
    } else {
        Status::Success
    }
}
