//! Every suite whose tests are rows of a table or batches of seeds.

mod audits;
mod book;
mod claims;
mod cluster;
mod corpus_accept;
mod corpus_nets;
mod corpus_states;
mod corpus_systems;
mod differential;
mod engines;
mod examples;
mod explanations;
mod faults;
mod ltl;
mod nets;
mod own_models;
mod reductions;
mod runs;
mod spin_trails;
mod systems;
mod trails;
mod unfollowed;

use std::process::ExitCode;

use stubborn_tests::suite;

fn main() -> ExitCode {
    suite::run(&[
        ("audits", audits::suite),
        ("book", book::suite),
        ("claims", claims::suite),
        ("cluster", cluster::suite),
        ("corpus_accept", corpus_accept::suite),
        ("corpus_nets", corpus_nets::suite),
        ("corpus_states", corpus_states::suite),
        ("corpus_systems", corpus_systems::suite),
        ("differential", differential::suite),
        ("engines", engines::suite),
        ("examples", examples::suite),
        ("explanations", explanations::suite),
        ("faults", faults::suite),
        ("ltl", ltl::suite),
        ("nets", nets::suite),
        ("own_models", own_models::suite),
        ("reductions", reductions::suite),
        ("runs", runs::suite),
        ("spin_trails", spin_trails::suite),
        ("systems", systems::suite),
        ("trails", trails::suite),
        ("unfollowed", unfollowed::suite),
    ])
}
