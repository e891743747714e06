//! What we can do, and what the editor can.

use tower_lsp::ls_types as lsp;

use crate::commands::COMMANDS;
use crate::convert::Encoding;
use crate::requests::semantic_tokens;

/// What the editor can do.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Abilities {
    pub(crate) encoding: Encoding,
    pub(crate) progress: bool,
    pub(crate) refreshes_lenses: bool,
    pub(crate) refreshes_hints: bool,
    pub(crate) refreshes_tokens: bool,
    pub(crate) shows_documents: bool,
    pub(crate) snippets: bool,
    pub(crate) configuration: bool,
    pub(crate) watches_files: bool,
    pub(crate) wants_status: bool,
    /// It opens documents `stubborn-trail:` by asking for them.
    pub(crate) trail_documents: bool,
}

impl Abilities {
    pub(crate) fn of(params: &lsp::InitializeParams) -> Self {
        let client = &params.capabilities;
        let general = client.general.as_ref();
        let encodings = general.and_then(|g| g.position_encodings.as_deref()).unwrap_or_default();
        let window = client.window.as_ref();
        let workspace = client.workspace.as_ref();
        let text = client.text_document.as_ref();
        let completion = text.and_then(|t| t.completion.as_ref()).and_then(|c| c.completion_item.as_ref());
        let is = |flag: Option<Option<bool>>| flag.flatten().unwrap_or(false);
        Abilities {
            encoding: match encodings.contains(&lsp::PositionEncodingKind::UTF8) {
                true => Encoding::Utf8,
                false => Encoding::Utf16,
            },
            progress: is(window.map(|w| w.work_done_progress)),
            refreshes_lenses: is(workspace.and_then(|w| w.code_lens.as_ref()).map(|c| c.refresh_support)),
            refreshes_hints: is(workspace.and_then(|w| w.inlay_hint.as_ref()).map(|c| c.refresh_support)),
            refreshes_tokens: is(workspace
                .and_then(|w| w.semantic_tokens.as_ref())
                .map(|c| c.refresh_support)),
            shows_documents: window.and_then(|w| w.show_document.as_ref()).is_some_and(|s| s.support),
            snippets: is(completion.map(|c| c.snippet_support)),
            configuration: is(workspace.map(|w| w.configuration)),
            watches_files: is(workspace
                .and_then(|w| w.did_change_watched_files.as_ref())
                .map(|c| c.dynamic_registration)),
            wants_status: client
                .experimental
                .as_ref()
                .is_some_and(|e| e.get("stubbornStatus") == Some(&serde_json::Value::Bool(true))),
            trail_documents: client.experimental.as_ref().is_some_and(|e| e["trailDocuments"] == true),
        }
    }
}

/// A feature without options.
fn yes<T>() -> Option<lsp::OneOf<bool, T>> {
    Some(lsp::OneOf::Left(true))
}

/// What we can do.
pub(crate) fn ours(abilities: Abilities) -> lsp::ServerCapabilities {
    lsp::ServerCapabilities {
        position_encoding: Some(match abilities.encoding {
            Encoding::Utf8 => lsp::PositionEncodingKind::UTF8,
            Encoding::Utf16 => lsp::PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
            save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
            ..Default::default()
        })),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(vec![".".to_owned(), "@".to_owned()]),
            ..Default::default()
        }),
        signature_help_provider: Some(lsp::SignatureHelpOptions {
            trigger_characters: Some(vec!["(".to_owned(), ",".to_owned()]),
            ..Default::default()
        }),
        definition_provider: yes(),
        references_provider: yes(),
        document_highlight_provider: yes(),
        document_symbol_provider: yes(),
        workspace_symbol_provider: yes(),
        document_formatting_provider: yes(),
        inlay_hint_provider: yes(),
        code_action_provider: Some(lsp::CodeActionProviderCapability::Options(lsp::CodeActionOptions {
            code_action_kinds: Some(vec![lsp::CodeActionKind::QUICKFIX]),
            ..Default::default()
        })),
        code_lens_provider: Some(lsp::CodeLensOptions { resolve_provider: Some(false) }),
        rename_provider: Some(lsp::OneOf::Right(lsp::RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        document_link_provider: Some(lsp::DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: Default::default(),
        }),
        folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(lsp::SelectionRangeProviderCapability::Simple(true)),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: COMMANDS.iter().map(|&name| name.to_owned()).collect(),
            work_done_progress_options: Default::default(),
        }),
        semantic_tokens_provider: Some(
            lsp::SemanticTokensOptions {
                legend: semantic_tokens::legend(),
                full: Some(lsp::SemanticTokensFullOptions::Bool(true)),
                range: Some(true),
                work_done_progress_options: Default::default(),
            }
            .into(),
        ),
        workspace: Some(lsp::WorkspaceServerCapabilities {
            workspace_folders: Some(lsp::WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(lsp::OneOf::Left(true)),
            }),
            ..Default::default()
        }),
        ..Default::default()
    }
}
