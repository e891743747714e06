//! Sessions of an editor with the language server, over the streams of a real process.

use serde_json::{Value, json};
use stubborn_tests::editor::Editor;
use stubborn_tests::workspace;

/// Two processes that do not exclude each other, with a label, an inline and a formula.
const MUTEX: &str = "\
#define N 2
byte inside = 0; /* how many are in */
bool flag[N];

inline enter(me) { flag[me] = true; inside++ }

active [N] proctype P() {
again:
    enter(_pid);
    assert(inside == 1);
    inside--;
    flag[_pid] = false;
    goto again
}

ltl exclusive { [] (inside <= 1) }
";

fn uri(name: &str) -> String {
    format!("file:///nowhere/{name}")
}

/// The place of the first occurrence of a text.
fn place(text: &str, wanted: &str) -> (usize, usize) {
    let at = text.find(wanted).unwrap_or_else(|| panic!("{wanted} is there"));
    let line = text[..at].matches('\n').count();
    (line, at - text[..at].rfind('\n').map_or(0, |start| start + 1))
}

fn manual() -> Value {
    json!({ "check": "demand", "time": 60 })
}

#[test]
fn a_violation_is_told_where_it_happens_and_stepped_through() {
    let mut editor = Editor::start(json!({ "time": 60 }));
    let uri = uri("mutex.pml");
    editor.open(&uri, MUTEX);
    editor.save(&uri);
    let found = editor.wait("a violation", |e| e.coded(&uri, "assertion").into_iter().next());
    let (line, _) = place(MUTEX, "assert(inside");
    assert_eq!(found["range"]["start"]["line"], line, "{found}");
    let steps = found["relatedInformation"].as_array().expect("a trail").len();
    assert!(steps >= 5, "{found}");
    assert_eq!(editor.verdict(&uri, "exclusive"), "violated");
    assert_eq!(editor.verdict(&uri, "deadlock"), "holds");

    let lenses = editor.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } })).unwrap();
    let titles: Vec<&str> =
        lenses.as_array().unwrap().iter().filter_map(|l| l["command"]["title"].as_str()).collect();
    assert!(titles.iter().any(|t| t.starts_with("assertions: violated, trail of")), "{titles:?}");
    assert!(titles.iter().any(|t| t.starts_with("deadlock: verified")), "{titles:?}");

    let trail = editor.command("stubborn.showTrail", json!([uri, "assertions"])).unwrap();
    let n = trail["steps"].as_array().unwrap().len();
    assert_eq!(n, steps);
    let shown = editor.wait("the trail is shown", |e| {
        e.heard.iter().find(|m| m["method"] == "window/showDocument").cloned()
    });
    let file = shown["params"]["uri"].as_str().unwrap().trim_start_matches("file://").to_owned();
    let text = std::fs::read_to_string(&file).expect("the trail is a file");
    assert!(text.contains("mutex.pml:") && text.lines().count() > n, "{text}");

    for number in 0..n {
        let step = editor.command("stubborn.step", json!([uri, "assertions", "next"])).unwrap();
        assert_eq!(step["number"], number);
    }
    let last = editor.command("stubborn.step", json!([uri, "assertions", "previous"])).unwrap();
    assert_eq!(last["number"], n - 2);
    let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = editor
        .request("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": everything }))
        .unwrap();
    let labels: Vec<&str> = hints.as_array().unwrap().iter().filter_map(|h| h["label"].as_str()).collect();
    assert!(labels.iter().any(|label| label.starts_with("◀ step")), "{labels:?}");
    assert!(labels.iter().any(|label| label.starts_with(" = ")), "{labels:?}");
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn a_comment_keeps_the_verdict_and_moves_the_trail() {
    let mut editor = Editor::start(manual());
    let uri = uri("mutex.pml");
    editor.open(&uri, MUTEX);
    editor.command("stubborn.check", json!([uri])).unwrap();
    assert_eq!(editor.verdict(&uri, "assertions"), "violated");
    let moved = format!("/* a comment */\n{MUTEX}");
    editor.replace(&uri, 2, &moved);
    // Nothing is checked unless it is asked for, and nothing needs to be.
    assert_eq!(editor.verdict(&uri, "assertions"), "violated");
    let found = editor.wait("the violation, moved", |e| {
        let told = e.diagnostics.get(&uri).filter(|(version, _)| *version == Some(2)).is_some();
        e.coded(&uri, "assertion").into_iter().next().filter(|_| told)
    });
    assert_eq!(found["range"]["start"]["line"], place(&moved, "assert(inside").0, "{found}");
    // Another model is not known.
    editor.replace(&uri, 3, &MUTEX.replace("inside == 1", "inside == 2"));
    let status = editor.command("stubborn.status", json!([uri])).unwrap();
    assert!(status.as_array().unwrap().iter().all(|entry| entry["status"] == "stale"), "{status}");
    editor.stop();
}

#[test]
fn a_deadlock_is_told_of_each_process_with_what_it_waits_for() {
    let model = "chan c = [0] of { byte };\nbyte x;\n\
        active proctype P() { c!1 }\nactive proctype Q() { x == 3 }\n";
    let mut editor = Editor::start(json!({ "time": 60 }));
    let uri = uri("stuck.pml");
    editor.open(&uri, model);
    let found = editor.wait("a deadlock", |e| Some(e.coded(&uri, "deadlock")).filter(|all| !all.is_empty()));
    let told: Vec<(u64, &str)> = found
        .iter()
        .map(|d| (d["range"]["start"]["line"].as_u64().unwrap(), d["message"].as_str().unwrap()))
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().any(|(line, text)| *line == 2 && text.contains("c!1")), "{told:?}");
    assert!(told.iter().any(|(line, text)| *line == 3 && text.contains("x = 0")), "{told:?}");
    editor.stop();
}

#[test]
fn errors_are_told_as_one_types_and_go_away() {
    let mut editor = Editor::start(manual());
    let uri = uri("broken.pml");
    editor.open(&uri, "active proctype P() { x = 1 }\n");
    let found = editor.wait("an error", |e| e.coded(&uri, "undeclared").into_iter().next());
    assert_eq!(found["range"]["start"], json!({ "line": 0, "character": 22 }), "{found}");
    let insert = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    editor.change(&uri, 2, json!([{ "range": insert, "text": "byte x; " }]));
    editor.wait("no error", |e| {
        let (version, all) = e.diagnostics.get(&uri)?;
        (*version == Some(2) && all.iter().all(|d| d["severity"] != 1)).then_some(())
    });
    editor.stop();
}

#[test]
fn names_are_found_and_renamed() {
    let mut editor = Editor::start(manual());
    let uri = uri("mutex.pml");
    editor.open(&uri, MUTEX);
    let (line, character) = place(MUTEX, "inside--");
    let definition = editor.ask_at("textDocument/definition", &uri, line, character);
    assert_eq!(definition["range"]["start"], json!({ "line": 1, "character": 5 }), "{definition}");
    let place_params = json!({
        "textDocument": { "uri": uri },
        "position": { "line": line, "character": character },
        "context": { "includeDeclaration": true },
    });
    let references = editor.request("textDocument/references", place_params).unwrap();
    assert_eq!(references.as_array().unwrap().len(), MUTEX.matches("inside").count(), "{references}");
    let renamed = json!({
        "textDocument": { "uri": uri },
        "position": { "line": line, "character": character },
        "newName": "within",
    });
    let edit = editor.request("textDocument/rename", renamed.clone()).unwrap();
    assert_eq!(edit["changes"][&uri].as_array().unwrap().len(), MUTEX.matches("inside").count(), "{edit}");
    let mut taken = renamed;
    taken["newName"] = json!("flag");
    assert!(editor.request("textDocument/rename", taken).is_err());
    let symbols =
        editor.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } })).unwrap();
    let names: Vec<&str> = symbols.as_array().unwrap().iter().filter_map(|s| s["name"].as_str()).collect();
    for name in ["N", "inside", "flag", "enter", "P", "exclusive"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    editor.stop();
}

#[test]
fn hover_tells_what_reduction_knows() {
    let mut editor = Editor::start(manual());
    let uri = uri("mutex.pml");
    editor.open(&uri, MUTEX);
    editor.command("stubborn.check", json!([uri])).unwrap();
    editor.verdict(&uri, "deadlock");
    let hover = |editor: &mut Editor, wanted: &str| {
        let (line, character) = place(MUTEX, wanted);
        editor.ask_at("textDocument/hover", &uri, line, character)["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let statement = hover(&mut editor, "assert(inside");
    for part in ["reads**: inside", "does not accord with", "which this", "seen by", "executed"] {
        assert!(statement.contains(part), "{part} in {statement}");
    }
    let variable = hover(&mut editor, "inside = 0");
    for part in ["how many are in", "read**", "written**"] {
        assert!(variable.contains(part), "{part} in {variable}");
    }
    editor.verdict(&uri, "exclusive");
    let property = hover(&mut editor, "exclusive");
    for part in ["automaton", "stutter-invariant", "verdict"] {
        assert!(property.contains(part), "{part} in {property}");
    }
    editor.stop();
}

#[test]
fn an_included_file_belongs_to_its_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("part.h"), "byte x;\n").unwrap();
    let model = "#include \"part.h\"\nactive proctype P() { assert(x == 0) }\n";
    std::fs::write(path("model.pml"), model).unwrap();
    let uri = |name: &str| format!("file://{}", path(name).display());
    let mut editor = Editor::start(json!({ "time": 60 }));
    editor.open(&uri("model.pml"), model);
    assert_eq!(editor.verdict(&uri("model.pml"), "assertions"), "holds");
    // What is not saved counts.
    editor.open(&uri("part.h"), "byte x = 1;\n");
    assert_eq!(editor.verdict(&uri("model.pml"), "assertions"), "violated");
    editor.replace(&uri("part.h"), 2, "byte x = ;\n");
    let part = uri("part.h");
    editor.wait("an error in the included file", |e| {
        let (_, all) = e.diagnostics.get(&part)?;
        all.iter().any(|d| d["severity"] == 1).then_some(())
    });
    let links = editor
        .request("textDocument/documentLink", json!({ "textDocument": { "uri": uri("model.pml") } }))
        .unwrap();
    assert_eq!(links[0]["target"], uri("part.h"), "{links}");
    editor.stop();
}

#[test]
fn what_makes_no_sense_gets_an_error_and_nothing_else() {
    let mut editor = Editor::start(manual());
    let nowhere =
        json!({ "textDocument": { "uri": uri("unknown.pml") }, "position": { "line": 0, "character": 0 } });
    assert!(editor.request("textDocument/hover", nowhere).is_err());
    assert!(editor.request("stubborn/nonsense", json!({})).is_err());
    assert!(editor.command("stubborn.trail", json!([uri("unknown.pml")])).is_err());
    let known = uri("mutex.pml");
    editor.open(&known, MUTEX);
    for (line, character) in [(0, 9999), (9999, 0), (9999, 9999)] {
        editor.ask_at("textDocument/hover", &known, line, character);
        editor.ask_at("textDocument/completion", &known, line, character);
    }
    let backwards = json!({ "start": { "line": 9, "character": 0 }, "end": { "line": 1, "character": 0 } });
    editor.change(&known, 2, json!([{ "range": backwards, "text": "" }]));
    assert!(editor.ask_at("textDocument/definition", &known, 1, 6).is_object());
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn what_is_no_message_ends_the_session_in_order() {
    let mut editor = Editor::start(manual());
    editor.open(&uri("mutex.pml"), MUTEX);
    // Where the next message would begin is not known any more.
    editor.send_raw(b"Content-Length: 5\r\n\r\n{{{{{");
    assert_eq!(editor.die(), Some(0));
}

#[test]
fn a_server_without_an_editor_ends() {
    let mut editor = Editor::start(json!({ "time": 600 }));
    let model = workspace::root().join("tests/models/promela/leader_election.pml");
    let text = std::fs::read_to_string(model).expect("a model");
    editor.open(&uri("leader.pml"), &text);
    assert_eq!(editor.die(), Some(0));
}
