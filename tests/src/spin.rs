//! The oracle: SPIN 6.5.2 without dataflow optimisation, dead-variable elimination, statement merging or
//! reduction.
//!
//! `pan` is compiled without optimisation: on small models the compiler takes most of the time, and `-O0`
//! is more than twice as fast as `-O1` and five times as fast as `-O2`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How `pan` is compiled and run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Passed to the C compiler, before the definitions every oracle run needs.
    pub compiler: Vec<String>,
    /// `pan -m`: the longest path.
    pub depth: usize,
    /// `pan -w`: the binary logarithm of the hash table's size.
    pub hash: usize,
    /// For each of the programs that run one after the other.
    pub time: Duration,
}

impl Options {
    /// For models of at most a few hundred thousand states.
    pub fn small() -> Self {
        Options { compiler: vec!["-O0".into()], depth: 300_000, hash: 18, time: Duration::from_secs(6) }
    }

    /// For models whose search takes longer than their compilation.
    pub fn large() -> Self {
        Options { compiler: vec!["-O2".into()], depth: 10_000_000, hash: 26, time: Duration::from_secs(600) }
    }
}

/// What came out of one oracle run.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// `pan` finished its search.
    Explored(Exploration),
    /// SPIN refuses the model; the first message.
    Rejected(String),
    /// SPIN accepts the model and the C compiler refuses what it made of it; the first message.
    NotCompiled(String),
    /// `pan` gave up or was stopped; why.
    Incomplete(String),
}

/// The numbers `pan` prints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exploration {
    /// States, stored.
    pub stored: u64,
    /// States, matched.
    pub matched: u64,
    /// Transitions: stored plus matched.
    pub transitions: u64,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// How many errors were met.
    pub errors: u64,
    /// The kinds of errors met.
    pub kinds: BTreeSet<String>,
    /// The longest path.
    pub depth: u64,
    /// Seconds the search took, from start to end of the process.
    pub seconds: f64,
}

impl Exploration {
    /// Whether some state is a dead end and no valid end state.
    pub fn has_invalid_end(&self) -> bool {
        self.kinds.contains(INVALID_END)
    }

    /// Whether some assertion fails.
    pub fn has_failed_assertion(&self) -> bool {
        self.kinds.contains(ASSERTION)
    }

    /// The number of invalid end states, where it can be told from other errors.
    pub fn invalid_ends(&self) -> Option<u64> {
        let only = |kind: &str| self.kinds.iter().all(|k| k == kind);
        if only(INVALID_END) {
            Some(self.errors)
        } else if only(ASSERTION) {
            Some(0)
        } else {
            None
        }
    }

    /// An error that is neither, after which `pan`'s behaviour is undefined.
    pub fn undefined(&self) -> Option<&str> {
        self.kinds.iter().map(String::as_str).find(|kind| *kind != INVALID_END && *kind != ASSERTION)
    }
}

const INVALID_END: &str = "invalid end state";
const ASSERTION: &str = "assertion violated";

/// Whether both programs the oracle needs can be started.
pub fn is_available() -> bool {
    let starts = |program: &str, argument: &str| {
        let mut command = Command::new(program);
        command.arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    starts("spin", "-V") && starts("gcc", "--version")
}

/// A model made ready to be explored.
pub struct Oracle {
    directory: tempfile::TempDir,
}

impl Oracle {
    /// Translates and compiles a model given as text.
    pub fn from_text(text: &str, options: &Options) -> io::Result<Result<Oracle, Outcome>> {
        let directory = tempfile::tempdir()?;
        fs::write(directory.path().join("model.pml"), text)?;
        Self::build(directory, Path::new("model.pml"), options)
    }

    /// Translates and compiles a file where it is, so that its includes are found.
    pub fn from_file(path: &Path, options: &Options) -> io::Result<Result<Oracle, Outcome>> {
        let directory = tempfile::tempdir()?;
        copy_beside(path, directory.path())?;
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        Self::build(directory, &name, options)
    }

    /// Only asks SPIN whether it accepts a model given as text.
    pub fn translate(text: &str, options: &Options) -> io::Result<Result<(), Outcome>> {
        let directory = tempfile::tempdir()?;
        fs::write(directory.path().join("model.pml"), text)?;
        Self::translate_in(&directory, Path::new("model.pml"), options)
    }

    pub(crate) fn translate_in(
        directory: &tempfile::TempDir,
        model: &Path,
        options: &Options,
    ) -> io::Result<Result<(), Outcome>> {
        let mut spin = Command::new("spin");
        spin.args(["-o1", "-o2", "-o3", "-a"]).arg(model).current_dir(directory.path());
        let rejection = first_rejection(&run(spin, options.time)?);
        Ok(rejection.map_or(Ok(()), |message| Err(Outcome::Rejected(message))))
    }

    fn build(
        directory: tempfile::TempDir,
        model: &Path,
        options: &Options,
    ) -> io::Result<Result<Oracle, Outcome>> {
        if let Err(rejected) = Self::translate_in(&directory, model, options)? {
            return Ok(Err(rejected));
        }
        let mut compiler = Command::new("gcc");
        compiler.args(&options.compiler).args(["-w", "-pipe", "-DSAFETY", "-DNOCLAIM", "-DNOREDUCE"]);
        // Without NOCOMP, pan leaves out of its states what it takes for padding, and with priorities it takes
        // bits for padding: `active proctype P() priority 1 { do :: bit b = 1 od }` has two states, not one.
        compiler.args(["-DNOCOMP", "-DVECTORSZ=8192", "-o", "pan", "pan.c"]).current_dir(directory.path());
        let compiled = run(compiler, options.time)?;
        if !compiled.success {
            let message = compiled.text.lines().find(|line| line.contains("error")).unwrap_or("no message");
            return Ok(Err(Outcome::NotCompiled(message.into())));
        }
        Ok(Ok(Oracle { directory }))
    }

    /// Searches the whole state space, past all errors.
    pub fn explore(&self, options: &Options) -> io::Result<Outcome> {
        let mut pan = Command::new(self.directory.path().join("pan"));
        pan.args(["-c0", "-n"]).arg(format!("-m{}", options.depth)).arg(format!("-w{}", options.hash));
        pan.current_dir(self.directory.path());
        let start = Instant::now();
        let searched = run(pan, options.time)?;
        Ok(read_report(&searched, start.elapsed().as_secs_f64()))
    }
}

/// Translates, compiles and explores a model given as text.
pub fn explore_text(text: &str, options: &Options) -> io::Result<Outcome> {
    match Oracle::from_text(text, options)? {
        Ok(oracle) => oracle.explore(options),
        Err(outcome) => Ok(outcome),
    }
}

/// How a program ended, and what it wrote.
pub(crate) struct Finished {
    pub(crate) success: bool,
    pub(crate) timed_out: bool,
    pub(crate) text: String,
}

/// Runs a program to its end or its time limit, with its output and errors as one text.
pub(crate) fn run(mut command: Command, limit: Duration) -> io::Result<Finished> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let streams = [read_all(child.stdout.take()), read_all(child.stderr.take())];
    let (success, timed_out) = wait(&mut child, limit)?;
    let texts: Vec<String> = streams.into_iter().map(|stream| stream.join().unwrap_or_default()).collect();
    Ok(Finished { success, timed_out, text: texts.join("\n") })
}

fn read_all(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // A killed child leaves what it had written; that is all there is to read.
        let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child, limit: Duration) -> io::Result<(bool, bool)> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(2);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status.success(), false));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok((false, true));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn first_rejection(translated: &Finished) -> Option<String> {
    if translated.timed_out {
        return Some("spin: no end within the time limit".into());
    }
    // SPIN reports a doubtful `else` like an error and then goes on.
    let is_error = |line: &&str| {
        (line.contains("Error:") || line.contains("rror:")) && !line.contains("dubious use of 'else'")
    };
    let message = translated.text.lines().find(is_error).map(str::to_string);
    match (translated.success, message) {
        (true, _) => None,
        (false, message) => {
            Some(message.unwrap_or_else(|| translated.text.lines().take(3).collect::<Vec<_>>().join(" ")))
        }
    }
}

fn read_report(searched: &Finished, seconds: f64) -> Outcome {
    if searched.timed_out {
        return Outcome::Incomplete("time limit".into());
    }
    let text = &searched.text;
    for sign in
        ["max search depth too small", "out of memory", "Search not completed", "VECTORSZ", "aborting"]
    {
        if let Some(line) = text.lines().find(|line| line.contains(sign)) {
            return Outcome::Incomplete(line.trim().into());
        }
    }
    let mut exploration = Exploration { seconds, ..Exploration::default() };
    let mut complete = false;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("pan:") {
            exploration.kinds.extend(error_kind(rest));
        }
        let number =
            line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).map(|n| n as u64);
        match number {
            Some(n) if line.contains("states, stored") => (exploration.stored, complete) = (n, true),
            Some(n) if line.contains("states, matched") => exploration.matched = n,
            Some(n) if line.contains("transitions (=") => exploration.transitions = n,
            Some(n) if line.contains("atomic steps") => exploration.atomic_steps = n,
            _ => {}
        }
        if let Some(rest) = line.strip_prefix("State-vector ") {
            exploration.depth = after(rest, "depth reached ").unwrap_or(0);
            exploration.errors = after(rest, "errors: ").unwrap_or(0);
        }
    }
    if complete {
        Outcome::Explored(exploration)
    } else {
        Outcome::Incomplete(text.lines().take(3).collect())
    }
}

/// `N: KIND (at depth D)`, the assertion's text left out.
fn error_kind(rest: &str) -> Option<String> {
    let (number, message) = rest.split_once(": ")?;
    number.parse::<u64>().ok()?;
    let kind = message.rsplit_once(" (at depth").map_or(message, |(kind, _)| kind);
    let is_assertion = kind.starts_with(ASSERTION) && !kind.contains("invalid array index");
    Some(if is_assertion { ASSERTION.into() } else { kind.trim().into() })
}

/// The number behind a word.
pub(crate) fn after(text: &str, key: &str) -> Option<u64> {
    let rest = &text[text.find(key)? + key.len()..];
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Copies a model and the files beside it, since `spin` writes where it runs.
pub fn copy_beside(path: &Path, to: &Path) -> io::Result<()> {
    let from = path.parent().unwrap_or(Path::new("."));
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            let target = to.join(entry.file_name());
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Outcome {
        read_report(&Finished { success: true, timed_out: false, text: text.into() }, 0.0)
    }

    const SUMMARY: &str = "State-vector 28 byte, depth reached 23, errors: 2\n\
                           \x20      38 states, stored\n\x20      27 states, matched\n\
                           \x20      65 transitions (= stored+matched)\n\x20       4 atomic steps\n";

    #[test]
    fn numbers_and_kinds_of_errors() {
        let lines =
            "pan:1: invalid end state (at depth 4)\npan:2: assertion violated (x==(1)) (at depth 9)\n";
        let Outcome::Explored(e) = report(&format!("{lines}{SUMMARY}")) else { panic!("it is complete") };
        assert_eq!((e.stored, e.matched, e.transitions, e.atomic_steps), (38, 27, 65, 4));
        assert_eq!((e.errors, e.depth), (2, 23));
        assert!(e.has_invalid_end() && e.has_failed_assertion());
        assert_eq!((e.invalid_ends(), e.undefined()), (None, None));
    }

    #[test]
    fn an_index_out_of_bounds_is_not_an_assertion() {
        let line = "pan:1: assertion violated - invalid array index (at depth 10)\n";
        let Outcome::Explored(e) = report(&format!("{line}{SUMMARY}")) else { panic!("it is complete") };
        assert!(!e.has_failed_assertion());
        assert!(e.undefined().is_some());
    }

    #[test]
    fn a_search_that_was_cut_short() {
        let text = format!("error: max search depth too small\n{SUMMARY}");
        assert!(matches!(report(&text), Outcome::Incomplete(_)));
    }
}
