//! How the programs beside the suites begin and end.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "programs talk to people")]

use std::process::ExitCode;

/// Reads the options of a program, or says how it is used; then runs it. It fails for want of something, which is
/// exit code 2, or comes to problems, which are told at the end and are exit code 1.
pub fn main<O>(
    usage: &str,
    read: impl FnOnce(&mut dyn Iterator<Item = String>) -> Option<O>,
    run: impl FnOnce(O) -> Result<Vec<String>, String>,
) -> ExitCode {
    let Some(options) = read(&mut std::env::args().skip(1)) else {
        eprintln!("{usage}");
        return ExitCode::from(2);
    };
    match run(options) {
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
        Ok(problems) => {
            problems.iter().for_each(|problem| println!("{problem}"));
            if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
    }
}
