//! What the owner holds: the workspace, what the editor can do, and what it was told.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::{FileId, Severity};
use stubborn_check::relations::describe::Survey;
use stubborn_ide::checking::{Listener, News};
use stubborn_ide::problems::problems;
use stubborn_ide::shift::Moved;
use stubborn_ide::together::Former;
use stubborn_ide::{Analysis, Notice, Problem, Root, Workspace};
use tokio::sync::oneshot;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types as lsp;

use crate::capabilities::Abilities;
use crate::commands::statuses;
use crate::convert::{self, Encoding};
use crate::log;
use crate::outbox::{Letter, Outbox, StatusParams};
use crate::owner::Event;
use crate::progress::Bars;
use crate::server::Later;
use crate::settings::Sources as SettingsSources;

/// All of it.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) workspace: Workspace,
    pub(crate) abilities: Abilities,
    pub(crate) outbox: Outbox,
    settings: SettingsSources,
    bars: Bars,
    /// What there is to tell of the files of each model.
    found: BTreeMap<PathBuf, BTreeMap<PathBuf, Vec<lsp::Diagnostic>>>,
    /// What was told last of each file, and of which version.
    published: BTreeMap<PathBuf, (Option<i32>, Vec<lsp::Diagnostic>)>,
}

/// A place in a text that may have changed since it was read.
pub(crate) struct Now<'a> {
    pub(crate) root: &'a Root,
    pub(crate) file: FileId,
    /// In the text as it is now.
    pub(crate) offset: u32,
    pub(crate) moved: Moved,
}

impl Now<'_> {
    /// The place in the text that was read, unless it is new.
    pub(crate) fn offset_read(&self) -> Option<u32> {
        self.moved.shift(self.file).map_or(Some(self.offset), |shift| shift.to_old(self.offset))
    }
}

impl State {
    pub(crate) fn new(listener: Listener<Notice>, outbox: Outbox, former: Arc<Former>) -> Self {
        State {
            workspace: Workspace::new(listener, Some(former)),
            abilities: Abilities::default(),
            outbox,
            settings: SettingsSources::default(),
            bars: Bars::default(),
            found: BTreeMap::new(),
            published: BTreeMap::new(),
        }
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.abilities.encoding
    }

    /// Takes in what happened.
    pub(crate) fn take(&mut self, event: Event) {
        log::event(&event);
        match event {
            Event::Initialize(params) => self.initialize(&params),
            Event::Open(document) => {
                self.workspace.set_text(&convert::path(&document.uri), document.text, document.version);
            }
            Event::Change(params) => self.change(params),
            Event::Save(uri) => self.workspace.saved(&convert::path(&uri)),
            Event::Close(uri) => {
                for gone in self.workspace.close(&convert::path(&uri)) {
                    let files = self.found.remove(&gone).unwrap_or_default();
                    files.keys().for_each(|file| self.publish(file));
                    self.tell_status(&gone);
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
                self.workspace.set_folders(self.settings.folders.clone());
                self.read_settings();
            }
            Event::CancelProgress(token) => {
                if let Some(path) = self.bars.task(&token).and_then(|id| self.workspace.cancel_task(id)) {
                    self.tell_interrupted(&path);
                }
            }
            Event::Notice(notice) => self.notice(*notice),
            Event::Request(_) | Event::Exit => unreachable!("the owner takes these itself"),
        }
    }

    /// A thread of the workspace has something to tell.
    fn notice(&mut self, notice: Notice) {
        let mut is_progress = false;
        if let Notice::Check(report) = &notice {
            is_progress = matches!(report.news, News::Progress { .. });
            if self.abilities.progress && self.workspace.is_checking(report.task.id) {
                self.bars.update(report, &self.outbox);
            }
        }
        let before = match &notice {
            Notice::Reading(reading) => self.own_text(&reading.path),
            Notice::Check(_) => None,
        };
        let Some(path) = self.workspace.take(notice) else { return };
        match is_progress {
            true => self.refresh_lenses(),
            false => self.tell(&path),
        }
        self.tell_status(&path);
        // Of a text that it changed itself the editor asks anyway; not so if something else did.
        if self.abilities.refreshes_tokens && before.is_some() && before == self.own_text(&path) {
            self.outbox.send(Letter::RefreshTokens);
        }
    }

    /// The text of a model as it was read, without what it includes.
    fn own_text(&self, path: &Path) -> Option<Arc<str>> {
        self.workspace.root(path).map(|root| root.analysis.sources.file(FileId(0)).text().clone())
    }

    /// Has read what has changed, and tells what is new.
    pub(crate) fn settle(&mut self) {
        for path in self.workspace.refresh() {
            self.tell(&path);
            self.tell_status(&path);
        }
        self.bars.end(|id| self.workspace.is_checking(id), &self.outbox);
    }

    fn initialize(&mut self, params: &lsp::InitializeParams) {
        self.abilities = Abilities::of(params);
        let folders = params.workspace_folders.iter().flatten();
        self.settings.folders = folders.map(|folder| convert::path(&folder.uri)).collect();
        if self.settings.folders.is_empty() {
            #[expect(deprecated, reason = "older editors know nothing else")]
            let root = params.root_uri.as_ref();
            self.settings.folders.extend(root.map(convert::path));
        }
        self.workspace.set_folders(self.settings.folders.clone());
        if let Some(options) = &params.initialization_options
            && let Err(why) = self.settings.set_editor(options)
        {
            self.outbox.send(Letter::Message(lsp::MessageType::ERROR, why));
        }
        self.read_settings();
    }

    fn read_settings(&mut self) {
        let (settings, wrong) = self.settings.settle();
        tracing::info!(?settings, "settled");
        for why in wrong {
            tracing::warn!(why, "settings");
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

    /// Tells what is known of a model, unless it has changed since: then it is told when it is read.
    fn tell(&mut self, path: &Path) {
        let Some(root) = self.workspace.root(path).filter(|root| root.is_current()) else { return };
        let analysis = root.analysis.clone();
        let mut files: BTreeMap<PathBuf, Vec<lsp::Diagnostic>> = BTreeMap::new();
        files.extend(analysis.paths().map(|file| (file, Vec::new())));
        for problem in problems(root) {
            let diagnostic = self.diagnostic(&analysis, &problem);
            files.entry(analysis.path(problem.span).to_owned()).or_default().push(diagnostic);
        }
        let mut concerned: BTreeSet<PathBuf> = files.keys().cloned().collect();
        let before = self.found.insert(path.to_owned(), files).unwrap_or_default();
        concerned.extend(before.into_keys());
        concerned.iter().for_each(|file| self.publish(file));
        self.refresh_lenses();
    }

    /// Tells that the checks of a model were cancelled.
    pub(crate) fn tell_interrupted(&self, path: &Path) {
        self.refresh_lenses();
        self.tell_status(path);
    }

    /// Tells what is known of the properties of a model, if the editor wants to know; of one that is gone, that there
    /// are none.
    fn tell_status(&self, path: &Path) {
        if let (true, Some(uri)) = (self.abilities.wants_status, convert::uri(path)) {
            let root = self.workspace.root(path);
            let properties = root.map(|root| statuses(root, self.encoding())).unwrap_or_default();
            self.outbox.send(Letter::Status(StatusParams { uri, properties }));
        }
    }

    fn refresh_lenses(&self) {
        if self.abilities.refreshes_lenses {
            self.outbox.send(Letter::RefreshLenses);
        }
    }

    /// Tells what all models find wrong with a file, unless it was told already of this version, or one of them is
    /// still to be read.
    fn publish(&mut self, path: &Path) {
        // What is part of another model now is none itself.
        self.found.retain(|root, _| self.workspace.root(root).is_some());
        let models = self.found.iter().filter_map(|(root, files)| Some((root, files.get(path)?)));
        let mut diagnostics: Vec<lsp::Diagnostic> = Vec::new();
        for (root, found) in models {
            if !self.workspace.root(root).is_some_and(Root::is_current) {
                return;
            }
            for diagnostic in
                found.iter().filter(|found| !diagnostics.contains(found)).cloned().collect::<Vec<_>>()
            {
                diagnostics.push(diagnostic);
            }
        }
        let Some(uri) = convert::uri(path) else { return };
        let version = self.workspace.texts().get(path).map(|document| document.version);
        let is_silent = diagnostics.is_empty() && version.is_none();
        let told = (version, diagnostics.clone());
        match self.published.get(path) {
            Some(before) if *before == told => return,
            None if is_silent => return,
            _ => {}
        }
        match is_silent {
            true => self.published.remove(path),
            false => self.published.insert(path.to_owned(), told),
        };
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

    /// A place in the text as it is now, for those who can do with an older reading of it; none if there is none.
    pub(crate) fn at_now(&self, place: &lsp::TextDocumentPositionParams) -> Option<jsonrpc::Result<Now<'_>>> {
        let (_, root, file) = match self.root(&place.text_document.uri) {
            Ok(found) => found,
            Err(error) => return Some(Err(error)),
        };
        if !root.is_read() {
            return None;
        }
        let moved = Moved::since(&root.analysis, self.workspace.texts());
        let source = moved.file(&root.analysis.sources, file);
        let offset = convert::offset_in(source, place.position, self.encoding());
        Some(Ok(Now { root, file, offset, moved }))
    }

    /// What the relations of a model say, as soon as it is known.
    pub(crate) fn survey<R: Send + 'static>(
        analysis: &Arc<Analysis>,
        tell: impl FnOnce(&Analysis, Option<&Survey<'_>>) -> R + Send + 'static,
    ) -> Later<R> {
        let (reply, answer) = oneshot::channel();
        match analysis.surveyor() {
            Some(surveyor) => {
                let analysis = analysis.clone();
                // Whoever asked may have been cancelled.
                surveyor.ask(Box::new(move |survey| drop(reply.send(tell(&analysis, survey)))));
            }
            None => drop(reply.send(tell(analysis, None))),
        }
        answer
    }
}
