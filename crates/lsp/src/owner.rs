//! The thread that owns the state: it takes events in the order they came, and never waits for anything else.
//!
//! Invariant: whoever asks, asks after everything that was told before. A question that needs the text as it is now
//! is put again whenever something was read, until it can be answered; the others are answered at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use stubborn_ide::Notice;
use stubborn_ide::together::Former;
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
    /// A thread of the workspace has something to tell.
    Notice(Box<Notice>),
    /// Somebody asks.
    Request(Question),
    /// The editor is gone, or says so.
    Exit,
}

/// Whether it is answered, or nobody waits for the answer any more.
pub(crate) type Question = Box<dyn FnMut(&mut State) -> bool + Send>;

/// Starts the owner; events are sent to it.
pub(crate) fn start(outbox: Outbox, former: Arc<Former>) -> std::io::Result<Sender<Event>> {
    let (sender, receiver) = channel();
    let notices = sender.clone();
    let listener = Arc::new(move |notice| {
        // Nobody is there any more to hear it when this fails.
        let _ = notices.send(Event::Notice(Box::new(notice)));
    });
    let body = move || run(&receiver, State::new(listener, outbox, former));
    thread::Builder::new().name("owner".to_owned()).spawn(body)?;
    Ok(sender)
}

fn run(events: &Receiver<Event>, mut state: State) {
    let mut unanswered: Vec<Question> = Vec::new();
    while let Ok(first) = events.recv() {
        let mut next = Some(first);
        while let Some(event) = next {
            match event {
                Event::Exit => return,
                Event::Request(mut question) => {
                    state.settle();
                    if !ask(&mut question, &mut state) {
                        unanswered.push(question);
                    }
                }
                told => state.take(told),
            }
            next = events.try_recv().ok();
        }
        state.settle();
        unanswered.retain_mut(|question| !ask(question, &mut state));
    }
}

/// A question that ends in a panic for a defect of ours is answered with an error, and nothing else is lost.
fn ask(question: &mut Question, state: &mut State) -> bool {
    catch_unwind(AssertUnwindSafe(|| question(state))).unwrap_or_else(|_| {
        tracing::error!("a question ended in a panic");
        true
    })
}
