//! SPIN's guided simulation, `spin -t -p`, and the trails that its verifier writes.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::spin::{Finished, copy_beside, run};

/// The name of the model.
const MODEL: &str = "model.pml";
/// For each program that is run.
const TIME: Duration = Duration::from_secs(20);

/// A model in a folder of its own.
pub struct Desk {
    folder: tempfile::TempDir,
}

/// What SPIN says after it followed a trail.
#[derive(Debug, Default)]
pub struct Followed {
    /// What it finds wrong with the trail, and at which line of what it says.
    pub complaints: Vec<(usize, String)>,
    /// The line that tells the last step.
    pub last_step: usize,
    /// An assertion fails.
    pub fails: bool,
    /// The states of the processes at the end, by number.
    pub states: BTreeMap<u16, i32>,
    /// Global variables at the end, as they are shown.
    pub globals: BTreeMap<String, String>,
}

impl Desk {
    /// With a model given as text.
    pub fn with_text(text: &str) -> io::Result<Desk> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join(MODEL), text)?;
        Ok(Desk { folder })
    }

    /// With a file and those beside it. SPIN takes the name of a file that begins with `accept` or `progress` for a
    /// label and does not find its trail, so the model gets another name.
    pub fn with_file(path: &Path) -> io::Result<Desk> {
        let folder = tempfile::tempdir()?;
        copy_beside(path, folder.path())?;
        fs::copy(path, folder.path().join(MODEL))?;
        Ok(Desk { folder })
    }

    fn trail_file(&self) -> PathBuf {
        self.folder.path().join(format!("{MODEL}.trail"))
    }

    fn run(&self, program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> io::Result<Finished> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path());
        run(command, TIME)
    }

    /// Whether the model has variables that are no part of its states.
    pub fn hides(&self) -> io::Result<bool> {
        Ok(String::from_utf8_lossy(&fs::read(self.folder.path().join(MODEL))?).contains("hidden"))
    }

    /// Lets SPIN follow a trail.
    pub fn follow(&self, trail: &str) -> io::Result<Followed> {
        fs::write(self.trail_file(), trail)?;
        let said = self.run("spin", &["-t", "-p", "-g", MODEL])?;
        Ok(read(&said.text))
    }

    /// The trail that SPIN's verifier writes, translated, compiled and run with these options; none if it finds
    /// nothing wrong in time, or cannot be made.
    pub fn verify(&self, spin: &[&str], compiler: &[&str], pan: &[&str]) -> io::Result<Option<String>> {
        let _ = fs::remove_file(self.trail_file());
        let translate: Vec<&str> = spin.iter().copied().chain(["-a", MODEL]).collect();
        self.run("spin", &translate)?;
        let compile: Vec<&str> = ["-O0", "-w", "-pipe", "-o", "pan"]
            .into_iter()
            .chain(compiler.iter().copied())
            .chain(["pan.c"])
            .collect();
        if !self.run("gcc", &compile)?.success {
            return Ok(None);
        }
        self.run(self.folder.path().join("pan"), pan)?;
        Ok(fs::read_to_string(self.trail_file()).ok())
    }
}

const COMPLAINTS: [&str; 7] = [
    "no matching stmnt",
    "stop error",
    "invalid statement",
    "transition failed",
    "(?)",
    "cannot find trail",
    "no process",
];

fn read(said: &str) -> Followed {
    let mut followed = Followed::default();
    let mut is_over = false;
    for (i, line) in said.lines().enumerate() {
        if COMPLAINTS.iter().any(|complaint| line.contains(complaint)) {
            followed.complaints.push((i, line.trim().to_owned()));
        }
        followed.fails |= line.contains("Error: assertion violated");
        if line.starts_with("spin: trail ends after") {
            is_over = true;
        } else if !is_over {
            if line.contains("proc ") {
                followed.last_step = i;
            }
        } else if let Some((pid, state)) = process(line) {
            followed.states.insert(pid, state);
        } else if let Some((name, value)) = line.trim().split_once(" = ") {
            followed.globals.insert(name.to_owned(), value.to_owned());
        }
    }
    if !is_over {
        followed.complaints.push((0, "the trail does not end".to_owned()));
    }
    followed
}

/// The process and its state in `12: proc  1 (P:1) model.pml:7 (state 3)`.
fn process(line: &str) -> Option<(u16, i32)> {
    let (_, rest) = line.split_once("proc ")?;
    let pid = rest.split_whitespace().next()?.parse().ok()?;
    let (_, state) = rest.split_once("(state ")?;
    Some((pid, state.split_once(')')?.0.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_read() {
        let said = "  1:\tproc  0 (A:1) a.pml:5 (state 1)\t[x = 1]\n\t\tx = 1\n\
                    spin: a.pml:15, Error: assertion violated\n\
                    spin: trail ends after 1 steps\n#processes: 2\n\t\tx = 7\n\t\tqueue 2 (q): [1]\n\
                    18:\tproc  1 (B:1) a.pml:16 (state 12) <valid end state>\n\
                    18:\tproc  0 (A:1) a.pml:9 (state 24)\n";
        let followed = read(said);
        assert!(followed.complaints.is_empty() && followed.fails && followed.last_step == 0);
        assert_eq!(followed.states, BTreeMap::from([(0, 24), (1, 12)]));
        assert_eq!(followed.globals, BTreeMap::from([("x".to_owned(), "7".to_owned())]));
    }

    #[test]
    fn complaints_are_heard() {
        assert_eq!(read("  3: proc 1, no matching stmnt 99\n").complaints.len(), 2);
    }
}
