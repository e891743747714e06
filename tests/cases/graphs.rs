//! State graphs, held against what is counted: on random models, by every kind of reduction, the states and edges
//! that a graph says are visited are those that `explore` counts, and the rest is all there is.

use std::path::Path;
use std::sync::Arc;

use stubborn_check::{
    Choice, Config, ExploreReport, Graph, GraphTarget, Job, Order, Reduction, StateKind, explore, graph,
};
use stubborn_ir::Model;
use stubborn_promela::load;
use stubborn_tests::generate::generate;
use stubborn_tests::reductions::{NoFiles, features};

const SEEDS: u64 = 60;
/// Larger models are left alone.
const MAX_STATES: usize = 1_000;
/// At least so many are looked at.
const LEAST: usize = 30;

const REDUCTIONS: [&str; 6] = ["none", "stubborn", "stubborn:deletion", "ample", "two-phase", "sleep"];

#[test]
fn what_is_visited_is_what_is_counted() {
    let mut n_reduced = 0;
    let mut n_models = 0;
    for seed in 0..SEEDS {
        let text = generate(seed, features()).render();
        let Some(model) = load(Path::new("model.pml"), text.as_str().into(), &NoFiles, &[]).model else {
            continue;
        };
        let whole = count(&model, &Config { reduction: Choice::Named(Reduction::None), ..Config::default() });
        if whole.counts.states as usize > MAX_STATES {
            continue;
        }
        n_models += 1;
        for reduction in REDUCTIONS {
            for order in [Order::BreadthFirst, Order::DepthFirst] {
                let reduction: Choice = reduction.parse().expect("it is a reduction");
                let config = Config { order: Some(order), reduction, ..Config::default() };
                let Ok(drawn) = graph(&model, &config, MAX_STATES, job()) else { continue };
                let counted = count(&model, &config);
                let told = format!("seed {seed}, {reduction:?}, {order}\n{text}");
                let counts = &counted.counts;
                assert_eq!(told_by(&drawn), [counts.states, counts.deadlocks], "{told}");
                let n_edges = edges(&drawn);
                let is_once = !matches!(reduction, Choice::Named(Reduction::TwoPhase(_) | Reduction::Sleep));
                assert!(
                    n_edges == counts.transitions || (!is_once && n_edges < counts.transitions),
                    "{n_edges} edges, {} counted: {told}",
                    counts.transitions
                );
                assert_eq!(drawn.states.len() as u64, whole.counts.states, "{told}");
                assert!(!drawn.is_cut(), "{told}");
                n_reduced += usize::from(drawn.states.iter().any(|state| !state.is_visited));
            }
        }
    }
    assert!(
        n_models >= LEAST && n_reduced >= LEAST,
        "{n_models} models, {n_reduced} with something left out"
    );
}

fn job() -> Job<'static> {
    Job { cancel: Arc::default(), progress: Box::leak(Box::new(|_: &_| {})) }
}

fn count(model: &Model, config: &Config) -> ExploreReport {
    explore(model, config, job()).expect("what can be drawn can be explored")
}

/// States, and deadlocks among them, that are visited.
fn told_by(graph: &Graph) -> [u64; 2] {
    let visited = || graph.states.iter().filter(|state| state.is_visited);
    let deadlocks = visited().filter(|state| state.kind == StateKind::Deadlock);
    [visited().count() as u64, deadlocks.count() as u64]
}

/// Edges between states that are taken. Two-phase search and sleep sets take some more than once.
fn edges(graph: &Graph) -> u64 {
    let to_states = |to: GraphTarget| matches!(to, GraphTarget::State(_));
    graph.edges.iter().filter(|edge| edge.is_taken && to_states(edge.to)).count() as u64
}
