//! `textDocument/prepareRename` and `textDocument/rename`

use stubborn_ide::names::{rename, renamed};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use crate::requests::code_action::workspace_edit;
use crate::state::State;

pub(crate) fn prepare(
    state: &State,
    params: &lsp::TextDocumentPositionParams,
) -> Result<Option<lsp::PrepareRenameResponse>> {
    let (root, file, offset) = state.at(params)?;
    let mention = renamed(&root.analysis, file, offset).map_err(Error::invalid_params)?;
    let range = crate::convert::range(&root.analysis.sources, mention.span, state.encoding());
    Ok(Some(lsp::PrepareRenameResponse::Range(range)))
}

pub(crate) fn handle(state: &State, params: &lsp::RenameParams) -> Result<Option<lsp::WorkspaceEdit>> {
    let (root, file, offset) = state.at(&params.text_document_position)?;
    let edits = rename(&root.analysis, file, offset, &params.new_name).map_err(Error::invalid_params)?;
    Ok(Some(workspace_edit(&root.analysis.sources, &edits, state.encoding())))
}
