//! The benchmarks are what they say: every definition can be read, and on models that are shipped, and small enough, what
//! has to come out does. And a limit on memory is one on what the system sees of the process.

use stubborn_tests::bench::definition::{Definition, all};
use stubborn_tests::bench::facts;
use stubborn_tests::bench::programs::{Program, Ready};

/// For states, in MiB. What a process takes besides, however little it has to do, is not counted.
const MEMORY: u64 = 96;

/// Larger models are left to whoever measures.
const MAX_STATES: u64 = 60_000;

fn definitions() -> Vec<Definition> {
    all().unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn every_definition_can_be_read() {
    let all = definitions();
    assert!(all.len() > 20);
    for kind in stubborn_tests::bench::definition::KINDS {
        assert!(all.iter().any(|definition| definition.kind == kind.1), "{}", kind.0);
    }
    assert_eq!(all.iter().filter(|definition| definition.instructions).count(), 3);
}

#[test]
fn what_has_to_come_out_does_and_nothing_else_is_timed() {
    let mut n_looked_at = 0;
    for definition in definitions().iter().filter(|d| d.is_own && d.states.unwrap_or(0) <= MAX_STATES) {
        let run = |definition: &Definition| Ready::new(Program::Ours, definition)?.run();
        run(definition).unwrap_or_else(|why| panic!("{}: {why}", definition.name));
        let wrong = Definition {
            states: definition.states.map(|states| states + 1),
            verdict: if definition.verdict == "holds" { "violated" } else { "holds" }.to_owned(),
            ..definition.clone()
        };
        assert!(run(&wrong).is_err(), "{}", definition.name);
        n_looked_at += 1;
    }
    assert!(n_looked_at > 5);
}

/// With `STUBBORN_BOOK=write`, it has it afterwards.
#[test]
fn the_readme_says_what_was_measured_last() {
    let (day, record) = facts::newest().unwrap_or_else(|why| panic!("{why}"));
    let tables = facts::tables(&day, &record).unwrap_or_else(|why| panic!("{day}: {why}"));
    let path = stubborn_tests::workspace::file("../README.md");
    let readme = std::fs::read_to_string(&path).expect("there is a README");
    let (begin, end) = ("<!-- measured -->\n", "<!-- /measured -->");
    let start = readme.find(begin).expect("it says where") + begin.len();
    let length = readme[start..].find(end).expect("it says up to where");
    if std::env::var_os("STUBBORN_BOOK").is_some_and(|value| value == "write") {
        let (before, after) = (&readme[..start], &readme[start + length..]);
        std::fs::write(&path, format!("{before}{tables}{after}")).expect("it can be written");
    } else {
        assert_eq!(&readme[start..start + length], tables);
    }
}

#[test]
fn the_memory_limit_is_held_to_within_a_twentieth() {
    let model = stubborn_tests::workspace::file("benchmarks/models/peterson.pml");
    let explore = |n: &str, more: &[&str]| {
        let limit = format!("{MEMORY}M");
        let model = model.to_string_lossy();
        let arguments = ["explore", &model, n, "--memory", &limit, "--format", "json"];
        let answer = stubborn_tests::binary::run(arguments.iter().chain(more));
        let json = answer.json().unwrap_or_else(|error| panic!("{error}"));
        (json["complete"] == true, json["process_peak_bytes"].as_u64())
    };
    let (_, Some(nothing)) = explore("-DN=2", &["--engine", "native"]) else { return };
    for more in [&["--store", "plain"][..], &["--store", "plain", "--search", "dfs"], &["--threads", "2"]] {
        let (is_complete, peak) = explore("-DN=4", more);
        let peak = peak.expect("it was told before").saturating_sub(nothing);
        let limit = MEMORY << 20;
        assert!(!is_complete, "it needs more: {more:?}");
        assert!(peak * 20 <= limit * 21, "{peak} bytes for {limit}: {more:?}");
        assert!(peak * 2 >= limit, "{peak} bytes for {limit}: {more:?}");
    }
}
