//! Table 3: runs that violate a claim.

use std::sync::Arc;
use std::time::Duration;

use stubborn_check::{Choice, Config, Job, Order, PropertyResult, Reduction, Trail, check, select};
use stubborn_ir::Model;

use super::paper::Paper;
use super::subjects::Subject;
use crate::grid::{Grid, versus};

/// What is found depth-first without reduction, shortened within a budget or not.
pub(crate) fn found(
    subject: &Subject,
    model: &Model,
    time: Duration,
    shorten: Option<Duration>,
) -> Result<PropertyResult, String> {
    let property = select(model, &[subject.property(model).to_owned()]).map_err(|why| why.to_string())?;
    let config = Config {
        order: Some(Order::DepthFirst),
        reduction: Choice::Named(Reduction::None),
        memory: 4 << 30,
        time: Some(time),
        shorten,
        ..Config::default()
    };
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    Ok(check(model, &property, &config, job).map_err(|why| why.to_string())?.remove(0))
}

/// A length as the paper writes it.
pub(crate) fn length(trail: &Trail) -> String {
    match trail.cycle {
        0 => trail.prefix.to_string(),
        cycle => format!("{}+{cycle}", trail.prefix),
    }
}

/// Table 3: runs that violate a claim.
pub(crate) fn table_3(
    subject: &Subject,
    model: &Model,
    time: Duration,
    paper: &Paper,
    grid: &mut Grid,
) -> Result<(), String> {
    let tell = |result: PropertyResult| result.trail.map_or("-".to_owned(), |trail| length(&trail));
    let ours = tell(found(subject, model, time, None)?);
    let shortened = tell(found(subject, model, time, Some(time))?);
    let name = &subject.name;
    let theirs = |column| paper.length(3, name, column).to_owned();
    grid.add(vec![
        name.clone(),
        versus(Some(theirs("NDFS")), &ours),
        theirs("s, H_d"),
        versus(Some(theirs("[s], H_d")), &shortened),
    ]);
    Ok(())
}
