//! `stubborn lsp`

use std::sync::Arc;

use stubborn_lsp::{Transport, serve};
use tracing_subscriber::filter::LevelFilter;

use crate::args::LspArgs;
use crate::exit::Status;
use crate::{cluster, log};

pub(crate) fn run(args: &LspArgs) -> Result<Status, String> {
    if let Some(path) = &args.log {
        log::to(path, LevelFilter::INFO)?;
    }
    let transport = args.socket.map_or(Transport::Stdio, Transport::Socket);
    serve(transport, Arc::new(cluster::form_for_editor))
        .map_err(|error| format!("the language server cannot be reached: {error}"))?;
    Ok(Status::Success)
}
