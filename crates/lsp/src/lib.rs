//! The Language Server Protocol: conversion only. What is shown is decided in `stubborn-ide`.
//!
//! Handlers of notifications may run concurrently, but are entered in order; so they hand what they are told to one
//! owner ([`owner`]) before they wait for anything. The owner is a thread: it holds the [`state`], answers requests one
//! at a time from the newest text, and never waits for the editor. What goes to the editor passes through [`outbox`],
//! in order. Checks run on threads of their own.
//!
//! One file per request, in `requests/`: convert, call, convert back.

mod capabilities;
mod commands;
mod convert;
mod log;
mod outbox;
mod owner;
mod progress;
mod requests;
mod server;
mod settings;
mod state;

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use stubborn_ide::together::Former;
use tokio::net::TcpListener;
use tower_lsp::{LspService, Server};

use server::Backend;

/// An editor that is to connect does so by then, or is gone.
const PATIENCE: Duration = Duration::from_secs(60);

/// How the editor is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transport {
    /// Over standard input and output.
    Stdio,
    /// The editor connects to this port of this machine.
    Socket(u16),
}

/// Serves one editor until it is gone. Models are checked with other processes by that `former`.
pub fn serve(transport: Transport, former: Arc<Former>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let service = LspService::build(|client| Backend::new(client, former.clone()))
            .custom_method("window/workDoneProgress/cancel", Backend::cancel_progress)
            .custom_method("stubborn/text", Backend::text)
            .custom_method("stubborn/trailDocument", Backend::trail_document)
            .finish();
        let (service, socket) = service;
        match transport {
            Transport::Stdio => {
                let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
                Server::new(input, output, socket).serve(service).await;
            }
            Transport::Socket(port) => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
                let nobody = io::Error::new(io::ErrorKind::TimedOut, "no editor has connected");
                let accepted = tokio::time::timeout(PATIENCE, listener.accept()).await;
                let (stream, _) = accepted.map_err(|_| nobody)??;
                let (input, output) = tokio::io::split(stream);
                Server::new(input, output, socket).serve(service).await;
            }
        }
        commands::remove_trails();
        Ok(())
    })
}
