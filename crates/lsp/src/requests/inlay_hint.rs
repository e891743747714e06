//! `textDocument/inlayHint`

use stubborn_ide::hints::hints;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(state: &State, params: &lsp::InlayHintParams) -> Result<Option<Vec<lsp::InlayHint>>> {
    let (_, root, file) = state.root(&params.text_document.uri)?;
    let source = root.analysis.sources.file(file);
    let hints = hints(root, file).into_iter().map(|hint| lsp::InlayHint {
        position: convert::position(source, hint.span.end, state.encoding()),
        label: lsp::InlayHintLabel::String(hint.text),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    });
    let is_wanted = |position| params.range.start <= position && position <= params.range.end;
    Ok(Some(hints.filter(|hint| is_wanted(hint.position)).collect()))
}
