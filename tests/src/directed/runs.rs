//! Table 3, and what `stubborn check` shows in the end.

use std::sync::Arc;
use std::time::Duration;

use stubborn_check::{Choice, Config, Job, Order, PropertyResult, Reduction, Trail, check, select};
use stubborn_ir::Model;
use stubborn_tests::shallowest::shallowest;

use super::paper::Paper;
use super::subjects::{Subject, Wrong};
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

/// What `stubborn check` shows, against the best column of the paper, and what SPIN finds breadth-first, with merged
/// statements as the paper has it and without.
pub(crate) fn best(
    subject: &Subject,
    model: &Model,
    text: &str,
    time: Duration,
    paper: &Paper,
    grid: &mut Grid,
) -> Result<(), String> {
    let result = found(subject, model, time, Some(time))?;
    let trail = result.trail.as_ref();
    let n_ours = trail.map(|trail| trail.steps.len());
    let tables: &[u32] = if subject.wrong == Wrong::Run { &[3] } else { &[1, 2, 4, 6, 7] };
    let n_theirs = paper.least(tables, &subject.name);
    let pan = |merges| match subject.wrong {
        Wrong::Deadlock => shallowest(text, merges, 6 * time),
        // The step that fails is not counted there.
        Wrong::Assertion => shallowest(text, merges, 6 * time).map(|depth| depth + 1),
        // A claim's steps count there as well.
        Wrong::Invariant | Wrong::Run => None,
    };
    let number = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
    let remark = match (trail.is_some_and(|trail| trail.is_shortest), trail) {
        (true, _) => "the shortest there is",
        (false, Some(_)) => "",
        (false, None) => result.reason.as_deref().unwrap_or(""),
    };
    grid.add(vec![
        subject.name.clone(),
        subject.property(model).to_owned(),
        number(n_theirs.map(|n| n as u64)),
        number(pan(true)),
        number(pan(false)),
        number(n_ours.map(|n| n as u64)),
        remark.to_owned(),
    ]);
    Ok(())
}
