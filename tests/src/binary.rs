//! The binary under test, spoken to through its command line and its JSON.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use stubborn_check::Verdict;

use crate::workspace;

/// What a run of the binary left behind.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub errors: String,
}

impl Answer {
    /// The JSON on standard output.
    pub fn json(&self) -> Result<Value, String> {
        serde_json::from_str(&self.output).map_err(|error| format!("no JSON: {error}\n{self}"))
    }

    /// Whether it ended as programs do, and not by a panic or a signal.
    pub fn is_orderly(&self) -> bool {
        matches!(self.status, Some(0..=3)) && !self.errors.contains("panicked at")
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit {:?}\n{}\n{}", self.status, self.output.trim_end(), self.errors.trim_end())
    }
}

/// Runs the binary with the arguments.
pub fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Answer {
    run_in(Path::new("."), arguments)
}

/// Runs the binary with the arguments in a folder.
pub fn run_in<S: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Answer {
    answer(Command::new(path()).args(arguments).current_dir(folder))
}

/// Runs the binary with no more than so many seconds of a processor, which other load on the machine does not make more of,
/// and no more than so many MiB of addresses. What needs more is ended by a signal.
pub fn run_within<S: AsRef<OsStr>>(
    seconds: u32,
    mebibytes: u32,
    arguments: impl IntoIterator<Item = S>,
) -> Answer {
    let kibibytes = mebibytes * 1024;
    let limited = format!("ulimit -t {seconds}; ulimit -v {kibibytes}; exec \"$0\" \"$@\"");
    answer(Command::new("sh").args(["-c", &limited]).arg(path()).args(arguments))
}

fn answer(command: &mut Command) -> Answer {
    let output = command
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", path().display()));
    Answer {
        status: output.status.code(),
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The numbers `explore` reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// States stored.
    pub states: u64,
    /// Edges.
    pub transitions: u64,
    /// Dead states that are not valid end states.
    pub deadlocks: u64,
    /// Failed assertions, counted per edge.
    pub failed_assertions: u64,
    /// Edges that end in other run-time errors.
    pub runtime_errors: u64,
    /// Seconds, as the binary measured them.
    pub seconds: f64,
}

/// Explores a model without reduction. The error says what went wrong, or why it is not complete.
pub fn explore(model: &Path, search: &str, more: &[&str]) -> Result<Explored, String> {
    let mut arguments: Vec<&OsStr> = vec![OsStr::new("explore"), model.as_os_str()];
    arguments.extend(["--search", search, "--reduction", "none", "--format", "json"].map(OsStr::new));
    arguments.extend(more.iter().map(OsStr::new));
    let answer = run(arguments);
    if !answer.is_orderly() {
        return Err(format!("it broke down: {answer}"));
    }
    let json = answer.json()?;
    let number = |name: &str| json[name].as_u64().ok_or_else(|| format!("no number `{name}`\n{answer}"));
    if json["complete"] != Value::Bool(true) {
        return Err(format!("not complete: {answer}"));
    }
    Ok(Explored {
        states: number("states")?,
        transitions: number("transitions")?,
        deadlocks: number("deadlocks")?,
        failed_assertions: number("assertion_violations")?,
        runtime_errors: number("errors")?,
        seconds: json["seconds"].as_f64().unwrap_or(0.0),
    })
}

/// What `check` says of one property.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// Whether it holds.
    pub verdict: Verdict,
    /// What is wrong, or why it is not known.
    pub reason: String,
}

impl Checked {
    /// What there was not enough of to decide it, if that is why it is not known.
    pub fn shortage(&self) -> Option<&str> {
        let is_short = self.verdict == Verdict::Incomplete && self.reason.contains("limit of");
        is_short.then_some(&*self.reason)
    }
}

/// Checks one property of a model. The error says what went wrong.
pub fn check(model: &Path, property: &str, more: &[&str]) -> Result<Checked, String> {
    let mut arguments: Vec<&OsStr> = vec![OsStr::new("check"), model.as_os_str()];
    arguments.extend(["--property", property, "--format", "json"].map(OsStr::new));
    arguments.extend(more.iter().map(OsStr::new));
    let answer = run(arguments);
    if !answer.is_orderly() {
        return Err(format!("it broke down: {answer}"));
    }
    let json = answer.json()?;
    let result = &json["properties"][0];
    let verdicts = [Verdict::Holds, Verdict::Violated, Verdict::Incomplete];
    let verdict = verdicts.into_iter().find(|verdict| result["verdict"] == verdict.to_string());
    Ok(Checked {
        verdict: verdict.ok_or_else(|| format!("no verdict\n{answer}"))?,
        reason: result["reason"].as_str().unwrap_or_default().to_owned(),
    })
}

/// The properties of a model that are violated; all others hold, or the error says what else became of them.
pub fn violated(model: &Path, more: &[&str]) -> Result<Vec<String>, String> {
    let mut violated = Vec::new();
    for (name, verdict) in verdicts(model, more)? {
        match &*verdict {
            "violated" => violated.push(name),
            "holds" => {}
            other => return Err(format!("{name}: {other}")),
        }
    }
    Ok(violated)
}

/// The properties of a model, in order, each with its verdict.
pub fn verdicts(model: &Path, more: &[&str]) -> Result<Vec<(String, String)>, String> {
    let mut arguments: Vec<&OsStr> = vec![OsStr::new("check"), model.as_os_str()];
    arguments.extend(["--format", "json"].iter().chain(more).map(OsStr::new));
    let answer = run(arguments);
    if !answer.is_orderly() {
        return Err(format!("it broke down: {answer}"));
    }
    let json = answer.json()?;
    let properties = json["properties"].as_array().ok_or_else(|| format!("no properties\n{answer}"))?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(properties.iter().map(|property| (text(&property["name"]), text(&property["verdict"]))).collect())
}

/// `$STUBBORN_BIN`, or what `cargo build --release -p stubborn-cli` builds, which is then built once.
pub fn path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| match std::env::var_os("STUBBORN_BIN") {
        Some(path) => PathBuf::from(path),
        None => build(),
    })
}

fn build() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--release", "--quiet", "-p", "stubborn-cli", "--message-format", "json"]);
    let output =
        command.current_dir(workspace::root()).stderr(Stdio::inherit()).output().expect("cargo starts");
    assert!(output.status.success(), "the binary does not build");
    let messages = String::from_utf8_lossy(&output.stdout);
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut executables = artifacts.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    executables.next_back().expect("cargo names the executable it built")
}
