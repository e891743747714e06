//! Whether a marking can be reached, as `check` decides it, against the whole state graph: the answer, and that the way
//! shown is a shortest one.

use std::collections::VecDeque;
use std::ops::AddAssign;

use stubborn_base::{FileId, Span};
use stubborn_check::{Config, Job, Verdict, check, properties};
use stubborn_ir::{Claim, ClaimBody, ClaimKind, Expr, Model, TemporalClaim};
use stubborn_ltl::Formula;
use stubborn_relations::Fault;

use super::propositions::proposition;
use crate::generate::Random;
use crate::graph::Graph;

/// Propositions for each net.
const N_PROPOSITIONS: usize = 8;

/// What a comparison saw.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Questions.
    pub asked: u64,
    /// Markings that can be reached.
    pub reached: u64,
    /// Decided with fewer states than there are, where none was found.
    pub reduced: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.asked += other.asked;
        self.reached += other.reached;
        self.reduced += other.reduced;
    }
}

/// Asks for markings of a net with at most `max_states`; none if it has more.
pub fn compare(
    model: &Model,
    seed: u64,
    fault: Option<Fault>,
    max_states: usize,
) -> Result<Option<Tally>, String> {
    let Some(net) = &model.net else { return Err("it is no net".to_owned()) };
    let Some(graph) = Graph::build(model, max_states) else { return Ok(None) };
    if graph.has_errors {
        return Ok(None);
    }
    let mut random = Random::new(seed ^ 0x90a1);
    let mut tally = Tally::default();
    for _ in 0..N_PROPOSITIONS {
        let (a, b) = (proposition(model, net, &mut random), proposition(model, net, &mut random));
        let goal = match random.below(4) {
            0 => Expr::binary(stubborn_ir::BinaryOp::And, a, b),
            1 => Expr::binary(stubborn_ir::BinaryOp::Or, a.not(), b),
            2 => Expr::binary(stubborn_ir::BinaryOp::And, a.not(), b),
            _ => a,
        };
        let expected = distance(&graph, &goal)?;
        let asked = with_question(model, &goal);
        let last = properties(&asked).pop().ok_or("there is a property")?;
        let config = Config { fault, ..Config::default() };
        let job = Job { cancel: Default::default(), progress: &mut |_| {} };
        let results = check(&asked, &[last], &config, job).map_err(|refused| refused.to_string())?;
        let result = &results[0];
        let found = (result.verdict, result.trail.as_ref().map(|trail| trail.steps.len()));
        let wanted = match expected {
            Some(distance) => (Verdict::Holds, Some(distance)),
            None => (Verdict::Violated, None),
        };
        if found != wanted {
            return Err(format!("{found:?} instead of {wanted:?}, {}: {goal:?}", result.strategy));
        }
        tally.asked += 1;
        tally.reached += u64::from(expected.is_some());
        tally.reduced += u64::from(expected.is_none() && result.counts.states < graph.states.len() as u64);
    }
    Ok(Some(tally))
}

/// The fewest firings that lead to a marking where the goal holds; none if it holds in no marking.
fn distance(graph: &Graph<'_>, goal: &Expr) -> Result<Option<usize>, String> {
    let holds = graph.holds(goal).map_err(|kind| kind.to_string())?;
    let mut distances = vec![None; graph.states.len()];
    distances[0] = Some(0);
    let mut queue = VecDeque::from([0]);
    while let Some(state) = queue.pop_front() {
        if holds[state] {
            return Ok(distances[state]);
        }
        for &next in &graph.edges[state] {
            if distances[next].is_none() {
                distances[next] = distances[state].map(|distance: usize| distance + 1);
                queue.push_back(next);
            }
        }
    }
    Ok(None)
}

/// The net, and whether the goal can be reached as its only claim.
fn with_question(model: &Model, goal: &Expr) -> Model {
    let body = ClaimBody::Formula(TemporalClaim {
        formula: Formula::atom(0).negated().always(),
        propositions: vec![goal.clone()],
        extends_finite_runs: true,
    });
    let span = Span::new(FileId(0), 0, 0);
    let claims = vec![Claim { name: "it".into(), kind: ClaimKind::Reachability, body, span }];
    Model { claims, ..model.clone() }
}
