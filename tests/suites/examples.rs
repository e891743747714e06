//! The examples, each with what its comments say of it.
//!
//! A line `verdict: NAME VERDICT` tells of a property; without options all of them are told, in order. A line `verdict with
//! OPTIONS: NAME VERDICT` tells of one with options of `check`; a line `states: N` how many states there are.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use stubborn_languages::{Belonging, language_of};
use stubborn_tests::suite::Suite;
use stubborn_tests::{binary, workspace};

pub(crate) fn suite() -> Suite {
    let mut models = workspace::examples();
    let is_model =
        |path: &Path| matches!(language_of(path).belonging(path), Belonging::ToNone | Belonging::IfIncluded);
    models.retain(|path| is_model(path));
    let of_model = |path: std::path::PathBuf| {
        let name = path.strip_prefix(workspace::root()).unwrap_or(&path).display().to_string();
        Trial::test(name, move || Ok(is_as_told(&path)?))
    };
    Suite::of(models.into_iter().map(of_model).collect())
}

fn is_as_told(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut all = Vec::new();
    for line in text.lines().map(|line| line.trim_start_matches(['*', '/', ' '])) {
        if let Some(told) = line.strip_prefix("verdict: ") {
            all.push(property(told)?);
        } else if let Some(told) = line.strip_prefix("verdict with ") {
            let (options, told) = told.split_once(": ").ok_or_else(|| format!("what is {line:?}?"))?;
            let told = property(told)?;
            let options: Vec<&str> = options.split(' ').collect();
            let verdicts = binary::verdicts(path, &options)?;
            if !verdicts.contains(&told) {
                return Err(format!("with {options:?} it is not {told:?}: {verdicts:?}"));
            }
        } else if let Some(told) = line.strip_prefix("states: ") {
            let states = binary::explore(path, "bfs", &[])?.states;
            if told.parse() != Ok(states) {
                return Err(format!("{told} states are told of, {states} are there"));
            }
        }
    }
    let found = binary::verdicts(path, &[])?;
    if found == all { Ok(()) } else { Err(format!("told: {all:?}, found: {found:?}")) }
}

fn property(told: &str) -> Result<(String, String), String> {
    let (name, verdict) = told.rsplit_once(' ').ok_or_else(|| format!("what is {told:?}?"))?;
    Ok((name.to_owned(), verdict.to_owned()))
}
