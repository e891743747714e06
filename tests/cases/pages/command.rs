//! The command, its JSON and its columns.

use std::fs;

use stubborn_tests::binary;
use stubborn_tests::workspace;

use super::subjects::{LASSO, RENDEZVOUS, SUBJECTS, list, told, trail};

#[test]
fn the_first_violation_is_shown() {
    let path = workspace::model("broken_mutex.pml");
    let answer = binary::run(["trail", &*path.to_string_lossy(), "--format", "json"]);
    assert_eq!(answer.status, Some(1), "{answer}");
    let json = answer.json().unwrap_or_else(|error| panic!("{error}"));
    let properties = list(&json, "properties");
    assert_eq!(properties.len(), 1);
    assert_eq!(
        (&properties[0]["name"], &properties[0]["verdict"]),
        (&"assertions".into(), &"violated".into())
    );
}

#[test]
fn what_holds_has_nothing_to_show() {
    let path = workspace::model("peterson.pml");
    for format in ["human", "json", "svg", "html"] {
        let answer = binary::run(["trail", &*path.to_string_lossy(), "--format", format]);
        assert_eq!(answer.status, Some(0), "{answer}");
        let is_drawing = ["svg", "html"].contains(&format);
        assert_eq!(answer.output.is_empty(), is_drawing, "{answer}");
        let told = if is_drawing { &answer.errors } else { &answer.output };
        assert!(told.contains("holds"), "{answer}");
    }
    let answer = binary::run(["trail", &*path.to_string_lossy(), "--property", "no such property"]);
    assert_eq!(answer.status, Some(2), "{answer}");
}

#[test]
fn check_explains_as_well() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("model.pml");
    fs::write(&path, RENDEZVOUS).expect("a writable directory");
    let path = path.to_string_lossy();
    let answers = ["check", "trail"].map(|command| {
        let answer = binary::run([command, &*path, "--property", "deadlock", "--format", "json"]);
        answer.json().unwrap_or_else(|error| panic!("{error}"))["properties"][0]["trail"].clone()
    });
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn json_tells_why() {
    let trail = told(RENDEZVOUS, "deadlock");
    let messages: Vec<_> =
        list(&trail, "messages").iter().map(|m| (m["channel"].as_str(), m["text"].as_str())).collect();
    assert_eq!(messages, [(Some("c"), Some("3,1")), (Some("back"), Some("4"))]);
    for step in list(&trail, "steps") {
        assert!(step["matters"].is_boolean() && step["causes"].is_array(), "{step:#}");
    }
    let second = &list(&trail, "steps")[1];
    let causes: Vec<_> =
        list(second, "causes").iter().map(|cause| (cause["step"].as_u64(), cause["why"].as_str())).collect();
    assert!(causes.contains(&(Some(0), Some("the step before"))), "{causes:?}");
    assert!(causes.contains(&(Some(0), Some("sets server(1):n"))), "{causes:?}");
    let end = list(&trail, "end");
    assert_eq!(end.len(), 2);
    let why = list(&end[0], "waits_for")[0]["why"].as_str();
    assert_eq!(why, Some("nobody on c receives that message"));
    assert_eq!(end[0]["line"], 4);
}

#[test]
fn processes_stand_in_columns() {
    let shown = trail(RENDEZVOUS, "deadlock", "human").output;
    let head = shown.lines().find(|line| line.contains("client(0)")).expect("names of processes");
    let columns = ["client(0)", "server(1)"].map(|name| column(head, name));
    let row = |statement: &str| shown.lines().find(|line| line.contains(statement)).expect("a statement");
    let there = row("c!3,true");
    assert_eq!([column(there, "c!3,true"), column(there, "c?n,b")], columns, "{shown}");
    assert!(there.contains('▶'), "{shown}");
    let back = row("back!n + 1");
    assert_eq!([column(back, "back?x"), column(back, "back!n + 1")], columns, "{shown}");
    assert!(back.contains('◀'), "{shown}");
    assert!(shown.contains("client(0) waits at line 4"), "{shown}");
    let lasso = trail(LASSO, "stops", "human").output;
    assert!(lasso.contains("repeat for ever") && lasso.contains('╭') && lasso.contains('╰'), "{lasso}");
    assert!(lasso.contains("x == 7"), "{lasso}");
}

fn column(line: &str, text: &str) -> usize {
    let at = line.find(text).unwrap_or_else(|| panic!("no {text} in {line}"));
    line[..at].chars().count()
}

#[test]
fn every_shape_has_what_it_is_here_for() {
    for (name, text, property) in SUBJECTS {
        let trail = told(text, property);
        let (steps, messages) = (list(&trail, "steps"), list(&trail, "messages"));
        let processes = list(&trail, "processes");
        let is_so = match name {
            "rendezvous" => messages.iter().all(|m| m["sent"] == m["received"]),
            "buffers" => {
                messages.iter().any(|m| m["sent"].as_u64() < m["received"].as_u64())
                    && steps.iter().any(|step| step["matters"] == true)
            }
            "round" => messages.iter().any(|message| message["received_later"].is_u64()),
            "lasso" => trail["cycle"].as_u64() > Some(1),
            "creation" => {
                let created = processes.iter().filter(|process| process["created"].is_u64()).count();
                created == 3 && processes.iter().any(|process| process["ended"].is_u64())
            }
            "long" => steps.len() > 150 && processes.len() == 10,
            _ => {
                steps.iter().any(|step| step["text"].as_str().is_some_and(|text| text.contains("</script>")))
            }
        };
        assert!(is_so, "{name}: {trail:#}");
    }
}
