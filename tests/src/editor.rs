//! An editor, as far as the language server can tell: it speaks the protocol with a real server process, over its
//! standard streams or a socket, and remembers what it was told.

use std::collections::BTreeMap;
use std::io::{BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::binary;
use crate::message::read_message;

/// Nothing takes this long, on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// An editor with a server.
pub struct Editor {
    server: Child,
    input: Option<Box<dyn Write>>,
    socket: Option<TcpStream>,
    messages: Receiver<Value>,
    next: i64,
    /// By document: the diagnostics told last, with the version they are of.
    pub diagnostics: BTreeMap<String, (Option<i64>, Vec<Value>)>,
    /// The versions that diagnostics were told of, in order.
    pub told: Vec<(String, Option<i64>)>,
    /// Answers that came while something else was waited for.
    answers: BTreeMap<i64, Value>,
    /// Other notifications and requests of the server, in order.
    pub heard: Vec<Value>,
    /// What it answers when it is asked for settings.
    pub settings: Value,
}

impl Editor {
    /// Starts a server and greets it.
    pub fn start(settings: Value) -> Self {
        Self::start_with(&[], settings)
    }

    /// The same with more arguments.
    pub fn start_with(arguments: &[&str], settings: Value) -> Self {
        let mut server = server(&[&["lsp"], arguments].concat());
        let (input, output) = (server.stdin.take(), server.stdout.take());
        let (input, output) = (input.expect("it is piped"), output.expect("it is piped"));
        Self::greet(server, Box::new(input), output, settings)
    }

    /// The same over a socket.
    pub fn start_on_socket(settings: Value) -> Self {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
        let address = free.expect("a port");
        let server = server(&["lsp", "--socket", &address.port().to_string()]);
        let started = Instant::now();
        let stream = loop {
            match TcpStream::connect(address) {
                Ok(stream) => break stream,
                Err(error) => assert!(started.elapsed() < PATIENCE, "{error}"),
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let end = || stream.try_clone().expect("another end");
        let mut editor = Self::greet(server, Box::new(end()), end(), settings);
        editor.socket = Some(end());
        editor
    }

    fn greet(
        server: Child,
        input: Box<dyn Write>,
        output: impl Read + Send + 'static,
        settings: Value,
    ) -> Self {
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut editor = Editor {
            server,
            input: Some(input),
            socket: None,
            messages,
            next: 1,
            diagnostics: BTreeMap::new(),
            told: Vec::new(),
            answers: BTreeMap::new(),
            heard: Vec::new(),
            settings,
        };
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-16"] },
            "window": { "workDoneProgress": true, "showDocument": { "support": true } },
            "workspace": {
                "configuration": true,
                "codeLens": { "refreshSupport": true },
                "inlayHint": { "refreshSupport": true },
            },
            "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
        });
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities });
        editor.request("initialize", params).expect("it is greeted");
        editor.notify("initialized", json!({}));
        editor.wait("settings are asked for", |e| {
            e.heard.iter().any(|message| message["method"] == "workspace/configuration").then_some(())
        });
        editor
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request without waiting; its number.
    pub fn begin(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Does not want the answer to a request any more; there will be one all the same.
    pub fn cancel(&mut self, id: i64) {
        self.notify("$/cancelRequest", json!({ "id": id }));
    }

    /// The largest memory that the server has had, in MiB, where the system tells.
    pub fn most_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok()? / 1024)
    }

    /// How many threads of the server have a name, where the system tells.
    pub fn n_threads(&self, name: &str) -> Option<usize> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.server.id())).ok()?;
        let names = tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
        Some(names.filter(|found| found.trim() == name).count())
    }

    /// How many checks are shown to run: bars that began and have not ended.
    pub fn n_running(&self) -> usize {
        self.n_begun() - self.n_bars("end")
    }

    /// How many checks were shown.
    pub fn n_begun(&self) -> usize {
        self.n_bars("begin")
    }

    fn n_bars(&self, kind: &str) -> usize {
        let bars = self.heard.iter().filter(|message| message["method"] == "$/progress");
        bars.filter(|message| message["params"]["value"]["kind"] == kind).count()
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        let message = self.wait("an answer", |editor| editor.answers.remove(&id));
        match message.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(message["result"].clone()),
        }
    }

    /// Sends a request and waits for its answer.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// Asks about a place of a document.
    pub fn ask_at(&mut self, method: &str, uri: &str, line: usize, character: usize) -> Value {
        let place =
            json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } });
        self.request(method, place).expect("an answer")
    }

    /// Runs a command.
    pub fn command(&mut self, name: &str, arguments: Value) -> Result<Value, Value> {
        self.request("workspace/executeCommand", json!({ "command": name, "arguments": arguments }))
    }

    /// Opens a document.
    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "promela", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces a whole document.
    pub fn replace(&mut self, uri: &str, version: i64, text: &str) {
        self.change(uri, version, json!([{ "text": text }]));
    }

    /// Changes a document.
    pub fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Saves a document.
    pub fn save(&mut self, uri: &str) {
        self.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    }

    /// Waits until something is so.
    pub fn wait<R>(&mut self, what: &str, is_so: impl Fn(&mut Self) -> Option<R>) -> R {
        let started = Instant::now();
        loop {
            if let Some(found) = is_so(self) {
                return found;
            }
            match self.messages.recv_timeout(PATIENCE.saturating_sub(started.elapsed())) {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => panic!("{what} did not come; told: {:?}", self.diagnostics),
                Err(RecvTimeoutError::Disconnected) => panic!("the server is gone, and {what} did not come"),
            }
        }
    }

    /// The diagnostics of a document with a code.
    pub fn coded(&self, uri: &str, code: &str) -> Vec<Value> {
        let all = self.diagnostics.get(uri).map(|(_, all)| all.clone()).unwrap_or_default();
        all.into_iter().filter(|diagnostic| diagnostic["code"] == code).collect()
    }

    /// Says good-bye; the exit code of the server.
    pub fn stop(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null).expect("it shuts down");
        self.notify("exit", Value::Null);
        self.input = None;
        self.wait_for_end()
    }

    /// Is gone without a word; the exit code of the server.
    pub fn die(mut self) -> Option<i32> {
        self.input = None;
        if let Some(socket) = &self.socket {
            let _ = socket.shutdown(Shutdown::Both);
        }
        self.wait_for_end()
    }

    fn wait_for_end(&mut self) -> Option<i32> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.server.try_wait().expect("it can be asked") {
                return status.code();
            }
            assert!(started.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Sends bytes that need not be a message.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    fn take(&mut self, message: Value) {
        match (message.get("method").and_then(Value::as_str), message.get("id")) {
            (None, Some(id)) => {
                self.answers.insert(id.as_i64().unwrap_or_default(), message);
            }
            (Some("textDocument/publishDiagnostics"), _) => {
                let params = &message["params"];
                let uri = params["uri"].as_str().unwrap_or_default().to_owned();
                let all = params["diagnostics"].as_array().cloned().unwrap_or_default();
                self.told.push((uri.clone(), params["version"].as_i64()));
                self.diagnostics.insert(uri, (params["version"].as_i64(), all));
            }
            (Some(method), Some(id)) => {
                let result = match method {
                    "workspace/configuration" => json!([self.settings]),
                    "window/showDocument" => json!({ "success": true }),
                    _ => Value::Null,
                };
                let reply = json!({ "jsonrpc": "2.0", "id": id, "result": result });
                self.send(&reply);
                self.heard.push(message);
            }
            _ => self.heard.push(message),
        }
    }
}

/// A test that fails leaves no server behind.
impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn server(arguments: &[&str]) -> Child {
    Command::new(binary::path())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        // Where a defect of the server would be told.
        .stderr(Stdio::inherit())
        .spawn()
        .expect("the server starts")
}
