//! Petri nets as scripts see them: relations by transition and place, dead markings, trails by tokens, pictures.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

fn shipped(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/models/pnml").join(name).join("model.pnml")
}

fn run(net: &str, command: &str, args: &[&str]) -> (i32, String, String) {
    let mut process = Command::new(env!("CARGO_BIN_EXE_stubborn"));
    let output = process.arg(command).arg(shipped(net)).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(net: &str, command: &str, args: &[&str]) -> Value {
    let (_, text, _) = run(net, command, &[args, &["--format", "json"]].concat());
    serde_json::from_str(&text).unwrap()
}

/// `line:column` of the first occurrence of a text.
fn place(net: &str, wanted: &str) -> String {
    let text = std::fs::read_to_string(shipped(net)).unwrap();
    let (line, found) = text.lines().enumerate().find(|(_, line)| line.contains(wanted)).unwrap();
    format!("{}:{}", line + 1, found.find(wanted).unwrap() + wanted.len())
}

#[test]
fn a_transition_is_told_of_once_with_all_its_bindings() {
    let at = place("philosophers", "id=\"take_l");
    let told = json("philosophers", "relations", &["--at", &at]);
    let [transition] = &told["transitions"].as_array().unwrap()[..] else { panic!("{told}") };
    assert_eq!((&transition["name"], &transition["firings"]), (&"take_left".into(), &3.into()));
    let inputs = transition["inputs"].as_array().unwrap();
    let fork = inputs.iter().find(|input| input["place"] == "fork").unwrap();
    assert_eq!(fork["enabled_by"], serde_json::json!(["release"]));
    assert_eq!(fork["disabled_by"], serde_json::json!(["take_left", "take_right"]));
    let conflicts = transition["does_not_accord"].as_array().unwrap();
    let right = conflicts.iter().find(|conflict| conflict["transition"] == "take_right").unwrap();
    assert_eq!((&right["places"], &right["of"]), (&serde_json::json!(["fork"]), &3.into()));
    let (status, text, _) = run("philosophers", "relations", &["--at", &at]);
    assert_eq!(status, 0);
    for part in ["3: take_left(x=1)", "takes from   fork", "enabled by release", "through fork"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_place_is_told_of_with_its_bound() {
    let told = json("philosophers", "relations", &["--at", &place("philosophers", "id=\"for")]);
    let fork = &told["places"][0];
    assert_eq!(
        (&fork["bound"], &fork["tokens"], &fork["initial"]),
        (&3.into(), &3.into(), &"{1, 2, 3}".into())
    );
    assert_eq!(fork["filled_by"], serde_json::json!(["release"]));
    let told = json("packing", "relations", &["--at", &place("packing", "id=\"close")]);
    assert_eq!(told["places"][0]["inhibits"], serde_json::json!(["pack"]));
    let (status, _, why) = run("packing", "relations", &["--at", "1:1"]);
    assert!(status == 2 && why.contains("no transition and no place") && why.contains("nearest"), "{why}");
}

#[test]
fn a_dead_marking_is_told_by_what_is_missing() {
    let (status, text, _) = run("philosophers", "check", &["--property", "deadlock"]);
    assert_eq!(status, 1);
    for part in ["dead marking", "take_left(x=1)", "-fork(1) -idle(1) +hungry(1)", "fork(2) is missing"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    for word in ["waits at", "(0)", "process", "→"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
    let (_, text, _) = run("packing", "trail", &[]);
    assert!(text.contains("closed is in the way") && text.contains("-open +closed"), "{text}");
}

#[test]
fn programs_are_told_the_transition_and_its_tokens() {
    let told = json("philosophers", "trail", &["--property", "deadlock"]);
    let step = &told["properties"][0]["trail"]["steps"][0];
    assert_eq!((&step["transition"], &step["text"]), (&"take_left".into(), &"take_left(x=1)".into()));
    let tokens: Vec<(String, i64)> = (step["tokens"].as_array().unwrap().iter())
        .map(|token| (token["token"].as_str().unwrap().to_owned(), token["by"].as_i64().unwrap()))
        .collect();
    for token in [("idle(1)", -1), ("fork(1)", -1), ("hungry(1)", 1)] {
        assert!(tokens.contains(&(token.0.to_owned(), token.1)), "{tokens:?}");
    }
}

#[test]
fn a_picture_has_every_node_and_shows_the_step() {
    let (status, svg, rest) = run("philosophers", "net", &[]);
    assert_eq!((status, &*rest), (0, ""));
    assert_eq!((svg.matches("class=\"place").count(), svg.matches("class=\"transition").count()), (5, 4));
    assert_eq!(svg.matches("transition enabled").count(), 1);
    assert!(svg.contains("transition never"), "{svg}");
    assert_eq!(run("philosophers", "net", &[]).1, svg, "the same every time");
    let (_, step, _) = run("philosophers", "net", &["--property", "deadlock", "--step", "2"]);
    assert!(step.contains("step 2 of 3: take_left(x=2)") && step.contains("transition fired"), "{step}");
    assert_eq!((step.matches("place less").count(), step.matches("place more").count()), (2, 1));
    let at = |svg: &str| {
        svg.lines()
            .find(|line| line.contains("id=\"p1\""))
            .unwrap()
            .split("<circle")
            .nth(1)
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        at(&svg).split(" r=").next(),
        at(&step).split(" r=").next(),
        "nothing moves from step to step"
    );
    let (status, _, why) = run("philosophers", "net", &["--property", "deadlock", "--step", "9"]);
    assert!(status == 2 && why.contains("3 steps"), "{why}");
    let (status, _, why) = run("philosophers", "net", &["--property", "one-eats"]);
    assert!(status == 2 && why.contains("no counterexample"), "{why}");
}

#[test]
fn weights_and_inhibitor_arcs_are_drawn() {
    let (_, svg, _) = run("packing", "net", &[]);
    assert_eq!((svg.matches("arc inhibits").count(), svg.matches(">2</text>").count()), (1, 1), "{svg}");
    let (_, dot, _) = run("packing", "net", &["--format", "dot"]);
    assert!(
        dot.contains("arrowhead=odot") && dot.contains("[label=\"2\"]") && dot.starts_with("digraph net {"),
        "{dot}"
    );
}

#[test]
fn a_trail_of_a_net_has_a_chart_and_a_page_in_its_words() {
    let (_, svg, _) = run("philosophers", "trail", &["--property", "deadlock", "--format", "svg"]);
    assert!(
        svg.contains(">take_left<") && svg.contains("(x=2)") && svg.contains("fork(2) is missing"),
        "{svg}"
    );
    let (_, page, _) = run("philosophers", "trail", &["--property", "deadlock", "--format", "html"]);
    for part in ["<legend>Transitions</legend>", "<h2>Marking</h2>", "No transition can fire", "{1, 2, 3}"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn other_models_are_no_nets() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no_net.pml");
    std::fs::write(&path, "active proctype P() { skip }\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_stubborn")).arg("net").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no Petri net"));
}
