//! BEEM's models, if they are at hand: every text is read without a diagnostic, and small systems have as many
//! states, edges and levels as BEEM says.
//!
//! They are not in the repository: `$STUBBORN_CORPUS` names their folder, or they are looked for next to the
//! workspace, in `../shared/models`. `$STUBBORN_DVE_STATES` says up to how many states are counted.

#![allow(clippy::print_stderr)]

mod verdicts;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hashbrown::HashSet;
use stubborn_ir::{Interpreter, Model, Outcome};

/// Finds nothing.
pub(crate) struct Nothing;

impl crate::Loader for Nothing {
    fn load(&self, _: &Path, _: &str) -> Option<(PathBuf, Arc<str>)> {
        None
    }
}

pub(crate) fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let real = std::env::var_os("STUBBORN_CORPUS").map_or(root.join("../shared/models"), PathBuf::from);
    let folder = real.join("dve");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no models in {}; set STUBBORN_CORPUS", folder.display());
    None
}

/// Systems of more states are not looked at.
fn limit() -> usize {
    std::env::var("STUBBORN_DVE_STATES").ok().and_then(|n| n.parse().ok()).unwrap_or(50_000)
}

/// All models with their texts, in the order of their paths.
pub(crate) fn corpus() -> Vec<(PathBuf, String)> {
    let Some(folder) = folder() else { return Vec::new() };
    let list = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        paths.sort();
        paths
    };
    let families = list(&folder).into_iter().filter(|path| path.is_dir());
    let models = families.flat_map(|family| list(&family));
    let read = |path: PathBuf| {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("it was listed")).into_owned();
        (path, text)
    };
    models.filter(|path| path.extension().is_some_and(|e| e == "dve")).map(read).collect()
}

/// Numbers of BEEM's that are not those of the model, by how much, and why.
const EXCEPTIONS: &[(&str, usize)] = &[
    // `next` overflows. DiVinE counts the state that stands for an error, which is all zero but for the first
    // process, and two more that the second process reaches from there.
    ("anderson.1", 3),
];

/// States, edges and levels of a breadth-first search. Errors lead nowhere.
pub(crate) fn count(model: &Model) -> (usize, usize, usize) {
    let mut interpreter = Interpreter::new(model);
    let initial = interpreter.initial().expect("initial values are constant");
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    seen.insert(initial.clone());
    let mut level = vec![initial];
    let (mut edges, mut levels) = (0, 0);
    while !level.is_empty() {
        levels += 1;
        let mut next = Vec::new();
        for state in &level {
            interpreter.successors(state, |edge| {
                edges += 1;
                match edge.outcome {
                    Outcome::State(state) => {
                        if !seen.contains(state) {
                            seen.insert(state.to_vec());
                            next.push(state.to_vec());
                        }
                    }
                    Outcome::Error(_) => {}
                    Outcome::Endless | Outcome::CutOff => panic!("DVE has no atomic sequences"),
                }
                ControlFlow::Continue(())
            });
        }
        level = next;
    }
    (seen.len(), edges, levels)
}

#[test]
fn every_model_is_read_without_a_diagnostic() {
    let corpus = corpus();
    let mut told = Vec::new();
    for (path, text) in &corpus {
        let loaded = crate::load(path, text.as_str().into(), &Nothing, &[]);
        for diagnostic in &loaded.diagnostics {
            let start = loaded.sources.positions(diagnostic.span).0;
            let place = format!("{}:{}:{}", path.display(), start.line, start.column);
            told.push(format!("{place}: {} {}", diagnostic.code, diagnostic.message));
        }
        assert!(loaded.model.is_some() || !loaded.diagnostics.is_empty(), "{}", path.display());
    }
    assert!(told.is_empty(), "{told:#?}");
    assert!(corpus.is_empty() || corpus.len() == 498, "{} models", corpus.len());
}

#[test]
fn small_systems_have_the_states_that_beem_says() {
    let Some(folder) = folder() else { return };
    let only = std::env::var("STUBBORN_DVE_ONLY").unwrap_or_default();
    let table =
        std::fs::read_to_string(folder.join("expected-instances.tsv")).expect("the corpus has tables");
    let mut wrong = Vec::new();
    let mut n_checked = 0;
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [name, id, complete, states, edges, levels, ..] = cells.as_slice() else { panic!("{row}") };
        let states: usize = states.parse().expect("a number");
        if *complete != "yes" || states > limit() || !format!("{name}.{id}").starts_with(&only) {
            continue;
        }
        let path = folder.join(name).join(format!("{name}.{id}.dve"));
        let text = std::fs::read_to_string(&path).expect("the table names it");
        let model = crate::load(&path, text.into(), &Nothing, &[]).model.expect("it is right");
        let found = count(&model);
        let is_same = |expected: &str, found: usize| expected.is_empty() || expected.parse() == Ok(found);
        let exception = EXCEPTIONS.iter().find(|(own, _)| *own == format!("{name}.{id}"));
        let states = states - exception.map_or(0, |(_, surplus)| *surplus);
        let is_right = found.0 == states && is_same(edges, found.1) && is_same(levels, found.2);
        eprintln!("{name}.{id}: {found:?}{}", if is_right { "" } else { " WRONG" });
        if !is_right {
            wrong.push(format!("{name}.{id}: {found:?}, expected {states}, {edges}, {levels}"));
        }
        n_checked += 1;
    }
    eprintln!("{n_checked} systems");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
