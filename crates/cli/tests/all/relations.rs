//! `stubborn relations` as scripts and people see it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

const MODEL: &str = "\
byte x;
chan c = [2] of { byte };
chan r = [0] of { byte };

active proctype A() {
  x++;
  c!1;
  r!2
}
active proctype B() {
  byte y;
  x++;
  c?y;
  r?y;
  x == 1;
  if
  :: x > 3 -> y = 1
  :: else -> y = 2
  fi;
  assert(y > 0)
}
active proctype L() {
  do
  :: x++
  od
}
active [2] proctype M() {
  byte z;
  do
  :: z < 5 -> z++
  od
}
active proctype Q() {
  atomic { x = 7; run R(3) }
}
proctype R(byte n) {
  n > 1
}
";

fn write(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("relations-{name}"));
    std::fs::write(&path, text).unwrap();
    path
}

fn relations(model: &Path, args: &[&str]) -> Output {
    let mut process = Command::new(env!("CARGO_BIN_EXE_stubborn"));
    process.arg("relations").arg(model).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// What is told of the only statement at a place of [`MODEL`].
fn at(name: &str, place: &str) -> Value {
    let output = relations(&write(name, MODEL), &["--at", place, "--format", "json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let [statement] = &json["statements"].as_array().unwrap()[..] else { panic!("{json}") };
    statement.clone()
}

/// `Process line:column` of statements.
fn places(statements: &Value) -> Vec<String> {
    let place = |s: &Value| format!("{} {}:{}", s["process"].as_str().unwrap(), s["line"], s["column"]);
    statements.as_array().unwrap().iter().map(place).collect()
}

#[test]
fn increments_accord_and_a_comparison_does_not() {
    let increment = at("increment.pml", "6:4");
    assert_eq!((&increment["text"], &increment["process"]), (&json!("x++"), &json!("A")));
    let at_6_3 = (&increment["line"], &increment["column"]);
    assert_eq!(at_6_3, (&json!(6), &json!(3)));
    assert_eq!(places(&increment["does_not_accord"]), ["B 15:3", "B 17:6", "B 18:6", "Q 34:12"]);
    let comparison = &increment["does_not_accord"][0];
    assert_eq!((&comparison["reason"], &comparison["name"]), (&json!("shared"), &json!("x")));
    assert_eq!((&comparison["here"], &comparison["there"]), (&json!("writes"), &json!("tests")));
    assert_eq!(comparison["whose"], "other");
    assert_eq!((&increment["reads"], &increment["writes"]), (&json!([]), &json!(["x", "A[0]'s location"])));
    assert_eq!((&increment["basis"], &increment["pids"]), (&json!("initial"), &json!([0])));
}

#[test]
fn a_guard_tells_what_changes_it() {
    let comparison = at("guard.pml", "15:3");
    let [guard] = &comparison["guards"].as_array().unwrap()[..] else { panic!("{comparison}") };
    assert_eq!((&guard["kind"], &guard["text"]), (&json!("guard"), &json!("x == 1")));
    assert_eq!(guard["variables"], json!(["x"]));
    // What sets x to 7 cannot make it 1.
    assert_eq!(places(&guard["enabled_by"]), ["A 6:3", "B 12:3", "L 24:6"]);
    assert_eq!(places(&guard["disabled_by"]), ["A 6:3", "B 12:3", "L 24:6", "Q 34:12"]);
    assert_eq!(guard["enabled_by"][1]["whose"], "same");
    assert_eq!((&comparison["steps_to_assertion"], &comparison["steps_to_end"]), (&json!(4), &json!(4)));
}

#[test]
fn a_send_and_a_receive_accord() {
    let send = at("send.pml", "7:3");
    assert_eq!(send["does_not_accord"], json!([]));
    assert_eq!(
        (&send["channel"]["operation"], &send["channel"]["rendezvous"]),
        (&json!("send"), &json!("no"))
    );
    assert_eq!(send["channel"]["channels"], json!(["c"]));
    let [room] = &send["guards"].as_array().unwrap()[..] else { panic!("{send}") };
    assert_eq!(places(&room["enabled_by"]), ["B 13:3"]);
    assert_eq!(places(&room["disabled_by"]), ["A 7:3"]);
    let receive = at("receive.pml", "13:3");
    assert_eq!(
        (&receive["does_not_accord"], &receive["writes"]),
        (&json!([]), &json!(["c", "B[1]'s location", "B[1].y"]))
    );
}

#[test]
fn a_rendezvous_has_its_partner() {
    let send = at("rendezvous.pml", "8:3");
    assert_eq!(
        (&send["channel"]["rendezvous"], &send["channel"]["channels"]),
        (&json!("always"), &json!(["r"]))
    );
    assert_eq!(places(&send["channel"]["partners"]), ["B 14:3"]);
    assert_eq!(places(&send["does_not_accord"]), ["B 14:3"]);
    assert_eq!(send["does_not_accord"][0]["reason"], "rendezvous");
}

#[test]
fn else_reads_what_its_siblings_do() {
    let otherwise = at("else.pml", "18:6");
    assert_eq!(otherwise["reads"], json!(["x"]));
    assert_eq!(places(&otherwise["never_with"]), ["B 17:6"]);
    assert_eq!(places(&otherwise["does_not_accord"]), ["A 6:3", "L 24:6", "Q 34:12"]);
    let guard = &otherwise["guards"][0];
    assert_eq!((&guard["kind"], &guard["text"]), (&json!("otherwise"), &json!("not possible: x > 3")));
}

#[test]
fn sticky_statements() {
    let wraps = at("wraps.pml", "24:6");
    assert_eq!((&wraps["sticky"], &wraps["sticky_reason"]), (&json!(true), &json!("on-cycle")));
    for place in ["30:6", "30:15"] {
        let grows = at("grows.pml", place);
        assert_eq!((&grows["sticky"], &grows["sticky_reason"]), (&json!(false), &Value::Null), "{place}");
        assert_eq!((&grows["pids"], &grows["does_not_accord"]), (&json!([3, 4]), &json!([])), "{place}");
    }
    assert_eq!(at("local.pml", "30:6")["reads"], json!(["M[_pid].z"]));
    assert_eq!(at("runs.pml", "34:20")["sticky_reason"], "creates-process");
}

#[test]
fn an_atomic_run_adds_to_its_first_statement() {
    let first = at("atomic.pml", "34:12");
    assert_eq!(first["sticky_reason"], "in-run");
    assert_eq!(places(&first["atomic_run"]["contains"]), ["Q 34:19"]);
    assert_eq!(first["atomic_run"]["writes"], json!(["number of processes"]));
    assert_eq!(places(&at("inside.pml", "34:19")["inside_runs_of"]), ["Q 34:12"]);
}

#[test]
fn a_process_that_is_created_later() {
    let guard = at("created.pml", "37:3");
    assert_eq!((&guard["basis"], &guard["pids"]), (&json!("created"), &json!([])));
    assert_eq!(guard["reads"], json!(["R[_pid].n"]));
}

#[test]
fn no_statement_there() {
    let model = write("nowhere.pml", MODEL);
    for (place, expected) in [
        ("1:2", "the nearest is `x++` at 6:3"),
        ("99:1", "is outside the text"),
        ("x.h:1:1", "the model does not include x.h"),
    ] {
        let output = relations(&model, &["--at", place]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{place}");
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
    assert_eq!(relations(&model, &["--at", "6"]).status.code(), Some(2));
}

#[test]
fn statements_are_listed_in_order() {
    let model = write("list.pml", MODEL);
    let output = relations(&model, &[]);
    assert!(output.status.success());
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert!(lines[0].starts_with("6:3 ") && lines[0].ends_with(" x++"), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.ends_with(" x++")).count(), 3);
    let json: Value = serde_json::from_slice(&relations(&model, &["--format", "json"]).stdout).unwrap();
    assert_eq!(json["statements"].as_array().unwrap().len(), lines.len());
    assert_eq!((&json["no_reduction"], &json["language"]), (&Value::Null, &json!("promela")));
}

#[test]
fn a_statement_of_an_inline_is_as_many_as_it_is_used() {
    let included = write("inlines.h", "inline twice() {\n  x++\n}\n");
    let name = included.file_name().unwrap().to_str().unwrap();
    let model = format!("#include \"{name}\"\nbyte x;\nactive proctype P() {{ twice(); twice() }}\n");
    let model = write("inlines.pml", &model);
    let output = relations(&model, &["--at", &format!("{name}:2:3"), "--format", "json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let statements = json["statements"].as_array().unwrap();
    assert_eq!(statements.iter().map(|s| &s["text"]).collect::<Vec<_>>(), ["x++", "x++"]);
    assert!(statements.iter().all(|s| s["file"].as_str().unwrap().ends_with(name)));
}

#[test]
fn people_are_told_in_sentences() {
    let output = relations(&write("people.pml", MODEL), &["--at", "15:3"]);
    let told = text(&output.stdout);
    assert!(told.contains("L 24:6  x++: x, which this tests and the other writes"), "{told}");
    assert!(told.contains("4 steps to an assertion") && !told.contains('\x1b'), "{told}");
    let priorities = "byte x;\nactive proctype P() priority 3 { x = 1 }\n";
    let output = relations(&write("priorities.pml", priorities), &["--at", "2:36"]);
    assert!(text(&output.stdout).contains("no reduction can be used on this model: "), "{output:?}");
}
