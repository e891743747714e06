//! `textDocument/documentLink`

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::DocumentLinkParams,
) -> Result<Option<Vec<lsp::DocumentLink>>> {
    let (_, root, file) = state.root(&params.text_document.uri)?;
    let links = root.analysis.outline.links.iter().filter(|link| link.span.file == file);
    let links = links.filter_map(|link| {
        Some(lsp::DocumentLink {
            range: convert::range(&root.analysis.sources, link.span, state.encoding()),
            target: Some(convert::uri(link.path.as_deref()?)?),
            tooltip: None,
            data: None,
        })
    });
    Ok(Some(links.collect()))
}
