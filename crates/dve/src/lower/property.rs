//! What a model states: assertions of states, and the property process.
//!
//! A property process moves with every step of the system, by a transition whose guard holds in the state that the
//! step leaves; where the system cannot move at all, it moves alone, so that a run that ends stays in its last state
//! for ever. The property holds if no run passes its accepting states again and again. That is what a claim automaton
//! does, as long as the property has nothing but states and guards.
//!
//! An assertion of a state must hold whenever its process is there, not only when it comes there: a formula says so.

use smol_str::format_smolstr;
use stubborn_base::Diagnostic;
use stubborn_ir::{
    self as ir, Claim, ClaimAutomaton, ClaimBody, ClaimEdge, ClaimKind, ClaimState, LocationId, Propositions,
    TemporalClaim,
};
use stubborn_ltl::Formula;

use super::expr::{Lower, conjuncts, located};
use super::process::{listed, start, steps};
use crate::ast;

/// The property process as a claim.
pub(crate) fn property(lower: &mut Lower<'_>, index: usize, process: &ast::Process) -> Claim {
    let initial = start(lower.names, index, process, lower.diagnostics);
    let accept = listed(lower.names, index, &process.accept, lower.diagnostics);
    let steps = steps(lower.names, index, process, lower.diagnostics);
    let mut propositions = Propositions::default();
    let mut states: Vec<ClaimState> = process.states.iter().map(|_| ClaimState::default()).collect();
    for location in accept {
        states[usize::from(location.0)].accepting = true;
    }
    for step in &steps {
        let mut guards = Vec::new();
        for guard in &step.tree.guards {
            conjuncts(lower.expr(guard), &mut guards);
        }
        if let Some(literals) = propositions.conjunction(guards) {
            let target = u32::from(step.to.0);
            let edge = ClaimEdge { literals: literals.into(), unless: Box::new([]), target };
            states[usize::from(step.from.0)].edges.push(edge);
        }
    }
    let body = match obstacle(process) {
        Some((why, span)) => {
            let message = format!("property `{}` is not checked: {why}", process.name.name);
            lower.diagnostics.push(Diagnostic::warning("not-supported", span, message));
            ClaimBody::Unchecked(why.to_owned())
        }
        None => {
            let initial = u32::from(initial.0);
            ClaimBody::Automaton(ClaimAutomaton { initial, states, propositions: propositions.0 })
        }
    };
    let (name, span) = (process.name.name.clone(), process.name.span);
    Claim { name, kind: ClaimKind::Never, body, span }
}

/// What a claim automaton cannot do.
fn obstacle(process: &ast::Process) -> Option<(&'static str, stubborn_base::Span)> {
    let variables = process.declarations.iter().find_map(|declaration| match declaration {
        ast::Declaration::Variables(v) if !v.is_const => Some(("it has variables of its own", v.span)),
        _ => None,
    });
    let transition = |t: &ast::Transition| {
        let sync = t.sync.as_ref().map(|sync| ("it synchronises on a channel", sync.span));
        sync.or_else(|| t.effects.first().map(|effect| ("it sets variables", effect.span)))
    };
    variables.or_else(|| process.transitions.iter().find_map(transition))
}

/// The assertions of a process as claims.
pub(crate) fn assertions(lower: &mut Lower<'_>, index: usize, process: &ast::Process) -> Vec<Claim> {
    let mut claims = Vec::new();
    for assertion in &process.assertions {
        let location = lower.names.state(index, &assertion.state, lower.diagnostics);
        let condition = lower.expr(&assertion.condition);
        let Some((location, id)) = location.zip(lower.names.processes[index].id) else { continue };
        claims.push(Claim {
            name: format_smolstr!("assert {}.{}", process.name.name, assertion.state.name),
            kind: ClaimKind::Ltl,
            body: ClaimBody::Formula(invariant(id, location, condition)),
            span: assertion.span,
        });
    }
    claims
}

/// Whenever a process is at a location, a condition holds.
fn invariant(process: ir::ProcessTypeId, location: LocationId, condition: ir::Expr) -> TemporalClaim {
    let formula = Formula::atom(0).implies(Formula::atom(1)).always();
    TemporalClaim {
        formula,
        propositions: vec![located(process, location), condition],
        extends_finite_runs: true,
    }
}
