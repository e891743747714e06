//! What goes wrong while a model runs is reported as a violation, at the statement that failed.
//!
//! `pan`'s own behaviour after these errors is undefined, so they are not part of the differential suite.

use std::fs;

use serde_json::Value;
use stubborn_tests::binary;
use stubborn_tests::workspace;

/// Checks a shipped model; the violated property of the kind, as JSON, and the line marked `fails here`.
fn violated(model: &str, kind: &str) -> (Value, u64) {
    let path = workspace::model(model);
    let answer = binary::run(["check", &path.to_string_lossy(), "--format", "json"]);
    assert_eq!(answer.status, Some(1), "{answer}");
    let json = answer.json().unwrap_or_else(|error| panic!("{error}"));
    let properties = json["properties"].as_array().expect("a list of properties");
    let is_wanted = |property: &&Value| property["verdict"] == "violated" && property["kind"] == kind;
    let property =
        properties.iter().find(is_wanted).unwrap_or_else(|| panic!("no {kind} is violated: {answer}"));
    let text = fs::read_to_string(path).expect("the model is shipped");
    let line = text.lines().position(|line| line.contains("fails here")).map_or(0, |line| line as u64 + 1);
    (property.clone(), line)
}

/// The model fails at the marked line, and the reason says why.
fn check(model: &str, kind: &str, why: &str) {
    let (property, line) = violated(model, kind);
    let steps = property["trail"]["steps"].as_array().expect("a trail with steps");
    let last = steps.last().expect("a trail that ends somewhere");
    assert_eq!(last["line"], line, "{property:#}");
    assert!(last["file"].as_str().is_some_and(|file| file.ends_with(model)), "{property:#}");
    let reason = property["reason"].as_str().unwrap_or_default();
    assert!(reason.contains(why), "the reason `{reason}` should contain `{why}`");
}

#[test]
fn assertion_violated() {
    check("assertion.pml", "assertion", "assert");
}

#[test]
fn invalid_end_state() {
    let (property, _) = violated("invalid_end_state.pml", "deadlock");
    assert_eq!(property["trail"]["prefix"], 0, "nobody can move: {property:#}");
}

#[test]
fn index_out_of_bounds() {
    check("index_out_of_bounds.pml", "assertion", "index");
}

#[test]
fn division_by_zero() {
    check("division_by_zero.pml", "assertion", "zero");
}

#[test]
fn d_step_that_blocks() {
    check("d_step_blocks.pml", "assertion", "d_step");
}

#[test]
fn too_many_processes() {
    check("too_many_processes.pml", "assertion", "processes");
}

#[test]
fn send_on_an_uninitialised_channel() {
    check("uninitialised_channel.pml", "assertion", "channel");
}
