//! A formula and its automaton, for programs. The field names are a contract: add, never rename.
//!
//! One object on one line: `formula` (in SPIN's syntax, negated if that was asked for), `propositions`
//! (their texts), `trivial` (`valid`, `unsatisfiable` or null), `class` (`safety`, `guarantee`,
//! `obligation`, `general`, or null if it is not known), `stutter_invariant` (null if it is not known),
//! `witness` (null, or `satisfying` and `violating`, two words that differ in repetitions only: each a
//! `prefix` and a `cycle` of letters, a letter being the numbers of the propositions that hold), `states`
//! and `edges` (how many), and `automaton`: `initial`, and `states` with `accepting` and `edges`. An edge
//! has a `target`, a `guard` as a Promela expression, and the same as `cubes`: numbers of propositions that
//! must hold (`positive`) and must not (`negative`).

use serde::Serialize;
use stubborn_ltl::{Buchi, Cube, Edge, Letter, State, StutterInvariance};

use super::Report;
use crate::json::line;

#[derive(Serialize)]
struct Told<'a> {
    formula: &'a str,
    propositions: &'a [String],
    trivial: Option<&'static str>,
    class: Option<&'static str>,
    stutter_invariant: Option<bool>,
    witness: Option<Words>,
    states: usize,
    edges: usize,
    automaton: Automaton,
}

#[derive(Serialize)]
struct Words {
    satisfying: Lasso,
    violating: Lasso,
}

#[derive(Serialize)]
struct Lasso {
    prefix: Vec<Vec<usize>>,
    cycle: Vec<Vec<usize>>,
}

#[derive(Serialize)]
struct Automaton {
    initial: usize,
    states: Vec<ToldState>,
}

#[derive(Serialize)]
struct ToldState {
    accepting: bool,
    edges: Vec<ToldEdge>,
}

#[derive(Serialize)]
struct ToldEdge {
    target: usize,
    guard: String,
    cubes: Vec<ToldCube>,
}

#[derive(Serialize)]
struct ToldCube {
    positive: Vec<usize>,
    negative: Vec<usize>,
}

pub(super) fn report(report: &Report) -> String {
    let (stutter_invariant, witness) = match &report.stutter_invariance {
        StutterInvariance::Invariant => (Some(true), None),
        StutterInvariance::Sensitive(witness) => (
            Some(false),
            Some(Words { satisfying: lasso(&witness.satisfying), violating: lasso(&witness.violating) }),
        ),
        StutterInvariance::Unknown => (None, None),
    };
    line(&Told {
        formula: &report.formula,
        propositions: &report.propositions,
        trivial: report.trivial_name(),
        class: report.class_name(),
        stutter_invariant,
        witness,
        states: report.automaton.states.len(),
        edges: report.automaton.n_edges(),
        automaton: automaton(report, &report.automaton),
    })
}

fn automaton(report: &Report, automaton: &Buchi) -> Automaton {
    let edge = |edge: &Edge| ToldEdge {
        target: edge.target,
        guard: edge.guard.to_promela(&report.propositions),
        cubes: edge.guard.cubes.iter().copied().map(cube).collect(),
    };
    let state = |state: &State| ToldState {
        accepting: state.accepting,
        edges: state.edges.iter().map(edge).collect(),
    };
    Automaton { initial: automaton.initial, states: automaton.states.iter().map(state).collect() }
}

fn cube(cube: Cube) -> ToldCube {
    ToldCube { positive: members(cube.positive), negative: members(cube.negative) }
}

fn lasso(lasso: &stubborn_ltl::Lasso) -> Lasso {
    let word = |letters: &[Letter]| letters.iter().copied().map(members).collect();
    Lasso { prefix: word(&lasso.prefix), cycle: word(&lasso.cycle) }
}

/// The bits that are set.
fn members(set: u64) -> Vec<usize> {
    (0..64).filter(|bit| set >> bit & 1 == 1).collect()
}
