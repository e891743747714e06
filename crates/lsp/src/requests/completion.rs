//! `textDocument/completion`

use stubborn_ide::completion::{Item, completion};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::CompletionParams,
) -> Result<Option<lsp::CompletionResponse>> {
    let (root, file, offset) = state.at(&params.text_document_position)?;
    let items = completion(&root.analysis, file, offset);
    let items = items.into_iter().enumerate().map(|(i, item)| convert_item(state, i, item));
    Ok(Some(lsp::CompletionResponse::Array(items.collect())))
}

fn convert_item(state: &State, at: usize, item: Item) -> lsp::CompletionItem {
    let snippet = item.snippet.filter(|_| state.abilities.snippets);
    lsp::CompletionItem {
        kind: Some(convert::completion_kind(item.kind)),
        detail: Some(item.detail),
        documentation: item.help.map(lsp::Documentation::String),
        insert_text_format: snippet.as_ref().map(|_| lsp::InsertTextFormat::SNIPPET),
        insert_text: snippet,
        sort_text: Some(format!("{at:05}")),
        label: item.label,
        ..Default::default()
    }
}
