//! `textDocument/hover`

use stubborn_base::Span;
use stubborn_ide::hover::{Known, Link, hover};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::server::Later;
use crate::state::State;

pub(crate) fn handle(state: &State, params: &lsp::HoverParams) -> Option<Result<Later<Option<lsp::Hover>>>> {
    let now = match state.at_now(&params.text_document_position_params)? {
        Ok(now) => now,
        Err(error) => return Some(Err(error)),
    };
    let (file, offset) = (now.file, now.offset_read()?);
    let (moved, verdicts, encoding) = (now.moved, now.root.verdicts.clone(), state.encoding());
    Some(Ok(State::survey(&now.root.analysis, move |analysis, survey| {
        let location = |span: Span| convert::location_now(&moved, &analysis.sources, span, encoding);
        let link = |span: Span| {
            let (line, uri) = location(span).map_or((0, String::new()), |there| {
                (there.range.start.line + 1, there.uri.as_str().to_owned())
            });
            Link { line, address: format!("{uri}#L{line}") }
        };
        let known = Known { analysis, verdicts: &verdicts, survey, link: &link };
        hover(known, file, offset).map(|hover| lsp::Hover {
            contents: lsp::HoverContents::Markup(lsp::MarkupContent {
                kind: lsp::MarkupKind::Markdown,
                value: hover.text,
            }),
            range: location(hover.span).map(|there| there.range),
        })
    })))
}
