//! Claims that are invariants: a search for a state that violates it, directed or led there by what could bring it about.
//!
//! Edelkamp, Leue and Lluch Lafuente, section 2.5, go by a formula for invariants as they do for assertions. A claim is
//! an invariant if its automaton stays where it begins until a state lets it come to its end: then such a state is all
//! there is to look for, and the model is searched instead of its product with the automaton. Of any other claim, no
//! single state says that it is violated, so a search with a direction is refused.

use std::cell::Cell;

use stubborn_ir::{
    BinaryOp, ClaimAutomaton, Effect, Expr, Interpreter, Model, RuntimeErrorKind, Transition, Violation,
    balanced,
};
use stubborn_reduce::{Plan, obstacle};
use stubborn_relations::Relations;
use stubborn_search::heuristics::Invariant;
use stubborn_search::{
    Answer, Directed, Directions, End, Goal, Guide, Heuristic, Incomplete, Limits, Observer, Run, Zero,
    search_directed, violates,
};

use crate::directed::after;
use crate::heuristic::HeuristicName;
use crate::strategy::Refused;

/// With more propositions, it takes too long to look at every letter.
const MAX_PROPOSITIONS: usize = 12;

/// How an invariant is looked for a violation of.
pub(crate) struct Directing<'a> {
    pub(crate) guide: Guide,
    pub(crate) heuristic: HeuristicName,
    pub(crate) plan: &'a Plan,
    pub(crate) limits: &'a Limits,
}

/// Why a claim cannot be decided by a search with a direction, if so.
pub(crate) fn refusal(automaton: &ClaimAutomaton, guide: Guide) -> Option<Refused> {
    not_by_states(automaton).map(|why| refused(guide, why))
}

/// Why no single state decides a claim, if so.
pub(crate) fn not_by_states(automaton: &ClaimAutomaton) -> Option<&'static str> {
    let asks_timeout = |expr: &Expr| expr.any(&mut |inner| matches!(inner, Expr::Timeout));
    if automaton.propositions.len() > MAX_PROPOSITIONS {
        Some("it looks at too many propositions to tell whether it is an invariant")
    } else if !is_invariant(automaton) {
        Some("no single state violates it, only a run does")
    } else if automaton.propositions.iter().any(asks_timeout) {
        Some("what it says of timeout depends on more than a state")
    } else {
        None
    }
}

/// What a state satisfies in which the claim is violated, if a search for such a state can be led there by what could
/// bring it about: the claim is an invariant of a net, of which no firing fails.
pub(crate) fn goal(model: &Model, automaton: &ClaimAutomaton) -> Option<Expr> {
    let fails = |effect: &Effect| match effect {
        Effect::Count { place, most, .. } => most.is_some_and(|most| most < place.slot.bounds().1),
        effect => !matches!(effect, Effect::Assign(..)),
    };
    let is_safe = |t: &Transition| !t.effects.iter().any(fails);
    if model.net.is_none()
        || obstacle(model).is_some()
        || automaton.propositions.len() > MAX_PROPOSITIONS
        || !is_invariant(automaton)
        || !model.transitions.iter().all(is_safe)
    {
        return None;
    }
    let edges = &automaton.states[automaton.initial as usize].edges;
    let last = edges.iter().filter(|edge| automaton.states[edge.target as usize].is_final);
    let mut ways = Vec::new();
    for edge in last {
        if !edge.unless.is_empty() {
            return None;
        }
        let literals = edge.literals.iter().map(|literal| {
            let proposition = automaton.propositions[literal.proposition as usize].clone();
            if literal.holds { proposition } else { proposition.not() }
        });
        ways.push(balanced(BinaryOp::And, literals.collect()).unwrap_or(Expr::Const(1)));
    }
    let goal = balanced(BinaryOp::Or, ways)?;
    let initial = Interpreter::new(model).initial().ok()?;
    let has_up_sets = Relations::new(model, &initial, None).goal(&goal).is_some();
    has_up_sets.then_some(goal)
}

/// The refusal of a search for a claim.
pub(crate) fn refused(guide: Guide, why: &str) -> Refused {
    Refused::new(format!("{guide} cannot be used for this claim: {why}; use --search bfs or dfs"))
}

/// Whether by every letter the automaton can stay where it begins or come to its end, and nothing else, and no run is
/// accepted because it stays.
fn is_invariant(automaton: &ClaimAutomaton) -> bool {
    let is_last = |&state: &u32| automaton.states[state as usize].is_final;
    let mut letters = 0..1u32 << automaton.propositions.len();
    !is_last(&automaton.initial)
        && !automaton.states[automaton.initial as usize].accepting
        && letters.all(|letter| {
            let targets = automaton.successors(automaton.initial, |p| letter >> p & 1 == 1);
            !targets.is_empty() && targets.iter().all(|state| *state == automaton.initial || is_last(state))
        })
}

/// Looks for a state in which an invariant does not hold. Fails if there is no initial state.
pub(crate) fn search_invariant(
    model: &Model,
    automaton: &ClaimAutomaton,
    directing: &Directing<'_>,
    observer: &mut dyn Observer,
) -> Result<(Answer, bool), RuntimeErrorKind> {
    let started = std::time::Instant::now();
    let without_value = Cell::new(None);
    let violates = |interpreter: &Interpreter<'_>, state: &[u8]| {
        violates(interpreter, state, automaton, &mut Vec::new()).unwrap_or_else(|kind| {
            without_value.set(Some(kind));
            false
        })
    };
    let mut find = |guide, heuristic: &dyn Heuristic| {
        let goal = Goal::State(&violates);
        let directed = Directed { guide, heuristic, goal, bound: u32::MAX };
        search_directed(model, &directed, directing.plan, directing.limits, observer)
    };
    let name = directing.heuristic;
    let directions = if name.needs_counterexample() {
        // As the paper does, something is found first, and is where a distance leads to.
        let first = find(Guide::BestFirst, &Zero)?;
        let towards =
            first.way.as_ref().and_then(|way| name.towards(model, &way.moves, Violation::BadPrefix));
        match towards {
            Some(heuristic) => after(first, find(directing.guide, &*heuristic)?),
            None => first,
        }
    } else if name == HeuristicName::Formula {
        find(directing.guide, &Invariant::of(model, automaton))?
    } else {
        find(directing.guide, &Zero)?
    };
    let Directions { mut end, way, is_shortest, counts, .. } = directions;
    if let (Some(kind), End::Exhausted) = (without_value.get(), end) {
        end = End::Incomplete(Incomplete::Proposition(kind));
    }
    let run = way.map(|way| Run { prefix: way.moves, cycle: Vec::new(), is_infinite: false });
    Ok((Answer { end, run, counts, has_endless: false, time: started.elapsed() }, is_shortest))
}

#[cfg(test)]
mod tests {
    use stubborn_ir::{ClaimEdge, ClaimState};

    use super::*;

    /// `do :: true :: true -> break od`, with an accept label at the loop or without.
    fn loops_or_ends(accepting: bool) -> ClaimAutomaton {
        let edge = |target| ClaimEdge { literals: [].into(), unless: [].into(), target };
        let first = ClaimState { accepting, is_final: false, edges: vec![edge(0), edge(1)] };
        let last = ClaimState { is_final: true, ..ClaimState::default() };
        ClaimAutomaton { initial: 0, states: vec![first, last], propositions: Vec::new() }
    }

    #[test]
    fn a_claim_that_accepts_what_stays_is_no_invariant() {
        assert!(is_invariant(&loops_or_ends(false)));
        assert!(!is_invariant(&loops_or_ends(true)));
        assert!(refusal(&loops_or_ends(true), Guide::AStar).is_some());
    }
}
