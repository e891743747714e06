//! The messages of the protocol, as far as they are used here. Names and meaning are the specification's,
//! <https://microsoft.github.io/debug-adapter-protocol/specification>.

mod arguments;
mod bodies;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use arguments::*;
pub(crate) use bodies::*;

/// What a client asks for.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Request {
    pub(crate) seq: i64,
    pub(crate) command: String,
    #[serde(default)]
    pub(crate) arguments: Value,
}

/// What it is told.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Answer<'a> {
    Response {
        seq: i64,
        request_seq: i64,
        success: bool,
        command: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<&'a str>,
        #[serde(skip_serializing_if = "Value::is_null")]
        body: Value,
    },
    Event {
        seq: i64,
        event: &'a str,
        #[serde(skip_serializing_if = "Value::is_null")]
        body: Value,
    },
}
