//! `textDocument/hover`

use stubborn_base::Span;
use stubborn_ide::hover::hover;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(state: &State, params: &lsp::HoverParams) -> Result<Option<lsp::Hover>> {
    let (root, file, offset) = state.at(&params.text_document_position_params)?;
    let sources = &root.analysis.sources;
    let link = |span: Span| {
        let start = convert::position(sources.file(span.file), span.start, state.encoding());
        let uri = convert::uri(sources.file(span.file).path());
        uri.map_or_else(String::new, |uri| format!("{}#L{}", uri.as_str(), start.line + 1))
    };
    Ok(hover(root, file, offset, &link).map(|hover| lsp::Hover {
        contents: lsp::HoverContents::Markup(lsp::MarkupContent {
            kind: lsp::MarkupKind::Markdown,
            value: hover.text,
        }),
        range: Some(convert::range(sources, hover.span, state.encoding())),
    }))
}
