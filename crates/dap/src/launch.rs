//! From a launch request to a program, and to the counterexample that is asked for.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;
use stubborn_check::{Config, Job, Progress, Verdict};
use stubborn_ide::Settings;
use stubborn_ide::debug::trail::{AUTO, Decided, find};
use stubborn_ide::debug::{Debugger, Program, Route};
use stubborn_ide::settings::{Written, of_folder};

use crate::client::Client;
use crate::inbox::Inbox;
use crate::protocol::LaunchArguments;

/// Between two reports of how far a check is.
const INTERVAL: Duration = Duration::from_millis(250);

/// What is debugged.
pub(crate) struct Launched {
    pub(crate) program: Program,
    route: Option<Route>,
}

impl Launched {
    /// Reads the model, and checks it if a counterexample is asked for.
    pub(crate) fn new(
        arguments: &LaunchArguments,
        request: i64,
        client: &mut Client,
        inbox: &Inbox,
    ) -> Result<Self, String> {
        let path = PathBuf::from(&arguments.program);
        let path = std::path::absolute(&path).unwrap_or(path);
        let settings = settings(arguments, &path, client);
        let mut program = Program::load(&path, settings.defines.clone())?;
        let goal = arguments.reach.as_deref().map(|goal| program.add_goal(goal)).transpose()?;
        let route = match goal.as_ref().or(arguments.property.as_ref()) {
            Some(property) => {
                let config = Config { coverage: false, ..settings.config(false) };
                route(&program, property, &config, request, client, inbox)?
            }
            None => None,
        };
        Ok(Launched { program, route })
    }

    /// At the start of the run.
    pub(crate) fn debugger(&self, arguments: &LaunchArguments) -> Result<Debugger<'_>, String> {
        let debugger = Debugger::start(&self.program, self.route.clone(), arguments.seed.unwrap_or(1));
        let mut debugger = debugger.map_err(|kind| format!("there is no initial state: {kind}"))?;
        if let Some(steps) = arguments.steps {
            debugger.limit = steps.max(1);
        }
        Ok(debugger)
    }
}

/// Settings of the folder that the model is in, or of one around it; the launch request goes first.
fn settings(arguments: &LaunchArguments, path: &Path, client: &mut Client) -> Settings {
    let mut wrong = Vec::new();
    let mut folder = Written::default();
    match path.ancestors().skip(1).find_map(of_folder) {
        Some(Ok(written)) => folder = written,
        Some(Err(error)) => wrong.push(error),
        None => {}
    }
    let launch = Written {
        defines: arguments.defines.clone(),
        time: arguments.time,
        memory: arguments.memory,
        fair: arguments.fair,
        ..Written::default()
    };
    let (settings, more) = Settings::from_written([&folder, &launch]);
    wrong.extend(more);
    wrong.iter().for_each(|wrong| client.say(wrong));
    settings
}

/// The way to a violation of a property; none, and it is said, if there is none.
fn route(
    program: &Program,
    property: &str,
    config: &Config,
    request: i64,
    client: &mut Client,
    inbox: &Inbox,
) -> Result<Option<Route>, String> {
    let id = format!("check-{request}");
    let is_shown = client.abilities.supports_progress_reporting;
    if is_shown {
        let title = "Stubborn: checking";
        let body = json!({ "progressId": id, "title": title, "requestId": request, "cancellable": true });
        client.event("progressStart", body);
    }
    let cell = RefCell::new(&mut *client);
    let update = |message: String| {
        if is_shown {
            cell.borrow_mut().event("progressUpdate", json!({ "progressId": id, "message": message }));
        }
    };
    let mut told = Instant::now();
    let mut progress = |progress: &Progress| {
        if told.elapsed() >= INTERVAL {
            told = Instant::now();
            update(format!("{} states, depth {}", progress.counts.states, progress.counts.depth));
        }
    };
    let job = Job { cancel: inbox.cancel_flag(), progress: &mut progress };
    let decided = find(&program.model, property, config, job, &mut |p| update(p.name.to_string()));
    if is_shown {
        client.event("progressEnd", json!({ "progressId": id }));
    }
    let decided = decided?;
    decided.iter().for_each(|decided| client.say(&decided.to_string()));
    let violated = decided.iter().find_map(|decided| Some((&decided.property, decided.trail.as_ref()?)));
    if let Some((property, trail)) = violated {
        return Ok(Some(Route::to_violation(&program.model, property, trail)));
    }
    let is_open = |decided: &Decided| decided.verdict == Verdict::Incomplete;
    let why = match (property, decided.is_empty() || decided.iter().any(is_open)) {
        (_, true) => "no violation was found, which is not to say that there is none".to_owned(),
        (AUTO, false) => "no property is violated".to_owned(),
        (property, false) => format!("{property} is not violated"),
    };
    client.say(&format!("{why}: this is a simulation, whose steps are made by chance or chosen"));
    Ok(None)
}
