//! `textDocument/selectionRange`

use stubborn_ide::ranges::around;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::SelectionRangeParams,
) -> Result<Option<Vec<lsp::SelectionRange>>> {
    let (_, root, file) = state.root(&params.text_document.uri)?;
    let sources = &root.analysis.sources;
    let ranges = params.positions.iter().map(|&position| {
        let offset = convert::offset_in(sources.file(file), position, state.encoding());
        let mut selection = None;
        for span in around(&root.analysis, file, offset).into_iter().rev() {
            let range = convert::range(sources, span, state.encoding());
            selection = Some(lsp::SelectionRange { range, parent: selection.map(Box::new) });
        }
        let nothing = lsp::Range { start: position, end: position };
        selection.unwrap_or(lsp::SelectionRange { range: nothing, parent: None })
    });
    Ok(Some(ranges.collect()))
}
