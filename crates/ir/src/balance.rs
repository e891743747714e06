//! Long sums and disjunctions as trees that are not deep.

use crate::expr::{BinaryOp, Expr};

/// All operands joined by an associative operator; none if there are none.
pub fn balanced(op: BinaryOp, mut operands: Vec<Expr>) -> Option<Expr> {
    while operands.len() > 1 {
        let mut next = Vec::with_capacity(operands.len().div_ceil(2));
        let mut operands_left = operands.into_iter();
        while let Some(left) = operands_left.next() {
            next.push(match operands_left.next() {
                Some(right) => Expr::binary(op, left, right),
                None => left,
            });
        }
        operands = next;
    }
    operands.pop()
}
