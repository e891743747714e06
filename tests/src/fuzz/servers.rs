//! Sessions with the language server and the debug adapter: one message a line, each sent with the length it has,
//! whatever is left of it. Afterwards the server has to answer a question that makes sense, and to end in order.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Target;
use crate::binary;
use crate::message::read_message;
use crate::mutate::MESSAGES;
use crate::workspace;

/// What a whole session may take; a search in it ends sooner.
const PATIENCE: Duration = Duration::from_secs(30);

/// An answer is waited for so long before something else is tried.
const WHILE: Duration = Duration::from_millis(500);

const MODEL: &str = "mtype = { a, b };\nchan c = [2] of { mtype, byte };\nbyte x;\ninline add(n) { x = x + n }\n\
     active proctype P() { do :: x < 3 -> add(1); c!a(x) :: else -> break od; assert(x != 3) }\n\
     active proctype Q() { byte y; end: do :: c?a(y) od }\nltl low { [] (x < 9) }\n";

pub(super) fn targets() -> Vec<Target> {
    let target = |name: &str, originals: Vec<String>, read: fn(&str) -> usize| Target {
        name: name.to_owned(),
        extension: "jsonl",
        most_time: PATIENCE,
        originals,
        words: MESSAGES.to_vec(),
        invent: None,
        read: Box::new(read),
    };
    vec![
        target("language server", language_sessions(), language_server),
        target("debug adapter", debug_sessions(), debug_adapter),
    ]
}

fn lines(messages: &[Value]) -> String {
    messages.iter().map(|message| format!("{message}\n")).collect()
}

/// Sessions with the language server: everything an editor can ask.
fn language_sessions() -> Vec<String> {
    let uri = "file:///nowhere/fuzz.pml";
    let document = json!({ "uri": uri });
    let at = |line: u32, character: u32| json!({ "line": line, "character": character });
    let range = json!({ "start": at(0, 0), "end": at(5, 3) });
    let tell = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "method": method, "params": params });
    let mut next = 0;
    let mut ask = |method: &str, params: Value| {
        next += 1;
        json!({ "jsonrpc": "2.0", "id": next, "method": method, "params": params })
    };
    let capabilities = json!({ "workspace": { "codeLens": { "refreshSupport": true } }, "window": { "workDoneProgress": true } });
    let initialize =
        ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
    let beginning = [
        initialize,
        tell("initialized", json!({})),
        tell(
            "workspace/didChangeConfiguration",
            json!({ "settings": { "stubborn": { "check": "type", "time": 1, "memory": 64, "shorten": 0 } } }),
        ),
        tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "promela", "version": 1, "text": MODEL } }),
        ),
    ];
    let mut changes = beginning.to_vec();
    for version in 2..8 {
        let (from, to) = (at(version, 4), at(version, 9));
        let change = json!({ "range": { "start": from, "end": to }, "text": "x + (" });
        changes.push(tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [change] }),
        ));
    }
    changes.push(tell("textDocument/didSave", json!({ "textDocument": document })));
    changes.push(ask("stubborn/text", json!({ "uri": uri })));
    changes.push(tell("textDocument/didClose", json!({ "textDocument": document })));
    let mut questions = beginning.to_vec();
    for method in ["hover", "definition", "documentHighlight", "completion", "signatureHelp", "prepareRename"]
    {
        let method = format!("textDocument/{method}");
        questions.push(ask(&method, json!({ "textDocument": document, "position": at(4, 31) })));
    }
    let context = json!({ "includeDeclaration": true });
    let position = at(2, 5);
    questions.push(ask(
        "textDocument/references",
        json!({ "textDocument": document, "position": position, "context": context }),
    ));
    questions.push(ask(
        "textDocument/rename",
        json!({ "textDocument": document, "position": position, "newName": "z" }),
    ));
    for method in ["documentSymbol", "foldingRange", "documentLink", "codeLens", "semanticTokens/full"] {
        questions.push(ask(&format!("textDocument/{method}"), json!({ "textDocument": document })));
    }
    for method in ["inlayHint", "semanticTokens/range"] {
        questions.push(ask(
            &format!("textDocument/{method}"),
            json!({ "textDocument": document, "range": range }),
        ));
    }
    questions.push(ask(
        "textDocument/selectionRange",
        json!({ "textDocument": document, "positions": [position, at(4, 40)] }),
    ));
    questions.push(ask(
        "textDocument/formatting",
        json!({ "textDocument": document, "options": { "tabSize": 4, "insertSpaces": true } }),
    ));
    questions.push(ask(
        "textDocument/codeAction",
        json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } }),
    ));
    questions.push(ask("workspace/symbol", json!({ "query": "add" })));
    let mut commands = beginning.to_vec();
    let mut command = |name: &str, arguments: Value| {
        commands.push(ask(
            "workspace/executeCommand",
            json!({ "command": format!("stubborn.{name}"), "arguments": arguments }),
        ));
    };
    command("check", json!([uri]));
    command("status", json!([uri]));
    command("trail", json!([uri, "assertions"]));
    command("step", json!([uri, "assertions", 2]));
    command("step", json!([uri, "assertions", "previous"]));
    for format in ["text", "svg", "html", "spin"] {
        command("export", json!([uri, "assertions", format]));
    }
    command("explain", json!([uri, "low"]));
    command("dependents", json!([uri, { "line": 4, "character": 31 }]));
    command("net", json!([uri, "assertions", 1]));
    command("cancel", json!([]));
    commands.push(tell("$/cancelRequest", json!({ "id": 40 })));
    commands.push(tell("window/workDoneProgress/cancel", json!({ "token": "check-1" })));
    let watched = json!({ "changes": [{ "uri": "file:///nowhere/stubborn.toml", "type": 2 }] });
    commands.push(tell("workspace/didChangeWatchedFiles", watched));
    let folders =
        json!({ "event": { "added": [{ "uri": "file:///nowhere", "name": "nowhere" }], "removed": [] } });
    commands.push(tell("workspace/didChangeWorkspaceFolders", folders));
    [changes, questions, commands].map(|messages| lines(&messages)).to_vec()
}

/// A session with the language server; how many of its messages were refused.
fn language_server(script: &str) -> usize {
    let mut server = Server::start("lsp");
    for (i, line) in script.lines().enumerate() {
        server.send(line);
        if i == 0 {
            // An editor waits for the answer to its greeting, if it is one.
            server.heard(|_| true, WHILE);
        }
    }
    // A script may end the session.
    if !script.contains("exit") && !script.contains("shutdown") {
        server.is_itself();
    }
    server.send(&json!({ "jsonrpc": "2.0", "id": "end", "method": "shutdown" }).to_string());
    server.heard(|message| message["id"] == "end", WHILE);
    server.send(&json!({ "jsonrpc": "2.0", "method": "exit" }).to_string());
    server.end(&[0, 1])
}

/// Sessions with the debug adapter: forwards, backwards, values.
fn debug_sessions() -> Vec<String> {
    let program = |name: &str| workspace::model(name).display().to_string();
    let mut sessions = Vec::new();
    for launch in [
        json!({ "program": program("broken_mutex.pml"), "property": "assertions", "time": 1, "memory": 64 }),
        json!({ "program": program("alternating_bit.pml"), "seed": 7, "steps": 50, "stopOnEntry": true }),
    ] {
        let mut seq = 0;
        let mut session = Vec::new();
        let mut ask = |command: &str, arguments: Value| {
            seq += 1;
            session
                .push(json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments }));
        };
        ask("initialize", json!({ "adapterID": "stubborn", "linesStartAt1": true, "pathFormat": "path" }));
        ask("launch", launch.clone());
        let source = json!({ "path": launch["program"] });
        let breakpoints =
            json!([{ "line": 9, "condition": "_pid == 0", "hitCondition": "2", "logMessage": "at {_pid}" }]);
        ask("setBreakpoints", json!({ "source": source, "breakpoints": breakpoints }));
        ask("setExceptionBreakpoints", json!({ "filters": ["assertion", "deadlock", "cycle"] }));
        ask("breakpointLocations", json!({ "source": source, "line": 1, "endLine": 30 }));
        ask("configurationDone", json!({}));
        ask("threads", Value::Null);
        for command in ["next", "stepIn", "stepBack", "stepInTargets", "continue", "reverseContinue", "next"]
        {
            ask(command, json!({ "threadId": 1, "frameId": 1, "targetId": 1 }));
        }
        ask("stackTrace", json!({ "threadId": 1, "startFrame": 0, "levels": 20 }));
        ask("scopes", json!({ "frameId": 1 }));
        ask("variables", json!({ "variablesReference": 1, "start": 0, "count": 100 }));
        ask("evaluate", json!({ "expression": "_pid + 1", "frameId": 1 }));
        ask("exceptionInfo", json!({ "threadId": 1 }));
        ask("loadedSources", json!({}));
        ask("restart", json!({}));
        ask("pause", json!({ "threadId": 1 }));
        sessions.push(lines(&session));
    }
    sessions
}

/// A session with the debug adapter; how many of its requests were refused.
fn debug_adapter(script: &str) -> usize {
    let mut server = Server::start("dap");
    script.lines().for_each(|line| server.send(line));
    server.send(&json!({ "seq": 9999, "type": "request", "command": "disconnect" }).to_string());
    // What is no message of the protocol ends a session, with 2.
    server.end(&[0, 2])
}

/// A server that is written to whatever it is, and heard.
struct Server {
    process: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    heard: Vec<Value>,
    errors: tempfile::NamedTempFile,
    started: Instant,
}

impl Server {
    fn start(command: &str) -> Self {
        let errors = tempfile::NamedTempFile::new().expect("a temporary file");
        let stderr = errors.reopen().expect("it can be opened twice");
        let mut process = Command::new(binary::path())
            .arg(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .expect("the server starts");
        let (input, output) = (process.stdin.take(), process.stdout.take().expect("it is piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Server { process, input, messages, heard: Vec::new(), errors, started: Instant::now() }
    }

    /// Sends a message, if anybody is there to hear it.
    fn send(&mut self, message: &str) {
        if let Some(input) = &mut self.input {
            let sent = write!(input, "Content-Length: {}\r\n\r\n{message}", message.len());
            if sent.and_then(|()| input.flush()).is_err() {
                self.input = None;
            }
        }
    }

    /// Waits a while for a message.
    fn heard(&mut self, is_it: impl Fn(&Value) -> bool, time: Duration) -> Option<Value> {
        let start = Instant::now();
        while let Ok(message) = self.messages.recv_timeout(time.saturating_sub(start.elapsed())) {
            self.heard.push(message.clone());
            if is_it(&message) {
                return Some(message);
            }
        }
        None
    }

    /// The language server answers what makes sense: a new text is as it was given. What follows something that is no
    /// message may be lost with it, so it is asked more than once.
    fn is_itself(&mut self) {
        let uri = "file:///nowhere/after.pml";
        let document = json!({ "uri": uri, "languageId": "promela", "version": 1, "text": MODEL });
        let open = json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } });
        for attempt in 0.. {
            // What is no message at all may have ended the session, in order.
            if self.process.try_wait().is_ok_and(|status| status.is_some()) {
                return;
            }
            assert!(self.started.elapsed() < PATIENCE, "no answer; {}", self.told());
            let id = format!("after {attempt}");
            let ask =
                json!({ "jsonrpc": "2.0", "id": id, "method": "stubborn/text", "params": { "uri": uri } });
            self.send(&open.to_string());
            self.send(&ask.to_string());
            if let Some(answer) = self.heard(|message| message["id"] == *id, WHILE) {
                let is_greeted = self.heard.iter().any(|heard| !heard["result"]["capabilities"].is_null());
                assert!(!is_greeted || answer["result"] == MODEL, "it does not know its text: {answer}");
                return;
            }
        }
    }

    /// Waits for the end, which is to be in order; how many requests were refused.
    fn end(mut self, orderly: &[i32]) -> usize {
        self.input = None;
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("it can be asked") {
                break status;
            }
            assert!(self.started.elapsed() < PATIENCE, "it does not end; {}", self.told());
            std::thread::sleep(Duration::from_millis(1));
        };
        let told = self.told();
        assert!(status.code().is_some_and(|code| orderly.contains(&code)), "{status}; {told}");
        assert!(!told.contains("panicked"), "{told}");
        self.heard.extend(self.messages.iter());
        let is_refused = |message: &&Value| message.get("error").is_some() || message["success"] == false;
        self.heard.iter().filter(is_refused).count()
    }

    /// What it wrote to its standard error.
    fn told(&self) -> String {
        let mut told = String::new();
        let read = File::open(self.errors.path()).and_then(|mut file| file.read_to_string(&mut told));
        read.map(|_| told).unwrap_or_else(|error| error.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
