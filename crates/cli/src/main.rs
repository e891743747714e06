//! The command line: reads arguments and files, calls the engine, shows results.
//! Decides nothing about models itself.
//!
//! Reading order: [`args`], then a command, [`explore`] or [`check`], which reads
//! its model with [`model`] and shows results with [`human`] or [`json`].

mod args;
mod check;
mod diagnostics;
mod exit;
mod explore;
mod human;
mod json;
mod model;
mod output;
mod progress;
mod system;

use std::process::ExitCode;

use args::{Args, Command};
use clap::Parser;

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Explore(args) => explore::run(&args),
        Command::Check(args) => check::run(&args),
    };
    let status = result.unwrap_or_else(|failure| {
        output::failure(&failure);
        exit::Status::Rejected
    });
    status.into()
}
