//! States per second, ours and `pan -O2`'s, on the same models in the same run, turn by turn.
//!
//! `bench [--rounds N]`, three unless told otherwise; the best round counts. A wrong number of states is
//! never timed.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use std::time::Instant;

use stubborn_tests::binary;
use stubborn_tests::corpus::Corpus;
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
    let mut rounds = 3;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next().and_then(|value| value.parse().ok())) {
            ("--rounds", Some(value)) => rounds = value,
            _ => {
                eprintln!("usage: bench [--rounds N]");
                return ExitCode::from(2);
            }
        }
    }
    let corpus = match Corpus::find() {
        Ok(corpus) => corpus,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    println!(
        "{:<10} {:>11} {:>10} {:>10} {:>12} {:>12} {:>6}",
        "model", "states", "pan s", "our s", "pan st/s", "our st/s", "ratio"
    );
    let mut all_right = true;
    for benchmark in BENCHMARKS {
        if let Err(why) = measure(benchmark, &corpus, rounds) {
            println!("{:<10} not timed: {why}", benchmark.name);
            all_right = false;
        }
    }
    if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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
