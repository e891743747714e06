//! `textDocument/completion`

use stubborn_ide::completion::{Item, completion};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(
    state: &State,
    params: &lsp::CompletionParams,
) -> Option<Result<Option<lsp::CompletionResponse>>> {
    Some(state.at_now(&params.text_document_position)?.map(|now| {
        let analysis = &now.root.analysis;
        let text = now.moved.file(&analysis.sources, now.file).text();
        let before = text.get(..now.offset as usize).unwrap_or(text);
        let shift = now.moved.shift(now.file);
        let offset = shift.map_or(now.offset, |shift| shift.nearest_old(now.offset));
        let items = completion(analysis, now.file, offset, before);
        let items = items.into_iter().enumerate().map(|(i, item)| convert_item(state, i, item));
        Some(lsp::CompletionResponse::Array(items.collect()))
    }))
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
