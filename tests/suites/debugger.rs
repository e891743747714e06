//! The debugger's engine on every model that is shipped: what is asked for by name is what is shown, and going back and
//! forth leads through the same states. Sessions over the protocol are in `tests/debugger`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use stubborn_check::simulation::Chance;
use stubborn_ide::debug::{Debugger, Node, Program};
use stubborn_ir::Pid;
use stubborn_tests::workspace;

/// The shipped models that have no errors and an initial state, with their names.
fn programs() -> Vec<(String, Program)> {
    let mut paths = Vec::new();
    collect(&workspace::model(""), &mut paths);
    paths.sort();
    let named = paths.iter().map(|path| (path.display().to_string(), Program::load(path, Vec::new())));
    let programs: Vec<_> = named.filter_map(|(name, program)| Some((name, program.ok()?))).collect();
    assert!(programs.len() > 50, "only {} models", programs.len());
    programs
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            paths.push(path);
        }
    }
}

/// Everything that is shown in a state.
fn shown(debugger: &mut Debugger<'_>) -> Vec<(Option<Pid>, Vec<Node>, Vec<Node>)> {
    let threads = debugger.threads().into_iter().map(|thread| Some(thread.pid));
    let owners: Vec<Option<Pid>> = threads.chain([None]).collect();
    owners.into_iter().map(|pid| (pid, debugger.variables(pid), debugger.channels(pid))).collect()
}

fn leaves<'n>(nodes: &'n [Node], found: &mut Vec<&'n Node>) {
    for node in nodes {
        if node.parts.is_empty() { found.push(node) } else { leaves(&node.parts, found) }
    }
}

#[test]
fn what_is_asked_for_by_name_is_what_is_shown() {
    let (mut n_same, mut n_elsewhere) = (0, 0);
    for (name, program) in &programs() {
        let Ok(mut debugger) = Debugger::start(program, None, 1) else { continue };
        for _ in 0..2 {
            for (pid, variables, _) in shown(&mut debugger).into_iter().rev().take(4) {
                let mut nodes = Vec::new();
                leaves(&variables, &mut nodes);
                for node in nodes.into_iter().take(12) {
                    let Some(expression) = &node.expression else { continue };
                    match debugger.evaluate(expression, pid) {
                        Ok(answer) => {
                            assert_eq!(answer.value, node.value, "{name}: {expression} for {pid:?}");
                            n_same += 1;
                        }
                        // Declared in another block, or not part of the state.
                        Err(error) => {
                            let is_elsewhere = error.contains("is not declared") && pid.is_some();
                            assert!(is_elsewhere || error.contains("not kept"), "{name}: {error}");
                            n_elsewhere += 1;
                        }
                    }
                }
            }
            for _ in 0..20 {
                debugger.step_in(None).expect("a step that is possible");
            }
        }
    }
    assert!(n_same > 200 && n_same > 10 * n_elsewhere, "{n_same} the same, {n_elsewhere} elsewhere");
}

#[test]
fn back_and_forth_leads_through_the_same_states() {
    for (name, program) in &programs() {
        let Ok(mut debugger) = Debugger::start(program, None, 2) else { continue };
        let mut chance = Chance::new(3);
        let mut seen = BTreeMap::from([(0, shown(&mut debugger))]);
        for _ in 0..60 {
            match chance.below(5) {
                0 | 1 => drop(debugger.step_back()),
                2 => {
                    let threads = debugger.threads();
                    if !threads.is_empty() {
                        let pid = threads[chance.below(threads.len())].pid;
                        // It may choose otherwise than chance did, but only where nothing was yet.
                        let before = debugger.position();
                        debugger.next(pid, &|| false).expect("steps that are possible");
                        assert!(debugger.position() >= before, "{name}");
                    }
                }
                _ => drop(debugger.step_in(None).expect("a step that is possible")),
            }
            let now = shown(&mut debugger);
            let position = debugger.position();
            assert_eq!(*seen.entry(position).or_insert_with(|| now.clone()), now, "{name}: step {position}");
        }
    }
}
