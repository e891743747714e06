//! The protocol's methods: each hands what it is told to the owner, or asks it.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use serde_json::Value;
use stubborn_ide::together::Former;
use stubborn_ide::workspace::watched;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types as lsp;
use tower_lsp::{Client, LanguageServer};

use crate::capabilities::{Abilities, ours};
use crate::commands;
use crate::outbox::{Outbox, deliver};
use crate::owner::{Event, start};
use crate::requests::{
    code_action, code_lens, completion, definition, document_highlight, document_link, document_symbol,
    folding_range, formatting, hover, inlay_hint, references, rename, selection_range, semantic_tokens,
    signature_help, text, trail_document, workspace_symbol,
};
use crate::state::State;

/// The server as the protocol sees it.
pub(crate) struct Backend {
    client: Client,
    /// None if no thread could be had.
    events: Option<Sender<Event>>,
}

impl Backend {
    pub(crate) fn new(client: Client, former: Arc<Former>) -> Self {
        let (outbox, inbox) = Outbox::new();
        deliver(client.clone(), inbox);
        Backend { client, events: start(outbox, former).ok() }
    }

    /// Tells the owner. Must be called before anything is waited for.
    fn tell(&self, event: Event) {
        if let Some(events) = &self.events {
            // The owner outlives every message but the last.
            let _ = events.send(event);
        }
    }

    /// Asks the owner about the texts as they are now.
    async fn ask<R: Send + 'static>(
        &self,
        question: impl FnOnce(&mut State) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        let mut question = Some(question);
        let is_ready = |state: &mut State| state.workspace.is_current();
        self.ask_now(move |state| question.take_if(|_| is_ready(state)).map(|question| question(state))).await
    }

    /// Asks the owner, again after everything that is read, until there is an answer.
    async fn ask_now<R: Send + 'static>(
        &self,
        mut question: impl FnMut(&mut State) -> Option<Result<R>> + Send + 'static,
    ) -> Result<R> {
        let (reply, answer) = oneshot::channel();
        let mut reply = Some(reply);
        self.tell(Event::Request(Box::new(move |state| {
            // Whoever asked may have been cancelled.
            if reply.as_ref().is_none_or(oneshot::Sender::is_closed) {
                return true;
            }
            let Some(found) = question(state) else { return false };
            reply.take().map(|reply| reply.send(found));
            true
        })));
        answer.await.unwrap_or_else(|_| Err(Error::new(ErrorCode::InternalError)))
    }

    /// Asks the owner for something that somebody else is busy with.
    async fn ask_later<R: Send + 'static>(
        &self,
        question: impl FnOnce(&mut State) -> Result<Later<R>> + Send + 'static,
    ) -> Result<R> {
        later(self.ask(question).await?).await
    }

    /// A progress bar was closed by hand.
    pub(crate) async fn cancel_progress(&self, params: lsp::WorkDoneProgressCancelParams) {
        self.tell(Event::CancelProgress(params.token));
    }

    /// A text as the server has it.
    pub(crate) async fn text(&self, params: text::Params) -> Result<String> {
        self.ask_now(move |state| Some(text::handle(state, &params))).await
    }

    /// A trail as a text, for editors that open it as a document of its own.
    pub(crate) async fn trail_document(&self, params: trail_document::Params) -> Result<String> {
        self.ask(move |state| trail_document::handle(state, &params)).await
    }

    /// The settings that the editor has now.
    async fn pull_settings(&self) {
        let item = lsp::ConfigurationItem { scope_uri: None, section: Some("stubborn".to_owned()) };
        if let Ok(values) = self.client.configuration(vec![item]).await {
            values.into_iter().for_each(|value| self.tell(Event::Settings(value)));
        }
    }

    /// Asks to be told when models or settings change on disk.
    async fn watch_files(&self) {
        let watcher = |pattern: &str| lsp::FileSystemWatcher {
            glob_pattern: lsp::GlobPattern::String(pattern.to_owned()),
            kind: None,
        };
        let models = watched();
        let patterns = ["**/stubborn.toml"].into_iter().chain(models.iter().map(String::as_str));
        let watchers = patterns.map(watcher).collect();
        let options = lsp::DidChangeWatchedFilesRegistrationOptions { watchers };
        let registration = lsp::Registration {
            id: "files".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: serde_json::to_value(options).ok(),
        };
        let _ = self.client.register_capability(vec![registration]).await;
    }
}

/// An answer that somebody else than the owner gives.
pub(crate) type Later<R> = oneshot::Receiver<R>;

async fn later<R>(answer: Later<R>) -> Result<R> {
    answer.await.map_err(|_| Error::new(ErrorCode::InternalError))
}

/// The owner ends with the editor.
impl Drop for Backend {
    fn drop(&mut self) {
        self.tell(Event::Exit);
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: lsp::InitializeParams) -> Result<lsp::InitializeResult> {
        let abilities = Abilities::of(&params);
        self.tell(Event::Initialize(Box::new(params)));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(lsp::InitializeResult {
            capabilities: ours(abilities),
            server_info: Some(lsp::ServerInfo { name: "stubborn".to_owned(), version: Some(version) }),
            offset_encoding: None,
        })
    }

    async fn initialized(&self, _: lsp::InitializedParams) {
        let Ok(abilities) = self.ask_now(|state| Some(Ok(state.abilities))).await else { return };
        if abilities.configuration {
            self.pull_settings().await;
        }
        if abilities.watches_files {
            self.watch_files().await;
        }
    }

    async fn shutdown(&self) -> Result<()> {
        self.ask_now(|state| {
            state.workspace.cancel(None);
            Some(Ok(()))
        })
        .await
    }

    async fn did_open(&self, params: lsp::DidOpenTextDocumentParams) {
        self.tell(Event::Open(params.text_document));
    }

    async fn did_change(&self, params: lsp::DidChangeTextDocumentParams) {
        self.tell(Event::Change(params));
    }

    async fn did_save(&self, params: lsp::DidSaveTextDocumentParams) {
        self.tell(Event::Save(params.text_document.uri));
    }

    async fn did_close(&self, params: lsp::DidCloseTextDocumentParams) {
        self.tell(Event::Close(params.text_document.uri));
    }

    async fn did_change_watched_files(&self, params: lsp::DidChangeWatchedFilesParams) {
        self.tell(Event::Watched(params.changes.into_iter().map(|change| change.uri).collect()));
    }

    async fn did_change_workspace_folders(&self, params: lsp::DidChangeWorkspaceFoldersParams) {
        self.tell(Event::Folders(params.event));
    }

    async fn did_change_configuration(&self, params: lsp::DidChangeConfigurationParams) {
        if params.settings.get("stubborn").is_some() {
            self.tell(Event::Settings(params.settings));
            return;
        }
        let Ok(abilities) = self.ask_now(|state| Some(Ok(state.abilities))).await else { return };
        if abilities.configuration {
            self.pull_settings().await;
        }
    }

    async fn hover(&self, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
        later(self.ask_now(move |state| hover::handle(state, &params)).await?).await
    }

    async fn goto_definition(
        &self,
        params: lsp::GotoDefinitionParams,
    ) -> Result<Option<lsp::GotoDefinitionResponse>> {
        self.ask_now(move |state| definition::handle(state, &params)).await
    }

    async fn references(&self, params: lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>> {
        self.ask(move |state| references::handle(state, &params)).await
    }

    async fn document_highlight(
        &self,
        params: lsp::DocumentHighlightParams,
    ) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
        self.ask(move |state| document_highlight::handle(state, &params)).await
    }

    async fn prepare_rename(
        &self,
        params: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::PrepareRenameResponse>> {
        self.ask(move |state| rename::prepare(state, &params)).await
    }

    async fn rename(&self, params: lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>> {
        self.ask(move |state| rename::handle(state, &params)).await
    }

    async fn completion(&self, params: lsp::CompletionParams) -> Result<Option<lsp::CompletionResponse>> {
        self.ask_now(move |state| completion::handle(state, &params)).await
    }

    async fn signature_help(&self, params: lsp::SignatureHelpParams) -> Result<Option<lsp::SignatureHelp>> {
        self.ask(move |state| signature_help::handle(state, &params)).await
    }

    async fn document_symbol(
        &self,
        params: lsp::DocumentSymbolParams,
    ) -> Result<Option<lsp::DocumentSymbolResponse>> {
        self.ask(move |state| document_symbol::handle(state, &params)).await
    }

    async fn symbol(
        &self,
        params: lsp::WorkspaceSymbolParams,
    ) -> Result<Option<lsp::WorkspaceSymbolResponse>> {
        self.ask(move |state| workspace_symbol::handle(state, &params)).await
    }

    async fn semantic_tokens_full(
        &self,
        params: lsp::SemanticTokensParams,
    ) -> Result<Option<lsp::SemanticTokensResult>> {
        self.ask_later(move |state| semantic_tokens::full(state, &params)).await
    }

    async fn semantic_tokens_range(
        &self,
        params: lsp::SemanticTokensRangeParams,
    ) -> Result<Option<lsp::SemanticTokensRangeResult>> {
        self.ask_later(move |state| semantic_tokens::range(state, &params)).await
    }

    async fn folding_range(&self, params: lsp::FoldingRangeParams) -> Result<Option<Vec<lsp::FoldingRange>>> {
        self.ask(move |state| folding_range::handle(state, &params)).await
    }

    async fn selection_range(
        &self,
        params: lsp::SelectionRangeParams,
    ) -> Result<Option<Vec<lsp::SelectionRange>>> {
        self.ask(move |state| selection_range::handle(state, &params)).await
    }

    async fn document_link(&self, params: lsp::DocumentLinkParams) -> Result<Option<Vec<lsp::DocumentLink>>> {
        self.ask(move |state| document_link::handle(state, &params)).await
    }

    async fn formatting(&self, params: lsp::DocumentFormattingParams) -> Result<Option<Vec<lsp::TextEdit>>> {
        self.ask(move |state| formatting::handle(state, &params)).await
    }

    async fn inlay_hint(&self, params: lsp::InlayHintParams) -> Result<Option<Vec<lsp::InlayHint>>> {
        self.ask(move |state| inlay_hint::handle(state, &params)).await
    }

    async fn code_lens(&self, params: lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>> {
        self.ask(move |state| code_lens::handle(state, &params)).await
    }

    async fn code_action(&self, params: lsp::CodeActionParams) -> Result<Option<lsp::CodeActionResponse>> {
        self.ask(move |state| code_action::handle(state, &params)).await
    }

    async fn execute_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        if commands::is_at_once(&params.command) {
            self.ask_now(move |state| Some(commands::execute(state, &params))).await
        } else if params.command == commands::DEPENDENTS {
            self.ask_later(move |state| commands::dependent_places(state, &params.arguments)).await
        } else {
            self.ask(move |state| commands::execute(state, &params)).await
        }
    }
}
