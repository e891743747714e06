//! Reading a model from files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::{Diagnostic, FileId, Sources, Span, read_regular, read_text};
use stubborn_check::never;
use stubborn_ir::Model;
use stubborn_languages::{Loaded, Loader, language_of};

use crate::args::ModelArgs;
use crate::diagnostics;

/// What stands for the file of an expression of the command line.
pub(crate) const GOAL: &str = "--reach";

/// What was read, with errors or without.
pub(crate) struct Reading {
    /// The model's path, as it was given.
    pub(crate) path: String,
    language: &'static str,
    pub(crate) sources: Sources,
    pub(crate) diagnostics: Vec<Diagnostic>,
    model: Option<Model>,
}

/// A model and what it was read from.
pub(crate) struct Source {
    /// Its path, as it was given.
    pub(crate) path: String,
    pub(crate) language: &'static str,
    pub(crate) sources: Sources,
    /// Remarks and warnings.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) model: Model,
}

/// Reads the model, showing its diagnostics. Fails with one line if it cannot be checked.
pub(crate) fn read(args: &ModelArgs) -> Result<Source, String> {
    load(args)?.source()
}

/// Reads the model, showing its diagnostics. Fails with one line if there is no such file.
pub(crate) fn load(args: &ModelArgs) -> Result<Reading, String> {
    let read = read_quietly(args)?;
    diagnostics::show(&read.sources, &read.diagnostics);
    Ok(read)
}

/// Reads the model without showing anything but the line of a failure.
pub(crate) fn load_quietly(args: &ModelArgs) -> Result<Source, String> {
    read_quietly(args)?.source()
}

fn read_quietly(args: &ModelArgs) -> Result<Reading, String> {
    let ModelArgs { file, defines } = args;
    let path = file.display().to_string();
    let text = read_text(file).map_err(|error| format!("cannot read {path}: {error}"))?;
    let language = language_of(file);
    let Loaded { sources, diagnostics, model } = language.load(file, text, &Files, defines);
    Ok(Reading { path, language: language.name, sources, diagnostics, model })
}

impl Reading {
    /// The model, if it can be checked.
    pub(crate) fn source(self) -> Result<Source, String> {
        let Reading { path, language, sources, diagnostics, model } = self;
        match (diagnostics.iter().filter(|d| d.is_error()).count(), model) {
            (0, Some(model)) => Ok(Source { path, language, sources, diagnostics, model }),
            (0, None) => Err(format!("{path} could not be read as a {language} model")),
            (1, _) => Err(format!("{path} has an error")),
            (n, _) => Err(format!("{path} has {n} errors")),
        }
    }
}

impl Source {
    /// Adds the properties that these expressions are never true, and returns their names. Shows what is wrong with one
    /// that cannot be read.
    pub(crate) fn add_goals(&mut self, args: &ModelArgs, goals: &[String]) -> Result<Vec<String>, String> {
        let language = language_of(&args.file);
        let mut names = Vec::with_capacity(goals.len());
        for goal in goals {
            let text = self.sources.file(FileId(0)).text();
            let read = language.expression(&args.file, text, &Files, &args.defines, goal, None);
            let file = self.sources.add(GOAL, goal.as_str());
            match read {
                Ok(typed) => {
                    let claim = never(goal, typed.expr, Span::new(file, 0, goal.len()));
                    names.push(claim.name.to_string());
                    self.model.claims.push(claim);
                }
                Err(bad) => {
                    let span = Span::new(file, bad.at.start, bad.at.end);
                    let mut diagnostic = Diagnostic::error("bad-expression", span, bad.message);
                    diagnostic.help = bad.help;
                    diagnostics::show(&self.sources, &[diagnostic]);
                    return Err(format!("`--reach` needs an expression of {}", self.path));
                }
            }
        }
        Ok(names)
    }
}

/// Included files: next to the file that includes them, or as named.
struct Files;

impl Loader for Files {
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let beside = includer.parent().map(|folder| folder.join(name));
        let paths = beside.into_iter().chain([PathBuf::from(name)]);
        paths.into_iter().find_map(|path| {
            let text = read_regular(&path).ok()?;
            Some((path, text))
        })
    }
}
