//! Texts in, model out: reading, grounding and lowering together.

use std::path::Path;
use std::sync::Arc;

use stubborn_base::outline::Outline;
use stubborn_base::{Diagnostic, Loader};
use stubborn_ir::{
    BinaryOp, Claim, ClaimBody, ClaimKind, Expr, Loaded, Model, Stated, TemporalClaim, balanced,
};
use stubborn_ltl::Formula;
use stubborn_nets::{Bounds, Limit, Lowered, Net, ground, lower};

use crate::code::Term;
use crate::outline::outline;
use crate::priority;
use crate::property::{Properties, StateCondition, StateProperty, properties};
use crate::read::{Read, read};

/// Reads a net and its properties. `defines` are values of its parameters.
pub fn load(path: &Path, text: Arc<str>, loader: &dyn Loader, defines: &[(String, String)]) -> Loaded {
    model_of(read(path, text, loader, defines))
}

/// Reads a net and its properties, and what an editor wants to know of their texts.
pub fn load_with_outline(
    path: &Path,
    text: Arc<str>,
    loader: &dyn Loader,
    defines: &[(String, String)],
) -> (Loaded, Outline) {
    let read = read(path, text, loader, defines);
    let outline = outline(&read.parsed, &read.sources);
    (model_of(read), outline)
}

/// The model of a net that was read.
fn model_of(read: Read) -> Loaded {
    let Read { sources, mut diagnostics, net, checked, .. } = read;
    let model = net.zip(checked).and_then(|(net, (checked, context))| {
        let lowered = match ground(&net, &Bounds::default()) {
            Ok(grounded) => lower(&net, &grounded),
            Err(limit) => {
                diagnostics.push(too_large(&net, limit));
                return None;
            }
        };
        let properties = properties(&checked, &context, &lowered);
        for (span, why) in &properties.failures {
            let message = format!("this proposition cannot be checked: {why}");
            diagnostics.push(Diagnostic::warning("unchecked", *span, message));
        }
        let (claims, no_dead_state) = claims(properties, &net, &lowered);
        let guards = match priority::guards(&checked, &context, &lowered) {
            Ok(guards) => guards,
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                return None;
            }
        };
        let mut model = Model { claims, no_dead_state, ..lowered.model };
        for (firing, guard) in guards {
            let guard = model.guards.push(guard);
            model.transitions[firing].guards.push(guard);
        }
        Some(model)
    });
    diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
    Loaded { sources, diagnostics, model }
}

fn too_large(net: &Net<Term>, limit: Limit) -> Diagnostic {
    let span = match limit {
        Limit::Tokens(place) => net.places[place].span,
        Limit::Firings(transition) | Limit::Work(transition) => net.transitions[transition].span,
    };
    let help = "give parameters smaller values, or types fewer values";
    Diagnostic::error("too-large", span, limit.to_string()).help(help)
}

/// Claims in the order of the text, and the properties which say only that no state is dead: that is asked of every
/// model, and needs no claim of its own.
fn claims(properties: Properties, net: &Net<Term>, lowered: &Lowered) -> (Vec<Claim>, Vec<Stated>) {
    let mut claims = properties.claims;
    let mut no_dead_state = Vec::new();
    for property in properties.states {
        if property.reject == [StateCondition::Deadlock] && property.accept.is_empty() {
            no_dead_state.push(Stated { name: property.name, span: property.span });
        } else {
            claims.push((property.index, state_claim(property, net, lowered)));
        }
    }
    claims.sort_by_key(|(index, _)| *index);
    (claims.into_iter().map(|(_, claim)| claim).collect(), no_dead_state)
}

/// Never is a state rejected.
fn state_claim(property: StateProperty, net: &Net<Term>, lowered: &Lowered) -> Claim {
    let expr = |condition: StateCondition| match condition {
        StateCondition::Deadlock => {
            let enabled = net.transitions.indices().map(|t| lowered.is_enabled(t, |_| true));
            let enabled = balanced(BinaryOp::Or, enabled.collect());
            Ok(enabled.unwrap_or(Expr::Const(0)).not())
        }
        StateCondition::Holds(expr) => Ok(expr),
        StateCondition::Unknown(why) => Err(why),
    };
    let reject: Result<Vec<Expr>, String> = property.reject.into_iter().map(expr).collect();
    let accept: Result<Vec<Expr>, String> =
        property.accept.into_iter().map(|condition| expr(condition).map(Expr::not)).collect();
    let rejected = reject.and_then(|reject| Ok(reject.into_iter().chain(accept?).collect()));
    let body = match rejected {
        Ok(parts) => ClaimBody::Formula(TemporalClaim {
            formula: Formula::atom(0).negated().always(),
            propositions: vec![balanced(BinaryOp::And, parts).unwrap_or(Expr::Const(0))],
            extends_finite_runs: true,
        }),
        Err(why) => ClaimBody::Unchecked(why),
    };
    Claim { name: property.name, kind: ClaimKind::Ltl, body, span: property.span }
}
