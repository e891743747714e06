//! Which firings of a net change what a proposition says of its markings.
//!
//! A proposition is put together from comparisons of sums, such as of all tokens of a place, whose addends look at one
//! slot each. A firing whose changes of these addends come to nothing, such as one that moves a token within the place,
//! does not change the comparison. Finer than [`Relations::visible`] by cells; errs on the same side: what is not known
//! to change nothing may change something.

use hashbrown::HashMap;
use stubborn_ir::{BinaryOp, Expr, Place, Region, UnaryOp};

use super::Relations;
use crate::access::{Access, Cell, Test};
use crate::bits::Row;
use crate::direction::Over;
use crate::fault::Fault;
use crate::statement::Statement;

/// The addends of one sum by the slot they look at, with their factors.
pub(super) type Sum<'e> = HashMap<Cell, Vec<(i64, &'e Expr)>>;

impl Relations<'_> {
    /// The firings that may change a proposition; none if it is not of that form, or the model is no net.
    pub(super) fn visible_by_sums(&self, proposition: &Expr) -> Option<Over<Row>> {
        if !self.model.processes.iter().all(|process| process.is_stationary) {
            return None;
        }
        let mut sums = Vec::new();
        comparisons(proposition, &mut sums)?;
        let fault = self.fault;
        Some(Over::row(self.row_of(|id, _, statement| {
            sums.iter().any(|sum| difference(statement, sum, fault) != Some(0)).then_some(id)
        })))
    }
}

/// The sums whose values decide an expression; none if it is not of that form.
fn comparisons<'e>(expr: &'e Expr, sums: &mut Vec<Sum<'e>>) -> Option<()> {
    match expr {
        Expr::Unary(UnaryOp::Not, inner) => return comparisons(inner, sums),
        Expr::Binary(op, operands) => {
            let [left, right] = &**operands;
            match op {
                BinaryOp::And | BinaryOp::Or => {
                    comparisons(left, sums)?;
                    return comparisons(right, sums);
                }
                BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                    // `a < b` is decided by both, not by their difference: numbers wrap.
                    for side in [left, right] {
                        let mut sum = Sum::new();
                        add(side, 1, &mut sum)?;
                        sums.push(sum);
                    }
                    return Some(());
                }
                _ => {}
            }
        }
        _ => {}
    }
    let mut sum = Sum::new();
    add(expr, 1, &mut sum)?;
    sums.push(sum);
    Some(())
}

/// Adds an expression to a sum; none if it is none of addends that look at one slot each.
pub(super) fn add<'e>(expr: &'e Expr, factor: i64, sum: &mut Sum<'e>) -> Option<()> {
    match expr {
        Expr::Const(_) => return Some(()),
        Expr::Unary(UnaryOp::Neg, inner) => return add(inner, factor.checked_neg()?, sum),
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), operands) => {
            let [left, right] = &**operands;
            add(left, factor, sum)?;
            let sign = if *op == BinaryOp::Add { factor } else { factor.checked_neg()? };
            return add(right, sign, sum);
        }
        _ => {}
    }
    let mut cell = None;
    let mut is_one = true;
    expr.any(&mut |inner| {
        match inner {
            Expr::Load(Place { region: Region::Global, slot, indices }) if indices.is_empty() => {
                is_one &= *cell.get_or_insert(slot.offset) == slot.offset;
            }
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) => {}
            _ => is_one = false,
        }
        !is_one
    });
    let cell = cell.filter(|_| is_one)?;
    sum.entry(cell).or_default().push((factor, expr));
    Some(())
}

/// By how much a statement changes a sum; none if that is not known.
pub(super) fn difference(statement: &Statement, sum: &Sum<'_>, fault: Option<Fault>) -> Option<i64> {
    let mut difference = 0i64;
    for &(cell, access) in statement.accesses.iter().filter(|(_, access)| access.writes()) {
        for &(factor, addend) in sum.get(&cell).into_iter().flatten() {
            let by = match access {
                Access::Count(by) | Access::CountIfRoom(by) if matches!(addend, Expr::Load(_)) => {
                    i64::from(by)
                }
                Access::Set(new) => {
                    value(addend, new.into())? - value(addend, value_before(statement, cell)?)?
                }
                _ => return None,
            };
            let change = by.checked_mul(factor)?;
            if change > 0 && fault == Some(Fault::SumsWithoutPut) {
                continue;
            }
            difference = difference.checked_add(change)?;
        }
    }
    Some(difference)
}

/// The value that a slot has whenever a statement is possible, if it is always the same.
fn value_before(statement: &Statement, cell: Cell) -> Option<i64> {
    statement.tests.iter().flatten().find_map(|test| match test {
        Test::Values(own, ranges) if *own == cell => ranges.only().map(i64::from),
        _ => None,
    })
}

/// The value of an expression that looks at one slot, which has this value; none if it is not known.
fn value(expr: &Expr, of_slot: i64) -> Option<i64> {
    Some(match expr {
        Expr::Const(constant) => i64::from(*constant),
        Expr::Load(_) => of_slot,
        Expr::Unary(UnaryOp::Not, inner) => i64::from(value(inner, of_slot)? == 0),
        Expr::Unary(UnaryOp::Neg, inner) => -value(inner, of_slot)?,
        Expr::Binary(op, operands) => {
            let [left, right] = [value(&operands[0], of_slot)?, value(&operands[1], of_slot)?];
            match op {
                BinaryOp::And => i64::from(left != 0 && right != 0),
                BinaryOp::Or => i64::from(left != 0 || right != 0),
                BinaryOp::Eq => i64::from(left == right),
                BinaryOp::Ne => i64::from(left != right),
                BinaryOp::Lt => i64::from(left < right),
                BinaryOp::Le => i64::from(left <= right),
                BinaryOp::Gt => i64::from(left > right),
                BinaryOp::Ge => i64::from(left >= right),
                BinaryOp::Add => i64::from((left + right) as i32),
                BinaryOp::Sub => i64::from((left - right) as i32),
                _ => return None,
            }
        }
        _ => return None,
    })
}
