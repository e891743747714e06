//! `textDocument/definition`

use stubborn_ide::names::definition;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::GotoDefinitionParams,
) -> Option<Result<Option<lsp::GotoDefinitionResponse>>> {
    let now = match state.at_now(&params.text_document_position_params)? {
        Ok(now) => now,
        Err(error) => return Some(Err(error)),
    };
    let analysis = &now.root.analysis;
    let span = definition(analysis, now.file, now.offset_read()?);
    let location =
        span.and_then(|span| convert::location_now(&now.moved, &analysis.sources, span, state.encoding()));
    Some(Ok(location.map(lsp::GotoDefinitionResponse::Scalar)))
}
