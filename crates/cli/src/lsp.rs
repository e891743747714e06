//! `stubborn lsp`

use std::fs::File;
use std::sync::Mutex;

use stubborn_lsp::{Transport, serve};

use crate::args::LspArgs;
use crate::exit::Status;

pub(crate) fn run(args: &LspArgs) -> Result<Status, String> {
    if let Some(path) = &args.log {
        let file = File::create(path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        tracing_subscriber::fmt().with_writer(Mutex::new(file)).with_ansi(false).init();
    }
    let transport = args.socket.map_or(Transport::Stdio, Transport::Socket);
    serve(transport).map_err(|error| format!("the language server cannot be reached: {error}"))?;
    Ok(Status::Success)
}
