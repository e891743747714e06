//! `stubborn/trailDocument`: a trail as a text.

use serde::Deserialize;
use stubborn_ide::trails::document;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use crate::state::State;

/// Whose trail.
#[derive(Debug, Deserialize)]
pub(crate) struct Params {
    uri: lsp::Uri,
    property: String,
}

pub(crate) fn handle(state: &State, params: &Params) -> Result<String> {
    let (_, root, _) = state.root(&params.uri)?;
    let result = root.verdicts.result(&params.property).filter(|result| result.trail.is_some());
    let result =
        result.ok_or_else(|| Error::invalid_params(format!("`{}` has no trail", params.property)))?;
    Ok(document(&root.analysis.sources, result))
}
