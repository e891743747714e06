//! What the owner holds: the workspace, what the editor can do, and what it was told.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use stubborn_base::{FileId, Severity};
use stubborn_ide::checking::{Listener, News};
use stubborn_ide::problems::problems;
use stubborn_ide::{Analysis, Problem, Root, Workspace};
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use crate::capabilities::Abilities;
use crate::commands::statuses;
use crate::convert::{self, Encoding};
use crate::outbox::{Letter, Outbox, StatusParams};
use crate::owner::Event;
use crate::progress::Bars;
use crate::settings::Sources as SettingsSources;

/// All of it.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) workspace: Workspace,
    pub(crate) abilities: Abilities,
    pub(crate) outbox: Outbox,
    settings: SettingsSources,
    bars: Bars,
    /// What was told last of each file, and of which version.
    published: BTreeMap<PathBuf, (Option<i32>, Vec<lsp::Diagnostic>)>,
}

impl State {
    pub(crate) fn new(listener: Listener, outbox: Outbox) -> Self {
        State {
            workspace: Workspace::new(listener),
            abilities: Abilities::default(),
            outbox,
            settings: SettingsSources::default(),
            bars: Bars::default(),
            published: BTreeMap::new(),
        }
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.abilities.encoding
    }

    /// Takes in what happened.
    pub(crate) fn take(&mut self, event: Event) {
        match event {
            Event::Initialize(params) => self.initialize(&params),
            Event::Open(document) => {
                self.workspace.set_text(&convert::path(&document.uri), document.text, document.version);
            }
            Event::Change(params) => self.change(params),
            Event::Save(uri) => self.workspace.saved(&convert::path(&uri)),
            Event::Close(uri) => {
                self.workspace.close(&convert::path(&uri));
                for path in self.workspace.untold() {
                    self.publish(&path, Vec::new());
                }
            }
            Event::Watched(uris) => {
                for uri in uris {
                    let path = convert::path(&uri);
                    match path.file_name().is_some_and(|name| name == stubborn_ide::settings::FILE) {
                        true => self.read_settings(),
                        false => self.workspace.changed_on_disk(&path),
                    }
                }
            }
            Event::Settings(value) => {
                if let Err(why) = self.settings.set_editor(&value) {
                    self.outbox.send(Letter::Message(lsp::MessageType::ERROR, why));
                }
                self.read_settings();
            }
            Event::Folders(change) => {
                let gone: Vec<PathBuf> = change.removed.iter().map(|f| convert::path(&f.uri)).collect();
                self.settings.folders.retain(|folder| !gone.contains(folder));
                self.settings.folders.extend(change.added.iter().map(|f| convert::path(&f.uri)));
                self.read_settings();
            }
            Event::CancelProgress(token) => {
                if let Some(id) = self.bars.task(&token) {
                    self.workspace.cancel_task(id);
                }
            }
            Event::Report(report) => {
                if self.abilities.progress {
                    self.bars.update(&report, &self.outbox);
                }
                let is_progress = matches!(report.news, News::Progress { .. });
                if let Some(path) = self.workspace.take(&report) {
                    match is_progress {
                        true => self.refresh_lenses(),
                        false => self.tell(&path),
                    }
                    self.tell_status(&path);
                }
            }
            Event::Request(_) | Event::Exit => unreachable!("the owner takes these itself"),
        }
    }

    /// Reads what has changed, and tells what is new.
    pub(crate) fn settle(&mut self) {
        for path in self.workspace.refresh() {
            self.tell(&path);
            self.tell_status(&path);
        }
    }

    fn initialize(&mut self, params: &lsp::InitializeParams) {
        self.abilities = Abilities::of(params);
        let folders = params.workspace_folders.iter().flatten();
        self.settings.folders = folders.map(|folder| convert::path(&folder.uri)).collect();
        if let Some(options) = &params.initialization_options
            && let Err(why) = self.settings.set_editor(options)
        {
            self.outbox.send(Letter::Message(lsp::MessageType::ERROR, why));
        }
        self.read_settings();
    }

    fn read_settings(&mut self) {
        let (settings, wrong) = self.settings.settle();
        for why in wrong {
            self.outbox.send(Letter::Message(lsp::MessageType::ERROR, why));
        }
        self.workspace.set_settings(settings);
    }

    fn change(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let path = convert::path(&params.text_document.uri);
        let Some(document) = self.workspace.texts().get(&path) else {
            tracing::warn!(?path, "a change of a text that is not open");
            return;
        };
        let mut text = document.text.to_string();
        for change in params.content_changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let start = convert::offset(&text, range.start, self.encoding());
                    let end = convert::offset(&text, range.end, self.encoding()).max(start);
                    text.replace_range(start..end, &change.text);
                }
            }
        }
        self.workspace.set_text(&path, text, params.text_document.version);
    }

    /// Tells what is known of a model.
    fn tell(&mut self, path: &Path) {
        let Some(root) = self.workspace.root(path) else { return };
        let analysis = root.analysis.clone();
        let mut files: BTreeMap<PathBuf, Vec<lsp::Diagnostic>> = BTreeMap::new();
        files.entry(path.to_owned()).or_default();
        for problem in problems(root) {
            let diagnostic = self.diagnostic(&analysis, &problem);
            files.entry(analysis.path(problem.span).to_owned()).or_default().push(diagnostic);
        }
        let told: BTreeSet<PathBuf> = files.keys().cloned().collect();
        for gone in self.workspace.tell(path, told) {
            self.publish(&gone, Vec::new());
        }
        for (file, diagnostics) in files {
            self.publish(&file, diagnostics);
        }
        self.refresh_lenses();
        if self.abilities.refreshes_tokens {
            self.outbox.send(Letter::RefreshTokens);
        }
    }

    /// Tells what is known of the properties of a model, if the editor wants to know.
    fn tell_status(&self, path: &Path) {
        if let (true, Some(root), Some(uri)) =
            (self.abilities.wants_status, self.workspace.root(path), convert::uri(path))
        {
            let properties = statuses(root, self.encoding());
            self.outbox.send(Letter::Status(StatusParams { uri, properties }));
        }
    }

    fn refresh_lenses(&self) {
        if self.abilities.refreshes_lenses {
            self.outbox.send(Letter::RefreshLenses);
        }
    }

    /// Tells what is wrong with a file, unless it was told already of this version.
    fn publish(&mut self, path: &Path, diagnostics: Vec<lsp::Diagnostic>) {
        let Some(uri) = convert::uri(path) else { return };
        let version = self.workspace.texts().get(path).map(|document| document.version);
        let told = (version, diagnostics.clone());
        if self.published.get(path) == Some(&told) {
            return;
        }
        self.published.insert(path.to_owned(), told);
        self.outbox.send(Letter::Diagnostics(lsp::PublishDiagnosticsParams { uri, diagnostics, version }));
    }

    fn diagnostic(&self, analysis: &Analysis, problem: &Problem) -> lsp::Diagnostic {
        let encoding = self.encoding();
        let related = problem.related.iter().filter_map(|related| {
            let location = convert::location(&analysis.sources, related.span, encoding)?;
            Some(lsp::DiagnosticRelatedInformation { location, message: related.message.clone() })
        });
        let related: Vec<_> = related.collect();
        let unnecessary = problem.is_unnecessary.then(|| vec![lsp::DiagnosticTag::UNNECESSARY]);
        let severity = convert::severity(problem.severity);
        lsp::Diagnostic {
            range: convert::range(&analysis.sources, problem.span, encoding),
            // What is faded out need not be underlined as well, unless it is an error.
            severity: Some(match problem.severity {
                Severity::Error => severity,
                _ if problem.is_unnecessary => lsp::DiagnosticSeverity::HINT,
                _ => severity,
            }),
            code: Some(lsp::NumberOrString::String(problem.code.clone())),
            source: Some("stubborn".to_owned()),
            message: problem.message.clone(),
            related_information: (!related.is_empty()).then_some(related),
            tags: unnecessary,
            data: problem.property.as_ref().map(|name| serde_json::json!({ "property": name })),
            code_description: None,
        }
    }

    /// The model that a document belongs to, and its number in it.
    pub(crate) fn root(&self, uri: &lsp::Uri) -> jsonrpc::Result<(&Path, &Root, FileId)> {
        self.workspace
            .root_of(&convert::path(uri))
            .ok_or_else(|| jsonrpc::Error::invalid_params(format!("no document {} is open", uri.as_str())))
    }

    /// The same with the byte at a position.
    pub(crate) fn at(
        &self,
        place: &lsp::TextDocumentPositionParams,
    ) -> jsonrpc::Result<(&Root, FileId, u32)> {
        let (_, root, file) = self.root(&place.text_document.uri)?;
        let source = root.analysis.sources.file(file);
        Ok((root, file, convert::offset_in(source, place.position, self.encoding())))
    }
}
