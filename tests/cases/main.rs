//! Every test that stands in the text as one.

mod benchmarks;
mod cli_contract;
mod conversions;
mod debugger;
mod errors;
mod figures;
mod graphs;
mod hostile;
mod language_server;
mod language_stress;
mod manifests;
mod mutations;
mod pages;
mod runtime_errors;
mod shipping;
