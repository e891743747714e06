//! How fast several processes search together, and what that takes.
//!
//! `cluster MODEL [OPTIONS of stubborn explore]`: states in a second by number of processes and of workers in each, the most
//! memory of a process, and bytes that were sent for each state. What does not count the same states is not timed.
//!
//! `cluster --corpus [FROM [TO [WORD]]]`: whether 1, 2 and 4 processes find and decide what one does, of every Promela model
//! and DVE system of the corpus that has so many states (fewer than 5 million unless something else is said), and that word in
//! its path.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::Value;
use stubborn_tests::binary;
use stubborn_tests::corpus::{self, Corpus};
use stubborn_tests::processes::{is_decided_alike, is_the_same};
use stubborn_tests::table::{self, Row};

/// Processes, and workers in each.
const TEAMS: [(u16, u16); 5] = [(1, 1), (1, 2), (2, 1), (2, 2), (4, 1)];

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if arguments.is_empty() {
        eprintln!(
            "usage: cluster MODEL [OPTIONS of stubborn explore]\n       cluster --corpus [FROM [TO [WORD]]]"
        );
        return ExitCode::FAILURE;
    }
    let done = match arguments[0] == "--corpus" {
        true => compare(&arguments[1..]),
        false => measure(&arguments),
    };
    match done {
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

/// Compares what several processes say of the corpus with what one does.
fn compare(arguments: &[OsString]) -> Result<(), String> {
    let text = |at: usize| arguments.get(at).map(|argument| argument.to_string_lossy().into_owned());
    let limit = |at: usize, usual: u64| match text(at) {
        Some(text) => text.parse::<u64>().map_err(|error| format!("{text}: {error}")),
        None => Ok(usual),
    };
    let (from, to, word) = (limit(0, 0)?, limit(1, 5_000_000)?, text(2).unwrap_or_default());
    let corpus = Corpus::find()?;
    let rows = corpus.rows().iter().filter(|row| table::text(row, "raw_st") == "ok");
    let published = rows.filter_map(|row| {
        let name = table::text(row, "path");
        Some((table::number(row, "raw_stored")?, name.to_owned(), corpus.path(name)))
    });
    let mut models: Vec<(u64, String, PathBuf)> = published
        .chain(systems())
        .filter(|(states, name, _)| (from..to).contains(states) && name.contains(&word))
        .collect();
    models.sort_unstable();
    println!("{:>9} {:>8} {:>9} {:<10} {:<10} model", "states", "seconds", "refused", "states?", "verdicts?");
    let mut n_wrong = 0;
    for (states, name, path) in &models {
        let started = Instant::now();
        let counted = is_the_same(path, &[]);
        let decided = is_decided_alike(path, false);
        let told = |is_right: bool| if is_right { "the same" } else { "WRONG" };
        println!(
            "{states:>9} {:>8.1} {:>9} {:<10} {:<10} {name}",
            started.elapsed().as_secs_f64(),
            decided.as_ref().map_or_else(|_| String::new(), ToString::to_string),
            told(counted.is_ok()),
            told(decided.is_ok()),
        );
        for why in [counted.err(), decided.err()].into_iter().flatten() {
            n_wrong += 1;
            eprintln!("{name}: {why}");
        }
    }
    println!("{} models, {n_wrong} differences", models.len());
    if n_wrong == 0 { Ok(()) } else { Err("not all is the same".to_owned()) }
}

/// The systems of BEEM whose states are all counted: how many there are, the name, and the file.
fn systems() -> Vec<(u64, String, PathBuf)> {
    let folder = corpus::models().join("dve");
    let rows = table::read(&folder.join("expected-instances.tsv")).unwrap_or_default();
    let system = |row: &Row| {
        let (model, id) = (table::text(row, "model"), table::text(row, "id"));
        let name = format!("{model}/{model}.{id}.dve");
        let states = table::number(row, "states").filter(|_| table::text(row, "complete") == "yes")?;
        Some((states, format!("dve/{name}"), folder.join(name)))
    };
    rows.iter().filter_map(system).collect()
}
