//! What a language server has to live with: nonsense, half messages, editors that die. What editors do when all is
//! well is in `tests/editor_sessions`.

use serde_json::{Value, json};
use stubborn_tests::editor::Editor;
use stubborn_tests::large::large_model;

const MODEL: &str = "byte x;\nactive proctype P() { x = 1; assert(x == 0) }\n";
const URI: &str = "file:///nowhere/model.pml";

fn manual() -> Value {
    json!({ "check": "demand", "time": 60 })
}

/// An editor with a check that does not end by itself.
fn busy(mut editor: Editor) -> Editor {
    editor.open(URI, &large_model(500));
    editor.wait("a check runs", |e| (e.n_running() > 0).then_some(()));
    editor
}

#[test]
fn a_whole_session_over_a_socket() {
    let mut editor = Editor::start_on_socket(json!({ "time": 60 }));
    editor.open(URI, MODEL);
    let found = editor.wait("a violation", |e| e.coded(URI, "assertion").into_iter().next());
    assert_eq!(found["range"]["start"]["line"], 1, "{found}");
    let trail = editor.command("stubborn.trail", json!([URI, "assertions"])).unwrap();
    assert_eq!(trail["steps"].as_array().map(Vec::len), Some(2), "{trail}");
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn a_log_tells_what_happened() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("server.log");
    let mut editor = Editor::start_with(&["--log", &log.to_string_lossy()], json!({ "time": 60 }));
    editor.open(URI, MODEL);
    editor.wait("a violation", |e| e.coded(URI, "assertion").into_iter().next());
    assert_eq!(editor.stop(), Some(0));
    let told = std::fs::read_to_string(log).expect("a log");
    for part in ["initialize", URI, "verdict=violated", "settled"] {
        assert!(told.contains(part), "{part} in {told}");
    }
}

#[test]
fn what_makes_no_sense_gets_an_error_and_nothing_else() {
    let mut editor = Editor::start(manual());
    let unknown = "file:///nowhere/unknown.pml";
    let nowhere = json!({ "textDocument": { "uri": unknown }, "position": { "line": 0, "character": 0 } });
    for method in ["hover", "definition", "completion", "signatureHelp", "prepareRename", "documentHighlight"]
    {
        assert!(editor.request(&format!("textDocument/{method}"), nowhere.clone()).is_err(), "{method}");
    }
    assert!(editor.request("stubborn/nonsense", json!({})).is_err());
    assert!(editor.request("textDocument/hover", json!({ "what": 1 })).is_err());
    assert!(editor.request("stubborn/text", json!({ "uri": unknown })).is_err());
    for (command, arguments) in [
        ("stubborn.trail", json!([unknown])),
        ("stubborn.trail", json!([unknown, "deadlock"])),
        ("stubborn.step", json!([1, 2, 3])),
        ("stubborn.dependents", json!([])),
        ("stubborn.nonsense", json!([])),
    ] {
        assert!(editor.command(command, arguments).is_err(), "{command}");
    }
    // A change of a text that is not open, and closing it, are not answered; the server lives on.
    editor.replace(unknown, 2, "byte x;");
    editor.save(unknown);
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": unknown } }));
    editor.notify("nonsense/of/ours", json!({}));
    editor.open(URI, MODEL);
    assert!(editor.command("stubborn.trail", json!([URI, "nonsense"])).is_err());
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn positions_outside_of_a_text_are_the_nearest_inside() {
    let mut editor = Editor::start(manual());
    editor.open(URI, MODEL);
    for (line, character) in [(0, 9999), (9999, 0), (9999, 9999), (u32::MAX as usize, u32::MAX as usize)] {
        for method in ["hover", "completion", "definition"] {
            editor.ask_at(&format!("textDocument/{method}"), URI, line, character);
        }
    }
    let backwards = json!({ "start": { "line": 9, "character": 0 }, "end": { "line": 1, "character": 0 } });
    editor.change(URI, 2, json!([{ "range": backwards, "text": "/* at the end */" }]));
    let text = editor.request("stubborn/text", json!({ "uri": URI })).unwrap();
    assert_eq!(text, format!("{MODEL}/* at the end */"));
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn a_request_that_is_cancelled_is_answered_with_that() {
    let mut editor = Editor::start(manual());
    editor.open(URI, &large_model(2_000));
    let place = json!({ "textDocument": { "uri": URI }, "position": { "line": 9, "character": 6 } });
    let ids: Vec<i64> = (0..20).map(|_| editor.begin("textDocument/hover", place.clone())).collect();
    ids.iter().for_each(|&id| editor.cancel(id));
    for id in ids {
        // It may have been faster.
        if let Err(error) = editor.answer(id) {
            assert_eq!(error["code"], -32800, "{error}");
        }
    }
    assert_eq!(editor.stop(), Some(0));
}

/// What is no message, and where the next one would begin is not known.
const BROKEN: [&[u8]; 6] = [
    b"Content-Length: 5\r\n\r\n{{{{{",
    b"Content-Length: 3\r\n\r\n{}{}{}{}{}",
    b"Content-Length: -7\r\n\r\n{}",
    b"Content-Length: many\r\n\r\n{}",
    b"GET / HTTP/1.1\r\n\r\n",
    b"\xff\xfe\x00\x00\r\n\r\n\r\n",
];

#[test]
fn what_is_no_message_is_answered_or_ends_the_session_in_order() {
    for broken in BROKEN {
        let mut editor = Editor::start(manual());
        editor.open(URI, MODEL);
        editor.send_raw(broken);
        assert_eq!(editor.die(), Some(0), "{}", String::from_utf8_lossy(broken));
    }
}

#[test]
fn an_editor_that_dies_in_the_middle_of_a_message() {
    for half in [&b"Content-Len"[..], b"Content-Length: 1000\r\n\r\n{\"jsonrpc\": \"2.0\""] {
        let mut editor = busy(Editor::start(json!({ "time": 600 })));
        editor.send_raw(half);
        assert_eq!(editor.die(), Some(0), "{}", String::from_utf8_lossy(half));
        let mut editor = busy(Editor::start_on_socket(json!({ "time": 600 })));
        editor.send_raw(half);
        assert_eq!(editor.die(), Some(0), "{}", String::from_utf8_lossy(half));
    }
}

#[test]
fn a_server_without_an_editor_ends() {
    assert_eq!(busy(Editor::start(json!({ "time": 600 }))).die(), Some(0));
    assert_eq!(busy(Editor::start_on_socket(json!({ "time": 600 }))).die(), Some(0));
}
