//! Messages that must be seen although the test harness keeps the output of passing tests to itself.

use std::io::Write;

/// Says that something was skipped and why; `tests/run` counts these lines.
pub fn skipped(what: &str, why: &str) {
    note(&format!("SKIPPED: {what}: {why}"));
}

/// Prints a line past the harness.
pub fn note(line: &str) {
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(std::io::stderr(), "{line}");
}
