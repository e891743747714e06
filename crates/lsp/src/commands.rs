//! Commands: checks, trails step by step, dependent statements. They answer with plain data that any editor can use,
//! and show what there is to see where the editor lets them.
//!
//! | command | arguments | answer |
//! | --- | --- | --- |
//! | `stubborn.check` | document | null |
//! | `stubborn.checkAll` | | null |
//! | `stubborn.checkOnCluster` | document | null |
//! | `stubborn.cancel` | document, or nothing for all | null |
//! | `stubborn.trail` | document, property | the trail: `steps` with `location`, `text`, `changes` |
//! | `stubborn.showTrail` | document, property | the same; the trail is shown as a text |
//! | `stubborn.export` | document, property, `text`, `svg`, `html` or `spin` | the trail in that format |
//! | `stubborn.net` | document, or also property and step from 0 | a picture of the net in SVG, at the selected step if none is given |
//! | `stubborn.step` | document, property, number from 0, or `next`, `previous`, `none` | the step, or null |
//! | `stubborn.dependents` | document, position | locations |
//! | `stubborn.explain` | document, property | a sentence |
//! | `stubborn.status` | document | the properties with what is known of each |

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::Value;
use stubborn_check::{PropertyResult, Trail, TrailStep};
use stubborn_ide::export::{export, net_picture, reasons};
use stubborn_ide::lenses::lenses;
use stubborn_ide::names::dependents;
use stubborn_ide::root::Selected;
use stubborn_ide::trails::{changes, document, statement, value};
use stubborn_ide::{Root, Status};
use tempfile::TempDir;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use crate::convert::{self, Encoding};
use crate::outbox::Letter;
use crate::requests::trail_document;
use crate::server::Later;
use crate::state::State;

pub(crate) const COMMANDS: [&str; 12] = [
    "stubborn.check",
    "stubborn.checkAll",
    "stubborn.checkOnCluster",
    "stubborn.cancel",
    "stubborn.trail",
    "stubborn.showTrail",
    "stubborn.export",
    "stubborn.net",
    "stubborn.step",
    DEPENDENTS,
    "stubborn.explain",
    "stubborn.status",
];

/// Answered by somebody else than the owner.
pub(crate) const DEPENDENTS: &str = "stubborn.dependents";

/// Whether a command does not need the texts to be read.
pub(crate) fn is_at_once(command: &str) -> bool {
    matches!(command, "stubborn.check" | "stubborn.checkAll" | "stubborn.checkOnCluster" | "stubborn.cancel")
}

pub(crate) fn execute(state: &mut State, params: &lsp::ExecuteCommandParams) -> Result<Option<Value>> {
    let arguments = Arguments(&params.arguments);
    match params.command.as_str() {
        "stubborn.check" => {
            state.workspace.want(&convert::path(&arguments.uri()?));
            Ok(None)
        }
        "stubborn.checkAll" => {
            let paths: Vec<PathBuf> = state.workspace.roots().map(|(path, _)| path.to_owned()).collect();
            paths.iter().for_each(|path| state.workspace.want(path));
            Ok(None)
        }
        "stubborn.checkOnCluster" => {
            state.workspace.want_together(&convert::path(&arguments.uri()?));
            Ok(None)
        }
        "stubborn.cancel" => {
            let path =
                if params.arguments.is_empty() { None } else { Some(convert::path(&arguments.uri()?)) };
            let concerned = state.workspace.cancel(path.as_deref());
            concerned.iter().for_each(|path| state.tell_interrupted(path));
            Ok(None)
        }
        "stubborn.trail" => trail(state, arguments).map(Some),
        "stubborn.showTrail" => show_trail(state, arguments).map(Some),
        "stubborn.export" => export_trail(state, arguments).map(Some),
        "stubborn.net" => net(state, arguments).map(Some),
        "stubborn.step" => step(state, arguments),
        "stubborn.explain" => explain(state, arguments).map(Some),
        "stubborn.status" => status(state, arguments).map(Some),
        other => Err(Error::invalid_params(format!("there is no command `{other}`"))),
    }
}

/// What a command was given.
#[derive(Clone, Copy)]
struct Arguments<'a>(&'a [Value]);

impl Arguments<'_> {
    fn get<T: serde::de::DeserializeOwned>(self, at: usize, what: &str) -> Result<T> {
        let value = self.0.get(at).cloned().unwrap_or(Value::Null);
        serde_json::from_value(value)
            .map_err(|error| Error::invalid_params(format!("argument {}, {what}: {error}", at + 1)))
    }

    fn uri(self) -> Result<lsp::Uri> {
        self.get(0, "the document")
    }

    fn property(self) -> Result<String> {
        self.get(1, "the property")
    }
}

/// A trail for whoever lists its steps.
#[derive(Serialize)]
struct TrailAnswer {
    property: String,
    /// What is violated, in a line.
    reason: String,
    prefix: usize,
    cycle: usize,
    shortest: bool,
    steps: Vec<StepAnswer>,
}

#[derive(Serialize)]
struct StepAnswer {
    /// From 0.
    number: usize,
    text: String,
    changes: String,
    /// The same, one by one.
    changed: Vec<Changed>,
    process: String,
    pid: u16,
    /// The transition that fires, without its binding, in a net.
    transition: Option<String>,
    location: Option<lsp::Location>,
    /// Whether the violation depends on it.
    matters: bool,
}

/// A value before and after a step.
#[derive(Serialize)]
struct Changed {
    name: String,
    from: String,
    to: String,
    /// In a line: `x: 1 → 2`, or a token that is taken or put.
    text: String,
}

fn step_answer(
    root: &Root,
    number: usize,
    step: &TrailStep,
    matters: bool,
    encoding: Encoding,
) -> StepAnswer {
    let changed = step.changes.iter();
    StepAnswer {
        number,
        text: statement(step),
        changes: changes(step),
        changed: changed
            .map(|c| Changed {
                name: c.name.to_string(),
                from: value(&c.from),
                to: value(&c.to),
                text: c.to_string(),
            })
            .collect(),
        matters,
        process: step.mover.process.to_string(),
        pid: step.mover.pid,
        transition: step.mover.fires.as_ref().map(|fires| fires.name.to_string()),
        location: convert::location(&root.analysis.sources, step.mover.span, encoding),
    }
}

/// The trail of a property, if it is violated by the model as it is.
fn find_trail<'a>(root: &'a Root, property: &str) -> Result<(&'a PropertyResult, &'a Trail)> {
    let result = root.verdicts.result(property);
    result.and_then(|result| Some((&**result, result.trail.as_ref()?))).ok_or_else(|| {
        Error::invalid_params(format!("`{property}` has no trail: it holds, or it is not checked yet"))
    })
}

fn trail(state: &State, arguments: Arguments<'_>) -> Result<Value> {
    let (uri, property) = (arguments.uri()?, arguments.property()?);
    let (_, root, _) = state.root(&uri)?;
    let (result, trail) = find_trail(root, &property)?;
    let reasons = reasons(root, result, trail).map_err(Error::invalid_params)?;
    let steps = trail.steps.iter().zip(&reasons.steps).enumerate();
    answer(&TrailAnswer {
        reason: result.reason.clone().unwrap_or_default(),
        prefix: trail.prefix,
        cycle: trail.cycle,
        shortest: trail.is_shortest,
        steps: steps
            .map(|(i, (step, reason))| step_answer(root, i, step, reason.matters, state.encoding()))
            .collect(),
        property,
    })
}

fn export_trail(state: &State, arguments: Arguments<'_>) -> Result<Value> {
    let (uri, property) = (arguments.uri()?, arguments.property()?);
    let format: String = arguments.get(2, "the format")?;
    let format = format.parse().map_err(Error::invalid_params::<String>)?;
    let (_, root, _) = state.root(&uri)?;
    let (result, trail) = find_trail(root, &property)?;
    export(root, result, trail, format).map(Value::String).map_err(Error::invalid_params)
}

fn net(state: &State, arguments: Arguments<'_>) -> Result<Value> {
    let (_, root, _) = state.root(&arguments.uri()?)?;
    let given: Option<(String, usize)> = match arguments.0.len() {
        0..=1 => None,
        _ => Some((arguments.property()?, arguments.get(2, "the step")?)),
    };
    let step = given.as_ref().map(|(property, step)| (property.as_str(), *step));
    net_picture(root, step).map(Value::String).map_err(Error::invalid_params)
}

/// Shows a trail as a text: as a document of its own where the editor opens such, in a file elsewhere.
fn show_trail(state: &State, arguments: Arguments<'_>) -> Result<Value> {
    let told = trail(state, arguments)?;
    if state.abilities.shows_documents {
        let (uri, property) = (arguments.uri()?, arguments.property()?);
        let (path, root, _) = state.root(&uri)?;
        let address = if state.abilities.trail_documents {
            convert::uri(path).and_then(|model| trail_document::address(&model, &property))
        } else {
            let text = root.verdicts.result(&property).map(|r| document(root, r));
            convert::uri(&write_text(path, &property, &text.unwrap_or_default())?)
        };
        if let Some(uri) = address {
            let show =
                lsp::ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: None };
            state.outbox.send(Letter::Show(show));
        }
    }
    Ok(told)
}

/// Writes a trail beside nothing: into a folder for temporary files.
fn write_text(model: &Path, property: &str, text: &str) -> Result<PathBuf> {
    let name = model.file_stem().unwrap_or_default().to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let property: String = property.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let name = format!("{name}.{property}.trail.txt");
    let written = trail_folder().map(|folder| folder.join(&name)).and_then(|file| {
        std::fs::write(&file, text)?;
        Ok(file)
    });
    written.map_err(|error| Error::invalid_params(format!("cannot write {name}: {error}")))
}

/// Where trails are written, once there is one.
static TRAILS: Mutex<Option<TempDir>> = Mutex::new(None);

/// The folder of trails: nobody else can have made it, or can write there.
fn trail_folder() -> std::io::Result<PathBuf> {
    let mut trails = TRAILS.lock().unwrap_or_else(PoisonError::into_inner);
    if trails.is_none() {
        *trails = Some(tempfile::Builder::new().prefix("stubborn-").tempdir()?);
    }
    Ok(trails.as_ref().expect("it was made just now").path().to_owned())
}

/// The trails that were written go with the server.
pub(crate) fn remove_trails() {
    TRAILS.lock().unwrap_or_else(PoisonError::into_inner).take();
}

/// Selects a step, shows its statement, and answers with it.
fn step(state: &mut State, arguments: Arguments<'_>) -> Result<Option<Value>> {
    let (uri, property) = (arguments.uri()?, arguments.property()?);
    let (path, root, _) = state.root(&uri)?;
    let path = path.to_owned();
    let n = find_trail(root, &property)?.1.steps.len();
    let current = root.selected.as_ref().filter(|s| s.property == property).map(|s| s.step);
    let wanted: Value = arguments.get(2, "the step")?;
    let last = n.saturating_sub(1);
    let next = match &wanted {
        Value::String(word) if word == "next" => Some(current.map_or(0, |at| (at + 1).min(last))),
        Value::String(word) if word == "previous" => Some(current.map_or(last, |at| at.saturating_sub(1))),
        Value::String(word) if word == "none" => None,
        _ => Some(arguments.get::<usize>(2, "the step").map(|at| at.min(last))?),
    };
    let next = next.filter(|_| n > 0);
    state.workspace.select(&path, next.map(|step| Selected { property: property.clone(), step }));
    if state.abilities.refreshes_hints {
        state.outbox.send(Letter::RefreshHints);
    }
    let Some(at) = next else { return Ok(None) };
    let (_, root, _) = state.root(&uri)?;
    let (result, trail) = find_trail(root, &property)?;
    let matters = reasons(root, result, trail).is_ok_and(|reasons| reasons.steps[at].matters);
    let step = step_answer(root, at, &trail.steps[at], matters, state.encoding());
    if let (true, Some(lsp::Location { uri, range })) = (state.abilities.shows_documents, &step.location) {
        let selection = Some(*range);
        let show =
            lsp::ShowDocumentParams { uri: uri.clone(), external: None, take_focus: Some(true), selection };
        state.outbox.send(Letter::Show(show));
    }
    answer(&step).map(Some)
}

pub(crate) fn dependent_places(state: &State, arguments: &[Value]) -> Result<Later<Option<Value>>> {
    let arguments = Arguments(arguments);
    let place = lsp::TextDocumentPositionParams {
        text_document: lsp::TextDocumentIdentifier { uri: arguments.uri()? },
        position: arguments.get(1, "the position")?,
    };
    let (root, file, offset) = state.at(&place)?;
    let encoding = state.encoding();
    Ok(State::survey(&root.analysis, move |analysis, survey| {
        let spans = survey.map(|survey| dependents(analysis, survey, file, offset)).unwrap_or_default();
        let places = spans.iter().filter_map(|&span| convert::location(&analysis.sources, span, encoding));
        serde_json::to_value(places.collect::<Vec<_>>()).ok()
    }))
}

fn explain(state: &State, arguments: Arguments<'_>) -> Result<Value> {
    let (uri, property) = (arguments.uri()?, arguments.property()?);
    let (_, root, _) = state.root(&uri)?;
    let entry = root.verdicts.get(&property);
    let entry =
        entry.ok_or_else(|| Error::invalid_params(format!("the model has no property `{property}`")))?;
    let text = match &entry.status {
        Status::Decided(result) | Status::Bounded(result) => result.strategy.to_string(),
        Status::Failed(why) => why.clone(),
        _ => "it is not checked yet".to_owned(),
    };
    state.outbox.send(Letter::Message(lsp::MessageType::INFO, format!("{property}: {text}")));
    Ok(Value::String(text))
}

#[derive(Clone, PartialEq, Debug, Serialize, serde::Deserialize)]
pub(crate) struct StatusAnswer {
    property: String,
    title: String,
    /// The name of the status, in one word.
    status: String,
    verdict: Option<String>,
    states: u64,
    location: Option<lsp::Location>,
}

fn status(state: &State, arguments: Arguments<'_>) -> Result<Value> {
    let (_, root, _) = state.root(&arguments.uri()?)?;
    answer(&statuses(root, state.encoding()))
}

/// What is known of each property of a model.
pub(crate) fn statuses(root: &Root, encoding: Encoding) -> Vec<StatusAnswer> {
    let lines: Vec<_> = root.analysis.sources.iter().flat_map(|(file, _)| lenses(root, file)).collect();
    let entries = root.verdicts.entries().iter().map(|entry| {
        let name = entry.property.name.to_string();
        let lens = lines.iter().find(|lens| lens.property == name);
        let result = root.verdicts.result(&name);
        let (status, states) = match &entry.status {
            Status::Unknown => ("unknown", 0),
            Status::Waiting => ("waiting", 0),
            Status::Running { progress, .. } => ("running", progress.counts.states),
            Status::Stale => ("stale", 0),
            Status::Bounded(result) => ("bounded", result.counts.states),
            Status::Decided(result) => ("decided", result.counts.states),
            Status::Failed(_) => ("failed", 0),
        };
        StatusAnswer {
            title: lens.map_or_else(String::new, |lens| lens.title.clone()),
            status: status.to_owned(),
            states,
            verdict: result.map(|result| result.verdict.to_string()),
            location: lens.and_then(|lens| convert::location(&root.analysis.sources, lens.span, encoding)),
            property: name,
        }
    });
    entries.collect()
}

fn answer(value: &impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(|error| Error::invalid_params(error.to_string()))
}
