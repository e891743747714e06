//! `textDocument/definition`

use stubborn_ide::names::definition;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::GotoDefinitionParams,
) -> Result<Option<lsp::GotoDefinitionResponse>> {
    let (root, file, offset) = state.at(&params.text_document_position_params)?;
    let span = definition(&root.analysis, file, offset);
    let location = span.and_then(|span| convert::location(&root.analysis.sources, span, state.encoding()));
    Ok(location.map(lsp::GotoDefinitionResponse::Scalar))
}
