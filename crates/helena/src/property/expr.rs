//! Expressions over the state, with what is constant folded.

use stubborn_ir::{BinaryOp, Expr, balanced};

/// An expression that has no value: evaluating it is an error.
pub(super) fn fail() -> Expr {
    Expr::binary(BinaryOp::Div, Expr::Const(1), Expr::Const(0))
}

/// Whether it is 0 or 1.
pub(super) fn is_truth(expr: &Expr) -> bool {
    use BinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    match expr {
        Expr::Const(value) => matches!(value, 0 | 1),
        Expr::Binary(op, _) => matches!(op, Eq | Ne | Lt | Le | Gt | Ge | And | Or),
        Expr::Unary(op, _) => *op == stubborn_ir::UnaryOp::Not,
        _ => false,
    }
}

/// Whether a number of tokens is positive.
pub(super) fn positive(amount: Expr) -> Expr {
    match amount {
        Expr::Const(value) => Expr::Const(i32::from(value > 0)),
        amount if is_truth(&amount) => amount,
        amount => Expr::binary(BinaryOp::Gt, amount, Expr::Const(0)),
    }
}

pub(super) fn not(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const(i32::from(value == 0)),
        Expr::Unary(stubborn_ir::UnaryOp::Not, inner) if is_truth(&inner) => *inner,
        expr => expr.not(),
    }
}

/// All hold. Those that come later are evaluated only if those before hold.
pub(super) fn all(operands: Vec<Expr>) -> Expr {
    if operands.iter().any(|e| matches!(e, Expr::Const(0))) && !operands.contains(&fail()) {
        return Expr::Const(0);
    }
    let operands = operands.into_iter().filter(|e| !matches!(e, Expr::Const(value) if *value != 0));
    balanced(BinaryOp::And, operands.collect()).unwrap_or(Expr::Const(1))
}

/// At least one holds.
pub(super) fn any(operands: Vec<Expr>) -> Expr {
    if operands.iter().any(|e| matches!(e, Expr::Const(value) if *value != 0)) && !operands.contains(&fail())
    {
        return Expr::Const(1);
    }
    let operands = operands.into_iter().filter(|e| !matches!(e, Expr::Const(0)));
    balanced(BinaryOp::Or, operands.collect()).unwrap_or(Expr::Const(0))
}

pub(super) fn sum(operands: Vec<Expr>) -> Expr {
    let mut constant = 0i32;
    let mut rest = Vec::new();
    for operand in operands {
        match operand {
            Expr::Const(value) => constant = constant.wrapping_add(value),
            operand => rest.push(operand),
        }
    }
    if constant != 0 {
        rest.push(Expr::Const(constant));
    }
    balanced(BinaryOp::Add, rest).unwrap_or(Expr::Const(0))
}

pub(super) fn binary(op: BinaryOp, x: Expr, y: Expr) -> Expr {
    match (op, &x, &y) {
        (BinaryOp::Add | BinaryOp::Sub, _, Expr::Const(0)) => x,
        (BinaryOp::Add, Expr::Const(0), _) => y,
        (BinaryOp::Mul, _, Expr::Const(1)) => x,
        (BinaryOp::Mul, Expr::Const(1), _) => y,
        _ => Expr::binary(op, x, y),
    }
}

pub(super) fn conditional(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    match (&condition, &then, &otherwise) {
        (Expr::Const(0), _, _) => otherwise,
        (Expr::Const(_), _, _) => then,
        (_, Expr::Const(1), Expr::Const(0)) if is_truth(&condition) => condition,
        _ => Expr::Conditional(Box::new([condition, then, otherwise])),
    }
}
