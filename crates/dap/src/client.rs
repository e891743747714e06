//! Whom answers and events go to.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::framing;
use crate::protocol::{Answer, InitializeArguments, Output, Request};

/// The other end of the stream, and what it said of itself.
pub(crate) struct Client {
    output: BufWriter<Box<dyn Write>>,
    seq: i64,
    /// The first thing that went wrong in writing: nobody is there any more.
    failure: Option<io::Error>,
    pub(crate) abilities: InitializeArguments,
}

impl Client {
    pub(crate) fn new(output: Box<dyn Write>) -> Self {
        let output = BufWriter::new(output);
        Client { output, seq: 0, failure: None, abilities: InitializeArguments::default() }
    }

    /// Whether nobody hears us any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.failure.is_some()
    }

    /// Does what was asked for.
    pub(crate) fn respond(&mut self, request: &Request, body: Value) {
        let (request_seq, command) = (request.seq, request.command.as_str());
        self.send(|seq| Answer::Response { seq, request_seq, success: true, command, message: None, body });
    }

    /// Says why what was asked for cannot be done.
    pub(crate) fn refuse(&mut self, request: &Request, why: &str) {
        let (request_seq, command) = (request.seq, request.command.as_str());
        // Editors ask about frames that are gone when one steps fast: that is nothing to show.
        let shows = matches!(command, "launch" | "attach" | "setVariable" | "stepInTargets");
        let body = json!({ "error": { "id": 1, "format": why, "showUser": shows } });
        let message = Some(why);
        self.send(|seq| Answer::Response { seq, request_seq, success: false, command, message, body });
    }

    pub(crate) fn event(&mut self, event: &str, body: impl Serialize) {
        let body = serde_json::to_value(body).unwrap_or_default();
        self.send(|seq| Answer::Event { seq, event, body });
    }

    /// A line for people.
    pub(crate) fn say(&mut self, text: &str) {
        let output = format!("{text}\n");
        self.event("output", Output { category: "console", output, source: None, line: None });
    }

    fn send<'a>(&mut self, answer: impl FnOnce(i64) -> Answer<'a>) {
        self.seq += 1;
        let message = serde_json::to_vec(&answer(self.seq)).unwrap_or_default();
        tracing::debug!(target: "sent", "{}", String::from_utf8_lossy(&message));
        if self.failure.is_none() {
            self.failure = framing::write(&mut self.output, &message).err();
        }
    }
}
