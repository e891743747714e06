//! A model with everything it was read from, so that more can be read as if it stood there.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::{FileId, Position, Sources, Span};
use stubborn_check::never;
use stubborn_ir::{Effect, LocationId, Model, ProcessTypeId, TransitionId, Typed};
use stubborn_languages::{BadExpression, Language, Loaded, Loader, language_of};

use super::expressions::describe;
use crate::texts::{Texts, normal};

/// A model that is debugged.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    defines: Vec<(String, String)>,
    language: &'static Language,
    included: Included,
    /// The files; the first is the model.
    pub sources: Sources,
    /// The model.
    pub model: Model,
}

impl Program {
    /// Reads a model from disk. Fails with what is wrong, each with its place.
    pub fn load(path: &Path, defines: Vec<(String, String)>) -> Result<Self, String> {
        let path = normal(path);
        let texts = Texts::default();
        let text = texts.read(&path).ok_or_else(|| format!("cannot read {}", path.display()))?;
        let language = language_of(&path);
        let recorder = Recorder { texts, included: RefCell::default() };
        let Loaded { sources, diagnostics, model } = language.load(&path, text, &recorder, &defines);
        let place = |span: Span| {
            let Position { line, column } = sources.position(span.file, span.start);
            format!("{}:{line}:{column}", sources.file(span.file).path().display())
        };
        let errors: Vec<String> = diagnostics
            .iter()
            .filter(|d| d.is_error())
            .map(|d| format!("{}: {}", place(d.span), d.message))
            .collect();
        match model {
            Some(model) if errors.is_empty() => {
                let included = recorder.included.into_inner();
                Ok(Program { path, defines, language, included, sources, model })
            }
            _ if errors.is_empty() => {
                Err(format!("{} could not be read as a {} model", path.display(), language.name))
            }
            _ => Err(errors.join("\n")),
        }
    }

    /// Reads an expression: outside of all processes, or at a location of one.
    pub fn expression(
        &self,
        text: &str,
        at: Option<(ProcessTypeId, LocationId)>,
    ) -> Result<Typed, BadExpression> {
        let model = self.sources.file(FileId(0)).text();
        self.language.expression(&self.path, model, &self.included, &self.defines, text, at)
    }

    /// Adds the property that an expression is never true, and returns its name.
    pub fn add_goal(&mut self, text: &str) -> Result<String, String> {
        let typed = self.expression(text, None).map_err(|bad| describe(text, &bad))?;
        let file = self.sources.add("reach", text);
        let claim = never(text, typed.expr, Span::new(file, 0, text.len()));
        let name = claim.name.to_string();
        self.model.claims.push(claim);
        Ok(name)
    }

    /// The file with that path.
    pub fn file(&self, path: &Path) -> Option<FileId> {
        let path = normal(path);
        self.sources.iter().find(|(_, file)| normal(file.path()) == path).map(|(id, _)| id)
    }

    /// The line on which a statement begins.
    pub fn line_of(&self, transition: TransitionId) -> (FileId, u32) {
        let span = self.model.transitions[transition].origin.span;
        (span.file, self.sources.position(span.file, span.start).line)
    }

    /// The lines of a file on which statements begin that are steps, in order.
    pub fn lines(&self, file: FileId) -> Vec<u32> {
        let places = self.model.transitions.indices().map(|t| self.line_of(t));
        let mut lines: Vec<u32> = places.filter(|place| place.0 == file).map(|place| place.1).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The line where a run stops for somebody who points at `line`: the beginning of a run of statements that are
    /// one step if it is inside one, else the next line with a statement.
    pub fn line_for(&self, file: FileId, line: u32) -> Option<u32> {
        let lines = self.lines(file);
        if lines.contains(&line) {
            return Some(line);
        }
        let around = self.model.transitions.iter().filter(|t| {
            let span = t.origin.span;
            let is_one_step = t.effects.iter().any(|effect| matches!(effect, Effect::DStep(_)));
            let (start, end) = self.sources.positions(span);
            is_one_step && span.file == file && (start.line..=end.line).contains(&line)
        });
        let begins = around.map(|t| self.sources.position(file, t.origin.span.start).line).max();
        begins.or_else(|| lines.into_iter().find(|&at| at > line))
    }
}

/// Included files as they were read, by who includes them under which name.
#[derive(Debug, Default)]
struct Included(BTreeMap<(PathBuf, String), (PathBuf, Arc<str>)>);

/// Reads files, and notes what it read.
struct Recorder {
    texts: Texts,
    included: RefCell<Included>,
}

impl Loader for Recorder {
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let found = self.texts.load(includer, name)?;
        self.included.borrow_mut().0.insert((includer.to_owned(), name.to_owned()), found.clone());
        Some(found)
    }
}

/// What was included then is included now, whatever became of the files.
impl Loader for Included {
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        self.0.get(&(includer.to_owned(), name.to_owned())).cloned()
    }
}
