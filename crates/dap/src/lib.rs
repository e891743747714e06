//! The Debug Adapter Protocol over a pair of streams: conversion only. What a debugger does is decided in
//! `stubborn-ide`.
//!
//! Reading order: [`framing`] cuts the stream into messages, [`protocol`] says what is in them. [`inbox`] reads them on
//! a thread of its own, so that a run or a check can be interrupted by what comes in meanwhile; [`server`] answers them
//! one at a time, in order. [`launch`] makes a [`session`] of a launch request; [`requests`] answers what is asked of
//! one, and [`handles`] keeps the numbers that the client knows frames and variables by. [`client`] is whom it all goes
//! to.
//!
//! The protocol's crates on crates.io are types of 2023 at best, so the few that are needed here are our own.

mod client;
mod convert;
mod framing;
mod handles;
mod inbox;
mod launch;
mod protocol;
mod requests;
mod server;
mod session;

use std::io::{self, Read, Write};

/// Serves one client until it disconnects or is gone. Fails if what it says is no message.
pub fn serve(input: impl Read + Send + 'static, output: impl Write + 'static) -> io::Result<()> {
    server::serve(Box::new(input), Box::new(output))
}
