//! `textDocument/documentSymbol`

use stubborn_base::Sources;
use stubborn_ide::symbols::{Tree, tree};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert::{self, Encoding};
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::DocumentSymbolParams,
) -> Result<Option<lsp::DocumentSymbolResponse>> {
    let (_, root, file) = state.root(&params.text_document.uri)?;
    let trees = tree(&root.analysis, file);
    let symbols = trees.iter().map(|tree| convert_tree(&root.analysis.sources, tree, state.encoding()));
    Ok(Some(lsp::DocumentSymbolResponse::Nested(symbols.collect())))
}

fn convert_tree(sources: &Sources, tree: &Tree<'_>, encoding: Encoding) -> lsp::DocumentSymbol {
    let symbol = tree.symbol;
    let children = tree.children.iter().map(|child| convert_tree(sources, child, encoding)).collect();
    // The name is in the declaration, or editors refuse the answer.
    let span = symbol.span.join(symbol.name_span);
    #[expect(deprecated, reason = "a field of the protocol's type")]
    lsp::DocumentSymbol {
        name: symbol.name.clone(),
        detail: Some(symbol.detail.clone()),
        kind: convert::symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: convert::range(sources, span, encoding),
        selection_range: convert::range(sources, symbol.name_span, encoding),
        children: Some(children),
    }
}
