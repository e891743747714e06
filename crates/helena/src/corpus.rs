//! Real nets to test with, if they are at hand.
//!
//! They are not in the repository: `$STUBBORN_CORPUS` names their folder, or they are looked for next to the
//! workspace, in `../shared/models`.

#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_base::Loader;

/// Finds files next to the one that was read.
pub(crate) struct Disk;

impl Loader for Disk {
    fn load(&self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<str>)> {
        let path = includer.parent()?.join(name);
        Some((path.clone(), std::fs::read_to_string(path).ok()?.into()))
    }
}

/// The folder of real nets; `None`, said aloud, if there is none.
pub(crate) fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let real = std::env::var_os("STUBBORN_CORPUS").map_or(root.join("../shared/models"), PathBuf::from);
    let folder = real.join("helena");
    if !folder.is_dir() {
        eprintln!("SKIPPED: no nets in {}; set STUBBORN_CORPUS", folder.display());
        return None;
    }
    Some(folder)
}

/// All nets and property files with their texts, in the order of their names.
pub(crate) fn corpus() -> Vec<(PathBuf, Arc<str>)> {
    let Some(folder) = folder() else { return Vec::new() };
    let entries = std::fs::read_dir(folder).expect("it is a folder");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "lna"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("it was listed");
        (path, text.into())
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn real_nets_are_read_without_complaint() {
    for (path, text) in corpus() {
        let read = crate::read(&path, text, &Disk, &[]);
        let codes: Vec<&str> = read.diagnostics.iter().map(|d| d.code).collect();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Functions of C.
        let n_unsupported = match &*name {
            "sort.lna" | "sort.prop.lna" => 3,
            _ => 0,
        };
        assert_eq!(codes, vec!["unsupported"; n_unsupported], "{name}: {:#?}", read.diagnostics);
        assert_eq!(read.net.is_some(), n_unsupported == 0, "{name}");
    }
}

/// The sizes of a state graph.
#[derive(PartialEq, Eq, Debug)]
struct Size {
    states: usize,
    edges: usize,
    levels: usize,
    dead: usize,
}

/// In how many states the first propositions of claims hold, by the names of the claims.
type Held = std::collections::BTreeMap<String, usize>;

/// Explores a model, breadth first. Every proposition of its claims is evaluated in every state.
fn explore(model: &stubborn_ir::Model) -> (Size, Held) {
    let mut held = Held::new();
    let mut interpreter = stubborn_ir::Interpreter::new(model);
    let initial = interpreter.initial().expect("a net has an initial marking");
    let mut seen: hashbrown::HashSet<Vec<u8>> = hashbrown::HashSet::from([initial.clone()]);
    let mut size = Size { states: 1, edges: 0, levels: 0, dead: 0 };
    let mut level = vec![initial];
    while !level.is_empty() {
        size.levels += 1;
        let mut next = Vec::new();
        for state in level {
            for claim in &model.claims {
                for (i, proposition) in claim.propositions().iter().enumerate() {
                    let holds = interpreter.holds(&state, proposition).expect("it has a value");
                    *held.entry(claim.name.to_string()).or_default() += usize::from(holds && i == 0);
                }
            }
            let before = size.edges;
            interpreter.successors(&state, |edge| {
                size.edges += 1;
                let stubborn_ir::Outcome::State(target) = edge.outcome else {
                    panic!("a firing fails: {:?}", edge.outcome);
                };
                let target = target.to_vec();
                if seen.insert(target.clone()) {
                    next.push(target);
                }
                std::ops::ControlFlow::Continue(())
            });
            size.dead += usize::from(size.edges == before);
        }
        level = next;
    }
    size.states = seen.len();
    (size, held)
}

#[test]
fn state_graphs_are_those_of_helena() {
    let Some(folder) = folder() else { return };
    let table = std::fs::read_to_string(folder.join("expected-graphs.tsv")).expect("it is there");
    let mut n_compared = 0;
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let number = |i: usize| fields[i].parse::<usize>().expect("a number");
        let (name, instance) = fields[0].split_once('-').expect("a parameter follows");
        if number(1) > 25_000 {
            continue;
        }
        let mut defines = Vec::new();
        for part in instance.split('_') {
            let (param, value) = part.split_once('-').expect("a value follows");
            defines.push((param.to_owned(), value.to_owned()));
        }
        let path = folder.join(format!("{name}.lna"));
        let text = std::fs::read_to_string(&path).expect("the net is there");
        let loaded = crate::load(&path, text.into(), &Disk, &defines);
        assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
        let expected = Size { states: number(1), edges: number(2), levels: number(3), dead: number(6) };
        assert_eq!(explore(&loaded.model.expect("no errors")).0, expected, "{}", fields[0]);
        n_compared += 1;
    }
    assert!(n_compared > 15);
}

#[test]
fn properties_of_states_have_their_answers() {
    let Some(folder) = folder() else { return };
    // The comments of these nets say which states are rejected.
    let rows = [
        ("peterson", "N", "2", "cs_ok", false),
        ("lamport", "N", "2", "cs_ok", false),
        ("szymanski", "N", "2", "cs_ok", false),
        ("eratosthene", "N", "10", "prime_ok", false),
        ("load_balancer", "C", "3", "balance_ok", false),
        ("hanoi", "N", "3", "end_state", true),
    ];
    for (name, param, value, property, is_rejected) in rows {
        let path = folder.join(format!("{name}.lna"));
        let text = std::fs::read_to_string(&path).expect("the net is there");
        let defines = [(param.to_owned(), value.to_owned())];
        let model = crate::load(&path, text.into(), &Disk, &defines).model.expect("no errors");
        assert_eq!(explore(&model).1[property] > 0, is_rejected, "{name}");
    }
}
