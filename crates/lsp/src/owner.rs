//! The thread that owns the state: it takes events in the order they came.
//!
//! Invariant: whoever asks, asks after everything that was told before. Texts are read again only when there is
//! nothing else to take in, or somebody asks, so a burst of changes costs as much as one.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use stubborn_ide::Report;
use tower_lsp::ls_types as lsp;

use crate::outbox::Outbox;
use crate::state::State;

/// What can happen.
pub(crate) enum Event {
    /// The editor told who it is.
    Initialize(Box<lsp::InitializeParams>),
    Open(lsp::TextDocumentItem),
    Change(lsp::DidChangeTextDocumentParams),
    Save(lsp::Uri),
    Close(lsp::Uri),
    /// Files changed on disk.
    Watched(Vec<lsp::Uri>),
    /// Settings of the editor.
    Settings(serde_json::Value),
    Folders(lsp::WorkspaceFoldersChangeEvent),
    /// A progress bar was closed by hand.
    CancelProgress(lsp::ProgressToken),
    /// A check has something to tell.
    Report(Box<Report>),
    /// Somebody asks.
    Request(Box<dyn FnOnce(&mut State) + Send>),
    /// The editor is gone, or says so.
    Exit,
}

/// Starts the owner; events are sent to it.
pub(crate) fn start(outbox: Outbox) -> std::io::Result<Sender<Event>> {
    let (sender, receiver) = channel();
    let reports = sender.clone();
    let listener = std::sync::Arc::new(move |report| {
        // Nobody is there any more to hear it when this fails.
        let _ = reports.send(Event::Report(Box::new(report)));
    });
    let body = move || run(&receiver, State::new(listener, outbox));
    thread::Builder::new().name("owner".to_owned()).spawn(body)?;
    Ok(sender)
}

fn run(events: &Receiver<Event>, mut state: State) {
    while let Ok(first) = events.recv() {
        let mut next = Some(first);
        while let Some(event) = next {
            match event {
                Event::Exit => return,
                Event::Request(answer) => {
                    state.settle();
                    answer(&mut state);
                }
                told => state.take(told),
            }
            next = events.try_recv().ok();
        }
        state.settle();
    }
}
