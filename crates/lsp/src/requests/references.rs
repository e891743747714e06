//! `textDocument/references`

use stubborn_ide::names::references;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(state: &State, params: &lsp::ReferenceParams) -> Result<Option<Vec<lsp::Location>>> {
    let (root, file, offset) = state.at(&params.text_document_position)?;
    let mentions = references(&root.analysis, file, offset, params.context.include_declaration);
    let sources = &root.analysis.sources;
    let places = mentions.iter().filter_map(|m| convert::location(sources, m.span, state.encoding()));
    Ok(Some(places.collect()))
}
