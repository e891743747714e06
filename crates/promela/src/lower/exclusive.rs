//! Which guards can never hold together, as far as their form shows.
//!
//! May err in one direction only: guards that are called exclusive are.

use stubborn_ir::{BinaryOp, Expr, UnaryOp};

/// Whether two conjunctions of guards cannot both hold.
pub(crate) fn are_exclusive(a: &[Expr], b: &[Expr]) -> bool {
    a.iter().any(|g| b.iter().any(|h| exclude_each_other(g, h)))
}

fn exclude_each_other(g: &Expr, h: &Expr) -> bool {
    if is_negation(g, h) || is_negation(h, g) || g.as_const() == Some(0) || h.as_const() == Some(0) {
        return true;
    }
    let (Expr::Binary(op1, operands1), Expr::Binary(op2, operands2)) = (g, h) else { return false };
    if operands1[0] != operands2[0] {
        return false;
    }
    if operands1[1] == operands2[1] {
        return are_opposite(*op1, *op2) || are_opposite(*op2, *op1);
    }
    match (values(*op1, &operands1[1]), values(*op2, &operands2[1])) {
        (Some((low1, high1)), Some((low2, high2))) => high1 < low2 || high2 < low1,
        _ => false,
    }
}

fn is_negation(g: &Expr, h: &Expr) -> bool {
    matches!(g, Expr::Unary(UnaryOp::Not, inner) if **inner == *h)
}

/// Whether no pair of values satisfies both comparisons.
fn are_opposite(a: BinaryOp, b: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!((a, b), (Lt, Ge | Gt | Eq) | (Gt, Le | Eq) | (Eq, Ne))
}

/// The values that satisfy a comparison with a constant, lowest and highest.
fn values(op: BinaryOp, bound: &Expr) -> Option<(i64, i64)> {
    let bound = i64::from(bound.as_const()?);
    match op {
        BinaryOp::Eq => Some((bound, bound)),
        BinaryOp::Lt => Some((i64::MIN, bound - 1)),
        BinaryOp::Le => Some((i64::MIN, bound)),
        BinaryOp::Gt => Some((bound + 1, i64::MAX)),
        BinaryOp::Ge => Some((bound, i64::MAX)),
        _ => None,
    }
}
