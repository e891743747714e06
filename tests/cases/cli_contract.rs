//! The command line and its JSON are a contract: fields are added, never renamed.

use serde_json::Value;
use stubborn_tests::binary::{self, Answer};
use stubborn_tests::workspace;

fn on_model(command: &str, model: &str, more: &[&str]) -> Answer {
    let path = workspace::model(model);
    let path = path.to_string_lossy();
    let arguments = [command, &path].into_iter().chain(more.iter().copied());
    binary::run(arguments.collect::<Vec<_>>())
}

fn json(answer: &Answer) -> Value {
    answer.json().unwrap_or_else(|error| panic!("{error}"))
}

/// A field's name and what it must be.
type Field = (&'static str, fn(&Value) -> bool);

fn has_fields(value: &Value, fields: &[Field]) {
    for (name, is_right) in fields {
        assert!(is_right(&value[*name]), "field `{name}` is {} in {value:#}", value[*name]);
    }
}

#[test]
fn explore_reports_its_numbers() {
    for search in ["bfs", "dfs"] {
        let more = [
            "--search",
            search,
            "--reduction",
            "none",
            "--memory",
            "1G",
            "--time",
            "30s",
            "--format",
            "json",
        ];
        let answer = on_model("explore", "peterson.pml", &more);
        assert_eq!(answer.status, Some(0), "{answer}");
        let json = json(&answer);
        has_fields(
            &json,
            &[
                ("model", Value::is_string),
                ("language", Value::is_string),
                ("search", Value::is_string),
                ("reduction", Value::is_string),
                ("states", Value::is_u64),
                ("transitions", Value::is_u64),
                ("deadlocks", Value::is_u64),
                ("depth", Value::is_u64),
                ("complete", Value::is_boolean),
                ("seconds", Value::is_number),
                ("peak_bytes", Value::is_u64),
                ("bytes_per_state", Value::is_number),
            ],
        );
        assert_eq!(json["language"], "promela");
        assert_eq!(json["search"], search);
        assert_eq!(json["reduction"], "none");
        assert_eq!(json["states"], 38);
        assert_eq!(json["transitions"], 64);
        assert_eq!(json["complete"], true);
    }
}

#[test]
fn bits_of_states_never_show_that_something_holds() {
    let bits = ["--store", "bitstate", "--memory", "16M", "--format", "json"];
    let answer = on_model("explore", "peterson.pml", &bits);
    assert_eq!(answer.status, Some(3), "{answer}");
    let json_of = json(&answer);
    assert_eq!((&json_of["states"], &json_of["complete"]), (&Value::from(38), &Value::from(false)));
    let fields: &[Field] = &[
        ("bits", Value::is_u64),
        ("bits_set", Value::is_u64),
        ("hash_functions", Value::is_u64),
        ("expected_omissions", Value::is_number),
        ("expected_coverage", Value::is_number),
    ];
    has_fields(&json_of["bitstate"], fields);
    let answer = on_model("check", "peterson.pml", &bits);
    assert_eq!(answer.status, Some(3), "{answer}");
    for property in json(&answer)["properties"].as_array().expect("a list") {
        assert_eq!(property["verdict"], "incomplete", "{answer}");
        assert!(
            property["reason"].as_str().is_some_and(|why| why.contains("may have been missed")),
            "{answer}"
        );
        has_fields(&property["bitstate"], fields);
    }
    for (goal, status) in [("inside == 1", 1), ("inside == 2", 3)] {
        let answer = on_model("check", "peterson.pml", &[&bits[..], &["--reach", goal]].concat());
        assert_eq!(answer.status, Some(status), "{answer}");
    }
}

#[test]
fn bits_of_states_show_violations_and_refuse_what_they_cannot_decide() {
    let bits = ["--store", "bitstate", "--memory", "16M"];
    let with = |more: &[&'static str]| [&bits[..], more].concat();
    let answer = on_model("check", "broken_mutex.pml", &with(&["--property", "assertions"]));
    assert_eq!(answer.status, Some(1), "{answer}");
    for (model, more, why) in [
        ("peterson.pml", &["--search", "bfs"][..], "breadth-first"),
        ("peterson.pml", &["--search", "a-star"], "has to keep"),
        ("peterson.pml", &["--threads", "2"], "one thread"),
        ("peterson.pml", &["--reduction", "sleep"], "more of a state than bits"),
        ("peterson.pml", &["--reduction", "stubborn", "--proviso", "scc"], "more of a state than bits"),
        (
            "claims/progress.pml",
            &["--property", "non-progress"],
            "a cycle is found among states that are kept",
        ),
    ] {
        let answer = on_model("check", model, &with(more));
        assert_eq!(answer.status, Some(2), "{answer}");
        assert!(answer.to_string().contains(why), "{answer}");
    }
}

#[test]
fn check_reports_a_trail() {
    let answer = on_model("check", "broken_mutex.pml", &["--format", "json"]);
    assert_eq!(answer.status, Some(1), "{answer}");
    let json = json(&answer);
    has_fields(
        &json,
        &[("model", Value::is_string), ("language", Value::is_string), ("properties", Value::is_array)],
    );
    let properties = json["properties"].as_array().expect("a list");
    for property in properties {
        has_fields(
            property,
            &[
                ("name", Value::is_string),
                ("kind", Value::is_string),
                ("verdict", Value::is_string),
                ("states", Value::is_u64),
                ("transitions", Value::is_u64),
                ("search", Value::is_string),
                ("reduction", Value::is_string),
                ("seconds", Value::is_number),
            ],
        );
        assert!(property.get("reason").is_some() && property.get("trail").is_some(), "{property:#}");
    }
    let violated = properties.iter().find(|p| p["kind"] == "assertion").expect("an assertion to check");
    assert_eq!(violated["verdict"], "violated");
    let trail = &violated["trail"];
    let steps = trail["steps"].as_array().expect("steps");
    assert_eq!(trail["prefix"].as_u64(), Some(steps.len() as u64));
    assert_eq!(trail["cycle"], 0);
    for step in steps {
        has_fields(
            step,
            &[
                ("process", Value::is_string),
                ("pid", Value::is_u64),
                ("file", Value::is_string),
                ("line", Value::is_u64),
                ("column", Value::is_u64),
                ("end_line", Value::is_u64),
                ("end_column", Value::is_u64),
                ("text", Value::is_string),
                ("changes", Value::is_array),
            ],
        );
        for change in step["changes"].as_array().expect("a list") {
            has_fields(change, &[("name", Value::is_string)]);
            assert!(change.get("from").is_some() && change.get("to").is_some(), "{change:#}");
        }
    }
    let changed =
        steps.iter().any(|step| step["changes"].as_array().is_some_and(|changes| !changes.is_empty()));
    assert!(changed, "some step must change something: {trail:#}");
}

#[test]
fn a_run_that_never_ends_has_a_cycle() {
    for cycles in ["scc", "nested"] {
        let model = "figures/inner_search.pml";
        let options = ["--property", "one_stops", "--cycles", cycles, "--format", "json"];
        let answer = on_model("check", model, &options);
        assert_eq!(answer.status, Some(1), "{answer}");
        let json = json(&answer);
        let property = &json["properties"][0];
        assert_eq!((&property["kind"], &property["verdict"]), (&"ltl".into(), &"violated".into()));
        assert_eq!(property["search"], "dfs");
        assert_eq!(property["reduction"], "stubborn:beam");
        let trail = &property["trail"];
        let n_steps = trail["steps"].as_array().expect("steps").len() as u64;
        let (prefix, cycle) = (trail["prefix"].as_u64().unwrap(), trail["cycle"].as_u64().unwrap());
        assert_eq!(prefix + cycle, n_steps);
        // A round of B is six steps.
        assert!(cycle >= 6, "{trail:#}");
    }
}

#[test]
fn what_holds_has_no_trail() {
    let answer = on_model("check", "peterson.pml", &["--format", "json"]);
    assert_eq!(answer.status, Some(0), "{answer}");
    for property in json(&answer)["properties"].as_array().expect("a list") {
        assert_eq!(property["verdict"], "holds");
        assert!(property["trail"].is_null());
    }
}

#[test]
fn a_deadlock_is_a_violation() {
    let answer = on_model("check", "philosophers.pml", &["--format", "json"]);
    assert_eq!(answer.status, Some(1), "{answer}");
    let json = json(&answer);
    let properties = json["properties"].as_array().expect("a list");
    let deadlock =
        properties.iter().find(|p| p["kind"] == "deadlock").expect("deadlocks are always looked for");
    assert_eq!(deadlock["verdict"], "violated");
}

#[test]
fn one_property_by_name() {
    let answer = on_model("check", "philosophers.pml", &["--format", "json"]);
    let all = json(&answer);
    let name = all["properties"][0]["name"].as_str().expect("a name");
    let answer = on_model("check", "philosophers.pml", &["--property", name, "--format", "json"]);
    let one = json(&answer);
    let properties = one["properties"].as_array().expect("a list");
    assert_eq!(properties.len(), 1);
    assert_eq!(properties[0]["name"], name);
}

/// Where nothing else is asked for, the command line leads a search for a marking there; no proviso is needed then.
#[test]
fn a_search_for_a_marking_is_led_there_unless_something_else_is_asked_for() {
    let model = workspace::file("models/pnml/workshop/model.pnml");
    let proviso = |more: &[&str]| {
        let mut arguments = vec!["check", "--format", "json", "--property", "ReachabilityCardinality-01"];
        arguments.extend(more);
        let answer =
            binary::run(arguments.into_iter().map(Into::into).chain([model.clone().into_os_string()]));
        json(&answer)["properties"][0]["proviso"].clone()
    };
    assert_eq!(proviso(&[]), "none");
    assert_ne!(proviso(&["--visibility", "vi"]), "none");
    assert_ne!(proviso(&["--search", "bfs"]), "none");
}

#[test]
fn definitions_from_the_command_line() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("model.pml");
    std::fs::write(&path, "byte x;\ninit { do :: x < N -> x++ :: x >= N -> break od }\n")
        .expect("a writable directory");
    let model = path.to_string_lossy();
    let states = |n: &str| {
        let answer = binary::run(["explore", &*model, "-D", n, "--format", "json"]);
        json(&answer)["states"].as_u64().unwrap_or_else(|| panic!("{answer}"))
    };
    assert!(states("N=7") > states("N=3"));
}

#[test]
fn limits_end_in_incomplete() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("large.pml");
    let text = "byte a[6];\nactive [6] proctype p() { do :: a[_pid]++ od }\n";
    std::fs::write(&path, text).expect("a writable directory");
    let model = path.to_string_lossy();
    for limit in [["--time", "1s"], ["--memory", "20M"]] {
        let answer = binary::run(["explore", &*model, limit[0], limit[1], "--format", "json"]);
        assert_eq!(answer.status, Some(3), "{limit:?}: {answer}");
        assert_eq!(json(&answer)["complete"], false, "{limit:?}");
    }
}

#[test]
fn a_bad_command_line() {
    let peterson = workspace::model("peterson.pml");
    let peterson = peterson.to_string_lossy();
    for arguments in [
        &["explore"][..],
        &["no-such-command"],
        &["explore", &peterson, "--search", "sideways"],
        &["explore", &peterson, "--memory", "much"],
        &["check", &peterson, "--property", "no such property"],
    ] {
        let answer = binary::run(arguments);
        assert_eq!(answer.status, Some(2), "{arguments:?}: {answer}");
        assert!(!answer.errors.trim().is_empty(), "{arguments:?} deserves a message");
    }
}

#[test]
fn what_is_no_model_is_told_in_a_line() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = directory.path().join("program.pml");
    std::fs::write(&program, b"\x7fELF\x02\x01\x00").expect("a writable directory");
    for (path, told) in [(&*program, "this is no text"), (directory.path(), "directory")] {
        let answer = binary::run(["check", &path.to_string_lossy()]);
        assert_eq!(answer.status, Some(2), "{answer}");
        let is_one_line = answer.errors.trim().lines().count() == 1;
        assert!(is_one_line && answer.errors.contains(told), "{answer}");
    }
    let answer = on_model("check", "peterson.pml", &["--reach", "1 +"]);
    assert!(answer.errors.contains("expected an expression, found the end"), "{answer}");
    // Nothing of a text is a command for the terminal.
    let bell = directory.path().join("bell.pml");
    std::fs::write(&bell, "init { \u{7}skip \u{1b}[2J }\n").expect("a writable directory");
    let answer = binary::run(["check", &bell.to_string_lossy()]);
    let is_told = answer.errors.contains("`\\u{7}` is not part of Promela");
    assert!(is_told && !answer.errors.contains(['\u{7}', '\u{1b}']), "{answer}");
}

#[test]
fn a_model_with_errors() {
    let answer = on_model("explore", "syntax_errors.pml", &["--format", "json"]);
    assert_eq!(answer.status, Some(2), "{answer}");
    assert!(answer.errors.contains("syntax_errors.pml"), "{answer}");
}

#[test]
fn people_get_a_summary() {
    let answer = on_model("check", "broken_mutex.pml", &[]);
    assert_eq!(answer.status, Some(1), "{answer}");
    assert!(answer.output.contains("assert"), "{answer}");
    let explored = on_model("explore", "peterson.pml", &[]);
    assert!(explored.output.contains("38"), "{explored}");
}

#[test]
fn ltl_describes_a_formula() {
    let answer = binary::run(["ltl", "[] (p -> X \"x > 3\")", "--format", "json"]);
    assert_eq!(answer.status, Some(0), "{answer}");
    let json = json(&answer);
    has_fields(
        &json,
        &[
            ("formula", Value::is_string),
            ("propositions", Value::is_array),
            ("trivial", Value::is_null),
            ("class", Value::is_string),
            ("stutter_invariant", Value::is_boolean),
            ("witness", Value::is_object),
            ("states", Value::is_u64),
            ("edges", Value::is_u64),
            ("automaton", Value::is_object),
        ],
    );
    assert_eq!(json["propositions"], serde_json::json!(["p", "x > 3"]));
    assert_eq!((&json["class"], &json["states"]), (&"safety".into(), &2.into()));
    assert_eq!(json["stutter_invariant"], false);
    has_fields(&json["witness"], &[("satisfying", Value::is_object), ("violating", Value::is_object)]);
    has_fields(&json["automaton"], &[("initial", Value::is_u64), ("states", Value::is_array)]);
    for state in json["automaton"]["states"].as_array().expect("a list") {
        has_fields(state, &[("accepting", Value::is_boolean), ("edges", Value::is_array)]);
        for edge in state["edges"].as_array().expect("a list") {
            let fields: &[Field] =
                &[("target", Value::is_u64), ("guard", Value::is_string), ("cubes", Value::is_array)];
            has_fields(edge, fields);
        }
    }
}

#[test]
fn ltl_of_the_negation() {
    let answer = binary::run(["ltl", "--negate", "[]p -> p", "--format", "json"]);
    let json = json(&answer);
    assert_eq!((&json["trivial"], &json["edges"]), (&"unsatisfiable".into(), &0.into()));
    assert_eq!(json["formula"], "!([]p -> p)");
}

#[test]
fn ltl_writes_every_format() {
    for (format, sign) in [
        ("human", "stutter-invariant"),
        ("hoa", "HOA: v1\n"),
        ("spin", "never {"),
        ("dot", "digraph automaton {"),
    ] {
        let answer = binary::run(["ltl", "[]<>p", "--format", format]);
        assert_eq!(answer.status, Some(0), "{answer}");
        assert!(answer.output.contains(sign), "{answer}");
    }
}

#[test]
fn a_formula_with_errors() {
    let answer = binary::run(["ltl", "[] (x > 3) && (p", "--format", "json"]);
    assert_eq!(answer.status, Some(2), "{answer}");
    for part in ["`> 3` means nothing", "double quotes", "is not closed", "the formula has 2 errors"] {
        assert!(answer.errors.contains(part), "{part}: {answer}");
    }
    assert!(answer.output.is_empty(), "{answer}");
    let many: Vec<String> = (0..65).map(|n| format!("<>p{n}")).collect();
    let answer = binary::run(["ltl", &many.join(" && ")]);
    assert_eq!(answer.status, Some(2), "{answer}");
    assert!(answer.errors.contains("more than 64 different propositions"), "{answer}");
}
