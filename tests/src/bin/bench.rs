//! The benchmarks in `benchmarks/`: ours, SPIN's and, where it is there, LTSmin's times on the same models in the same run,
//! turn by turn; medians. A wrong answer is never timed.
//!
//! `bench [--rounds N] [--record] [--instructions] [NAME...]`: five rounds of all unless told otherwise. `--record` writes
//! what was measured, and pictures of it, to `benchmarks/results`, beside what else was measured on the same day; `--instructions` counts those of some runs, too.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::fs;
use std::process::ExitCode;

use stubborn_tests::bench::definition::{Definition, all};
use stubborn_tests::bench::plot;
use stubborn_tests::bench::programs::{Program, Ready, contenders, count_instructions};
use stubborn_tests::bench::record::{Row, Runs, rows_of, text, today};
use stubborn_tests::{program, workspace};

#[derive(Default)]
struct Wanted {
    rounds: usize,
    records: bool,
    instructions: bool,
    names: Vec<String>,
}

fn main() -> ExitCode {
    let usage = "usage: bench [--rounds N] [--record] [--instructions] [NAME...]";
    program::main(usage, wanted, |wanted| {
        let mut definitions = all()?;
        let is_wanted = |d: &Definition| {
            let is = |name: &String| {
                d.name == *name || d.name.split('/').next() == Some(name) || d.kind.name() == name
            };
            wanted.names.is_empty() || wanted.names.iter().any(is)
        };
        definitions.retain(is_wanted);
        if definitions.is_empty() {
            return Err("no benchmark has such a name or is of such a kind".to_owned());
        }
        println!(
            "{:<22} {:<16} {:<20} {:>11} {:>9} {:>12} {:>8} {:>6} {:>6}",
            "benchmark", "kind", "program", "states", "seconds", "states/s", "bytes", "steps", "ratio"
        );
        let (mut rows, mut problems) = (Vec::new(), Vec::new());
        for definition in &definitions {
            let row = measure(definition, &wanted, &mut problems);
            tell(&row);
            rows.push(row);
        }
        if wanted.records {
            record(rows)?;
        }
        Ok(problems)
    })
}

fn wanted(arguments: &mut dyn Iterator<Item = String>) -> Option<Wanted> {
    let mut wanted = Wanted { rounds: 5, ..Wanted::default() };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => wanted.rounds = arguments.next()?.parse().ok().filter(|&n| n > 0)?,
            "--record" => wanted.records = true,
            "--instructions" => wanted.instructions = true,
            name if name.starts_with('-') => return None,
            _ => wanted.names.push(argument),
        }
    }
    Some(wanted)
}

/// Measures a benchmark; who gives a wrong answer is left out, which is a problem.
fn measure(definition: &Definition, wanted: &Wanted, problems: &mut Vec<String>) -> Row {
    let mut ready: Vec<(Ready, Runs)> = Vec::new();
    let mut fail = |program: Program, why: String| {
        problems.push(format!("{}, {}: not timed: {why}", definition.name, program.name()));
    };
    for program in contenders(definition) {
        match Ready::new(program, definition) {
            Ok(one) => ready.push((one, Runs { program, runs: Vec::new() })),
            Err(why) => fail(program, why),
        }
    }
    let most = definition.rounds.map_or(usize::MAX, |most| most as usize);
    for _ in 0..wanted.rounds.min(most) {
        ready.retain_mut(|(ready, runs)| match ready.run() {
            Ok(run) => {
                runs.runs.push(run);
                true
            }
            Err(why) => {
                fail(ready.program(), why);
                false
            }
        });
    }
    let mut instructions = None;
    if wanted.instructions && definition.instructions {
        match count_instructions(definition) {
            Ok(count) => instructions = Some(count),
            Err(why) => fail(Program::Ours, why),
        }
    }
    let all = ready.into_iter().map(|(_, runs)| runs).collect();
    Row { definition: definition.clone(), all, instructions }
}

fn tell(row: &Row) {
    let number = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
    for runs in &row.all {
        let last = runs.last();
        let ours = row.of(Program::Ours).map(Runs::seconds).filter(|_| runs.program != Program::Ours);
        println!(
            "{:<22} {:<16} {:<20} {:>11} {:>9.3} {:>12} {:>8} {:>6} {:>6}",
            row.definition.name,
            row.definition.kind.name(),
            runs.program.name(),
            number(last.states),
            runs.seconds(),
            number(runs.rate().map(|rate| rate as u64)),
            last.bytes_per_state.map_or("-".to_owned(), |bytes| format!("{bytes:.1}")),
            number(last.steps),
            // How many times as long as ours it takes.
            ours.map_or(String::new(), |ours| format!("{:.2}", runs.seconds() / ours)),
        );
    }
    if let Some(instructions) = row.instructions {
        println!("{:<22} {instructions} instructions", row.definition.name);
    }
}

fn record(mut rows: Vec<Row>) -> Result<(), String> {
    let folder = workspace::file("benchmarks/results");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let day = today();
    if let Ok(before) = fs::read_to_string(folder.join(format!("{day}.json"))) {
        let before = serde_json::from_str(&before).map_err(|error| format!("{day}: {error}"))?;
        let mut before = rows_of(&before, &all()?);
        before.retain(|old| rows.iter().all(|new| new.definition.name != old.definition.name));
        rows.append(&mut before);
        rows.sort_by(|a, b| {
            let key =
                |row: &Row| (row.definition.name.split('/').next().map(str::to_owned), row.definition.n);
            key(a).cmp(&key(b))
        });
    }
    let rows = &*rows;
    for (name, text) in [
        (format!("{day}.json"), text(rows)),
        (format!("{day}-ratios.svg"), plot::ratios(rows)),
        (format!("{day}-scaling.svg"), plot::scaling(rows)),
    ] {
        fs::write(folder.join(name), text).map_err(|error| error.to_string())?;
    }
    Ok(())
}
