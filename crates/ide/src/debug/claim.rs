//! The claim that a counterexample violates, and how it comes to be violated along the way.
//!
//! An automaton accepts what violates the claim. It moves before each step of the run, by what holds there, and has
//! done so already inside an atomic run. Shown are its state before and after that move.

use stubborn_base::Idx;
use stubborn_check::relations::expression;
use stubborn_check::{Property, Trail, Watch, claim_automaton, watch};
use stubborn_ir::{ClaimAutomaton, ClaimBody, ClaimEdge, Literal, Model, Violation};
use stubborn_ltl::Proposition;

use super::{Debugger, Node, Route};

/// A claim, and an automaton along a run that violates it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watched {
    /// The claim's name and what it says.
    name: String,
    says: String,
    automaton: ClaimAutomaton,
    /// The propositions, in words.
    propositions: Vec<String>,
    watch: Watch,
}

impl Watched {
    /// What a trail violates; none if that is no claim about states.
    pub(super) fn new(model: &Model, property: &Property, trail: &Trail) -> Option<Self> {
        let claim = &model.claims[property.claim?];
        let automaton = claim_automaton(claim, &|| false)?;
        let watch = watch(model, &automaton, trail).ok()??;
        let propositions = automaton.propositions.iter().map(|p| expression(model, None, p));
        let propositions: Vec<String> = propositions.collect();
        let says = match &claim.body {
            ClaimBody::Formula(formula) => {
                let name = |proposition: Proposition| match &propositions[proposition.index()] {
                    text if text.contains(' ') => format!("({text})"),
                    text => text.clone(),
                };
                formula.formula.display(&name).to_string()
            }
            _ => "no run is accepted by the automaton".to_owned(),
        };
        Some(Watched { name: claim.name.to_string(), says, automaton, propositions, watch })
    }

    fn state(&self, state: u32) -> String {
        let kind = &self.automaton.states[state as usize];
        let mark = if kind.accepting || kind.is_final { " (accepting)" } else { "" };
        format!("{state}{mark}")
    }

    /// Where the automaton is, and goes; its edges are parts.
    fn stand(&self, position: usize, is_inside: bool) -> Node {
        let now = self.watch.state(position);
        let value = match is_inside {
            true => format!("{}, until the atomic run is over", self.state(now)),
            false => format!("{} → {}", self.state(now), self.state(self.watch.next(position))),
        };
        let edges = self.automaton.states[now as usize].edges.iter();
        let parts =
            edges.map(|edge| Node::plain(format!("→ {}", edge.target), self.condition(edge))).collect();
        Node { parts, ..Node::plain("automaton", value) }
    }

    fn condition(&self, edge: &ClaimEdge) -> String {
        let literal = |literal: &Literal| {
            let text = &self.propositions[literal.proposition as usize];
            match literal.holds {
                true => text.clone(),
                false if text.contains(' ') => format!("!({text})"),
                false => format!("!{text}"),
            }
        };
        match edge.literals.len() {
            0 => "always".to_owned(),
            _ => edge.literals.iter().map(literal).collect::<Vec<_>>().join(" && "),
        }
    }
}

impl Debugger<'_> {
    /// The claim that is violated: what it says, what of that holds here, and how far the violation is. Nothing where
    /// no counterexample of a claim is followed.
    pub fn claim(&mut self) -> Vec<Node> {
        let position = self.run.position();
        let is_inside = self.run.simulation().holder().is_some();
        let Some(route) = self.run.route() else { return Vec::new() };
        let Some(watched) = route.claim.clone() else { return Vec::new() };
        let cycle = tell_cycle(route, position);
        let mut nodes = vec![Node::plain(&watched.name, &watched.says)];
        for (text, proposition) in watched.propositions.iter().zip(&watched.automaton.propositions) {
            let value = match self.run.simulation().holds(proposition) {
                Ok(holds) => holds.to_string(),
                Err(kind) => kind.to_string(),
            };
            let expression = self.expressions.read(self.program, text, None).is_ok().then(|| text.clone());
            nodes.push(Node { expression, ..Node::plain(text, value) });
        }
        nodes.push(watched.stand(position, is_inside));
        nodes.push(Node::plain("cycle", cycle));
        nodes
    }
}

/// Where the run repeats.
fn tell_cycle(route: &Route, position: usize) -> String {
    let Route { prefix, cycle, .. } = *route;
    match (cycle, route.violation) {
        (0, Violation::InfiniteRun) => format!("the run stays for ever where it is after step {prefix}"),
        (0, _) => format!("none: after step {prefix}, no continuation is as it should be"),
        (_, _) if position < prefix => format!("begins after step {prefix}"),
        _ => {
            let inside = position - prefix;
            let (round, at) = (inside / cycle + 1, inside % cycle);
            format!("begins after step {prefix}; {at} of its {cycle} steps are done, round {round}")
        }
    }
}
