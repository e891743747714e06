//! From the text of a model to the verdict on it: SPIN's pipeline and ours, on every Promela model of the corpus.
//!
//! `pipeline [--only TEXT]` times `spin -a`, `cc -O2 -DSAFETY -DNOCLAIM` and `pan` together, and `stubborn check` of what
//! `pan` answered: dead ends and assertions, or, where it stopped at an error, what that error is about. `pan` shows an
//! error as it finds it, so the verdicts are compared with `--no-shorten`, and as people read them; what we take with a
//! counterexample made shorter stands beside it. Models that SPIN does not answer within a minute are left out, and it is said why. It is an error if
//! we are not faster, or not twenty times as fast where `pan` alone takes less than a second, or if the answers differ.

#![allow(clippy::print_stdout)]

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use stubborn_tests::corpus::Corpus;
use stubborn_tests::spin::copy_beside;
use stubborn_tests::{binary, program, table};

const USAGE: &str = "usage: pipeline [--only TEXT]";

/// Seconds that a program may take.
const PATIENCE: &str = "60";

/// How much faster we have to be where `pan` takes less than [`SHORT`] seconds.
const FACTOR: f64 = 20.0;
const SHORT: f64 = 1.0;

fn main() -> ExitCode {
    program::main(USAGE, options, run)
}

fn options(arguments: &mut dyn Iterator<Item = String>) -> Option<String> {
    match (arguments.next().as_deref(), arguments.next(), arguments.next()) {
        (None, ..) => Some(String::new()),
        (Some("--only"), text, None) => text,
        _ => None,
    }
}

fn run(only: String) -> Result<Vec<String>, String> {
    let corpus = Corpus::find()?;
    let mut problems = Vec::new();
    let (mut n_compared, mut n_left_out) = (0, 0);
    println!(
        "{:<52} {:>8} {:>8} {:>8} {:>7} {:>9}",
        "model", "SPIN", "its pan", "ours", "ratio", "shortened"
    );
    for name in corpus.rows().iter().map(|row| table::text(row, "path")).filter(|name| name.contains(&only)) {
        let spin = match run_spin(&corpus.path(name)) {
            Ok(spin) => spin,
            Err(why) => {
                n_left_out += 1;
                println!("{name:<52} left out: {why}");
                continue;
            }
        };
        n_compared += 1;
        let (seconds, status) = run_ours(&corpus.path(name), spin.found, &["--no-shorten"])?;
        let shortened = match spin.found {
            Some(_) => format!("{:.3}", run_ours(&corpus.path(name), spin.found, &[])?.0),
            None => String::new(),
        };
        let ratio = spin.seconds / seconds;
        let Answer { seconds: theirs, search, .. } = spin;
        println!("{name:<52} {theirs:>8.2} {search:>8.2} {seconds:>8.3} {ratio:>7.1} {shortened:>9}");
        let expected = i32::from(spin.found.is_some());
        if status != Some(expected) {
            problems.push(format!("{name}: exit code {status:?} instead of {expected}"));
        } else if ratio < 1.0 || spin.search < SHORT && ratio < FACTOR {
            problems.push(format!("{name}: {ratio:.1} times as fast"));
        }
    }
    println!("{n_compared} models compared, {n_left_out} left out");
    Ok(problems)
}

/// What SPIN came to.
struct Answer {
    /// Of the whole pipeline, and of the search in it.
    seconds: f64,
    search: f64,
    /// The property that its first error is about.
    found: Option<&'static str>,
}

fn run_spin(model: &Path) -> Result<Answer, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    copy_beside(model, directory.path()).map_err(|error| error.to_string())?;
    let name = model.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let start = |program: &str, arguments: &[&str]| {
        let mut command = Command::new("timeout");
        command.arg(PATIENCE).arg(program).args(arguments).current_dir(directory.path());
        let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{program}: {error}"))?;
        match output.status.code() {
            Some(124) => Err(format!("{program} takes longer than {PATIENCE} s")),
            _ => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        }
    };
    let started = Instant::now();
    start("spin", &["-a", &name])?;
    if !directory.path().join("pan.c").exists() {
        return Err("SPIN does not translate it".to_owned());
    }
    start("cc", &["-O2", "-DSAFETY", "-DNOCLAIM", "-o", "pan", "pan.c"])?;
    if !directory.path().join("pan").exists() {
        return Err("its verifier does not compile".to_owned());
    }
    let searched = Instant::now();
    let said = start("./pan", &["-m1000000"])?;
    let (seconds, search) = (started.elapsed().as_secs_f64(), searched.elapsed().as_secs_f64());
    let found = match said.lines().find(|line| line.starts_with("pan:1:")) {
        None if said.contains("errors: 0") && !said.contains("max search depth too small") => None,
        None => return Err("pan does not visit all states".to_owned()),
        Some(line) if line.contains("invalid end state") => Some("deadlock"),
        Some(line) if line.contains("assertion violated") => Some("assertions"),
        Some(line) => return Err(format!("pan gives up: {}", line.trim_start_matches("pan:1:").trim())),
    };
    Ok(Answer { seconds, search, found })
}

/// Seconds, and the exit code.
fn run_ours(model: &Path, found: Option<&str>, options: &[&str]) -> Result<(f64, Option<i32>), String> {
    let mut command = Command::new("timeout");
    command.arg(PATIENCE).arg(binary::path()).arg("check").arg(model).args(["--memory", "8G"]).args(options);
    for property in ["deadlock", "assertions"].into_iter().filter(|&p| found.is_none_or(|found| found == p)) {
        command.args(["--property", property]);
    }
    let started = Instant::now();
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    Ok((started.elapsed().as_secs_f64(), output.status.code()))
}
