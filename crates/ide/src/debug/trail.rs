//! The counterexample that is asked for: the model is checked before it is debugged.

use std::fmt;
use std::sync::atomic::Ordering;

use stubborn_check::{Config, Incomplete, Job, Property, Trail, Verdict, check, select};
use stubborn_ir::Model;

/// Stands for the first property that is violated.
pub const AUTO: &str = "auto";

/// What was found out about a property.
#[derive(Clone, PartialEq, Debug)]
pub struct Decided {
    /// The property.
    pub property: Property,
    /// Whether it holds.
    pub verdict: Verdict,
    /// What is wrong, or why it is not known; none if it holds.
    pub reason: Option<String>,
    /// How it is violated.
    pub trail: Option<Trail>,
}

impl fmt::Display for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.property.name, self.verdict)?;
        self.reason.iter().try_for_each(|reason| write!(f, " ({reason})"))?;
        match &self.trail {
            Some(trail) if trail.cycle > 0 => {
                write!(f, ", {} steps, the last {} for ever", trail.steps.len(), trail.cycle)
            }
            Some(trail) => write!(f, ", {} steps", trail.steps.len()),
            None => Ok(()),
        }
    }
}

/// Decides a property, or one after the other until one is violated, which is then the last. `begins` is told which.
pub fn find(
    model: &Model,
    property: &str,
    config: &Config,
    job: Job<'_>,
    begins: &mut dyn FnMut(&Property),
) -> Result<Vec<Decided>, String> {
    let names = if property == AUTO { Vec::new() } else { vec![property.to_owned()] };
    let properties = select(model, &names).map_err(|error| error.to_string())?;
    let mut all = Vec::new();
    for property in properties {
        if all.last().is_some_and(|decided: &Decided| decided.verdict == Verdict::Violated) {
            break;
        }
        let open = |property, reason| Decided {
            property,
            verdict: Verdict::Incomplete,
            reason: Some(reason),
            trail: None,
        };
        if job.cancel.load(Ordering::Relaxed) {
            all.push(open(property, Incomplete::Cancelled.to_string()));
            break;
        }
        begins(&property);
        let part = Job { cancel: job.cancel.clone(), progress: &mut *job.progress };
        let decided = match check(model, std::slice::from_ref(&property), config, part) {
            Ok(mut results) => match results.pop() {
                Some(result) => {
                    Decided { verdict: result.verdict, reason: result.reason, trail: result.trail, property }
                }
                None => continue,
            },
            Err(refused) => open(property, refused.to_string()),
        };
        all.push(decided);
    }
    Ok(all)
}
