//! Models in other languages: as many states, steps and deadlocks as they had, there and back again; and refusals.

use std::path::{Path, PathBuf};

use stubborn_check::{Choice, Config, Reduction, explore};
use stubborn_convert::{Target, convert};
use stubborn_ir::Model;
use stubborn_languages::language_of;
use stubborn_tests::contest::quiet;
use stubborn_tests::dve::random::RandomSystem;
use stubborn_tests::front_end::{self, Nothing};
use stubborn_tests::graph::Graph;
use stubborn_tests::{beem, say, workspace};

/// States, edges, deadlocks, and whether there are errors.
type Sizes = (u64, u64, u64, bool);

fn sizes(model: &Model) -> Sizes {
    let config = Config { reduction: Choice::Named(Reduction::None), ..Config::default() };
    let report = explore(model, &config, quiet()).unwrap_or_else(|refused| panic!("{refused}"));
    assert!(report.incomplete.is_none(), "{:?}", report.incomplete);
    let counts = report.counts;
    (counts.states, counts.transitions, counts.deadlocks, counts.errors > 0)
}

/// The model that a conversion is; none if it is refused.
fn converted(model: &Model, target: Target) -> Option<Model> {
    let text = convert(model, target).ok()?;
    let name = match target {
        Target::Promela => "there.pml",
        Target::Dve => "there.dve",
        Target::Pnml => "there.pnml",
    };
    let path = Path::new(name);
    let loaded = language_of(path).load(path, text.as_str().into(), &Nothing, &[]);
    let told: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    Some(loaded.model.unwrap_or_else(|| panic!("{told:?}\n{text}")))
}

/// Converts a model, and what comes out once more; how many conversions were not refused.
fn there_and_back(name: &str, model: &Model, targets: &[Target]) -> usize {
    let expected = sizes(model);
    let mut n_converted = 0;
    for &there in targets {
        let Some(other) = converted(model, there) else { continue };
        assert_eq!(sizes(&other), expected, "{name} in {there:?}");
        n_converted += 1;
        for back in [Target::Promela, Target::Dve].into_iter().filter(|&back| back != there) {
            if let Some(again) = converted(&other, back) {
                assert_eq!(sizes(&again), expected, "{name} in {there:?}, then in {back:?}");
                n_converted += 1;
            }
        }
    }
    n_converted
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(workspace::root().join("tests/models").join(folder));
    let mut paths: Vec<PathBuf> =
        entries.expect("it is shipped").map(|e| e.expect("it is there").path()).collect();
    paths.sort();
    paths
}

#[test]
fn systems() {
    let mut n_converted = 0;
    for path in files("dve") {
        let model = front_end::read(&path).expect("it is right");
        n_converted += there_and_back(&path.display().to_string(), &model, &[Target::Promela]);
    }
    assert!(n_converted >= 8, "{n_converted}");
}

#[test]
fn nets() {
    let mut n_converted = 0;
    let pnml = files("pnml").into_iter().map(|folder| folder.join("model.pnml"));
    let helena = files("helena").into_iter().filter(|path| !path.to_string_lossy().contains(".prop."));
    for path in helena.chain(pnml) {
        let model = front_end::read(&path).expect("it is right");
        let targets = [Target::Pnml, Target::Promela, Target::Dve];
        n_converted += there_and_back(&path.display().to_string(), &model, &targets);
    }
    assert!(n_converted >= 10, "{n_converted}");
}

#[test]
fn systems_by_chance() {
    let mut n_converted = 0;
    for seed in 0..60 {
        let system = RandomSystem::new(seed);
        let model = system.model().expect("it is right");
        if Graph::build(&model, 2000).is_none() {
            continue;
        }
        n_converted += there_and_back(&system.to_string(), &model, &[Target::Promela]);
    }
    assert!(n_converted >= 60, "{n_converted}");
}

#[test]
fn small_systems_of_the_corpus() {
    let Some(systems) = beem::systems() else {
        say::skipped("conversions of the corpus", "no corpus of DVE models");
        return;
    };
    let mut n_converted = 0;
    for system in systems.iter().filter(|system| system.n_states.is_some_and(|states| states <= 2000)) {
        let model = front_end::read(&system.path()).expect("it is right");
        n_converted += there_and_back(&system.name, &model, &[Target::Promela]);
    }
    assert!(n_converted >= 10, "{n_converted}");
}

#[test]
fn processes() {
    let check = |text: &str| {
        let path = Path::new("model.pml");
        language_of(path).load(path, text.into(), &Nothing, &[]).model.expect("it is right")
    };
    let model =
        check("byte x; bool b; active [2] proctype P() { do :: x < 3 -> x++; b = !b :: else -> x = 0 od }");
    assert_eq!(there_and_back("loops", &model, &[Target::Dve]), 2);
    let model =
        check("byte x; active proctype P() { x = 300; x-- } active proctype Q() { byte y; x > 2; y = x }");
    assert_eq!(sizes(&converted(&model, Target::Dve).expect("processes may end")).0, sizes(&model).0);
    for (text, why) in [
        ("active proctype P() { atomic { skip; skip } }", "atomic"),
        ("proctype Q() { skip } active proctype P() { run Q() }", "created"),
        ("int x; active proctype P() { x = 1 }", "more bits"),
        ("active proctype P() { timeout }", "timeout"),
    ] {
        let refused = convert(&check(text), Target::Dve).expect_err(text);
        assert!(refused.why.contains(why), "{text}: {refused}");
        assert_eq!(convert(&check(text), Target::Pnml).expect_err(text).why, "it is no Petri net");
    }
}
