//! The commands as scripts see them: JSON fields, exit codes, what goes where.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", self.stdout, self.stderr))
    }
}

/// Runs a command on a model in a file of its own.
fn run(name: &str, model: &str, args: &[&str]) -> Run {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, model).unwrap();
    let (command, options) = args.split_first().unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_stubborn"));
    let output = process.arg(command).arg(&path).args(options).output().unwrap();
    Run {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

const COUNTERS: &str = "\
#ifndef MAX
#define MAX 3
#endif
active [2] proctype P() {
  byte i;
end:
  do
  :: i < MAX -> i++
  od
}
";

const BROKEN: &str = "\
mtype = { red, green };
mtype light = red;
chan c = [0] of { byte };
active proctype Sender() {
  c!7
}
active proctype Receiver() {
  byte x;
  c?x;
  light = green;
  assert(x != 7);
  c?x
}
";

#[test]
fn explore_writes_the_contract() {
    let run = run("contract.pml", COUNTERS, &["explore", "--format", "json"]);
    assert_eq!((run.status, &*run.stderr), (0, ""));
    let json = run.json();
    // Two grids of 2 * MAX + 1 points: before and after the guard.
    assert_eq!((&json["states"], &json["transitions"]), (&json!(49), &json!(84)));
    assert_eq!(
        (&json["deadlocks"], &json["errors"], &json["assertion_violations"]),
        (&json!(0), &json!(0), &json!(0))
    );
    assert_eq!(
        (&json["search"], &json["reduction"], &json["language"]),
        (&json!("bfs"), &json!("none"), &json!("promela"))
    );
    assert_eq!(
        (&json["depth"], &json["complete"], &json["incomplete_reason"]),
        (&json!(12), &json!(true), &Value::Null)
    );
    assert!(json["model"].as_str().unwrap().ends_with("contract.pml"));
    for field in ["seconds", "peak_bytes", "bytes_per_state"] {
        assert!(json[field].as_f64().unwrap() > 0.0, "{field}");
    }
}

#[test]
fn options_of_explore() {
    let states = |name, args: &[&str]| run(name, COUNTERS, args).json()["states"].clone();
    assert_eq!(states("d.pml", &["explore", "--format", "json", "-D", "MAX=5"]), 121);
    assert_eq!(states("d2.pml", &["explore", "--format", "json", "-DMAX=1", "--search", "dfs"]), 9);
    let run = run("m.pml", COUNTERS, &["explore", "-DMAX=200", "--memory", "1M", "--format", "json"]);
    assert_eq!(run.status, 3);
    assert_eq!(run.json()["complete"], false);
    assert_eq!(run.json()["incomplete_reason"], "the memory limit of 1.0 MiB was reached");
}

#[test]
fn a_violation_comes_with_its_trail() {
    let run = run("broken.pml", BROKEN, &["check", "--format", "json"]);
    assert_eq!(run.status, 1);
    let json = run.json();
    let [deadlock, assertions] = &json["properties"].as_array().unwrap()[..] else { panic!("{json}") };
    assert_eq!(
        (&deadlock["name"], &deadlock["kind"], &deadlock["verdict"]),
        (&json!("deadlock"), &json!("deadlock"), &json!("violated"))
    );
    assert_eq!(deadlock["trail"]["prefix"], 3);
    assert_eq!(
        (&assertions["name"], &assertions["kind"], &assertions["verdict"]),
        (&json!("assertions"), &json!("assertion"), &json!("violated"))
    );
    assert_eq!(
        (&assertions["search"], &assertions["reduction"], &assertions["proviso"]),
        (&json!("bfs"), &json!("stubborn:beam"), &json!("scc"))
    );
    let trail = &assertions["trail"];
    assert_eq!((&trail["prefix"], &trail["cycle"]), (&json!(3), &json!(0)));
    let steps = trail["steps"].as_array().unwrap();
    let [rendezvous, assignment, assertion] = &steps[..] else { panic!("{trail}") };
    assert_eq!(
        (&rendezvous["process"], &rendezvous["pid"], &rendezvous["line"]),
        (&json!("Sender"), &json!(0), &json!(5))
    );
    assert_eq!(
        (&rendezvous["partner"]["process"], &rendezvous["partner"]["pid"], &rendezvous["partner"]["line"]),
        (&json!("Receiver"), &json!(1), &json!(9))
    );
    assert_eq!(rendezvous["changes"], json!([{ "name": "Receiver(1):x", "from": 0, "to": 7 }]));
    assert_eq!(assignment["changes"], json!([{ "name": "light", "from": "red", "to": "green" }]));
    assert_eq!(assignment["partner"], Value::Null);
    assert_eq!((&assertion["process"], &assertion["pid"]), (&json!("Receiver"), &json!(1)));
    assert_eq!((&assertion["line"], &assertion["column"]), (&json!(11), &json!(3)));
    assert_eq!(assertion["end_line"], 11);
    assert!(assertion["file"].as_str().unwrap().ends_with("broken.pml"));
    assert!(assertion["text"].as_str().unwrap().starts_with("assert"));
}

#[test]
fn exit_codes_of_check() {
    assert_eq!(run("holds.pml", COUNTERS, &["check"]).status, 0);
    assert_eq!(run("one.pml", BROKEN, &["check", "--property", "assertions"]).status, 1);
    assert_eq!(run("unknown.pml", BROKEN, &["check", "--property", "nonsense"]).status, 2);
    assert_eq!(run("option.pml", BROKEN, &["check", "--nonsense"]).status, 2);
    assert_eq!(
        run("slow.pml", COUNTERS, &["check", "-DMAX=200", "--memory", "1M", "--reduction", "none"]).status,
        3
    );
    let ltl = format!("{COUNTERS}\nltl p {{ [] true }}\nltl q {{ <> false }}\n");
    let run = run("ltl.pml", &ltl, &["check", "--format", "json"]);
    assert_eq!(run.status, 1);
    let properties = &run.json()["properties"];
    for (property, name, verdict) in [(2, "p", "holds"), (3, "q", "violated")] {
        let p = &properties[property];
        assert_eq!((&p["name"], &p["kind"], &p["verdict"]), (&json!(name), &json!("ltl"), &json!(verdict)));
    }
}

#[test]
fn errors_go_to_stderr() {
    let syntax = run("syntax.pml", "active proctype P() { x = ; }\n", &["check", "--format", "json"]);
    assert_eq!((syntax.status, &*syntax.stdout), (2, ""));
    assert!(syntax.stderr.contains("syntax.pml:1:"), "{}", syntax.stderr);
    let mut missing = Command::new(env!("CARGO_BIN_EXE_stubborn"));
    let missing = missing.args(["explore", "no/such/file.pml"]).output().unwrap();
    assert_eq!((missing.status.code(), missing.stdout.len()), (Some(2), 0));
    let message = String::from_utf8(missing.stderr).unwrap();
    assert!(message.starts_with("error: cannot read no/such/file.pml: "), "{message}");
    assert_eq!(message.lines().count(), 1);
}

#[test]
fn people_get_a_summary_without_escape_codes_in_a_pipe() {
    let explore = run("people.pml", COUNTERS, &["explore"]);
    assert!(explore.stdout.contains(": complete, 49 states, 84 transitions, depth 12"), "{}", explore.stdout);
    let check = run("people2.pml", BROKEN, &["check"]);
    assert!(check.stdout.contains("Sender(0) → Receiver(1)"), "{}", check.stdout);
    assert!(check.stdout.contains("light: red → green"), "{}", check.stdout);
    assert!(check.stdout.contains("Receiver(1) waits at line 12"), "{}", check.stdout);
    assert!(check.stdout.lines().last().unwrap().contains(": 2 violated; "), "{}", check.stdout);
    assert!(!explore.stdout.contains('\x1b') && !check.stdout.contains('\x1b'));
}

#[test]
fn a_deadlock_is_told_with_what_everybody_waits_for() {
    const FULL: &str = "chan c = [1] of { byte };
        active proctype P() { byte i; for (i : 1 .. 2) { c!i } }
        active proctype Q() { c?5 }";
    let check = run("full.pml", FULL, &["check"]);
    for told in ["  i = 1  ", "P(0) waits at line 2", "c!i  c is full", "c?5  c = [1]"] {
        assert!(check.stdout.contains(told), "{told}: {}", check.stdout);
    }
}

#[test]
fn a_search_with_a_direction_is_for_states() {
    const TURNING: &str = "bit x;
        active proctype P() { do :: x = 1 - x od }
        ltl stays { <> [] (x == 1) }
        ltl zero { [] (x == 0) }";
    let refused = run("turning.pml", TURNING, &["check", "--search", "a-star", "--property", "stays"]);
    assert_eq!((refused.status, &*refused.stdout), (2, ""));
    assert!(refused.stderr.contains("no single state violates it"), "{}", refused.stderr);
    let found = run("turning2.pml", TURNING, &["check", "--search", "a-star", "--property", "zero"]);
    assert_eq!(found.status, 1, "{}", found.stdout);
}

#[test]
fn the_same_answer_every_time() {
    let answer = || {
        let mut json = run("same.pml", BROKEN, &["check", "--search", "dfs", "--format", "json"]).json();
        for property in json["properties"].as_array_mut().unwrap() {
            property["seconds"] = Value::Null;
        }
        json
    };
    assert_eq!(answer(), answer());
}
