//! The oracle for claims: what SPIN's verifier says of each of them alone.
//!
//! `pan` answers several questions at once: it stops at a failed assertion of the model, and with a never
//! claim, a run that passes an accept label of a process again and again is an error too, whatever the claim
//! says. So its sources are changed before they are compiled: assertions of processes are evaluated and not
//! heeded, accept labels count where they were asked for, and `_nr_pr` does not count claims. `pan -A` is no
//! way out: SPIN writes the automaton of `[] p` with an assertion in it, which `-A` silences as well.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::spin::{Finished, Options, Oracle, Outcome, after, copy_beside, run};

/// What is asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The `never` claim or formula of this name.
    Claim(String),
    /// Accept labels of processes.
    Acceptance,
    /// Progress labels.
    NonProgress,
    /// The same, asked by the never claim [`STAYS_WITHOUT_PROGRESS`].
    NonProgressByClaim,
    /// A `trace`, or a `notrace`. Fairness makes no difference.
    Trace {
        /// `notrace`.
        negated: bool,
    },
}

/// What `pan` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It searched all there is and found nothing.
    Holds,
    /// It found this.
    Violated(String),
    /// It did something undefined, and what it says then means nothing.
    Undefined(String),
    /// It did not come to an end; why.
    Undecided(String),
}

/// A model translated by SPIN, and compiled when it is asked about.
pub struct Verifier {
    directory: tempfile::TempDir,
    /// The model, in the directory.
    model: PathBuf,
    options: Options,
    /// Megabytes for the states of one search.
    memory: usize,
}

impl Verifier {
    /// Translates a model given as text.
    pub fn of_text(text: &str, options: &Options, memory: usize) -> io::Result<Result<Verifier, Outcome>> {
        let directory = tempfile::tempdir()?;
        fs::write(directory.path().join("model.pml"), text)?;
        Self::translate(directory, Path::new("model.pml"), options, memory)
    }

    /// Translates a file among copies of the files beside it, without the formulas that Debian's SPIN cannot
    /// read.
    pub fn of_file(path: &Path, options: &Options, memory: usize) -> io::Result<Result<Verifier, Outcome>> {
        let directory = tempfile::tempdir()?;
        copy_beside(path, directory.path())?;
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        let copy = directory.path().join(&name);
        edit(&copy, without_next)?;
        Self::translate(directory, &name, options, memory)
    }

    fn translate(
        directory: tempfile::TempDir,
        model: &Path,
        options: &Options,
        memory: usize,
    ) -> io::Result<Result<Verifier, Outcome>> {
        if let Err(rejected) = Oracle::translate_in(&directory, model, options)? {
            return Ok(Err(rejected));
        }
        edit(&directory.path().join("pan.m"), without_assertions)?;
        edit(&directory.path().join("pan.m"), with_the_same_processes)?;
        edit(&directory.path().join("pan.t"), with_the_same_processes)?;
        edit(&directory.path().join("pan.c"), with_chosen_accept_labels)?;
        edit(&directory.path().join("pan.c"), without_stale_marks)?;
        Ok(Ok(Verifier { directory, model: model.into(), options: options.clone(), memory }))
    }

    /// Asks about the runs, or with `is_fair` about those that are weakly fair.
    pub fn decide(&self, subject: &Subject, is_fair: bool) -> io::Result<Answer> {
        let (program, definitions): (&str, &[&str]) = match subject {
            // What is no process is a claim.
            Subject::Claim(_) => ("pan_claim", &["-DHEEDED(i)=(Btypes[i]<=N_CLAIM)"]),
            Subject::Acceptance | Subject::Trace { .. } => ("pan_accept", &["-DHEEDED(i)=1", "-DNOCLAIM"]),
            Subject::NonProgress => ("pan_progress", &["-DHEEDED(i)=1", "-DNP"]),
            Subject::NonProgressByClaim => {
                ("pan_progress_claim", &["-DHEEDED(i)=(Btypes[i]<=N_CLAIM)", "-DNOSTUTTER"])
            }
        };
        let path = self.directory.path().join(program);
        if !path.exists() {
            let mut compiler = Command::new("gcc");
            compiler.args(&self.options.compiler).args(["-w", "-pipe", "-DNOREDUCE", "-DNFAIR=16"]);
            compiler.arg(format!("-DMEMLIM={}", self.memory)).arg("-DVECTORSZ=8192").args(definitions);
            compiler.args(["-o", program, "pan.c"]).current_dir(self.directory.path());
            let compiled = run(compiler, self.options.time.max(COMPILATION))?;
            if !compiled.success {
                let message = compiled.text.lines().find(|line| line.contains("error"));
                return Ok(Answer::Undecided(format!("not compiled: {}", message.unwrap_or("no message"))));
            }
        }
        let mut pan = Command::new(&path);
        pan.current_dir(self.directory.path());
        if let Subject::Trace { negated } = *subject {
            pan.args(["-c0", "-n"]).arg(format!("-m{}", self.options.depth));
            return Ok(read_trace(&run(pan, self.options.time)?, self.options.depth as u64, negated));
        }
        pan.args(["-E", "-n", if *subject == Subject::NonProgress { "-l" } else { "-a" }]);
        pan.arg(format!("-m{}", self.options.depth)).arg(format!("-w{}", self.options.hash));
        match subject {
            Subject::Claim(name) => drop(pan.args(["-N", name])),
            Subject::NonProgressByClaim => drop(pan.args(["-N", STAYS_WITHOUT_PROGRESS])),
            Subject::Acceptance | Subject::NonProgress | Subject::Trace { .. } => {}
        }
        if is_fair {
            pan.arg("-f");
        }
        Ok(read(&run(pan, self.options.time)?, self.options.depth as u64))
    }
}

impl Verifier {
    /// Asks about the weakly fair runs without progress by a never claim, for a model that is one file. A run
    /// that ends is none of them.
    pub fn progress_by_claim(&self) -> io::Result<Answer> {
        let mut text = fs::read_to_string(self.directory.path().join(&self.model))?;
        text += &format!(
            "\nnever {STAYS_WITHOUT_PROGRESS} {{\n  do :: true :: np_ -> break od;\naccept: do :: np_ od\n}}\n"
        );
        match Self::of_text(&text, &self.options, self.memory)? {
            Ok(verifier) => verifier.decide(&Subject::NonProgressByClaim, true),
            Err(outcome) => Ok(Answer::Undecided(format!("{outcome:?}"))),
        }
    }
}

/// The name of a never claim: some time, and from then on nothing but steps without progress.
const STAYS_WITHOUT_PROGRESS: &str = "stays_without_progress";

/// The C compiler has this much time, however little `pan` has.
const COMPILATION: std::time::Duration = std::time::Duration::from_secs(60);

/// What `pan` says if asked for a formula that was left out.
pub const NO_CLAIM: &str = "cannot find claim";

/// Errors that are violations of what was asked.
const VIOLATIONS: [&str; 5] = [
    "acceptance cycle",
    "accept stutter",
    "non-progress cycle",
    "end state in claim reached",
    "assertion violated",
];

fn read(searched: &Finished, depth: u64) -> Answer {
    let text = &searched.text;
    let found = text.lines().find_map(|line| line.strip_prefix("pan:1: "));
    if let Some(found) = found {
        let is_violation = VIOLATIONS.iter().any(|violation| found.starts_with(violation))
            && !found.contains("invalid array index");
        return if is_violation { Answer::Violated(found.into()) } else { Answer::Undefined(found.into()) };
    }
    completed(searched, depth)
}

/// What a search without errors comes to.
fn completed(searched: &Finished, depth: u64) -> Answer {
    let text = &searched.text;
    if searched.timed_out {
        return Answer::Undecided("time limit".into());
    }
    let signs = [
        "max search depth too small",
        "out of memory",
        "Search not completed",
        "VECTORSZ",
        "too many",
        "aborting",
        NO_CLAIM,
    ];
    if let Some(line) = text.lines().find(|line| signs.iter().any(|sign| line.contains(sign))) {
        return Answer::Undecided(line.trim().into());
    }
    // While claims stutter, `pan` turns back at the depth limit without saying so.
    if after(text, "depth reached ").is_some_and(|reached| reached + 1 >= depth) {
        return Answer::Undecided("it reached the depth limit".into());
    }
    match text.lines().any(|line| line.starts_with("State-vector ")) {
        true => Answer::Holds,
        // A division by zero, say.
        false => Answer::Undefined(text.lines().rev().find(|line| !line.is_empty()).unwrap_or("").into()),
    }
}

/// What is said of a trace among all errors. A `notrace` of which not all has happened at the end of a run is
/// as it should be, although `pan` takes that end for an invalid one.
fn read_trace(searched: &Finished, depth: u64, negated: bool) -> Answer {
    let errors = || searched.text.lines().filter_map(|line| line.strip_prefix("pan:")?.split_once(": "));
    let other = errors().map(|(_, error)| error).find(|error| {
        let known = ["event_trace error", "invalid end state", "assertion violated"];
        error.contains("invalid array index") || !known.iter().any(|known| error.starts_with(known))
    });
    let unfinished = "pan: event_trace not completed";
    if let Some(error) = other.filter(|error| !unfinished.ends_with(error)) {
        return Answer::Undefined(error.into());
    }
    if let Some((_, error)) = errors().find(|(_, error)| error.starts_with("event_trace error")) {
        return Answer::Violated(error.into());
    }
    if !negated && searched.text.lines().any(|line| line == unfinished) {
        return Answer::Violated(unfinished.into());
    }
    completed(searched, depth)
}

fn edit(path: &Path, change: fn(&str) -> String) -> io::Result<()> {
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    fs::write(path, change(&text))
}

/// `pan.m` with assertions of processes evaluated and not heeded.
fn without_assertions(source: &str) -> String {
    let mut changed = String::from("#define ignored_assert(holds, text, ii, tt, t) (void) (holds)\n");
    let mut in_process = false;
    for line in source.lines() {
        if line.contains("/* PROC ") || line.contains("/* CLAIM ") {
            in_process = line.contains("/* PROC ");
        }
        changed += &if in_process { line.replace("spin_assert(", "ignored_assert(") } else { line.into() };
        changed.push('\n');
    }
    changed
}

/// `pan.m` or `pan.t` with a `_nr_pr` that is the same whether there is a claim or not. `pan` counts the
/// claim: after `active proctype P() { n = _nr_pr }`, `n` is 1, or 2 if the model has a formula.
fn with_the_same_processes(source: &str) -> String {
    source.replace("((int)now._nr_pr)", "((int)(now._nr_pr-BASE))")
}

/// `pan.c` with accept labels that count where `HEEDED` holds of the type of the process.
fn with_chosen_accept_labels(source: &str) -> String {
    let mut changed = String::new();
    for line in source.lines() {
        let label = line.trim().strip_prefix("accpstate[").and_then(|rest| rest.strip_suffix(" = 1;"));
        match label.and_then(|label| label.split_once(']')) {
            Some((process, state)) => {
                changed += &format!("\taccpstate[{process}]{state} = HEEDED({process});")
            }
            None => changed += line,
        }
        changed.push('\n');
    }
    changed
}

/// `pan.c` without a defect of it: under fairness, where all processes are blocked, the record of the next step
/// is added to and not set, so that an accept label which was passed at that depth before is passed again.
/// `claims/stale_accept.pml` shows it.
fn without_stale_marks(source: &str) -> String {
    source.replace("trpt->o_pm |= 128 | ", "trpt->o_pm = 128 | ")
}

/// A model without the formulas that use `X`, which Debian builds SPIN without.
fn without_next(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("ltl ") {
        let length = rest[start..].find('}').map_or(rest.len() - start, |end| end + 1);
        let block = &rest[start..start + length];
        let uses_next = block.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "X");
        kept += &rest[..start];
        if !(uses_next && block.contains('{')) {
            kept += block;
        }
        rest = &rest[start + length..];
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_violation_is_undefined() {
        let answer = |text: &str| read(&Finished { success: true, timed_out: false, text: text.into() }, 100);
        let first =
            |line: &str| answer(&format!("{line}\nState-vector 20 byte, depth reached 9, errors: 1\n"));
        assert!(matches!(first("pan:1: acceptance cycle (at depth 4)"), Answer::Violated(_)));
        assert!(matches!(first("pan:1: assertion violated  !( !(p)) (at depth 4)"), Answer::Violated(_)));
        let index = "pan:1: assertion violated - invalid array index (at depth 4)";
        assert!(matches!(first(index), Answer::Undefined(_)));
        assert_eq!(answer("State-vector 20 byte, depth reached 9, errors: 0\n"), Answer::Holds);
        let short = "error: max search depth too small\nState-vector 20 byte, depth reached 9, errors: 0\n";
        assert!(matches!(answer(short), Answer::Undecided(_)));
        let silent = "State-vector 20 byte, depth reached 99, errors: 0\n";
        assert!(matches!(answer(silent), Answer::Undecided(_)));
        assert!(matches!(answer("Floating point exception\n"), Answer::Undefined(_)));
    }

    #[test]
    fn only_claims_keep_their_assertions() {
        let source = "/* CLAIM p */\nspin_assert(a, \"a\", II, tt, t);\n/* PROC P */\nspin_assert(b, 0);";
        let changed = without_assertions(source);
        assert!(changed.contains("\nspin_assert(a") && changed.contains("\nignored_assert(b"));
    }

    #[test]
    fn formulas_with_next_are_left_out() {
        let text = "ltl a { [] p } /* X */ ltl b { X p }\nltl c { <> X1 }";
        assert_eq!(without_next(text), "ltl a { [] p } /* X */ \nltl c { <> X1 }");
    }
}
