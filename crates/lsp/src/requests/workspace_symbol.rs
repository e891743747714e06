//! `workspace/symbol`

use stubborn_ide::symbols::matching;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::WorkspaceSymbolParams,
) -> Result<Option<lsp::WorkspaceSymbolResponse>> {
    let mut found = Vec::new();
    for (_, root) in state.workspace.roots() {
        let analysis = &root.analysis;
        for symbol in matching(analysis, &params.query) {
            let place = convert::location(&analysis.sources, symbol.name_span, state.encoding());
            let Some(location) = place else { continue };
            let container = symbol.container.map(|c| analysis.outline.symbols[c].name.clone());
            found.push(lsp::WorkspaceSymbol {
                name: symbol.name.clone(),
                kind: convert::symbol_kind(symbol.kind),
                tags: None,
                container_name: container,
                location: lsp::OneOf::Left(location),
                data: None,
            });
        }
    }
    Ok(Some(lsp::WorkspaceSymbolResponse::Nested(found)))
}
