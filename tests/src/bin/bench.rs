//! States per second, ours and `pan -O2`'s, on the same models in the same run, turn by turn.
//!
//! `bench [--rounds N] [NAME...]`, all models and three rounds unless told otherwise; the best round counts. A wrong
//! number of states is never timed.

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
        name: "i2",
        model: "twente/i-protocol/code/spin/i2",
        states: 14_309_427,
        hash: 24,
        depth: 5_000_000,
        why: "a protocol with large processes and lossy channels",
    },
    Benchmark {
        name: "philo",
        model: "twente/phils/philo.pml",
        states: 1_640_881,
        hash: 21,
        depth: 2_000_000,
        why: "ten successors a state, nearly all of them old",
    },
    Benchmark {
        name: "leader",
        model: "twente/Tests/leader",
        states: 41_692,
        hash: 16,
        depth: 10_000,
        why: "large states, buffered channels, processes created at run time",
    },
    Benchmark {
        name: "pftp",
        model: "twente/Tests/pftp-copies",
        states: 439_895,
        hash: 19,
        depth: 100_000,
        why: "long atomic sequences; pftp itself is too large for pan, this is its variant with copies",
    },
    Benchmark {
        name: "snoopy",
        model: "spin-examples/snoopy.pml",
        states: 91_920,
        hash: 17,
        depth: 100_000,
        why: "many channels as parameters",
    },
    Benchmark {
        name: "sort",
        model: "twente/Tests/sort",
        states: 659_683,
        hash: 20,
        depth: 100_000,
        why: "large states, a chain of processes and channels made at run time",
    },
    Benchmark {
        name: "dbm",
        model: "twente/dbm/dbm.prm",
        states: 5_112,
        hash: 13,
        depth: 10_000,
        why: "over before machine code would pay: what it costs to start",
    },
    Benchmark {
        name: "garp",
        model: "twente/garp/garp-b/garp_nl",
        states: 288_062,
        hash: 19,
        depth: 10_000,
        why: "rendezvous among large processes; garp-a has 116 million states, this is the variant without loss",
    },
];

fn main() -> ExitCode {
    program::main("usage: bench [--rounds N] [NAME...]", wanted, |(rounds, names)| {
        let corpus = Corpus::find()?;
        println!(
            "{:<10} {:>11} {:>10} {:>10} {:>12} {:>12} {:>6}",
            "model", "states", "pan s", "our s", "pan st/s", "our st/s", "ratio"
        );
        let told = |benchmark: &Benchmark| {
            let result = measure(benchmark, &corpus, rounds);
            result.err().map(|why| format!("{:<10} not timed: {why}", benchmark.name))
        };
        let is_wanted =
            |benchmark: &&Benchmark| names.is_empty() || names.iter().any(|name| name == benchmark.name);
        Ok(BENCHMARKS.iter().filter(is_wanted).filter_map(told).collect())
    })
}

/// How often each is measured, and which.
fn wanted(arguments: &mut dyn Iterator<Item = String>) -> Option<(usize, Vec<String>)> {
    let (mut rounds, mut names) = (3, Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => rounds = arguments.next()?.parse().ok()?,
            name if BENCHMARKS.iter().any(|benchmark| benchmark.name == name) => names.push(argument),
            _ => return None,
        }
    }
    Some((rounds, names))
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
