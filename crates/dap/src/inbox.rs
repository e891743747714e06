//! What comes in, read on a thread of its own and answered in order.
//!
//! Some requests interrupt what is under way when they come in, long before it is their turn. An interrupting request
//! is pending from when it is read until it is answered, and whatever runs meanwhile stops; so neither a request that
//! comes early nor one that comes late is lost.

use std::io::{self, BufReader, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::framing;
use crate::protocol::{CancelArguments, Request};

/// A request, and whether it stops what is under way.
pub(crate) struct Incoming {
    pub(crate) request: Request,
    interrupts: bool,
}

/// Requests in order.
pub(crate) struct Inbox {
    requests: Receiver<io::Result<Incoming>>,
    signals: Arc<Mutex<Signals>>,
}

#[derive(Default)]
struct Signals {
    /// Interrupting requests that were read and not answered yet; the end of the stream is one.
    pending: usize,
    /// Cancels the check that is under way.
    cancel: Option<Arc<AtomicBool>>,
    /// The request that started what takes time.
    launch: Option<i64>,
}

impl Inbox {
    /// Reads from a stream until its end.
    pub(crate) fn open(input: Box<dyn Read + Send>) -> Self {
        let (sender, requests) = channel();
        let signals = Arc::new(Mutex::new(Signals::default()));
        let shared = signals.clone();
        // Ends with the stream, or with the process.
        thread::spawn(move || {
            let mut input = BufReader::new(input);
            while let Some(request) = read(&mut input).transpose() {
                let is_over = request.is_err();
                let incoming = request.map(|request| lock(&shared).note(request));
                if sender.send(incoming).is_err() || is_over {
                    break;
                }
            }
            lock(&shared).interrupt();
        });
        Inbox { requests, signals }
    }

    /// The next request; none at the end of the stream. Fails if there is something else.
    pub(crate) fn next(&self) -> io::Result<Option<Incoming>> {
        self.requests.recv().ok().transpose()
    }

    /// A request was answered.
    pub(crate) fn answered(&self, incoming: &Incoming) {
        lock(&self.signals).pending -= usize::from(incoming.interrupts);
    }

    /// Whether something wants what is under way to stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        lock(&self.signals).pending > 0
    }

    /// A flag that cancels a check which begins now.
    pub(crate) fn cancel_flag(&self) -> Arc<AtomicBool> {
        let mut signals = lock(&self.signals);
        let cancel = Arc::new(AtomicBool::new(signals.pending > 0));
        signals.cancel = Some(cancel.clone());
        cancel
    }
}

impl Signals {
    /// Takes note of a request that was read.
    fn note(&mut self, request: Request) -> Incoming {
        let interrupts = match request.command.as_str() {
            "launch" => {
                self.launch = Some(request.seq);
                false
            }
            "pause" | "terminate" | "disconnect" | "restart" => true,
            "cancel" => {
                let arguments: CancelArguments =
                    serde_json::from_value(request.arguments.clone()).unwrap_or_default();
                arguments.progress_id.is_some()
                    || (arguments.request_id.is_some() && arguments.request_id == self.launch)
            }
            _ => false,
        };
        if interrupts {
            self.interrupt();
        }
        Incoming { request, interrupts }
    }

    fn interrupt(&mut self) {
        self.pending += 1;
        if let Some(cancel) = &self.cancel {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}

fn lock(signals: &Mutex<Signals>) -> std::sync::MutexGuard<'_, Signals> {
    signals.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The next request. Other messages of the protocol, answers to requests we never make, are passed over.
fn read(input: &mut BufReader<Box<dyn Read + Send>>) -> io::Result<Option<Request>> {
    while let Some(message) = framing::read(input)? {
        tracing::debug!(target: "received", "{}", String::from_utf8_lossy(&message));
        let wrong = |error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("no message of the protocol: {error}"))
        };
        let value: serde_json::Value = serde_json::from_slice(&message).map_err(wrong)?;
        if value.get("type").is_some_and(|kind| kind == "response" || kind == "event") {
            continue;
        }
        return Ok(Some(serde_json::from_value(value).map_err(wrong)?));
    }
    Ok(None)
}
