//! `textDocument/codeLens`

use serde_json::json;
use stubborn_ide::lenses::{Action, lenses};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

pub(crate) fn handle(state: &State, params: &lsp::CodeLensParams) -> Result<Option<Vec<lsp::CodeLens>>> {
    let (path, root, file) = state.root(&params.text_document.uri)?;
    let Some(model) = convert::uri(path) else { return Ok(None) };
    let lenses = lenses(root, file).into_iter().map(|lens| {
        let (command, arguments) = match lens.action {
            Action::Check => ("stubborn.check", vec![json!(model)]),
            Action::Cancel => ("stubborn.cancel", vec![json!(model)]),
            Action::ShowTrail => ("stubborn.showTrail", vec![json!(model), json!(lens.property)]),
            Action::Explain => ("stubborn.explain", vec![json!(model), json!(lens.property)]),
        };
        lsp::CodeLens {
            range: convert::range(&root.analysis.sources, lens.span, state.encoding()),
            command: Some(lsp::Command {
                title: lens.title,
                command: command.to_owned(),
                arguments: Some(arguments),
            }),
            data: None,
        }
    });
    Ok(Some(lenses.collect()))
}
