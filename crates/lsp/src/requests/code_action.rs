//! `textDocument/codeAction`

use std::collections::HashMap;

use stubborn_base::{Edit, Sources};
use stubborn_ide::actions::fixes;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert::{self, Encoding};
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::CodeActionParams,
) -> Result<Option<lsp::CodeActionResponse>> {
    let (_, root, file) = state.root(&params.text_document.uri)?;
    let sources = &root.analysis.sources;
    let offset = |position| convert::offset_in(sources.file(file), position, state.encoding());
    let (start, end) = (offset(params.range.start), offset(params.range.end));
    let actions = fixes(&root.analysis, file, start, end).into_iter().map(|(message, fix)| {
        let mended = params.context.diagnostics.iter().filter(|d| d.message.starts_with(message));
        lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
            title: fix.title.clone(),
            kind: Some(lsp::CodeActionKind::QUICKFIX),
            diagnostics: Some(mended.cloned().collect()),
            edit: Some(workspace_edit(sources, &fix.edits, state.encoding())),
            ..Default::default()
        })
    });
    Ok(Some(actions.collect()))
}

/// Changes, by file.
pub(crate) fn workspace_edit(sources: &Sources, edits: &[Edit], encoding: Encoding) -> lsp::WorkspaceEdit {
    let mut changes: HashMap<lsp::Uri, Vec<lsp::TextEdit>> = HashMap::new();
    for edit in edits {
        if let Some(lsp::Location { uri, range }) = convert::location(sources, edit.span, encoding) {
            changes.entry(uri).or_default().push(lsp::TextEdit { range, new_text: edit.text.clone() });
        }
    }
    lsp::WorkspaceEdit { changes: Some(changes), ..Default::default() }
}
