//! The debugger's engine on every model that is shipped: what is asked for by name is what is shown, and going back and
//! forth leads through the same states. Sessions over the protocol are in `tests/debugger`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use stubborn_check::simulation::Chance;
use stubborn_check::{Config, Job, Property, PropertyKind, Trail, Verdict, properties};
use stubborn_ide::debug::trail::find;
use stubborn_ide::debug::{Debugger, Node, Program, Route};
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

/// Where the automaton of a claim is, where it goes, and which edges it has; nothing inside an atomic run.
fn automaton(claim: &[Node]) -> Option<(String, String, Vec<String>)> {
    let node = claim.iter().find(|node| node.name == "automaton").expect("there is one");
    let (now, next) = node.value.split_once(" → ")?;
    Some((now.to_owned(), next.to_owned(), node.parts.iter().map(|edge| edge.name.clone()).collect()))
}

#[test]
fn the_automaton_of_a_claim_goes_along_with_what_violates_it() {
    let (mut n_cycles, mut n_ends) = (0, 0);
    for (name, program) in &programs() {
        let is_about_states =
            |property: &&Property| property.claim.is_some() && property.kind != PropertyKind::Trace;
        for property in properties(&program.model).iter().filter(is_about_states) {
            let (time, shorten) = (Some(Duration::from_secs(2)), Some(Duration::from_millis(50)));
            let config = Config { time, shorten, ..Config::default() };
            let job = Job { cancel: Default::default(), progress: &mut |_| {} };
            let decided = find(&program.model, &property.name, &config, job, &mut |_| {});
            let Some(decided) = decided.ok().and_then(|mut all| all.pop()) else { continue };
            let (Verdict::Violated, Some(trail)) = (decided.verdict, decided.trail) else { continue };
            let name = format!("{name}, {}", property.name);
            follow_claim(&name, program, property, &trail);
            if trail.cycle > 0 { n_cycles += 1 } else { n_ends += 1 }
        }
    }
    assert!(n_cycles > 10 && n_ends > 5, "{n_cycles} trails with a cycle, {n_ends} without");
}

fn follow_claim(name: &str, program: &Program, property: &Property, trail: &Trail) {
    let route = Route::to_violation(&program.model, property, trail);
    let mut debugger = Debugger::start(program, Some(route), 1).expect("an initial state");
    let mut expected: Option<String> = None;
    let mut seen = Vec::new();
    for _ in 0..=trail.prefix + 12 * trail.cycle {
        let claim = debugger.claim();
        assert!(!claim.is_empty(), "{name}: nothing is shown of the claim");
        if let Some((now, next, edges)) = automaton(&claim) {
            assert!(expected.is_none_or(|expected| expected == now), "{name}: the automaton is elsewhere");
            let target = next.split(' ').next().unwrap_or_default();
            let stays = now == next && edges.is_empty();
            assert!(stays || edges.contains(&format!("→ {target}")), "{name}: no edge leads to {target}");
            seen.extend([now, next.clone()]);
            expected = Some(next);
        }
        debugger.step_in(None).expect("steps that are possible");
    }
    let is_accepting = |state: &String| state.ends_with("(accepting)");
    // A run that stays where it is leads the automaton on, but not the debugger.
    assert!(trail.cycle == 0 || seen.iter().any(is_accepting), "{name}: nothing is accepted");
}
