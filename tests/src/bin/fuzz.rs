//! Feeds whatever reads texts with broken ones for a while: the front-ends, the readers of formulas, expressions,
//! settings and trails, the language server and the debug adapter.
//!
//! `fuzz [--seconds N] [--seed N] [--only NAME] [--list]`: so many seconds for each. A text that makes one of them
//! panic, or that takes too long, is made smaller, written to a file and named; the exit status is then 1.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::fs;
use std::panic;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use stubborn_tests::fuzz::{Bad, Target, targets};
use stubborn_tests::program;

/// What making a text smaller may take.
const SHRINK_TIME: Duration = Duration::from_secs(20);

struct Options {
    seconds: u64,
    seed: u64,
    only: Option<String>,
    is_list: bool,
}

fn main() -> ExitCode {
    let usage = "usage: fuzz [--seconds N] [--seed N] [--only NAME] [--list]";
    program::main(usage, options, |options| {
        let targets = targets();
        if options.is_list {
            targets.iter().for_each(|target| println!("{}", target.name));
            return Ok(Vec::new());
        }
        let is_wanted =
            |target: &&Target| options.only.as_ref().is_none_or(|only| target.name.contains(only));
        println!("seed {}, {} seconds each", options.seed, options.seconds);
        panic::set_hook(Box::new(|_| {}));
        let mut problems = Vec::new();
        for target in targets.iter().filter(is_wanted) {
            let (n_texts, n_bad) = fuzz(target, options.seed, Duration::from_secs(options.seconds));
            println!("{}: {n_texts} texts", target.name);
            if n_bad > 0 {
                problems.push(format!("{}: {n_bad} of {n_texts} bad", target.name));
            }
        }
        Ok(problems)
    })
}

fn options(arguments: &mut dyn Iterator<Item = String>) -> Option<Options> {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut options = Options { seconds: 60, seed, only: None, is_list: false };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => options.seconds = arguments.next()?.parse().ok()?,
            "--seed" => options.seed = arguments.next()?.parse().ok()?,
            "--only" => options.only = Some(arguments.next()?),
            "--list" => options.is_list = true,
            _ => return None,
        }
    }
    Some(options)
}

/// How many texts were tried, and how many of them show a defect.
fn fuzz(target: &Target, seed: u64, time: Duration) -> (usize, usize) {
    let start = Instant::now();
    let (mut n_texts, mut n_bad) = (0, 0);
    let mut bad = |bad: Bad| {
        n_bad += 1;
        report(target, bad, n_bad);
    };
    target.try_originals().into_iter().for_each(&mut bad);
    let mut campaign = target.campaign(seed);
    while start.elapsed() < time {
        n_texts += 1;
        if let Err(found) = campaign.step() {
            bad(found);
        }
    }
    (n_texts, n_bad)
}

/// Makes a text smaller and writes it to a file.
fn report(target: &Target, bad: Bad, number: usize) {
    let Bad { text, why } = target.shrink(bad, SHRINK_TIME);
    let path = format!("fuzz-{}-{number}.{}", target.name.replace(' ', "-"), target.extension);
    println!("{path}: {why}\n{text}\n");
    if let Err(error) = fs::write(&path, &text) {
        eprintln!("{path}: {error}");
    }
}
