//! Who is measured: we, with one thread or two, SPIN with its verifier, and LTSmin where it is there.
//!
//! What can be done before a model is searched is not timed, unless that is what is measured. The time of a program is
//! what passes from its start to its end.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use super::definition::{Definition, Kind};
use crate::binary;
use crate::spin::{after, copy_beside};

/// Who is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// We.
    Ours,
    /// We, with two threads.
    TwoThreads,
    /// SPIN.
    Spin,
    /// LTSmin.
    Ltsmin,
}

impl Program {
    /// All of them.
    pub const ALL: [Program; 4] = [Program::Ours, Program::TwoThreads, Program::Spin, Program::Ltsmin];

    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Program::Ours => "stubborn",
            Program::TwoThreads => "stubborn, 2 threads",
            Program::Spin => "spin",
            Program::Ltsmin => "ltsmin",
        }
    }
}

/// What one run came to.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Measured {
    /// From its start to its end.
    pub seconds: f64,
    /// States visited, where the program says.
    pub states: Option<u64>,
    /// Bytes for each of them, with what is needed to find it.
    pub bytes_per_state: Option<f64>,
    /// Steps of the trail, if there is one.
    pub steps: Option<u64>,
}

/// A program made ready for a benchmark.
pub struct Ready {
    program: Program,
    definition: Definition,
    /// Where its files are; they disappear with it.
    directory: tempfile::TempDir,
    /// The model's copy there.
    model: PathBuf,
}

/// Who takes part in a benchmark.
pub fn contenders(definition: &Definition) -> Vec<Program> {
    let mut all = vec![Program::Ours];
    if definition.threads {
        all.push(Program::TwoThreads);
    }
    if definition.pan.is_some() {
        all.push(Program::Spin);
    }
    if definition.kind == Kind::Explore && definition.n.is_none() && starts("spins") && starts("prom2lts-mc")
    {
        all.push(Program::Ltsmin);
    }
    all
}

fn starts(program: &str) -> bool {
    Command::new(program).arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

impl Ready {
    /// Prepares a program.
    pub fn new(program: Program, definition: &Definition) -> Result<Ready, String> {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        copy_beside(&definition.model, directory.path())
            .map_err(|error| format!("{}: {error}", definition.model.display()))?;
        let model = PathBuf::from(definition.model.file_name().unwrap_or_default());
        let ready = Ready { program, definition: definition.clone(), directory, model };
        match program {
            // It may have to be built first.
            Program::Ours | Program::TwoThreads => drop(binary::path()),
            Program::Spin if definition.kind != Kind::EditToVerdict => {
                ready.translate()?;
                ready.compile()?;
            }
            Program::Ltsmin => drop(succeed(ready.command("spins").arg("-o3").arg(&ready.model))?),
            Program::Spin => {}
        }
        Ok(ready)
    }

    /// Who it is.
    pub fn program(&self) -> Program {
        self.program
    }

    /// Runs it once. The error says why what it did is not to be timed.
    pub fn run(&self) -> Result<Measured, String> {
        let measured = match self.program {
            Program::Ours => self.run_ours(&[])?,
            Program::TwoThreads => self.run_ours(&["--threads", "2"])?,
            Program::Spin => self.run_spin()?,
            Program::Ltsmin => self.run_ltsmin()?,
        };
        // A reduction is each program's own.
        let is_reduced = self.definition.kind != Kind::Explore && !self.is_ours();
        match (self.definition.states, measured.states) {
            (Some(expected), Some(states)) if expected != states && !is_reduced => {
                Err(format!("{states} states instead of {expected}"))
            }
            (Some(_), None) if !is_reduced => Err("it does not say how many states there are".to_owned()),
            _ => Ok(measured),
        }
    }

    fn is_ours(&self) -> bool {
        matches!(self.program, Program::Ours | Program::TwoThreads)
    }

    /// The command line of ours, for the same run.
    pub fn our_arguments(&self, more: &[&str]) -> Vec<OsString> {
        let Definition { kind, model, n, property, options, search, .. } = &self.definition;
        let command = if matches!(kind, Kind::Explore | Kind::Reduce) { "explore" } else { "check" };
        let mut arguments: Vec<OsString> = vec![command.into(), model.into()];
        let mut add = |all: &[&str]| arguments.extend(all.iter().map(OsString::from));
        add(&["--memory", "8G", "--format", "json"]);
        let order = if more.is_empty() { search } else { "bfs" };
        match kind {
            Kind::Explore => add(&["--search", order, "--reduction", "none"]),
            Kind::Reduce => add(&["--search", order, "--reduction", "stubborn"]),
            Kind::Claim | Kind::Find | Kind::EditToVerdict => add(&["--no-shorten"]),
            Kind::Shorten => {}
        }
        if let Some(property) = property {
            add(&["--property", property]);
        }
        if let Some(n) = n {
            add(&[&format!("-DN={n}")]);
        }
        options.iter().for_each(|option| add(&[option]));
        add(more);
        arguments
    }

    fn run_ours(&self, more: &[&str]) -> Result<Measured, String> {
        let arguments = self.our_arguments(more);
        let started = Instant::now();
        let answer = binary::run(arguments);
        let seconds = started.elapsed().as_secs_f64();
        if !answer.is_orderly() {
            return Err(format!("it broke down: {answer}"));
        }
        let json = answer.json()?;
        let Some(properties) = json["properties"].as_array() else {
            if json["complete"] != Value::Bool(true) {
                return Err(format!("not complete: {}", json["incomplete_reason"]));
            }
            let (states, bytes_per_state) = (json["states"].as_u64(), json["bytes_per_state"].as_f64());
            return Ok(Measured { seconds, states, bytes_per_state, steps: None });
        };
        let verdicts: Vec<&str> = properties.iter().filter_map(|p| p["verdict"].as_str()).collect();
        let worst =
            ["incomplete", "violated", "holds"].into_iter().find(|verdict| verdicts.contains(verdict));
        if worst != Some(&self.definition.verdict) {
            return Err(format!("{worst:?} instead of {}", self.definition.verdict));
        }
        let trail = properties.iter().find_map(|p| p["trail"].as_object());
        let steps = trail.and_then(|trail| trail.get("steps")?.as_array()).map(|steps| steps.len() as u64);
        if let Some(most) = self.definition.steps
            && steps.is_none_or(|steps| steps > most)
        {
            return Err(format!("{steps:?} steps, not {most} at most"));
        }
        let states = properties.iter().filter_map(|p| p["states"].as_u64()).max();
        Ok(Measured { seconds, states, bytes_per_state: None, steps })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.directory.path());
        command
    }

    fn translate(&self) -> Result<(), String> {
        let mut spin = self.command("spin");
        if let Some(n) = self.definition.n {
            spin.arg(format!("-DN={n}"));
        }
        // Unreduced, the states are those of the text.
        if self.definition.kind == Kind::Explore {
            spin.args(["-o1", "-o2", "-o3"]);
        }
        succeed(spin.arg("-a").arg(&self.model)).map(drop)
    }

    fn compile(&self) -> Result<(), String> {
        let mut compiler = self.command("gcc");
        compiler.args(["-O2", "-w", "-DMEMLIM=8000", "-DVECTORSZ=8192"]);
        match self.definition.kind {
            Kind::Explore => drop(compiler.args(["-DSAFETY", "-DNOCLAIM", "-DNOREDUCE"])),
            Kind::Reduce | Kind::Find | Kind::EditToVerdict => drop(compiler.args(["-DSAFETY", "-DNOCLAIM"])),
            Kind::Shorten => drop(compiler.args(["-DSAFETY", "-DNOCLAIM", "-DREACH"])),
            Kind::Claim => {}
        }
        succeed(compiler.args(["-o", "pan", "pan.c"])).map(drop)
    }

    fn run_spin(&self) -> Result<Measured, String> {
        let Definition { kind, property, pan: Some((hash, depth)), .. } = &self.definition else {
            return Err("how large it is is not told".to_owned());
        };
        let started = Instant::now();
        if *kind == Kind::EditToVerdict {
            self.translate()?;
            self.compile()?;
        }
        let mut pan = self.command("./pan");
        pan.arg(format!("-m{depth}")).arg(format!("-w{hash}"));
        match (kind, property.as_deref()) {
            (Kind::Explore | Kind::Reduce, _) => drop(pan.args(["-c0", "-n"])),
            (Kind::Claim, Some(name)) => drop(pan.args(["-a", "-n", "-N", name])),
            (Kind::Shorten, _) => drop(pan.args(["-i", "-n"])),
            (_, Some("deadlock")) => drop(pan.args(["-A", "-n"])),
            (_, Some("assertions")) => drop(pan.args(["-E", "-n"])),
            _ => drop(pan.arg("-n")),
        }
        let text = output(&mut pan)?;
        let seconds = started.elapsed().as_secs_f64();
        for sign in ["max search depth too small", "out of memory", "VECTORSZ", "aborting"] {
            if let Some(line) = text.lines().find(|line| line.contains(sign)) {
                return Err(format!("pan: {}", line.trim()));
            }
        }
        let errors = after(&text, "errors: ").ok_or_else(|| format!("pan: {text}"))?;
        let verdict = if errors == 0 { "holds" } else { "violated" };
        if !matches!(kind, Kind::Explore | Kind::Reduce) && verdict != self.definition.verdict {
            return Err(format!("pan: {verdict} instead of {}", self.definition.verdict));
        }
        let megabytes = |what: &str| first_number(text.lines().find(|line| line.contains(what))?);
        let states = text.lines().find(|line| line.contains("states, stored")).and_then(first_number);
        let kept = megabytes("actual memory usage for states")
            .or_else(|| megabytes("equivalent memory usage for states"))
            .zip(megabytes("memory used for hash table"));
        let bytes_per_state =
            kept.zip(states).map(|((kept, table), states)| (kept + table) * 1048576.0 / states);
        // Where errors are told one after the other, the last is the one with the shortest trail.
        let last = text.lines().rev().find_map(|line| after(line.strip_prefix("pan:")?, "at depth "));
        let last = last.filter(|_| !matches!(kind, Kind::Explore | Kind::Reduce));
        Ok(Measured {
            seconds,
            states: states.map(|n| n as u64),
            bytes_per_state,
            steps: last.map(|n| n + 1),
        })
    }

    fn run_ltsmin(&self) -> Result<Measured, String> {
        let started = Instant::now();
        let mut command = self.command("prom2lts-mc");
        command.args(["--threads=1", "--strategy=dfs", "--state=table", "-s26"]);
        let text = output(command.arg(format!("{}.spins", self.model.display())))?;
        let seconds = started.elapsed().as_secs_f64();
        let states = after(&text, "Explored ").ok_or_else(|| format!("prom2lts-mc: {text}"))?;
        Ok(Measured { seconds, states: Some(states), ..Measured::default() })
    }
}

/// Counts the instructions of a run of ours, by valgrind's callgrind.
pub fn count_instructions(definition: &Definition) -> Result<u64, String> {
    let ready = Ready::new(Program::Ours, definition)?;
    let mut valgrind = ready.command("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(binary::path());
    let text = output(valgrind.args(ready.our_arguments(&[])))?;
    let line = text.lines().find(|line| line.contains("Collected :"));
    let count = line.and_then(|line| line.rsplit(':').next()?.trim().parse().ok());
    count.ok_or_else(|| format!("valgrind: {text}"))
}

/// The number that a line begins with.
fn first_number(line: &str) -> Option<f64> {
    line.split_whitespace().next()?.parse().ok()
}

/// What a command writes, however it ends.
fn output(command: &mut Command) -> Result<String, String> {
    let finished =
        command.stdin(Stdio::null()).output().map_err(|error| told(command, &error.to_string()))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(text(&finished.stdout) + &text(&finished.stderr))
}

/// The same for a command that has to succeed.
fn succeed(command: &mut Command) -> Result<String, String> {
    let finished =
        command.stdin(Stdio::null()).output().map_err(|error| told(command, &error.to_string()))?;
    let text = String::from_utf8_lossy(&finished.stdout) + String::from_utf8_lossy(&finished.stderr);
    match finished.status.success() {
        true => Ok(text.into_owned()),
        false => Err(told(command, &text.lines().take(3).collect::<Vec<_>>().join(" "))),
    }
}

fn told(command: &Command, why: &str) -> String {
    format!("{}: {why}", Path::new(command.get_program()).display())
}
