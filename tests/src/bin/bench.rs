//! States per second, ours and `pan -O2`'s, on the same models in the same run, turn by turn.
//!
//! `bench [--rounds N]`, three unless told otherwise; the best round counts. A wrong number of states is
//! never timed.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use std::time::Instant;

use stubborn_tests::binary;
use stubborn_tests::corpus::Corpus;
use stubborn_tests::program;
use stubborn_tests::spin::{Options, Oracle, Outcome};

struct Benchmark {
    name: &'static str,
    model: &'static str,
    states: u64,
    /// `pan -w` and `-m`, no larger than the model needs: `pan` pays for what it reserves.
    hash: usize,
    depth: usize,
    /// What makes it worth measuring.
    why: &'static str,
}

const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "peterson4",
        model: "twente/Tests/peterson4",
        states: 12_645_068,
        hash: 24,
        depth: 2_000_000,
        why: "many small states, shared variables only: the store decides",
    },
    Benchmark {
        name: "brp",
        model: "twente/brp/brp.prm",
        states: 3_280_269,
        hash: 22,
        depth: 300_000,
        why: "rendezvous and timeouts",
    },
    Benchmark {
        name: "leader",
        model: "twente/Tests/leader",
        states: 41_692,
        hash: 16,
        depth: 10_000,
        why: "large states, buffered channels, processes created at run time",
    },
];

fn main() -> ExitCode {
    program::main("usage: bench [--rounds N]", rounds, |rounds| {
        let corpus = Corpus::find()?;
        println!(
            "{:<10} {:>11} {:>10} {:>10} {:>12} {:>12} {:>6}",
            "model", "states", "pan s", "our s", "pan st/s", "our st/s", "ratio"
        );
        let told = |benchmark: &Benchmark| {
            let result = measure(benchmark, &corpus, rounds);
            result.err().map(|why| format!("{:<10} not timed: {why}", benchmark.name))
        };
        Ok(BENCHMARKS.iter().filter_map(told).collect())
    })
}

/// How often each is measured.
fn rounds(arguments: &mut dyn Iterator<Item = String>) -> Option<usize> {
    let mut rounds = 3;
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()?.parse()) {
            ("--rounds", Ok(value)) => rounds = value,
            _ => return None,
        }
    }
    Some(rounds)
}

fn measure(benchmark: &Benchmark, corpus: &Corpus, rounds: usize) -> Result<(), String> {
    let path = corpus.path(benchmark.model);
    let options = Options { hash: benchmark.hash, depth: benchmark.depth, ..Options::large() };
    let oracle = Oracle::from_file(&path, &options).map_err(|error| error.to_string())?;
    let oracle = oracle.map_err(|outcome| format!("{outcome:?}"))?;
    let (mut theirs, mut ours) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds.max(1) {
        match oracle.explore(&options).map_err(|error| error.to_string())? {
            Outcome::Explored(e) if e.stored == benchmark.states => theirs = theirs.min(e.seconds),
            Outcome::Explored(e) => return Err(format!("pan stores {} states", e.stored)),
            outcome => return Err(format!("pan: {outcome:?}")),
        }
        let start = Instant::now();
        let explored = binary::explore(&path, "dfs", &["--time", "3600s", "--memory", "8G"])?;
        let seconds = start.elapsed().as_secs_f64();
        if explored.states != benchmark.states {
            return Err(format!("stubborn stores {} states", explored.states));
        }
        ours = ours.min(seconds);
    }
    let rate = |seconds: f64| benchmark.states as f64 / seconds;
    println!(
        "{:<10} {:>11} {:>10.2} {:>10.2} {:>12.0} {:>12.0} {:>6.2}   {}",
        benchmark.name,
        benchmark.states,
        theirs,
        ours,
        rate(theirs),
        rate(ours),
        rate(ours) / rate(theirs),
        benchmark.why
    );
    Ok(())
}
