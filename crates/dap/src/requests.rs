//! What can be asked of a session that stands still: nothing here moves it.

use std::path::Path;

use serde_json::{Value, json};
use stubborn_check::simulation::Choice;
use stubborn_ide::debug::{Filters, Node, Why};

use crate::convert;
use crate::protocol::{
    BreakpointLocationsArguments, EvaluateArguments, Evaluated, ExceptionInfo, FrameArguments, Request,
    Scope, SetBreakpointsArguments, SetExceptionBreakpointsArguments, StackFrame, StepInTarget, Thread,
    ThreadArguments, VariablesArguments,
};
use crate::server::{ASSERTION, CYCLE, DEADLOCK, arguments};
use crate::session::{NO_PROCESS, Session, reason, thread_id};

type Answer = Result<Value, String>;

impl Session<'_, '_> {
    /// The answer to a question; none if the request is none.
    pub(crate) fn query(&mut self, request: &Request) -> Option<Answer> {
        Some(match request.command.as_str() {
            "setBreakpoints" => self.set_breakpoints(request),
            "setExceptionBreakpoints" => self.set_filters(request),
            "breakpointLocations" => self.breakpoint_locations(request),
            "threads" => Ok(self.threads()),
            "stackTrace" => self.stack_trace(request),
            "scopes" => self.scopes(request),
            "variables" => self.variables(request),
            "evaluate" => self.evaluate(request),
            "stepInTargets" => self.step_in_targets(request),
            "exceptionInfo" => self.exception_info(request),
            "loadedSources" => Ok(self.loaded_sources()),
            _ => return None,
        })
    }

    fn set_breakpoints(&mut self, request: &Request) -> Answer {
        let SetBreakpointsArguments { source, breakpoints } = arguments(request)?;
        let path = source.path.ok_or("breakpoints need the path of a file")?;
        let placed = self.place(&path, &breakpoints);
        self.asked.breakpoints.insert(path, breakpoints);
        Ok(json!({ "breakpoints": placed }))
    }

    fn set_filters(&mut self, request: &Request) -> Answer {
        let SetExceptionBreakpointsArguments { filters } = arguments(request)?;
        if let Some(unknown) = filters.iter().find(|f| ![ASSERTION, DEADLOCK, CYCLE].contains(&f.as_str())) {
            return Err(format!("there is no filter `{unknown}`: use {ASSERTION}, {DEADLOCK} or {CYCLE}"));
        }
        let has = |name: &str| filters.iter().any(|filter| filter == name);
        let filters = Filters { assertion: has(ASSERTION), deadlock: has(DEADLOCK), cycle: has(CYCLE) };
        self.debugger.filters = filters;
        self.asked.filters = Some(filters);
        Ok(Value::Null)
    }

    fn breakpoint_locations(&mut self, request: &Request) -> Answer {
        let BreakpointLocationsArguments { source, line, end_line } = arguments(request)?;
        let program = self.debugger.program();
        let abilities = &self.client.abilities;
        let file = source.path.and_then(|path| program.file(Path::new(&path)));
        let file = file.ok_or("this file is no part of the model that is debugged")?;
        let (first, last) =
            (convert::line_from(abilities, line), convert::line_from(abilities, end_line.unwrap_or(line)));
        let lines = program.lines(file).into_iter().filter(|line| (first..=last).contains(line));
        let locations = lines.map(|line| json!({ "line": convert::line_to(abilities, line) }));
        Ok(json!({ "breakpoints": locations.collect::<Vec<_>>() }))
    }

    fn threads(&mut self) -> Value {
        let threads = self.debugger.threads().into_iter();
        let mut threads: Vec<Thread> =
            threads.map(|thread| Thread { id: thread_id(thread.pid), name: thread.name }).collect();
        if threads.is_empty() {
            threads.push(Thread { id: NO_PROCESS, name: "no process".to_owned() });
        }
        json!({ "threads": threads })
    }

    fn stack_trace(&mut self, request: &Request) -> Answer {
        let ThreadArguments { thread_id, start_frame, levels, .. } = arguments(request)?;
        let Some(pid) = self.process(thread_id)? else {
            return Ok(json!({ "stackFrames": [], "totalFrames": 0 }));
        };
        let program = self.debugger.program();
        let frames = self.debugger.frames(pid);
        let total = frames.len();
        let levels = levels.filter(|&levels| levels > 0).unwrap_or(usize::MAX);
        let mut shown = Vec::new();
        for frame in frames.into_iter().skip(start_frame.unwrap_or(0)).take(levels) {
            shown.push(StackFrame {
                id: self.handles.add_frame(pid),
                name: frame.name,
                source: convert::source(program, frame.span.file),
                range: convert::range(&self.client.abilities, program, frame.span),
            });
        }
        Ok(json!({ "stackFrames": shown, "totalFrames": total }))
    }

    fn scopes(&mut self, request: &Request) -> Answer {
        let FrameArguments { frame_id } = arguments(request)?;
        let pid = self.handles.frame(frame_id)?;
        let mut channels = self.debugger.channels(Some(pid));
        channels.extend(self.debugger.channels(None));
        let mut scopes = vec![
            ("Locals", Some("locals"), self.debugger.variables(Some(pid))),
            ("Globals", Some("globals"), self.debugger.variables(None)),
            ("Channels", None, channels),
            ("Changed", None, self.debugger.changes()),
        ];
        let claim = self.debugger.claim();
        if !claim.is_empty() {
            scopes.push(("Claim", None, claim));
        }
        let scope =
            |(name, presentation_hint, nodes): (&'static str, Option<&'static str>, Vec<Node>)| Scope {
                name,
                presentation_hint,
                named_variables: nodes.len(),
                variables_reference: self.handles.add_scope(nodes),
                expensive: false,
            };
        Ok(json!({ "scopes": scopes.into_iter().map(scope).collect::<Vec<_>>() }))
    }

    fn variables(&mut self, request: &Request) -> Answer {
        let VariablesArguments { variables_reference, start, count } = arguments(request)?;
        let (start, count) = (start.unwrap_or(0), count.unwrap_or(0));
        Ok(json!({ "variables": self.handles.variables(variables_reference, start, count)? }))
    }

    fn evaluate(&mut self, request: &Request) -> Answer {
        let EvaluateArguments { expression, frame_id } = arguments(request)?;
        let pid = frame_id.map(|frame| self.handles.frame(frame)).transpose()?;
        let answer = self.debugger.evaluate(&expression, pid)?;
        let parts = self.handles.add_variables(answer.parts);
        Ok(json!(Evaluated { result: answer.value, parts }))
    }

    fn step_in_targets(&mut self, request: &Request) -> Answer {
        let FrameArguments { frame_id } = arguments(request)?;
        self.handles.frame(frame_id)?;
        let program = self.debugger.program();
        let (choices, upcoming) = self.debugger.choices();
        let mut targets = Vec::new();
        for choice in choices {
            let mark = if Some(choice.made) == upcoming { " (comes next)" } else { "" };
            targets.push(StepInTarget {
                id: self.handles.add_target(choice.made),
                label: format!("{}{mark}", label(&choice)),
                range: convert::range(&self.client.abilities, program, choice.mover.span),
            });
        }
        Ok(json!({ "targets": targets }))
    }

    fn exception_info(&mut self, request: &Request) -> Answer {
        let ThreadArguments { .. } = arguments(request)?;
        let stop = self.stop.as_ref().filter(|stop| reason(stop.why) == "exception");
        let stop = stop.ok_or("nothing is wrong here")?;
        let (why, mut description) = (stop.why, stop.text.clone());
        let program = self.debugger.program();
        if why == Why::Deadlock {
            for waiting in self.debugger.waiting().iter().filter(|waiting| !waiting.is_end) {
                let statement = program.sources.text(waiting.span).lines().next().unwrap_or_default().trim();
                let line = program.sources.position(waiting.span.file, waiting.span.start).line;
                let (process, pid) = (&waiting.process, waiting.pid);
                description.push_str(&format!("\n{process}({pid}) waits in line {line}: {statement}"));
            }
        }
        let exception_id = match why {
            Why::Assertion => ASSERTION,
            Why::Deadlock => DEADLOCK,
            Why::Cycle => CYCLE,
            _ => "error",
        };
        Ok(json!(ExceptionInfo { exception_id, description, break_mode: "always" }))
    }

    fn loaded_sources(&self) -> Value {
        let program = self.debugger.program();
        let sources = program.sources.iter().map(|(file, _)| convert::source(program, file));
        json!({ "sources": sources.collect::<Vec<_>>() })
    }
}

/// Who would move, and by which statement.
fn label(choice: &Choice) -> String {
    let Choice { mover, partner, .. } = choice;
    match partner {
        Some(with) => {
            let (process, pid) = (&with.process, with.pid);
            format!("{}({}): {} → {process}({pid}): {}", mover.process, mover.pid, mover.text, with.text)
        }
        None => format!("{}({}): {}", mover.process, mover.pid, mover.text),
    }
}
