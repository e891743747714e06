//! What the engine counts of a net, in the words of the explorer that follows the definitions.

use std::sync::Arc;

use stubborn_check::{Choice, Config, Job, Reduction, explore};
use stubborn_ir::Model;

use super::naive::Sizes;

/// Visits all markings of a net.
pub fn of(model: &Model) -> Result<Sizes, String> {
    let config = Config { reduction: Choice::Named(Reduction::None), ..Config::default() };
    let job = Job { cancel: Arc::default(), progress: &mut |_| {} };
    let report = explore(model, &config, job).map_err(|refused| refused.to_string())?;
    if let Some(why) = report.incomplete {
        return Err(why.to_string());
    }
    let fill = report.fill.unwrap_or_default();
    Ok(Sizes {
        states: report.counts.states as usize,
        edges: report.counts.transitions as usize,
        dead: report.counts.deadlocks as usize,
        errors: report.counts.errors as usize,
        in_place: fill.in_place as u32,
        in_marking: fill.in_marking as u32,
    })
}
