//! `textDocument/documentHighlight`

use stubborn_base::outline::Role;
use stubborn_ide::names::references;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::DocumentHighlightParams,
) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
    let (root, file, offset) = state.at(&params.text_document_position_params)?;
    let mentions = references(&root.analysis, file, offset, true);
    let here = mentions.iter().filter(|mention| mention.span.file == file);
    let highlight = here.map(|mention| lsp::DocumentHighlight {
        range: convert::range(&root.analysis.sources, mention.span, state.encoding()),
        kind: Some(match mention.role {
            Role::Write | Role::ReadWrite | Role::Declaration => lsp::DocumentHighlightKind::WRITE,
            _ => lsp::DocumentHighlightKind::READ,
        }),
    });
    Ok(Some(highlight.collect()))
}
