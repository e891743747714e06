//! `stubborn/text`: an open text as the server has it, so that an editor can make sure that both mean the same.

use serde::Deserialize;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::state::State;

/// Which text.
#[derive(Debug, Deserialize)]
pub(crate) struct Params {
    uri: lsp::Uri,
}

pub(crate) fn handle(state: &State, params: &Params) -> Result<String> {
    let document = state.workspace.texts().get(&convert::path(&params.uri));
    let unknown = || Error::invalid_params(format!("no document {} is open", params.uri.as_str()));
    Ok(document.ok_or_else(unknown)?.text.to_string())
}
