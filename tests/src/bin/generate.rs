//! Generates random models and asks the oracle about them.
//!
//! `generate --seed 17` prints one model; `generate --count 500` prints what the oracle says about five
//! hundred.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use stubborn_tests::generate::{Feature, Features, generate};
use stubborn_tests::spin::{self, Options, Outcome};

#[derive(Default)]
struct Statistics {
    outcomes: BTreeMap<&'static str, usize>,
    complaints: Vec<String>,
    sizes: Vec<u64>,
    n_failing: usize,
    n_dead: usize,
    n_atomic: usize,
    features: BTreeMap<Feature, usize>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (mut seed, mut count, mut features) = (0, None, Features::ALL);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        let number = || value.parse::<u64>().map_err(|_| format!("`{argument}` needs a number"));
        let result = match argument.as_str() {
            "--seed" => number().map(|n| seed = n),
            "--count" => number().map(|n| count = Some(n)),
            "--features" => Features::parse(&value).map(|set| features = set),
            _ => Err(format!("unknown argument `{argument}`: use --seed N, --count N, --features LIST")),
        };
        if let Err(message) = result {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    }
    match count {
        None => println!("{}", generate(seed, features).render()),
        Some(count) => report(&survey(seed, count, features)),
    }
    ExitCode::SUCCESS
}

fn survey(start: u64, count: u64, features: Features) -> Statistics {
    let next = AtomicU64::new(start);
    let all = Mutex::new(Statistics::default());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= start + count {
                        return;
                    }
                    let model = generate(seed, features);
                    let outcome = spin::explore_text(&model.render(), &Options::small());
                    all.lock().expect("no thread panics").add(seed, model.features(), outcome);
                }
            });
        }
    });
    all.into_inner().expect("no thread panics")
}

impl Statistics {
    fn add(&mut self, seed: u64, features: Features, outcome: std::io::Result<Outcome>) {
        let (name, complaint) = match outcome {
            Ok(Outcome::Explored(e)) => match e.undefined() {
                Some(kind) => ("undefined", Some(kind.to_string())),
                None => {
                    for feature in features.iter() {
                        *self.features.entry(feature).or_default() += 1;
                    }
                    self.sizes.push(e.stored);
                    self.n_failing += usize::from(e.has_failed_assertion());
                    self.n_dead += usize::from(e.has_invalid_end());
                    self.n_atomic += usize::from(e.atomic_steps > 0);
                    ("explored", None)
                }
            },
            Ok(Outcome::Rejected(message)) => ("rejected", Some(message)),
            Ok(Outcome::NotCompiled(message)) => ("not compiled", Some(message)),
            Ok(Outcome::Incomplete(message)) => ("incomplete", Some(message)),
            Err(error) => ("not run", Some(error.to_string())),
        };
        *self.outcomes.entry(name).or_default() += 1;
        self.complaints.extend(complaint.map(|text| format!("seed {seed}: {name}: {text}")));
    }
}

fn report(statistics: &Statistics) {
    for complaint in &statistics.complaints {
        println!("{complaint}");
    }
    let mut sizes = statistics.sizes.clone();
    sizes.sort_unstable();
    let at = |percent: usize| sizes.get((sizes.len().max(1) - 1) * percent / 100).copied().unwrap_or(0);
    println!("outcomes: {:?}", statistics.outcomes);
    println!("states: min {} · 10% {} · median {} · 90% {} · max {}", at(0), at(10), at(50), at(90), at(100));
    println!(
        "with a failing assertion {}, an invalid end state {}, atomic steps {}",
        statistics.n_failing, statistics.n_dead, statistics.n_atomic
    );
    let features: Vec<String> =
        statistics.features.iter().map(|(f, n)| format!("{} {n}", f.name())).collect();
    println!("features: {}", features.join(" · "));
}
