//! What goes to the editor, in order. The owner drops it here and goes on; tasks send it.
//!
//! Progress bars have a lane of their own: the editor has to agree to each, and may take its time.

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::Client;
use tower_lsp::ls_types::{self as lsp, notification};

use crate::commands::StatusAnswer;

/// What is known of the properties of a model, for editors that ask for it with the experimental capability
/// `stubbornStatus`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StatusParams {
    pub(crate) uri: lsp::Uri,
    pub(crate) properties: Vec<StatusAnswer>,
}

#[derive(Debug)]
enum StatusNotification {}

impl notification::Notification for StatusNotification {
    type Params = StatusParams;
    const METHOD: &'static str = "stubborn/status";
}

/// Something for the editor.
#[derive(Debug)]
pub(crate) enum Letter {
    Diagnostics(lsp::PublishDiagnosticsParams),
    RefreshLenses,
    RefreshHints,
    RefreshTokens,
    Show(lsp::ShowDocumentParams),
    Message(lsp::MessageType, String),
    Status(StatusParams),
}

/// News of a progress bar.
#[derive(Debug)]
pub(crate) enum Bar {
    /// A bar is wanted; what follows is about it.
    Create(lsp::ProgressToken),
    News(lsp::ProgressParams),
}

/// Where the owner drops letters.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    letters: UnboundedSender<Letter>,
    bars: UnboundedSender<Bar>,
}

/// Where they are taken from.
#[derive(Debug)]
pub(crate) struct Inbox {
    letters: UnboundedReceiver<Letter>,
    bars: UnboundedReceiver<Bar>,
}

impl Outbox {
    pub(crate) fn new() -> (Self, Inbox) {
        let (letters, from_letters) = unbounded_channel();
        let (bars, from_bars) = unbounded_channel();
        (Outbox { letters, bars }, Inbox { letters: from_letters, bars: from_bars })
    }

    /// Sends it in its turn, unless the editor is gone.
    pub(crate) fn send(&self, letter: Letter) {
        let _ = self.letters.send(letter);
    }

    /// The same for progress bars.
    pub(crate) fn send_bar(&self, bar: Bar) {
        let _ = self.bars.send(bar);
    }
}

/// Sends what is dropped, until nobody drops anything any more.
pub(crate) fn deliver(client: Client, inbox: Inbox) {
    let Inbox { letters, bars } = inbox;
    drop(tokio::spawn(deliver_letters(client.clone(), letters)));
    drop(tokio::spawn(deliver_bars(client, bars)));
}

async fn deliver_letters(client: Client, mut letters: UnboundedReceiver<Letter>) {
    while let Some(letter) = letters.recv().await {
        match letter {
            Letter::Diagnostics(lsp::PublishDiagnosticsParams { uri, diagnostics, version }) => {
                client.publish_diagnostics(uri, diagnostics, version).await;
            }
            Letter::Message(kind, text) => client.show_message(kind, text).await,
            Letter::Status(params) => client.send_notification::<StatusNotification>(params).await,
            // The editor answers these when it likes, and may ask us something first.
            Letter::RefreshLenses => drop(tokio::spawn(refresh_lenses(client.clone()))),
            Letter::RefreshHints => drop(tokio::spawn(refresh_hints(client.clone()))),
            Letter::RefreshTokens => drop(tokio::spawn(refresh_tokens(client.clone()))),
            Letter::Show(params) => drop(tokio::spawn(show(client.clone(), params))),
        }
    }
}

async fn deliver_bars(client: Client, mut bars: UnboundedReceiver<Bar>) {
    while let Some(bar) = bars.recv().await {
        match bar {
            Bar::Create(token) => drop(client.create_work_done_progress(token).await),
            Bar::News(params) => client.send_notification::<notification::Progress>(params).await,
        }
    }
}

async fn refresh_lenses(client: Client) {
    let _ = client.code_lens_refresh().await;
}

async fn refresh_hints(client: Client) {
    let _ = client.inlay_hint_refresh().await;
}

async fn refresh_tokens(client: Client) {
    let _ = client.semantic_tokens_refresh().await;
}

async fn show(client: Client, params: lsp::ShowDocumentParams) {
    let _ = client.show_document(params).await;
}
