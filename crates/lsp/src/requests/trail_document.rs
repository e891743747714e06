//! `stubborn/trailDocument`: a trail as a text, for editors that open it as a document of its own.
//!
//! Its address is that of the model with another scheme, and the property behind a question mark:
//! `stubborn-trail:///home/me/mutex.pml?exclusive`.

use serde::Deserialize;
use stubborn_ide::trails::document;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use crate::state::State;

const SCHEME: &str = "stubborn-trail:";

/// Whose trail: the address of a trail, or a model and a property.
#[derive(Debug, Deserialize)]
pub(crate) struct Params {
    uri: lsp::Uri,
    property: Option<String>,
}

/// The address of the trail of a model's property.
pub(crate) fn address(model: &lsp::Uri, property: &str) -> Option<lsp::Uri> {
    let path = model.as_str().strip_prefix("file:")?;
    format!("{SCHEME}{path}?{property}").parse().ok()
}

pub(crate) fn handle(state: &State, params: &Params) -> Result<String> {
    let (model, property) = whose(params)?;
    let (_, root, _) = state.root(&model)?;
    let result = root.verdicts.result(&property).filter(|result| result.trail.is_some());
    let result = result.ok_or_else(|| Error::invalid_params(format!("`{property}` has no trail")))?;
    Ok(document(root, result))
}

fn whose(params: &Params) -> Result<(lsp::Uri, String)> {
    let named = params.property.clone().map(|property| (params.uri.clone(), property));
    let addressed = || {
        let (path, property) = params.uri.as_str().strip_prefix(SCHEME)?.split_once('?')?;
        Some((format!("file:{path}").parse().ok()?, property.to_owned()))
    };
    named.or_else(addressed).ok_or_else(|| {
        Error::invalid_params(format!("{} is no trail, and there is no property", params.uri.as_str()))
    })
}
