//! What surrounds a check: results for reviews, checking again on change, completions, manual pages, the version.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use stubborn_tests::binary::{self, Answer};
use stubborn_tests::workspace;

/// Nothing here takes as long; a program that hangs shall not.
const PATIENCE: Duration = Duration::from_secs(60);

fn sarif(answer: &Answer) -> Vec<Value> {
    let log = answer.json().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "Stubborn");
    let id = run["automationDetails"]["id"].as_str().expect("files of several models are told apart");
    assert!(id.starts_with("stubborn/") && id.ends_with(".pml/"), "{id}");
    let results = run["results"].as_array().expect("a list of results").clone();
    for result in &results {
        let rules = run["tool"]["driver"]["rules"].as_array().expect("a list of rules");
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result:#}");
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{result:#}");
        for location in result["locations"].as_array().expect("places") {
            let region = &location["physicalLocation"]["region"];
            assert!(region["startLine"].as_u64().is_some_and(|line| line > 0), "{result:#}");
        }
    }
    results
}

fn check_sarif(model: &str, more: &[&str]) -> Answer {
    let path = workspace::model(model);
    let path = path.to_string_lossy();
    let arguments = ["check", &path, "--format", "sarif"].into_iter().chain(more.iter().copied());
    binary::run(arguments.collect::<Vec<_>>())
}

#[test]
fn a_violation_is_a_result_with_its_trail() {
    let answer = check_sarif("broken_mutex.pml", &[]);
    assert_eq!(answer.status, Some(1), "{answer}");
    let results = sarif(&answer);
    assert_eq!(results.len(), 1, "{answer}");
    let result = &results[0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"assertion".into(), &"error".into()));
    let place = &result["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().expect("a reference");
    assert!(uri.starts_with("file:///") && uri.ends_with("/broken_mutex.pml"), "{uri}");
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("steps");
    assert_eq!(steps.len(), 7);
    let last = &steps[6]["location"];
    assert_eq!(last["physicalLocation"]["region"], place["region"], "the trail ends where it fails");
}

#[test]
fn what_holds_has_no_results_and_what_is_not_known_has() {
    let answer = check_sarif("peterson.pml", &[]);
    assert_eq!(answer.status, Some(0), "{answer}");
    assert!(sarif(&answer).is_empty(), "{answer}");
    let answer =
        check_sarif("peterson.pml", &["--store", "bitstate", "--memory", "64M", "--property", "deadlock"]);
    assert_eq!(answer.status, Some(3), "{answer}");
    let results = sarif(&answer);
    assert_eq!((&results[0]["ruleId"], &results[0]["level"]), (&"incomplete".into(), &"note".into()));
}

#[test]
fn a_goal_on_the_command_line_is_told_of_in_the_model() {
    let answer = check_sarif("broken_mutex.pml", &["--reach", "inside == 2"]);
    assert_eq!(answer.status, Some(1), "{answer}");
    let uri = &sarif(&answer)[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(uri.as_str().is_some_and(|uri| uri.ends_with("/broken_mutex.pml")), "{uri}");
}

#[test]
fn errors_of_a_model_are_results() {
    let file = Scratch::new("errors", "active proctype P() { x = 1 }");
    let answer = binary::run(["check", &file.name(), "--format", "sarif"]);
    assert_eq!(answer.status, Some(2), "{answer}");
    assert!(sarif(&answer).iter().any(|result| result["level"] == "error"), "{answer}");
}

#[test]
fn a_model_is_checked_again_when_it_changes() {
    let file = Scratch::new("watch", "byte x; active proctype P() { x = 1; assert(x == 1) }");
    let mut watching = Watching::of(&file);
    assert_eq!(watching.verdict("assertion"), "holds");
    file.write("byte x; active proctype P() { x = 1; assert(x == 2) }");
    assert_eq!(watching.verdict("assertion"), "violated");
    // A text with errors gives no results, and nothing is over.
    file.write("byte x; active proctype P() { x = ");
    file.write("byte x; active proctype P() { x = 2; assert(x == 2) }");
    assert_eq!(watching.verdict("assertion"), "holds");
}

#[test]
fn a_check_that_is_running_gives_way_to_a_change() {
    // Far too large to end.
    let endless = "int x, y; active proctype P() { do :: x++ :: y++ :: x == y -> skip od }";
    let file = Scratch::new("restart", endless);
    let mut watching = Watching::of(&file);
    thread::sleep(Duration::from_millis(300));
    file.write("active proctype P() { assert(false) }");
    assert_eq!(watching.verdict("assertion"), "violated");
}

#[test]
fn every_shell_can_complete() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let answer = binary::run(["completions", shell]);
        assert_eq!(answer.status, Some(0), "{answer}");
        assert!(answer.output.contains("shorten-budget"), "{shell}: {answer}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let answer = binary::run(["man"]);
    assert!(answer.status == Some(0) && answer.output.contains(".TH stubborn 1"), "{answer}");
    let folder = std::env::temp_dir().join(format!("stubborn-man-{}", std::process::id()));
    let answer = binary::run([std::ffi::OsStr::new("man"), folder.as_os_str()]);
    assert_eq!(answer.status, Some(0), "{answer}");
    for page in ["stubborn.1", "stubborn-check.1", "stubborn-lsp.1"] {
        assert!(folder.join(page).exists(), "{page}");
    }
    fs::remove_dir_all(&folder).expect("what was written can be removed");
}

#[test]
fn the_version_names_the_commit() {
    let answer = binary::run(["--version"]);
    let is_commit = |text: &str| text.len() == 10 && text.chars().all(|c| c.is_ascii_hexdigit());
    let commit = answer.output.trim().strip_suffix(')').and_then(|text| text.rsplit('(').next());
    match workspace::root().join(".git").exists() {
        true => assert!(commit.is_some_and(is_commit), "{answer}"),
        false => assert!(answer.output.starts_with("stubborn "), "{answer}"),
    }
}

/// A model in a file of its own, removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        let file = format!("stubborn-{name}-{}.pml", std::process::id());
        let scratch = Scratch(std::env::temp_dir().join(file));
        scratch.write(text);
        scratch
    }

    /// Replaced at once, as editors do: nobody reads half a text.
    fn write(&self, text: &str) {
        let new = self.0.with_extension("new");
        fs::write(&new, text).expect("temporary files can be written");
        fs::rename(&new, &self.0).expect("temporary files can be renamed");
    }

    fn name(&self) -> String {
        self.0.display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The program, checking again and again.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn of(file: &Scratch) -> Self {
        let mut child = Command::new(binary::path())
            .args(["check", &file.name(), "--watch", "--format", "json"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", binary::path().display()));
        let output = BufReader::new(child.stdout.take().expect("it was asked for"));
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Watching { child, lines }
    }

    /// What the next results say of a kind of property.
    fn verdict(&mut self, kind: &str) -> String {
        let line = self.lines.recv_timeout(PATIENCE).expect("results are written in time");
        let json: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let properties = json["properties"].as_array().expect("properties");
        let property = properties.iter().find(|property| property["kind"] == kind);
        property.and_then(|property| property["verdict"].as_str()).expect("a verdict").to_owned()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
