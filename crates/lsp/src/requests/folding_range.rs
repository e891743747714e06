//! `textDocument/foldingRange`

use stubborn_base::outline::FoldKind;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::FoldingRangeParams,
) -> Result<Option<Vec<lsp::FoldingRange>>> {
    let (_, root, file) = state.root(&params.text_document.uri)?;
    let folds = root.analysis.outline.folds.iter().filter(|fold| fold.span.file == file);
    let ranges = folds.map(|fold| {
        let range = convert::range(&root.analysis.sources, fold.span, state.encoding());
        lsp::FoldingRange {
            start_line: range.start.line,
            end_line: range.end.line,
            kind: match fold.kind {
                FoldKind::Block => None,
                FoldKind::Comment => Some(lsp::FoldingRangeKind::Comment),
                FoldKind::Includes => Some(lsp::FoldingRangeKind::Imports),
            },
            ..Default::default()
        }
    });
    Ok(Some(ranges.collect()))
}
