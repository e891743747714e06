//! How fast several processes search together, and what that takes.
//!
//! `cluster MODEL [OPTIONS of stubborn explore]`: states in a second by number of processes and of workers in each, the most
//! memory of a process, and bytes that were sent for each state. What does not count the same states is not timed.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::ffi::OsString;
use std::process::ExitCode;

use serde_json::Value;
use stubborn_tests::binary;

/// Processes, and workers in each.
const TEAMS: [(u16, u16); 5] = [(1, 1), (1, 2), (2, 1), (2, 2), (4, 1)];

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if arguments.is_empty() {
        eprintln!("usage: cluster MODEL [OPTIONS of stubborn explore]");
        return ExitCode::FAILURE;
    }
    match measure(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &[OsString]) -> Result<(), String> {
    println!(
        "{:>9} {:>7} {:>12} {:>12} {:>14} {:>16}",
        "processes", "workers", "states", "states/s", "MiB a process", "bytes a state"
    );
    let alone = explore(arguments, &[])?;
    let states = number(&alone, "states");
    row("alone", "", &alone);
    for (processes, workers) in TEAMS {
        let [processes, workers] = [processes, workers].map(|n| n.to_string());
        let explored = explore(arguments, &["--processes", &processes, "--workers", &workers])?;
        if number(&explored, "states") != states {
            return Err(format!("{processes} processes count other states than one does: {explored}"));
        }
        row(&processes, &workers, &explored);
    }
    Ok(())
}

fn explore(arguments: &[OsString], more: &[&str]) -> Result<Value, String> {
    let first = ["explore", "--format", "json"].map(OsString::from);
    let all = first.iter().chain(arguments).cloned().chain(more.iter().map(OsString::from));
    let answer = binary::run(all);
    let json = answer.json()?;
    if json["complete"] == true { Ok(json) } else { Err(format!("not complete: {answer}")) }
}

fn number(json: &Value, name: &str) -> f64 {
    json[name].as_f64().unwrap_or(0.0)
}

fn row(processes: &str, workers: &str, explored: &Value) {
    let each = explored["processes"].as_array();
    let peaks = each.into_iter().flatten().map(|process| number(process, "peak_bytes"));
    let peak =
        peaks.fold(0.0, f64::max).max(if each.is_none() { number(explored, "peak_bytes") } else { 0.0 });
    let sent: f64 = each.into_iter().flatten().map(|process| number(process, "sent_bytes")).sum();
    let states = number(explored, "states");
    println!(
        "{processes:>9} {workers:>7} {states:>12} {:>12.0} {:>14.1} {:>16.1}",
        states / number(explored, "seconds").max(1e-9),
        peak / f64::from(1 << 20),
        sent / states.max(1.0),
    );
}
