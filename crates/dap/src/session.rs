//! A session with a program: what moves it, and what is told when it stands still.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use serde_json::{Value, json};
use stubborn_ide::debug::{Debugger, Filters, Stop, Why, breakpoints};
use stubborn_ir::Pid;

use crate::client::Client;
use crate::convert;
use crate::handles::Handles;
use crate::inbox::{Inbox, Incoming};
use crate::protocol::{
    Breakpoint, LaunchArguments, Output, Request, RestartArguments, SourceBreakpoint, Stopped,
    ThreadArguments,
};
use crate::server::arguments;

/// What the client asked for and was told that outlives a restart.
#[derive(Default)]
pub(crate) struct Asked {
    /// Breakpoints by path.
    pub(crate) breakpoints: BTreeMap<String, Vec<SourceBreakpoint>>,
    pub(crate) filters: Option<Filters>,
    /// The threads that it knows of, since the first stop.
    threads: Option<BTreeSet<i64>>,
}

/// The client wants to begin again, perhaps with something else.
pub(crate) struct Restart {
    pub(crate) incoming: Incoming,
    pub(crate) arguments: Option<LaunchArguments>,
}

pub(crate) struct Session<'p, 'c> {
    pub(crate) client: &'c mut Client,
    inbox: &'c Inbox,
    pub(crate) debugger: Debugger<'p>,
    arguments: &'c LaunchArguments,
    pub(crate) asked: &'c mut Asked,
    pub(crate) handles: Handles,
    pub(crate) stop: Option<Stop>,
}

/// The thread that is shown where no process exists.
pub(crate) const NO_PROCESS: i64 = 1 << 20;

/// The number of a process as a thread; 0 is no thread to some clients.
pub(crate) fn thread_id(pid: Pid) -> i64 {
    i64::from(pid) + 1
}

impl<'p, 'c> Session<'p, 'c> {
    pub(crate) fn new(
        client: &'c mut Client,
        inbox: &'c Inbox,
        debugger: Debugger<'p>,
        arguments: &'c LaunchArguments,
        asked: &'c mut Asked,
    ) -> Self {
        Session { client, inbox, debugger, arguments, asked, handles: Handles::default(), stop: None }
    }

    /// Answers requests until the client is gone, or wants to begin again.
    pub(crate) fn run(mut self, is_restart: bool) -> io::Result<Option<Restart>> {
        if is_restart {
            self.restore();
            self.start();
        } else {
            *self.asked = Asked::default();
            self.client.event("initialized", Value::Null);
        }
        while let Some(incoming) = self.inbox.next()? {
            let request = &incoming.request;
            match request.command.as_str() {
                "disconnect" => {
                    self.client.respond(request, Value::Null);
                    return Ok(None);
                }
                "restart" => match arguments::<RestartArguments>(request) {
                    Ok(RestartArguments { arguments }) => {
                        // To some clients, a thread that stopped stands still until they are told that it moved.
                        let thread_id = self.stop.as_ref().map_or(NO_PROCESS, stopped_thread);
                        let body = json!({ "threadId": thread_id, "allThreadsContinued": true });
                        self.client.event("continued", body);
                        return Ok(Some(Restart { incoming, arguments }));
                    }
                    Err(why) => self.client.refuse(request, &why),
                },
                _ => {
                    if let Err(why) = self.answer(&incoming) {
                        self.client.refuse(request, &why);
                    }
                }
            }
            self.inbox.answered(&incoming);
            if self.client.is_gone() {
                break;
            }
        }
        Ok(None)
    }

    fn answer(&mut self, incoming: &Incoming) -> Result<(), String> {
        let request = &incoming.request;
        if let Some(answer) = self.query(request) {
            self.client.respond(request, answer?);
            return Ok(());
        }
        match request.command.as_str() {
            "configurationDone" => {
                self.client.respond(request, Value::Null);
                self.start();
            }
            // Whatever was under way has stopped when it is this request's turn.
            "pause" | "cancel" => self.client.respond(request, Value::Null),
            "terminate" => {
                self.client.respond(request, Value::Null);
                self.client.event("terminated", Value::Null);
            }
            "continue" | "reverseContinue" | "next" | "stepIn" | "stepOut" | "stepBack" => {
                self.step(request)?
            }
            "launch" => return Err("something is launched already".to_owned()),
            other => return Err(format!("`{other}` is not supported")),
        }
        Ok(())
    }

    /// What was asked for before a restart is asked for again.
    fn restore(&mut self) {
        if let Some(filters) = self.asked.filters {
            self.debugger.filters = filters;
        }
        for (path, breakpoints) in self.asked.breakpoints.clone() {
            for breakpoint in self.place(&path, &breakpoints) {
                self.client.event("breakpoint", json!({ "reason": "new", "breakpoint": breakpoint }));
            }
        }
    }

    /// Places breakpoints in a file.
    pub(crate) fn place(&mut self, path: &str, asked: &[SourceBreakpoint]) -> Vec<Breakpoint> {
        let program = self.debugger.program();
        let abilities = &self.client.abilities;
        let Some(file) = program.file(Path::new(path)) else {
            let unknown = |asked: &SourceBreakpoint| Breakpoint {
                id: 0,
                verified: false,
                message: Some("this file is no part of the model that is debugged".to_owned()),
                source: None,
                line: asked.line,
            };
            return asked.iter().map(unknown).collect();
        };
        let wanted = asked.iter().map(|asked| breakpoints::Asked {
            line: convert::line_from(abilities, asked.line),
            condition: said(&asked.condition),
            hits: said(&asked.hit_condition),
            message: said(&asked.log_message),
        });
        let placed = self.debugger.set_breakpoints(file, &wanted.collect::<Vec<_>>());
        let breakpoint = |placed: breakpoints::Placed| Breakpoint {
            id: placed.id,
            verified: placed.problem.is_none(),
            message: placed.problem,
            source: Some(convert::source(program, file)),
            line: convert::line_to(abilities, placed.line),
        };
        placed.into_iter().map(breakpoint).collect()
    }

    /// Begins, as far as the launch request says.
    fn start(&mut self) {
        let is_interrupted = || self.inbox.is_interrupted();
        if self.arguments.no_debug {
            self.debugger.filters = Filters { assertion: false, deadlock: false, cycle: false };
            let stop = self.debugger.proceed(&is_interrupted);
            self.tell_notes();
            self.client.say(&stop.map_or_else(|why| why, |stop| stop.text));
            self.client.event("terminated", Value::Null);
        } else if self.arguments.stop_on_entry.unwrap_or(true) {
            let stop = self.debugger.entry();
            self.stopped(stop);
        } else {
            let stop = self.debugger.begin(&is_interrupted);
            self.settle(stop);
        }
    }

    /// Moves. The request is answered before anything happens, as the protocol wants it.
    fn step(&mut self, request: &Request) -> Result<(), String> {
        let ThreadArguments { thread_id, target_id, .. } = arguments(request)?;
        let command = request.command.as_str();
        let pid = match command {
            "next" | "stepOut" => self.process(thread_id)?,
            _ => None,
        };
        let target = target_id.map(|target| self.handles.target(target)).transpose()?;
        let body = if command == "continue" { json!({ "allThreadsContinued": true }) } else { Value::Null };
        self.client.respond(request, body);
        let is_interrupted = || self.inbox.is_interrupted();
        let debugger = &mut self.debugger;
        let stop = match (command, pid) {
            ("continue", _) => debugger.proceed(&is_interrupted),
            ("reverseContinue", _) => Ok(debugger.reverse(&is_interrupted)),
            ("stepBack", _) => Ok(debugger.step_back()),
            ("next", Some(pid)) => debugger.next(pid, &is_interrupted),
            ("stepOut", Some(pid)) => debugger.step_out(pid, &is_interrupted),
            _ => debugger.step_in(target),
        };
        self.settle(stop);
        Ok(())
    }

    /// The process that a thread is; none for the one that stands for no process.
    pub(crate) fn process(&mut self, thread: i64) -> Result<Option<Pid>, String> {
        let threads = self.debugger.threads();
        match threads.iter().find(|known| thread_id(known.pid) == thread) {
            Some(known) => Ok(Some(known.pid)),
            None if threads.is_empty() && thread == NO_PROCESS => Ok(None),
            None => Err(format!("there is no thread {thread} here; the process may have ended")),
        }
    }

    /// A run came to a stop, or to a defect of ours.
    fn settle(&mut self, stop: Result<Stop, String>) {
        match stop {
            Ok(stop) => self.stopped(stop),
            Err(why) => {
                self.client.say(&why);
                self.client.event("terminated", Value::Null);
            }
        }
    }

    fn stopped(&mut self, stop: Stop) {
        self.tell_notes();
        self.tell_threads();
        self.handles.forget();
        let is_told = matches!(stop.why, Why::End | Why::Cycle | Why::Limit | Why::Beginning);
        if is_told || reason(stop.why) == "exception" {
            self.client.say(&format!("after step {}: {}", self.debugger.position(), stop.text));
        }
        let text = Some(stop.text.clone()).filter(|text| !text.is_empty());
        let stopped = Stopped {
            reason: reason(stop.why),
            description: text.as_ref().map(|text| format!("Paused: {text}")),
            text,
            thread_id: stopped_thread(&stop),
            all_threads_stopped: true,
            hit_breakpoint_ids: stop.breakpoints.clone(),
        };
        self.stop = Some(stop);
        self.client.event("stopped", stopped);
    }

    /// Which processes came and went since the last stop, in whichever direction.
    fn tell_threads(&mut self) {
        let mut now: BTreeSet<i64> = self.debugger.threads().iter().map(|t| thread_id(t.pid)).collect();
        if now.is_empty() {
            now.insert(NO_PROCESS);
        }
        // At the first stop, clients ask.
        let Some(before) = self.asked.threads.replace(now.clone()) else { return };
        for (threads, reason) in [(&before - &now, "exited"), (&now - &before, "started")] {
            for thread in threads {
                self.client.event("thread", json!({ "reason": reason, "threadId": thread }));
            }
        }
    }

    /// What the model showed, and what breakpoints said.
    fn tell_notes(&mut self) {
        let program = self.debugger.program();
        for note in self.debugger.take_notes() {
            let category = if note.is_output { "stdout" } else { "console" };
            let source = note.span.map(|span| convert::source(program, span.file));
            let line = note.span.map(|span| convert::range(&self.client.abilities, program, span).line);
            self.client.event("output", Output { category, output: note.text, source, line });
        }
    }
}

/// The thread to look at.
fn stopped_thread(stop: &Stop) -> i64 {
    stop.pid.map_or(NO_PROCESS, thread_id)
}

/// Something that was asked for; editors also send what was left empty.
fn said(text: &Option<String>) -> Option<String> {
    text.clone().filter(|text| !text.trim().is_empty())
}

/// Why a run stands still, in the protocol's words where it has some.
pub(crate) fn reason(why: Why) -> &'static str {
    match why {
        Why::Entry | Why::Beginning => "entry",
        Why::Step => "step",
        Why::Breakpoint => "breakpoint",
        Why::Assertion | Why::Error | Why::Deadlock | Why::Cycle => "exception",
        Why::End => "end",
        Why::Pause | Why::Limit => "pause",
    }
}
