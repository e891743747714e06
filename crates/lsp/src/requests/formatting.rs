//! `textDocument/formatting`

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::DocumentFormattingParams,
) -> Result<Option<Vec<lsp::TextEdit>>> {
    let (_, root, file) = state.root(&params.text_document.uri)?;
    let analysis = &root.analysis;
    let text = analysis.sources.file(file).text();
    let formatted = analysis.language.format(text).filter(|formatted| **formatted != **text);
    Ok(formatted.map(|new_text| {
        vec![lsp::TextEdit {
            range: convert::everything(&analysis.sources, file, state.encoding()),
            new_text,
        }]
    }))
}
