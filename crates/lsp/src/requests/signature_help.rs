//! `textDocument/signatureHelp`

use stubborn_ide::signature::signature;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::state::State;

pub(crate) fn handle(state: &State, params: &lsp::SignatureHelpParams) -> Result<Option<lsp::SignatureHelp>> {
    let (root, file, offset) = state.at(&params.text_document_position_params)?;
    Ok(signature(&root.analysis, file, offset).map(|signature| {
        let parameters = signature.parameters.into_iter().map(|label| lsp::ParameterInformation {
            label: lsp::ParameterLabel::Simple(label),
            documentation: None,
        });
        let active = Some(signature.active as u32);
        let information = lsp::SignatureInformation {
            label: signature.label,
            documentation: signature.help.map(lsp::Documentation::String),
            parameters: Some(parameters.collect()),
            active_parameter: active,
        };
        lsp::SignatureHelp {
            signatures: vec![information],
            active_signature: Some(0),
            active_parameter: active,
        }
    }))
}
