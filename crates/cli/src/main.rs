//! The command line: reads arguments and files, calls the engine, shows results.
//! Decides nothing about models itself.
//!
//! Reading order: [`args`], then a command, [`explore`], [`check`], [`trail`], [`simulate`], [`graph`],
//! [`net`], [`convert`], [`relations`] or [`audit`], which reads its model with [`model`] and shows results with [`human`],
//! [`json`] or [`sarif`]; [`watch`] checks again. [`ltl`], [`lsp`], [`dap`] and [`manual`] need no model.

mod args;
mod audit;
mod check;
mod cluster;
mod convert;
mod dap;
mod diagnostics;
mod exit;
mod explore;
mod graph;
mod human;
mod json;
mod log;
mod lsp;
mod ltl;
mod manual;
mod model;
mod net;
mod output;
mod progress;
mod relations;
mod sarif;
mod simulate;
mod system;
mod trail;
mod watch;

use std::process::ExitCode;

use args::{Args, Command};
use clap::Parser;

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Explore(args) => explore::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Trail(args) => trail::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Net(args) => net::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Relations(args) => relations::run(&args),
        Command::Ltl(args) => ltl::run(&args),
        Command::Lsp(args) => lsp::run(&args),
        Command::Dap(args) => dap::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::pages(&args),
    };
    let status = result.unwrap_or_else(|failure| {
        output::failure(&failure);
        exit::Status::Rejected
    });
    status.into()
}
