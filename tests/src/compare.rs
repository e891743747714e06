//! Puts one model to SPIN and to us and says where we differ.

use std::fs;
use std::path::Path;

use crate::binary::{self, Explored};
use crate::spin::{self, Exploration, Options, Outcome};

/// What a comparison came to.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Same states, transitions and errors.
    Same(Exploration),
    /// What differs.
    Different(String),
    /// SPIN gives no answer to compare with; why.
    Discarded(String),
}

/// The most states a random model may have.
const MOST_STATES: u64 = 200_000;

/// Compares on a model given as text, breadth-first and depth-first.
pub fn compare_text(text: &str) -> Verdict {
    let outcome = match spin::explore_text(text, &Options::small()) {
        Ok(outcome) => outcome,
        Err(error) => return Verdict::Discarded(format!("the oracle does not run: {error}")),
    };
    let exploration = match outcome {
        Outcome::Explored(exploration) => exploration,
        Outcome::Rejected(why) => return Verdict::Discarded(format!("rejected: {why}")),
        Outcome::NotCompiled(why) => return Verdict::Discarded(format!("not compiled: {why}")),
        Outcome::Incomplete(why) => return Verdict::Discarded(format!("incomplete: {why}")),
    };
    if let Some(kind) = exploration.undefined() {
        return Verdict::Discarded(format!("undefined: {kind}"));
    }
    if exploration.stored > MOST_STATES {
        return Verdict::Discarded("too many states".into());
    }
    let Ok(directory) = tempfile::tempdir() else {
        return Verdict::Discarded("no temporary directory".into());
    };
    let model = directory.path().join("model.pml");
    if let Err(error) = fs::write(&model, text) {
        return Verdict::Discarded(error.to_string());
    }
    match compare_with(&model, &exploration) {
        Ok(()) => Verdict::Same(exploration),
        Err(difference) => Verdict::Different(difference),
    }
}

fn compare_with(model: &Path, expected: &Exploration) -> Result<(), String> {
    for search in ["bfs", "dfs"] {
        let ours = binary::explore(model, search, &["--time", "60s"])?;
        let differences = differences(expected, &ours);
        if !differences.is_empty() {
            return Err(format!("{search}: {}", differences.join("; ")));
        }
    }
    Ok(())
}

/// Where the numbers differ, SPIN's first.
pub fn differences(expected: &Exploration, ours: &Explored) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: &str, theirs: u64, ours: u64| {
        if theirs != ours {
            found.push(format!("{what}: spin {theirs}, stubborn {ours}"));
        }
    };
    compare("states", expected.stored, ours.states);
    compare("transitions", expected.transitions.saturating_sub(1), ours.transitions);
    match expected.invalid_ends() {
        Some(n) => compare("invalid end states", n, ours.deadlocks),
        None => {
            compare("invalid end states?", expected.has_invalid_end().into(), (ours.deadlocks > 0).into())
        }
    }
    let fails = (expected.has_failed_assertion(), ours.failed_assertions > 0);
    compare("failed assertions?", fails.0.into(), fails.1.into());
    compare("run-time errors", 0, ours.runtime_errors);
    found
}
