//! How long an editor waits for the language server on a model of 5,000 lines, while checks use all threads.
//!
//! `latency [--rounds N]`, 300 unless told otherwise. Prints median, 99th percentile and worst of each kind, and what
//! they should be. *After a keystroke* is a request sent right behind an edit, before anything was read again.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stubborn_tests::editor::Editor;
use stubborn_tests::generate::Random;
use stubborn_tests::large::large_model;

const LINES: usize = 5_000;

fn main() -> ExitCode {
    let mut rounds = 300;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next().and_then(|value| value.parse().ok())) {
            ("--rounds", Some(value)) => rounds = value,
            _ => {
                eprintln!("usage: latency [--rounds N]");
                return ExitCode::FAILURE;
            }
        }
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = json!({ "threads": threads, "time": 3600, "memory": 1024 * threads });
    let mut editor = Editor::start(settings);
    let busy: Vec<String> = (0..threads).map(|i| uri(&format!("busy{i}.pml"))).collect();
    let model = large_model(200);
    busy.iter().for_each(|uri| editor.open(uri, &model));
    editor.wait("all threads are busy", |e| (e.n_running() == threads).then_some(()));
    let mut session = Session { editor, random: Random::new(1), text: large_model(LINES), version: 1 };
    println!(
        "{} lines, {threads} checks on {threads} threads, {rounds} rounds",
        session.text.lines().count()
    );
    println!("{:<34} {:>9} {:>9} {:>9}   goal", "milliseconds", "median", "p99", "worst");
    let started = Instant::now();
    session.open();
    println!("{:<34} {:>9.1}", "open → diagnostics", started.elapsed().as_secs_f64() * 1e3);
    session.requests(rounds);
    session.keystrokes(rounds);
    session.cancels(&busy, rounds.div_ceil(10));
    println!("memory of the server at most: {} MiB", session.editor.most_memory().unwrap_or_default());
    session.editor.stop();
    ExitCode::SUCCESS
}

fn uri(name: &str) -> String {
    format!("file:///nowhere/{name}")
}

struct Session {
    editor: Editor,
    random: Random,
    text: String,
    version: i64,
}

const REQUESTS: [&str; 3] = ["textDocument/hover", "textDocument/definition", "textDocument/completion"];

impl Session {
    fn open(&mut self) {
        let text = self.text.clone();
        self.editor.open(&uri("large.pml"), &text);
        self.wait_for_version();
    }

    fn wait_for_version(&mut self) {
        let (uri, version) = (uri("large.pml"), self.version);
        self.editor.wait("diagnostics", |e| {
            e.diagnostics.get(&uri).filter(|(told, _)| *told == Some(version)).map(|_| ())
        });
    }

    /// A place of a name.
    fn place(&mut self) -> Value {
        let lines: Vec<&str> = self.text.lines().collect();
        loop {
            let line = self.random.below(lines.len());
            let names = lines[line].char_indices().filter(|(_, c)| c.is_alphabetic());
            let columns: Vec<usize> = names.map(|(column, _)| column).collect();
            if let Some(&character) = self.random.pick(&columns) {
                return json!({
                    "textDocument": { "uri": uri("large.pml") },
                    "position": { "line": line, "character": character },
                });
            }
        }
    }

    fn request(&mut self, method: &str, place: Value) -> Duration {
        let started = Instant::now();
        self.editor.request(method, place).expect("an answer");
        started.elapsed()
    }

    fn requests(&mut self, rounds: usize) {
        let mut times = [const { Vec::new() }; REQUESTS.len()];
        for _ in 0..rounds {
            for (method, times) in REQUESTS.iter().zip(&mut times) {
                let place = self.place();
                times.push(self.request(method, place));
            }
        }
        for (method, times) in REQUESTS.iter().zip(times) {
            report(method, times, "p99 ≤ 20");
        }
    }

    /// A letter too much, and its end: each until what is wrong with that version is told.
    fn keystrokes(&mut self, rounds: usize) {
        let mut after = [const { Vec::new() }; REQUESTS.len()];
        let mut told = Vec::new();
        for round in 0..rounds {
            let place = self.place();
            let start = place["position"].clone();
            let mut end = start.clone();
            end["character"] = json!(start["character"].as_u64().unwrap_or_default() + 1);
            let wrong = json!({ "range": { "start": start, "end": start }, "text": ")" });
            let right = json!({ "range": { "start": start, "end": end }, "text": "" });
            for change in [wrong, right] {
                self.version += 1;
                let started = Instant::now();
                self.editor.change(&uri("large.pml"), self.version, json!([change]));
                let kind = round % (REQUESTS.len() + 1);
                if let Some(times) = after.get_mut(kind) {
                    let place = self.place();
                    times.push(self.request(REQUESTS[kind], place));
                }
                self.wait_for_version();
                if kind == REQUESTS.len() {
                    told.push(started.elapsed());
                }
            }
        }
        for (method, times) in REQUESTS.iter().zip(after) {
            report(&format!("{} after a keystroke", method.trim_start_matches("textDocument/")), times, "");
        }
        report("keystroke → diagnostics", told, "≤ 50");
    }

    /// From the command to the end of the check: as it is shown, and its thread.
    fn cancels(&mut self, busy: &[String], rounds: usize) {
        // Nothing else waits for a thread.
        let large = json!([uri("large.pml")]);
        self.editor.command("stubborn.cancel", large).expect("an answer");
        let n = busy.len();
        let (mut shown, mut ended) = (Vec::new(), Vec::new());
        for uri in busy.iter().cycle().take(rounds) {
            self.editor.wait("all threads are busy", |e| (e.n_running() == n).then_some(()));
            let started = Instant::now();
            self.editor.command("stubborn.cancel", json!([uri])).expect("an answer");
            self.editor.wait("the check ends", |e| (e.n_running() < n).then_some(()));
            shown.push(started.elapsed());
            while self.editor.n_threads("check").is_some_and(|threads| threads >= n) {
                std::thread::sleep(Duration::from_millis(1));
            }
            ended.push(started.elapsed());
            self.editor.command("stubborn.check", json!([uri])).expect("an answer");
        }
        report("cancel → shown", shown, "≤ 50");
        report("cancel → the thread has ended", ended, "≤ 50");
    }
}

fn report(what: &str, mut times: Vec<Duration>, goal: &str) {
    times.sort();
    let at = |share: f64| {
        let last = times.len().saturating_sub(1);
        let index = (share * times.len() as f64) as usize;
        times.get(index.min(last)).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    println!("{what:<34} {:>9.1} {:>9.1} {:>9.1}   {goal}", at(0.5), at(0.99), at(1.0));
}
