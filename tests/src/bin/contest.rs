//! The Model Checking Contest's nets: state spaces and verdicts, ours beside the contest's.
//!
//! `contest` decides every property of every instance of the corpus, each within `--time` (seconds, 60) and `--memory`
//! (MiB, 4096), and counts what is right, wrong and incomplete; `--only TEXT` takes instances whose name contains the
//! text, `--states` looks at state spaces only, `--jobs N` at so many instances at a time.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stubborn_tests::contest::{Answer, Instance, Tally, instances};

struct Options {
    time: Duration,
    memory: usize,
    only: String,
    states_only: bool,
    jobs: usize,
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let Some(all) = instances() else {
        println!("SKIPPED: no corpus of nets");
        return ExitCode::SUCCESS;
    };
    let all: Vec<Instance> = all.into_iter().filter(|i| i.name.contains(&options.only)).collect();
    let next = AtomicUsize::new(0);
    let tally = Mutex::new(Tally::default());
    thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                while let Some(instance) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let one = decide(instance, &options);
                    *tally.lock().expect("nobody panics with it") += one;
                }
            });
        }
    });
    let tally = tally.into_inner().expect("nobody panics with it");
    println!("in all: {tally}");
    if tally.wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        time: Duration::from_secs(60),
        memory: 4096 << 20,
        only: String::new(),
        states_only: false,
        jobs: 1,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--states" {
            options.states_only = true;
            continue;
        }
        let value = arguments.next().unwrap_or_default();
        let number = || value.parse::<u64>().map_err(|_| format!("`{argument}` needs a number"));
        match argument.as_str() {
            "--time" => options.time = Duration::from_secs(number()?),
            "--memory" => options.memory = (number()? as usize) << 20,
            "--jobs" => options.jobs = number()?.max(1) as usize,
            "--only" => options.only = value,
            _ => return Err(format!("unknown argument `{argument}`")),
        }
    }
    Ok(options)
}

fn decide(instance: &Instance, options: &Options) -> Tally {
    let started = Instant::now();
    let model = match instance.load() {
        Ok(model) => model,
        Err(why) => {
            println!("{}: SKIPPED: {why}", instance.name);
            return Tally { skipped: instance.n_questions(), ..Tally::default() };
        }
    };
    let loaded = started.elapsed();
    let mut tally = Tally::default();
    let (answer, told) = instance.explore(&model, options.time, options.memory);
    tally.add(answer);
    println!(
        "{}: {told}, read in {:.2} s, {} firings, {} bytes",
        instance.name,
        loaded.as_secs_f64(),
        model.transitions.len(),
        model.global_size,
    );
    if options.states_only {
        return tally;
    }
    for (property, expected) in &instance.verdicts {
        let (answer, told) = instance.decide(&model, property, *expected, options.time, options.memory);
        if answer != Answer::Right {
            println!("{} {property}: {told}", instance.name);
        }
        tally.add(answer);
    }
    println!("{}: {tally} in {:.1} s", instance.name, started.elapsed().as_secs_f64());
    tally
}
