//! What `stubborn check` shows, against the best column of the paper, in each unit that a length can be told in.

use stubborn_tests::merged::Merging;
use stubborn_tests::shallowest::shallowest;

use super::measure::Bench;
use super::paper::Paper;
use super::runs::shortened;
use super::subjects::Wrong;
use crate::grid::Grid;

/// The columns: statements, as ours are proved to be the fewest and `pan` without merging finds breadth-first, too;
/// the steps that SPIN merges them to; and those with what comes after a `run` merged into it.
pub(crate) const HEADER: [&str; 9] = [
    "model",
    "property",
    "best there",
    "statements",
    "pan -o3",
    "merged",
    "pan",
    "after run, too",
    "against the best there",
];

/// A row. Longer than there in their unit is a problem.
pub(crate) fn row(bench: &Bench<'_>, text: &str, paper: &Paper, grid: &mut Grid) -> Result<(), String> {
    let Bench { subject, model, time } = *bench;
    let result = shortened(bench)?;
    let trail = result.trail.as_ref();
    let tables: &[u32] = if subject.wrong == Wrong::Run { &[3] } else { &[1, 2, 4, 6, 7] };
    let theirs = paper.least(tables, &subject.name);
    let pan = |merges| match subject.wrong {
        Wrong::Deadlock => shallowest(text, merges, 6 * time),
        // The step that fails is not counted there.
        Wrong::Assertion => shallowest(text, merges, 6 * time).map(|depth| depth + 1),
        // A depth-first search finds no shortest run.
        Wrong::Invariant | Wrong::Run => None,
    };
    let merging = Merging::of(text, 6 * time).ok_or("SPIN does not list its transitions")?;
    let has_claim = matches!(subject.wrong, Wrong::Invariant | Wrong::Run);
    let merged = trail.map(|trail| merging.length(model, trail, has_claim)).transpose()?;
    let statements = trail.map(|trail| trail.steps.len());
    let is_shortest = trail.is_some_and(|trail| trail.is_shortest);
    let remark = match (theirs, statements, merged) {
        (_, None, _) | (_, _, None) => result.reason.clone().unwrap_or_default(),
        _ if subject.is_ours() => "another model".to_owned(),
        (None, ..) => String::new(),
        (Some(theirs), _, Some(n)) if n.now <= theirs => "not longer".to_owned(),
        (Some(theirs), _, Some(n)) if n.once <= theirs => "not longer, if SPIN merged after run".to_owned(),
        _ if is_shortest => "longer; there is no shorter one in statements".to_owned(),
        _ => return Err(format!("{merged:?} steps are shown, of {theirs:?}")),
    };
    let number = |n: Option<usize>| n.map_or("-".to_owned(), |n| n.to_string());
    let proved = if is_shortest { " (least)" } else { "" };
    grid.add(vec![
        subject.name.clone(),
        subject.property(model).to_owned(),
        number(theirs),
        number(statements) + proved,
        number(pan(false).map(|n| n as usize)),
        number(merged.map(|n| n.now)),
        number(pan(true).map(|n| n as usize)),
        number(merged.map(|n| n.once)),
        remark,
    ]);
    Ok(())
}
