//! `stubborn simulate` as scripts and people see it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

struct Run {
    status: i32,
    stdout: String,
    stderr: String,
}

fn run(name: &str, model: &str, args: &[&str], input: &str) -> Run {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, model).unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_stubborn"));
    process.arg("simulate").arg(&path).args(args).env("NO_COLOR", "1");
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = process.spawn().unwrap();
    // It may have ended before it reads.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

const PRINTS: &str = "\
mtype = { red, green };
mtype light = green;
active proctype P() { int x = -1; printf(\"%d %u %x %o %c %e 100%% \\\"\\t|\\n\", x, x, 255, 8, 65, light) }
active proctype Q() { d_step { printf(\"a\"); printm(light) }; printf(\"b\\n\") }
";

#[test]
fn what_is_printed_is_shown_as_spin_shows_it() {
    let run = run("prints.pml", PRINTS, &[], "");
    assert_eq!((run.status, &*run.stderr), (0, ""));
    assert!(run.stdout.contains("      -1 4294967295 ff 10 A green 100% \"\t|\n"), "{}", run.stdout);
    assert!(run.stdout.contains("          a          green\n"), "{}", run.stdout);
    assert!(
        run.stdout.ends_with("5 steps: the end: nothing can move, and nothing has to\n"),
        "{}",
        run.stdout
    );
}

const RACE: &str = "\
byte x;
active proctype A() { do :: x < 200 -> x++ :: x > 0 -> x-- od }
active proctype B() { x == 3; assert(false) }
";

#[test]
fn the_same_seed_is_the_same_run() {
    let of = |seed: &str| run("race.pml", RACE, &["--seed", seed, "--steps", "300", "--format", "json"], "");
    let runs = [of("5"), of("5"), of("6")];
    assert_eq!(runs[0].stdout, runs[1].stdout);
    let steps = |run: &Run| serde_json::from_str::<Value>(&run.stdout).unwrap()["trail"]["steps"].clone();
    assert_ne!(steps(&runs[0]), steps(&runs[2]));
}

#[test]
fn a_violation_ends_a_run() {
    let run = run("violation.pml", RACE, &["--seed", "3", "--format", "json"], "");
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (run.status, &json["ended"], &json["reason"]),
        (1, &"violation".into(), &"assertion violated".into())
    );
    let steps = json["trail"]["steps"].as_array().unwrap();
    assert_eq!(steps.last().unwrap()["text"], "assert(false)");
    assert_eq!(json["trail"]["prefix"], steps.len());
    assert!(steps.iter().all(|step| step["matters"] == false));
}

#[test]
fn enough_is_enough() {
    let run = run("enough.pml", RACE, &["--steps", "2"], "");
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("2 steps: as many as were asked for"), "{}", run.stdout);
}

const CHOICE: &str = "byte x;\nactive proctype P() { if :: x = 1 :: x = 2 fi; assert(x == 1) }\n";

#[test]
fn somebody_chooses_goes_back_and_chooses_again() {
    let run = run("choice.pml", CHOICE, &["--interactive"], "2\nu\n1\n1\n1\nq\n");
    assert_eq!(run.status, 0, "{}", run.stdout);
    let told: Vec<&str> = run.stdout.lines().filter(|line| line.contains(" → ")).collect();
    assert_eq!(told.len(), 2, "{}", run.stdout);
    assert!(told[0].contains("x: 0 → 2") && told[1].contains("x: 0 → 1"));
    assert!(run.stdout.contains("  [2]  P(0)"), "{}", run.stdout);
    assert!(run.stdout.contains("nothing to choose: the run is over"));
    assert!(
        run.stdout.ends_with("3 steps: the end: nothing can move, and nothing has to\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_choice_can_go_wrong_and_be_taken_back() {
    let wrong = run("wrong.pml", CHOICE, &["--interactive"], "2\n1\n");
    assert_eq!(wrong.status, 1);
    assert!(wrong.stdout.ends_with("2 steps: assertion violated\n"), "{}", wrong.stdout);
    let back = run("back.pml", CHOICE, &["--interactive"], "7\nu\n2\n1\nu\nu\nq\n");
    assert_eq!(back.status, 0);
    assert!(back.stdout.contains("no such choice") && back.stdout.contains("there is no step to take back"));
    assert!(back.stdout.ends_with("0 steps: quit\n"), "{}", back.stdout);
}

#[test]
fn a_program_can_choose() {
    let run = run("program.pml", CHOICE, &["-i", "--format", "json"], "1\nq\n");
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&json["ended"], json["trail"]["steps"].as_array().unwrap().len()), (&"quit".into(), 1));
    assert!(run.stderr.contains("[1]"), "{}", run.stderr);
}
