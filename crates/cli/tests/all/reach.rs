//! `--reach`: a state by an expression of the model's language, in each of the languages.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

/// Runs a command on a model that is shipped with the project.
fn run(model: &str, args: &[&str]) -> Run {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/models");
    run_on(&models.join(model), args)
}

/// Runs it on a text in a file of its own.
fn run_text(name: &str, text: &str, args: &[&str]) -> Run {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    run_on(&path, args)
}

fn run_on(path: &Path, args: &[&str]) -> Run {
    let (command, options) = args.split_first().unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_stubborn"));
    let output = process.arg(command).arg(path).args(options).env("NO_COLOR", "1").output().unwrap();
    Run {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Whether a state is reached where the expression is true, and in how many steps.
fn check(name: &str, text: &str, goal: &str, steps: Option<usize>) {
    let run = run_text(name, text, &["check", "--reach", goal, "--format", "json"]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {}", run.stderr));
    let [result] = json["properties"].as_array().unwrap().as_slice() else { panic!("{json}") };
    assert_eq!(result["name"], json!(format!("never {goal}")));
    match steps {
        Some(steps) => {
            assert_eq!((run.status, &result["verdict"]), (1, &json!("violated")), "{goal}: {json}");
            assert_eq!(result["trail"]["steps"].as_array().unwrap().len(), steps, "{goal}: {json}");
        }
        None => assert_eq!((run.status, &result["verdict"]), (0, &json!("holds")), "{goal}: {json}"),
    }
}

const PROMELA: &str = "\
#define HIGH 3
byte x;
active [2] proctype P() { do :: x < HIGH -> x++ od }
active proctype Q() { x == HIGH; done: x = 9 }
";

#[test]
fn promela() {
    check("reach.pml", PROMELA, "x == 0", Some(0));
    check("reach.pml", PROMELA, "x == HIGH && !Q@done", Some(6));
    check("reach.pml", PROMELA, "Q@done", Some(7));
    // Both processes pass the guard at 2.
    check("reach.pml", PROMELA, "x == HIGH + 1", Some(8));
    check("reach.pml", PROMELA, "x > 10", None);
}

const DVE: &str = "\
byte x;
process P { state a, b; init a; trans a -> b { guard x < 3; effect x = x + 1; }, b -> a {}; }
process Q { state a, b; init a; trans a -> b { guard x < 3; effect x = x + 1; }, b -> a {}; }
system async;
";

#[test]
fn dve() {
    check("reach.dve", DVE, "P.b + Q.b > 1", Some(2));
    check("reach.dve", DVE, "x == 3 and P.a and Q.a", Some(6));
    check("reach.dve", DVE, "x > 3", None);
}

const HELENA: &str = "\
reach {
  type num: range 0 .. 5;
  place p { dom: num; init: <(0)>; }
  transition step { in { p: <(n)>; } out { p: <(n + 1)>; } guard: n < 5; }
}
";

#[test]
fn helena() {
    check("reach.lna", HELENA, "exists (t in p | t->1 = 4)", Some(4));
    check("reach.lna", HELENA, "p'card = 2", None);
}

#[test]
fn pnml() {
    let run = run("pnml/philosophers/model.pnml", &["check", "--reach", "deadlock"]);
    assert_eq!(run.status, 1, "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_bad_expression_has_a_place() {
    let check = |name: &str, text: &str, goal: &str, place: &str, message: &str| {
        for command in ["check", "trail"] {
            let run = run_text(name, text, &[command, "--reach", goal]);
            assert_eq!((run.status, &*run.stdout), (2, ""), "{goal}");
            assert!(run.stderr.contains(&format!("--reach:{place}")), "{goal}: {}", run.stderr);
            assert!(run.stderr.contains(message), "{goal}: {}", run.stderr);
        }
    };
    check("bad.pml", PROMELA, "x == 3 && y", "1:11", "`y` is not declared");
    check("bad.pml", PROMELA, "x == ", "1:", "");
    check("bad.dve", DVE, "P.nowhere", "1:3", "nowhere");
    check("bad.dve", DVE, "x = 3", "1:3", "");
    check("bad.lna", HELENA, "q'card = 1", "1:1", "q");
}

#[test]
fn other_properties_are_checked_if_they_are_named() {
    let args = ["check", "--reach", "x == 0", "--property", "assertions", "--format", "json"];
    let run = run_text("named.pml", PROMELA, &args);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    let names: Vec<&Value> = json["properties"].as_array().unwrap().iter().map(|p| &p["name"]).collect();
    assert_eq!(names, [&json!("assertions"), &json!("never x == 0")]);
}

#[test]
fn a_trail_leads_there() {
    let run = run_text("trail.dve", DVE, &["trail", "--reach", "x == 2"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.contains("never x == 2"), "{}", run.stdout);
}
