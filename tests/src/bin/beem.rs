//! BEEM's systems: sizes and verdicts, ours beside BEEM's.
//!
//! `beem` counts the states, edges and levels of every system that BEEM counted completely, and decides every goal and
//! property with a known answer, each within `--time` (seconds, 60) and `--memory` (MiB, 4096). `--only TEXT` takes
//! systems whose name contains the text, `--most N` those of at most so many states, `--states` looks at sizes only and
//! `--verdicts` at verdicts only; `--reduction none` decides without leaving anything out. Small systems come first.

#![allow(clippy::print_stdout)]

use std::process::ExitCode;
use std::time::Duration;

use stubborn_check::{Choice, Config};
use stubborn_tests::beem::{Limits, System, systems};
use stubborn_tests::contest::{Answer, Tally};
use stubborn_tests::program;

const USAGE: &str = "usage: beem [--only TEXT] [--most STATES] [--states | --verdicts] [--reduction NAME] \
                     [--time SECONDS] [--memory MIB]";

struct Options {
    limits: Limits,
    only: String,
    most: Option<u64>,
    sizes: bool,
    verdicts: bool,
    reduction: Choice,
}

fn main() -> ExitCode {
    program::main(USAGE, options, run)
}

fn options(arguments: &mut dyn Iterator<Item = String>) -> Option<Options> {
    let mut options = Options {
        limits: Limits { time: Duration::from_secs(60), memory: 4 << 30 },
        only: String::new(),
        most: None,
        sizes: true,
        verdicts: true,
        reduction: Choice::Auto,
    };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--states" => options.verdicts = false,
            "--verdicts" => options.sizes = false,
            "--only" => options.only = arguments.next()?,
            "--most" => options.most = Some(arguments.next()?.parse().ok()?),
            "--reduction" => options.reduction = arguments.next()?.parse().ok()?,
            "--time" => options.limits.time = Duration::from_secs(arguments.next()?.parse().ok()?),
            "--memory" => options.limits.memory = arguments.next()?.parse::<usize>().ok()? << 20,
            _ => return None,
        }
    }
    Some(options)
}

fn run(options: Options) -> Result<Vec<String>, String> {
    let systems = systems().ok_or("no corpus of DVE models")?;
    let is_wanted = |system: &&System| {
        let is_small = options.most.is_none_or(|most| system.n_states.is_some_and(|states| states <= most));
        system.name.contains(&options.only) && is_small
    };
    let mut problems = Vec::new();
    let (mut sizes, mut verdicts) = (Tally::default(), Tally::default());
    let config = Config { reduction: options.reduction, ..options.limits.config() };
    let mut tell = |tally: &mut Tally, (answer, told): (Answer, String), what: String| {
        tally.add(answer);
        println!("{what}: {told}");
        if answer == Answer::Wrong {
            problems.push(format!("{what}: {told}"));
        }
    };
    for system in systems.iter().filter(is_wanted) {
        if options.sizes && system.n_states.is_some() {
            tell(&mut sizes, system.explore(options.limits), system.name.clone());
        }
        for question in system.questions.iter().filter(|_| options.verdicts) {
            match system.decide(question, &config) {
                Some(found) => tell(&mut verdicts, found, format!("{} {}", system.name, question.number)),
                None => verdicts.skipped += 1,
            }
        }
    }
    println!("sizes: {sizes}\nverdicts: {verdicts}");
    Ok(problems)
}
