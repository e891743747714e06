//! Several processes through the binary, against one: the same states, transitions, violations and depth without reduction,
//! the same verdicts with it, and with any number of processes as many states left.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::binary::{self, Answer};

/// Numbers of processes that are compared.
pub const PROCESSES: [&str; 3] = ["1", "2", "4"];

/// The answer of a command about a model.
pub fn run(command: &str, model: &Path, more: &[&str]) -> Result<(Answer, Value), String> {
    let mut arguments: Vec<OsString> = vec![command.into(), model.into()];
    arguments.extend(["--format", "json"].iter().chain(more).map(OsString::from));
    let answer = binary::run(arguments);
    if !answer.is_orderly() {
        return Err(format!("{more:?}: it broke down: {answer}"));
    }
    let json = answer.json()?;
    Ok((answer, json))
}

/// What `explore` counts.
fn counted(model: &Path, more: &[&str]) -> Result<Vec<(&'static str, Value)>, String> {
    let (_, json) = run("explore", model, more)?;
    let names = ["states", "transitions", "deadlocks", "assertion_violations", "errors", "depth", "complete"];
    Ok(names.map(|name| (name, json[name].clone())).to_vec())
}

/// What `check` decides of deadlocks and assertions: verdicts, and how long trails are.
fn decided(model: &Path, more: &[&str]) -> Result<Vec<(String, Option<usize>)>, String> {
    let properties = ["--property", "deadlock", "--property", "assertions"];
    let (_, json) = run("check", model, &[&properties[..], more].concat())?;
    let decided = |property: &Value| {
        let length = property["trail"]["steps"].as_array().map(Vec::len);
        (property["verdict"].as_str().unwrap_or_default().to_owned(), length)
    };
    Ok(json["properties"].as_array().into_iter().flatten().map(decided).collect())
}

/// Whether two are the same.
pub fn agree<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("{what}: {other:?}, not {one:?}")) }
}

/// Whether several processes find what one finds.
pub fn is_the_same(model: &Path, more: &[&str]) -> Result<(), String> {
    // The fewest edges need not be the fewest steps where runs of steps are edges.
    let text = fs::read(model).map_err(|error| error.to_string())?;
    let has_runs = String::from_utf8_lossy(&text).contains("atomic");
    let alone = counted(model, &["--search", "bfs"])?;
    let verdicts = decided(model, &["--no-shorten"])?;
    let whole = decided(model, &["--no-shorten", "--reduction", "none", "--search", "bfs"])?;
    let reductions: [&[&'static str]; 2] = [
        &["--reduction", "stubborn", "--proviso", "queue"],
        &["--reduction", "stubborn", "--proviso", "sticky"],
    ];
    let mut reduced: Vec<Option<Vec<(&str, Value)>>> = vec![None; reductions.len()];
    for n in PROCESSES {
        let with = |others: &[&'static str]| [&["--processes", n][..], more, others].concat();
        agree(&format!("{n} processes count"), &alone, &counted(model, &with(&[]))?)?;
        let mut lengths = decided(model, &with(&["--no-shorten", "--reduction", "none"]))?;
        let mut known = whole.clone();
        if has_runs {
            lengths.iter_mut().chain(&mut known).for_each(|(_, length)| *length = None);
        }
        agree(&format!("{n} processes find without reduction"), &known, &lengths)?;
        let found = decided(model, &with(&["--no-shorten"]))?;
        let only = |decided: &[(String, Option<usize>)]| -> Vec<String> {
            decided.iter().map(|(verdict, _)| verdict.clone()).collect()
        };
        agree(&format!("{n} processes decide"), &only(&verdicts), &only(&found))?;
        for (reduction, reduced) in reductions.iter().zip(&mut reduced) {
            match counted(model, &with(reduction)) {
                Ok(counts) => {
                    let first = reduced.get_or_insert_with(|| counts.clone());
                    agree(&format!("{n} processes with {reduction:?} leave"), first, &counts)?;
                }
                // Of some models nothing may be left out.
                Err(why) if why.contains("cannot be used") => {}
                Err(why) => return Err(why),
            }
        }
    }
    Ok(())
}

/// What is decided of a claim.
#[derive(PartialEq, Debug)]
struct Decided {
    name: String,
    verdict: String,
    /// States that were visited, if all were: of a product, or of the model, which for an invariant are as many.
    visited: Option<u64>,
    /// Steps of its trail.
    length: Option<usize>,
    /// Its trail, if that goes round a cycle.
    lasso: Option<Value>,
    /// Several processes cannot check it.
    is_refused: bool,
}

fn claims(model: &Path, more: &[&str]) -> Result<Vec<Decided>, String> {
    let (_, json) = run("check", model, more)?;
    let of = |property: &Value| {
        let text = |name: &str| property[name].as_str().unwrap_or_default().to_owned();
        Decided {
            name: text("name"),
            visited: (text("verdict") == "holds").then(|| property["states"].as_u64().unwrap_or_default()),
            verdict: text("verdict"),
            length: property["trail"]["steps"].as_array().map(Vec::len),
            lasso: Some(&property["trail"]).filter(|trail| trail["cycle"].as_u64() > Some(0)).cloned(),
            is_refused: text("reason").contains("several processes cannot check this claim"),
        }
    };
    Ok(json["properties"].as_array().into_iter().flatten().map(of).collect())
}

/// Whether several processes decide all properties as one does; how many they refuse to. With any number of processes, the same
/// cycles are found; lengths of trails are compared with those of one if they are `shortened`.
pub fn is_decided_alike(model: &Path, shortened: bool) -> Result<usize, String> {
    let how: &[&str] = if shortened { &["--shorten-budget", "60s"] } else { &["--no-shorten"] };
    let decided = |more: &[&str]| -> Result<Vec<Decided>, String> {
        let mut all = claims(model, &[how, more].concat())?;
        all.iter_mut().filter(|_| !shortened).for_each(|decided| decided.length = None);
        Ok(all)
    };
    let mut alone = decided(&["--reduction", "none"])?;
    let mut reduced = decided(&[])?;
    let verdicts = |all: &[Decided]| -> Vec<(String, String)> {
        all.iter().map(|d| (d.name.clone(), d.verdict.clone())).collect()
    };
    let take_lassos = |all: &mut [Decided]| -> Vec<Option<Value>> {
        all.iter_mut().map(|decided| decided.lasso.take()).collect()
    };
    take_lassos(&mut alone);
    let mut left: Option<Vec<Decided>> = None;
    let mut lassos: Option<Vec<Option<Value>>> = None;
    let mut n_refused = 0;
    for n in PROCESSES {
        let mut all = decided(&["--processes", n, "--reduction", "none"])?;
        let mut found = decided(&["--processes", n, "--workers", "2"])?;
        let refused: Vec<String> = all.iter().filter(|d| d.is_refused).map(|d| d.name.clone()).collect();
        n_refused = refused.len();
        for some in [&mut alone, &mut reduced, &mut all, &mut found] {
            some.retain(|decided| !refused.contains(&decided.name));
        }
        let found_lassos = take_lassos(&mut all);
        agree(&format!("{n} processes, without reduction"), &alone, &all)?;
        let first = lassos.get_or_insert_with(|| found_lassos.clone());
        agree(&format!("{n} processes go round, without reduction,"), first, &found_lassos)?;
        agree(&format!("{n} processes decide"), &verdicts(&reduced), &verdicts(&found))?;
        match &left {
            None => left = Some(found),
            Some(left) => agree(&format!("{n} processes leave"), left, &found)?,
        }
    }
    Ok(n_refused)
}
