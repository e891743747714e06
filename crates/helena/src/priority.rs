//! Priorities that depend on the marking : a firing is possible only in markings where
//! no other one that could happen has a higher priority.
//!
//! Priorities that are the same in every marking are left to [`stubborn_nets::lower`]. As soon as one is not, all of
//! them are compared here, when the tokens are known: for each pair of firings, that the other one cannot happen, or that
//! its priority is not higher, is one more guard.

use std::sync::Arc;

use stubborn_base::{Diagnostic, Span};
use stubborn_ir::{BinaryOp, Expr, TransitionId};
use stubborn_nets::Lowered;

use crate::check::Checked;
use crate::code::Context;
use crate::property::expression;

/// So many pairs of firings are compared.
const MAX_PAIRS: usize = 1 << 20;

/// Whether some priority is not the same in every marking.
pub(crate) fn depends_on_marking(checked: &Checked) -> bool {
    checked.transitions.iter().filter_map(|t| t.priority.as_ref()).any(|priority| priority.looks_at_places())
}

/// A firing with its priority.
struct Ranked {
    firing: TransitionId,
    priority: Expr,
}

/// What firings ask for besides tokens, because of priorities that depend on the marking.
pub(crate) fn guards(
    checked: &Checked,
    context: &Arc<Context>,
    lowered: &Lowered,
) -> Result<Vec<(TransitionId, Expr)>, Box<Diagnostic>> {
    if !depends_on_marking(checked) {
        return Ok(Vec::new());
    }
    let ranked = ranked(checked, context, lowered)?;
    let mut guards = Vec::new();
    for this in &ranked {
        for other in ranked.iter().filter(|other| other.firing != this.firing) {
            let is_possible = lowered.is_possible(other.firing);
            let guard = match (&other.priority, &this.priority) {
                (Expr::Const(other), Expr::Const(this)) if other <= this => continue,
                (Expr::Const(_), Expr::Const(_)) => is_possible.not(),
                (other, this) => {
                    let is_lower = Expr::binary(BinaryOp::Le, other.clone(), this.clone());
                    Expr::binary(BinaryOp::Or, is_possible.not(), is_lower)
                }
            };
            guards.push((this.firing, guard));
        }
    }
    Ok(guards)
}

/// All firings, with their priorities over the marking.
fn ranked(
    checked: &Checked,
    context: &Arc<Context>,
    lowered: &Lowered,
) -> Result<Vec<Ranked>, Box<Diagnostic>> {
    let mut ranked = Vec::new();
    for (id, t) in checked.transitions.iter_enumerated() {
        for (binding, firing) in lowered.firings(id) {
            let priority = match &t.priority {
                None => Expr::Const(0),
                Some(priority) => {
                    let node = priority.node.clone().with_variables(binding);
                    let failed =
                        |why| too_large(priority.span, &format!("this priority cannot be followed: {why}"));
                    expression(&node, priority.n_locals, context, lowered).map_err(failed)?
                }
            };
            ranked.push(Ranked { firing, priority });
            if ranked.len().saturating_mul(ranked.len()) > MAX_PAIRS {
                let span = t.priority.as_ref().map_or(t.name.span, |priority| priority.span);
                let message = "there are too many firings to compare priorities that depend on the marking";
                return Err(too_large(span, message));
            }
        }
    }
    Ok(ranked)
}

fn too_large(span: Span, message: &str) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error("too-large", span, message);
    Box::new(diagnostic.help("a priority that is the same in every marking costs nothing"))
}
