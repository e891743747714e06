//! Whether a state can be reached: asked as the property that none is.
//!
//! The property that something is never true is violated by a run to a state where it is. It is a claim like those that
//! models state themselves, so everything that decides, reduces, shortens and shows these does the same for it.

use smol_str::format_smolstr;
use stubborn_base::Span;
use stubborn_ir::{Claim, ClaimBody, ClaimKind, Expr, TemporalClaim};
use stubborn_ltl::Formula;

/// The claim that an expression is never true. It is one of no process, as a front-end reads it outside of all of them;
/// `text` is how it is written, and `span` where.
pub fn never(text: &str, goal: Expr, span: Span) -> Claim {
    Claim {
        name: format_smolstr!("never {}", text.trim()),
        kind: ClaimKind::Ltl,
        body: ClaimBody::Formula(TemporalClaim {
            formula: Formula::atom(0).negated().always(),
            propositions: vec![goal],
            extends_finite_runs: true,
        }),
        span,
    }
}
