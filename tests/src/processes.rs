//! Several processes through the binary, against one: the same states, transitions, violations and depth without reduction,
//! the same verdicts with it, and with any number of processes as many states left.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde_json::Value;
use stubborn_check::properties;
use stubborn_reduce::{Reduction, Stubborn};

use crate::binary::{self, Answer};
use crate::front_end;

/// Numbers of processes that are compared.
pub const PROCESSES: [&str; 3] = ["1", "2", "4"];

/// A model, with values of its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Its file.
    pub path: &'a Path,
    /// Parameters and their values.
    pub parameters: &'a [(String, String)],
}

impl<'a> From<&'a Path> for Subject<'a> {
    fn from(path: &'a Path) -> Self {
        Subject { path, parameters: &[] }
    }
}

impl Subject<'_> {
    fn run(self, command: &str, more: &[&str]) -> Result<Value, String> {
        let values: Vec<String> =
            self.parameters.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        Ok(run(command, self.path, &[&values[..], more].concat())?.1)
    }

    /// The names of what it claims.
    fn claims(self) -> Result<Vec<String>, String> {
        let model = front_end::read_with(self.path, self.parameters)?;
        let claims = properties(&model).into_iter().filter(|property| property.claim.is_some());
        Ok(claims.map(|property| property.name.to_string()).collect())
    }
}

/// Provisos that several processes keep to.
const PROVISOS: [&str; 2] = ["queue", "sticky"];

/// What is counted of violations.
const WRONG: [&str; 3] = ["deadlocks", "assertion_violations", "errors"];

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
fn counted(model: Subject<'_>, more: &[&str]) -> Result<Vec<(&'static str, Value)>, String> {
    let json = model.run("explore", more)?;
    let names = ["states", "transitions", WRONG[0], WRONG[1], WRONG[2], "depth", "complete"];
    Ok(names.map(|name| (name, json[name].clone())).to_vec())
}

/// What `check` decides of deadlocks, or of assertions.
#[derive(Clone, PartialEq, Debug)]
struct Safety {
    verdict: String,
    /// What all was visited with, and how many states that were, if it holds.
    visited: Option<(String, u64)>,
    /// Steps of the trail.
    length: Option<usize>,
}

fn decided(model: Subject<'_>, more: &[&str]) -> Result<Vec<Safety>, String> {
    let properties = ["--property", "deadlock", "--property", "assertions"];
    let json = model.run("check", &[&properties[..], more].concat())?;
    let decided = |property: &Value| {
        let text = |name: &str| property[name].as_str().unwrap_or_default();
        let how = format!("{} {}", text("reduction"), text("proviso"));
        let visited = (text("verdict") == "holds").then(|| (how, property["states"].as_u64().unwrap_or(0)));
        let length = property["trail"]["steps"].as_array().map(Vec::len);
        Safety { verdict: text("verdict").to_owned(), visited, length }
    };
    Ok(json["properties"].as_array().into_iter().flatten().map(decided).collect())
}

/// Whether two are the same.
pub fn agree<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("{what}: {other:?}, not {one:?}")) }
}

/// Whether several processes find what one finds.
pub fn is_the_same<'a>(model: impl Into<Subject<'a>>, more: &[&str]) -> Result<(), String> {
    let model = model.into();
    // The fewest edges need not be the fewest steps where runs of steps are edges.
    let text = fs::read(model.path).map_err(|error| error.to_string())?;
    let has_runs = String::from_utf8_lossy(&text).contains("atomic");
    let alone = counted(model, &["--search", "bfs"])?;
    let verdicts = verdicts(&decided(model, &["--no-shorten"])?);
    // Where nothing is wrong, no trail has a length, and all there is was counted.
    let is_wrong = alone.iter().any(|(name, n)| WRONG.contains(name) && n.as_u64() != Some(0));
    let lengths = |more: &[&str]| -> Result<Vec<(String, Option<usize>)>, String> {
        let whole = decided(model, &[&["--no-shorten", "--reduction", "none"], more].concat())?;
        Ok(whole.into_iter().map(|one| (one.verdict, one.length.filter(|_| !has_runs))).collect())
    };
    let whole = if is_wrong { lengths(&["--search", "bfs"])? } else { Vec::new() };
    let mut left: Option<Vec<Option<(String, u64)>>> = None;
    let mut reduced: Vec<Option<Vec<(&str, Value)>>> = vec![None; PROVISOS.len()];
    for n in PROCESSES {
        let with = |others: &[&'static str]| [&["--processes", n][..], more, others].concat();
        agree(&format!("{n} processes count"), &alone, &counted(model, &with(&[]))?)?;
        if is_wrong {
            agree(&format!("{n} processes find without reduction"), &whole, &lengths(&with(&[]))?)?;
        }
        let found = decided(model, &with(&["--no-shorten"]))?;
        agree(&format!("{n} processes decide"), &verdicts, &self::verdicts(&found))?;
        let visited: Vec<_> = found.into_iter().map(|one| one.visited).collect();
        let first = left.get_or_insert_with(|| visited.clone());
        agree(&format!("{n} processes visit"), first, &visited)?;
        for (proviso, reduced) in PROVISOS.iter().zip(&mut reduced) {
            let how = format!("{} {proviso}", Reduction::Stubborn(Stubborn::BEAM));
            let is_seen = |one: &Option<(String, u64)>| one.as_ref().is_some_and(|(by, _)| *by == how);
            if visited.iter().all(is_seen) {
                continue;
            }
            match counted(model, &with(&["--reduction", "stubborn", "--proviso", proviso])) {
                Ok(counts) => {
                    let first = reduced.get_or_insert_with(|| counts.clone());
                    agree(&format!("{n} processes with the proviso {proviso} leave"), first, &counts)?;
                }
                // Of some models nothing may be left out.
                Err(why) if why.contains("cannot be used") => {}
                Err(why) => return Err(why),
            }
        }
    }
    Ok(())
}

fn verdicts(decided: &[Safety]) -> Vec<String> {
    decided.iter().map(|one| one.verdict.clone()).collect()
}

/// What is decided of a claim.
#[derive(PartialEq, Debug)]
struct Decided {
    name: String,
    verdict: String,
    /// States that were visited, if there were no others: of a product, or of the model, which for an invariant are as many.
    visited: Option<u64>,
    /// Steps of its trail.
    length: Option<usize>,
    /// Its trail, if that goes round a cycle.
    lasso: Option<Value>,
    /// Several processes cannot check it.
    is_refused: bool,
}

/// What is said of a claim that several processes cannot check.
const REFUSAL: &str = "several processes cannot check this claim";

fn decisions(model: Subject<'_>, more: &[&str]) -> Result<Vec<Decided>, String> {
    let json = match model.run("check", more) {
        // Where nothing else is asked for, that is all that is said.
        Err(why) if why.contains(REFUSAL) => return Ok(refused(more)),
        json => json?,
    };
    let of = |property: &Value| {
        let text = |name: &str| property[name].as_str().unwrap_or_default().to_owned();
        Decided {
            name: text("name"),
            // Whether a state can be reached is decided by a way there, too.
            visited: (text("verdict") != "incomplete" && property["trail"].is_null())
                .then(|| property["states"].as_u64().unwrap_or_default()),
            verdict: text("verdict"),
            length: property["trail"]["steps"].as_array().map(Vec::len),
            lasso: Some(&property["trail"]).filter(|trail| trail["cycle"].as_u64() > Some(0)).cloned(),
            is_refused: text("reason").contains(REFUSAL),
        }
    };
    Ok(json["properties"].as_array().into_iter().flatten().map(of).collect())
}

/// The properties that are asked for, none of which is decided.
fn refused(more: &[&str]) -> Vec<Decided> {
    let names = more.windows(2).filter(|pair| pair[0] == "--property").map(|pair| pair[1].to_owned());
    let undecided = |name| Decided {
        name,
        verdict: "incomplete".to_owned(),
        visited: None,
        length: None,
        lasso: None,
        is_refused: true,
    };
    names.map(undecided).collect()
}

/// What is asked of several processes.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    /// All properties, and how long shortened trails are.
    All,
    /// What the model claims: so many of these at the most, from first to last.
    Claims(usize),
}

/// How properties are decided by several processes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alike {
    /// As one process does.
    pub decided: usize,
    /// They refuse to.
    pub refused: usize,
}

/// Whether several processes decide properties as one does. With any number of processes, the same cycles are found; lengths
/// of trails are compared with those of one if they are shortened.
pub fn is_decided_alike<'a>(model: impl Into<Subject<'a>>, asked: Asked) -> Result<Alike, String> {
    let model = model.into();
    let mut how: Vec<String> = Vec::new();
    match asked {
        Asked::All => how.extend(["--shorten-budget", "60s"].map(String::from)),
        Asked::Claims(most) => {
            let claims = model.claims()?;
            if claims.is_empty() {
                return Ok(Alike::default());
            }
            how.push("--no-shorten".to_owned());
            let some = claims.iter().step_by(claims.len().div_ceil(most.max(1)));
            some.for_each(|name| how.extend(["--property".to_owned(), name.clone()]));
        }
    }
    let how: Vec<&str> = how.iter().map(String::as_str).collect();
    let decided = |more: &[&str]| -> Result<Vec<Decided>, String> {
        let mut all = decisions(model, &[&how[..], more].concat())?;
        if let Asked::Claims(_) = asked {
            all.iter_mut().for_each(|decided| decided.length = None);
        }
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
    let n_asked = alone.len();
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
    Ok(Alike { decided: n_asked - n_refused, refused: n_refused })
}
