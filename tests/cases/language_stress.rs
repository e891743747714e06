//! An editor at full speed: random edits, saves, questions and cancellations while checks run. Afterwards both sides
//! have the same texts, everything was answered, and what is shown is of the last versions.
//!
//! `STUBBORN_EDITS=N` sends more than the usual 2,000.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stubborn_tests::editor::Editor;
use stubborn_tests::environment::variable;
use stubborn_tests::generate::Random;
use stubborn_tests::large::large_model;
use stubborn_tests::say;

/// What checks may use, and what the server may use besides: texts, analyses, relations.
const MEMORY: u64 = 64;
const BESIDES: u64 = 192;

/// Nothing takes this long, on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(120);

const SNIPPETS: [&str; 12] = [
    "x",
    ";\n",
    "{",
    "}",
    " /* é𝄞 */ ",
    "byte q = 3;\n",
    ":: else -> skip\n",
    "assert(false)",
    "\"",
    "\n#define M 3\n",
    "(",
    "",
];

struct Document {
    uri: String,
    /// Only comments are written into it, so that it can be checked all the time.
    is_calm: bool,
    original: String,
    text: String,
    version: i64,
}

#[test]
fn two_thousand_things_at_once() {
    let n = variable("STUBBORN_EDITS").unwrap_or(2_000);
    let seed = variable("STUBBORN_SEED").unwrap_or(1);
    let mut random = Random::new(seed);
    let mut editor = Editor::start(json!({ "threads": 2, "time": 5, "memory": MEMORY, "shorten": 1 }));
    let mut documents: Vec<Document> = (0..5)
        .map(|i| {
            let text = large_model(150 * (i % 3 + 1));
            let uri = format!("file:///nowhere/stress{i}.pml");
            editor.open(&uri, &text);
            Document { uri, is_calm: i < 2, original: text.clone(), text, version: 1 }
        })
        .collect();
    let mut asked = Vec::new();
    for _ in 0..n {
        let at = random.below(documents.len());
        let document = &mut documents[at];
        match random.below(100) {
            0..60 => edit(&mut editor, document, &mut random),
            60..64 => {
                document.version += 1;
                document.text.clone_from(&document.original);
                editor.replace(&document.uri, document.version, &document.text);
            }
            64..72 => editor.save(&document.uri),
            72..92 => asked.push(ask(&mut editor, document, &mut random)),
            92..97 => {
                if let Some(&id) = random.pick(&asked) {
                    editor.cancel(id);
                }
            }
            _ => {
                let command = json!({ "command": "stubborn.cancel", "arguments": [document.uri] });
                asked.push(editor.begin("workspace/executeCommand", command));
            }
        }
    }
    // Nothing is left without an answer, be it an error.
    for id in asked {
        let _ = editor.answer(id);
    }
    for document in &documents {
        let text = editor.request("stubborn/text", json!({ "uri": document.uri })).expect("the text");
        assert_eq!(text, document.text, "{} with seed {seed}", document.uri);
        editor.wait("diagnostics of the last version", |e| {
            e.diagnostics.get(&document.uri).filter(|(told, _)| *told == Some(document.version)).map(|_| ())
        });
    }
    let mut last: BTreeMap<&str, i64> = BTreeMap::new();
    for (uri, version) in &editor.told {
        let version = version.expect("diagnostics of an open text have a version");
        assert!(last.insert(uri, version).is_none_or(|before| before <= version), "{uri}: {version} is old");
    }
    let n_checks = editor.n_begun();
    say::note(&format!("language_stress: {n} events, {n_checks} checks were shown"));
    assert!(n_checks > 0, "nothing was checked");
    it_can_be_checked_and_cancelled(&mut editor, &mut documents);
    if let Some(most) = editor.most_memory() {
        say::note(&format!("language_stress: memory of the server at most {most} MiB"));
        assert!(most < MEMORY + BESIDES, "{most} MiB");
    }
    assert_eq!(editor.stop(), Some(0));
}

/// A check of the first document runs, is cancelled, and is gone.
fn it_can_be_checked_and_cancelled(editor: &mut Editor, documents: &mut [Document]) {
    let document = &mut documents[0];
    document.version += 1;
    editor.replace(&document.uri, document.version, &document.original);
    editor.command("stubborn.cancel", json!([])).expect("an answer");
    editor.save(&document.uri);
    let started = Instant::now();
    while !statuses(editor, &document.uri).contains(&json!("running")) {
        assert!(started.elapsed() < PATIENCE, "{:?}", statuses(editor, &document.uri));
        std::thread::sleep(Duration::from_millis(10));
    }
    editor.command("stubborn.cancel", json!([])).expect("an answer");
    editor.wait("the checks have ended", |e| (e.n_running() == 0).then_some(()));
    let statuses = statuses(editor, &document.uri);
    assert!(!statuses.contains(&json!("running")) && !statuses.contains(&json!("waiting")), "{statuses:?}");
}

/// What is known of the properties of a model, in a word each.
fn statuses(editor: &mut Editor, uri: &str) -> Vec<Value> {
    let entries = editor.command("stubborn.status", json!([uri])).expect("the status");
    entries.as_array().into_iter().flatten().map(|entry| entry["status"].clone()).collect()
}

/// Replaces some text by another, as an editor would say it.
fn edit(editor: &mut Editor, document: &mut Document, random: &mut Random) {
    let (start, end, text) = if document.is_calm {
        let lines: Vec<usize> = document.text.match_indices('\n').map(|(at, _)| at).collect();
        let at = random.pick(&lines).copied().unwrap_or_default();
        (at, at, " /* é𝄞 */")
    } else {
        let starts: Vec<usize> = document.text.char_indices().map(|(at, _)| at).collect();
        let from = random.below(starts.len().max(1));
        let to = (from + random.below(4)).min(starts.len());
        let place = |i: usize| starts.get(i).copied().unwrap_or(document.text.len());
        (place(from), place(to), random.pick(&SNIPPETS).copied().unwrap_or_default())
    };
    let range = json!({ "start": position(&document.text, start), "end": position(&document.text, end) });
    document.version += 1;
    editor.change(&document.uri, document.version, json!([{ "range": range, "text": text }]));
    document.text.replace_range(start..end, text);
}

fn ask(editor: &mut Editor, document: &Document, random: &mut Random) -> i64 {
    let methods = [
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/definition",
        "textDocument/documentSymbol",
        "textDocument/semanticTokens/full",
        "textDocument/codeLens",
    ];
    let line = random.below(document.text.lines().count().max(1));
    let position = json!({ "line": line, "character": random.below(30) });
    let method = random.pick(&methods).copied().unwrap_or(methods[0]);
    editor.begin(method, json!({ "textDocument": { "uri": document.uri }, "position": position }))
}

/// Line and column in UTF-16.
fn position(text: &str, at: usize) -> Value {
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}
