//! How fast several processes search together, and what that takes.
//!
//! `cluster MODEL [OPTIONS of stubborn explore]`: states in a second by number of processes and of workers in each, the most
//! memory of a process, and bytes that were sent for each state. What does not count the same states is not timed.
//!
//! `cluster --corpus [FROM [TO [WORD]]]`: whether 1, 2 and 4 processes find and decide what one does, of every model, system and
//! net of the corpus that has so many states (fewer than 5 million unless something else is said), and that word in its
//! name. Of nets, which make dozens of claims each, as many are decided as come to a million states together, and one at
//! least.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use serde_json::Value;
use stubborn_tests::binary;
use stubborn_tests::corpus::{self, Corpus};
use stubborn_tests::processes::{Asked, Subject, is_decided_alike, is_the_same};
use stubborn_tests::table::{self, Row};
use stubborn_tests::{contest, helena};

/// Processes, and workers in each.
const TEAMS: [(u16, u16); 5] = [(1, 1), (1, 2), (2, 1), (2, 2), (4, 1)];

/// States that the claims of a net come to together, each of which has those of the net.
const OF_CLAIMS: u64 = 1_000_000;

/// So long it takes at the most to find out how many states a model has.
const PATIENCE: &str = "15s";

/// Something that is compared.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Case {
    states: u64,
    name: String,
    path: PathBuf,
    parameters: Vec<(String, String)>,
    is_net: bool,
}

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
    let mut cases: Vec<Case> = [models(&word)?, systems(), nets()].into_iter().flatten().collect();
    cases.retain(|case| (from..to).contains(&case.states) && case.name.contains(&word));
    cases.retain(|case| {
        let is_there = case.path.exists();
        if !is_there {
            println!("left out: {} is not in the corpus", case.name);
        }
        is_there
    });
    cases.sort_unstable();
    println!(
        "{:>9} {:>8} {:<10} {:>7} {:>8} {:<10} name",
        "states", "seconds", "states?", "claims", "refused", "claims?"
    );
    let mut n_wrong = 0;
    for Case { states, name, path, parameters, is_net } in &cases {
        let started = Instant::now();
        let subject = Subject { path, parameters };
        let most = if *is_net { (OF_CLAIMS / states.max(&1)).max(1) as usize } else { usize::MAX };
        let counted = is_the_same(subject, &[]);
        let decided = is_decided_alike(subject, Asked::Claims(most));
        let told = |is_right: bool| if is_right { "the same" } else { "WRONG" };
        let alike = decided.as_ref().copied().unwrap_or_default();
        println!(
            "{states:>9} {:>8.1} {:<10} {:>7} {:>8} {:<10} {name}",
            started.elapsed().as_secs_f64(),
            told(counted.is_ok()),
            alike.decided,
            alike.refused,
            told(decided.is_ok()),
        );
        for why in [counted.err(), decided.err()].into_iter().flatten() {
            n_wrong += 1;
            eprintln!("{name}: {why}");
        }
    }
    println!("{} compared, {n_wrong} differences", cases.len());
    if n_wrong == 0 { Ok(()) } else { Err("not all is the same".to_owned()) }
}

/// The Promela models with that word in their names whose states are all counted: by SPIN, or by one process here.
fn models(word: &str) -> Result<Vec<Case>, String> {
    let corpus = Corpus::find()?;
    let is_asked = |row: &&Row| table::text(row, "parse") == "ok" && table::text(row, "path").contains(word);
    let model = |row: &Row| {
        let name = table::text(row, "path");
        let path = corpus.path(name);
        let states = match table::text(row, "raw_st") {
            "ok" => table::number(row, "raw_stored"),
            _ => count(&path, name),
        };
        Some(Case { states: states?, name: name.to_owned(), path, parameters: Vec::new(), is_net: false })
    };
    Ok(corpus.rows().iter().filter(is_asked).filter_map(model).collect())
}

/// So many states that SPIN did not come to the end of, if one process does soon.
fn count(path: &Path, name: &str) -> Option<u64> {
    let how = ["--reduction", "none", "--time", PATIENCE, "--format", "json"].map(OsString::from);
    let arguments = ["explore".into(), path.into()].into_iter().chain(how).collect::<Vec<OsString>>();
    let json = binary::run(arguments).json().ok()?;
    let states = json["states"].as_u64()?;
    if json["complete"] == true {
        return Some(states);
    }
    println!("left out: {name} has more than {states} states");
    None
}

/// The systems of BEEM whose states are all counted.
fn systems() -> Vec<Case> {
    let folder = corpus::models().join("dve");
    let rows = table::read(&folder.join("expected-instances.tsv")).unwrap_or_default();
    let system = |row: &Row| {
        let (model, id) = (table::text(row, "model"), table::text(row, "id"));
        let name = format!("{model}/{model}.{id}.dve");
        let states = table::number(row, "states").filter(|_| table::text(row, "complete") == "yes")?;
        let path = folder.join(&name);
        Some(Case { states, name: format!("dve/{name}"), path, parameters: Vec::new(), is_net: false })
    };
    rows.iter().filter_map(system).collect()
}

/// The nets of Helena's distribution and of the contest whose states are all counted.
fn nets() -> Vec<Case> {
    let of_helena = helena::instances().unwrap_or_default().into_iter().map(|net| Case {
        states: net.states,
        name: format!("helena/{}", net.name),
        path: net.path,
        parameters: net.parameters,
        is_net: true,
    });
    let of_contest = contest::instances().unwrap_or_default().into_iter().filter_map(|net| {
        let (states, path) = (net.n_states()?, net.path());
        Some(Case { states, name: format!("pnml/{}", net.name), path, parameters: Vec::new(), is_net: true })
    });
    of_helena.chain(of_contest).collect()
}
