//! Known disagreements with SPIN. Each has its reason; together they are at most three in a hundred.

use std::collections::BTreeMap;

use crate::table;
use crate::workspace;

/// The exceptions of one suite: what, and why.
pub struct Exceptions {
    suite: &'static str,
    reasons: BTreeMap<String, String>,
}

impl Exceptions {
    /// Reads `exceptions/SUITE.tsv`.
    pub fn of(suite: &'static str) -> Self {
        let path = workspace::file("exceptions").join(format!("{suite}.tsv"));
        let rows = table::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let entry =
            |row: &table::Row| (table::text(row, "path").to_string(), table::text(row, "reason").to_string());
        Exceptions { suite, reasons: rows.iter().map(entry).collect() }
    }

    /// Whether there is one for this.
    pub fn has(&self, path: &str) -> bool {
        self.reasons.contains_key(path)
    }

    /// Turns a comparison into a verdict: an exception must disagree, everything else must agree.
    pub fn judge(&self, path: &str, agreement: Result<(), String>) -> Result<(), String> {
        match (self.reasons.get(path), agreement) {
            (None, agreement) => agreement,
            (Some(_), Err(_)) => Ok(()),
            (Some(_), Ok(())) => {
                Err(format!("agrees with SPIN now: remove it from exceptions/{}.tsv", self.suite))
            }
        }
    }

    /// Whether they are few enough, all have a reason, and all are about one of the given things.
    pub fn check(&self, all: &[String]) -> Result<(), String> {
        let limit = all.len() * 3 / 100;
        if self.reasons.len() > limit {
            return Err(format!(
                "{} exceptions, but only {limit} of {} may be",
                self.reasons.len(),
                all.len()
            ));
        }
        for (path, reason) in &self.reasons {
            if reason.trim().len() < 10 {
                return Err(format!("{path} needs a reason"));
            }
            if !all.contains(path) {
                return Err(format!("{path} is not among what this suite looks at"));
            }
        }
        Ok(())
    }
}
