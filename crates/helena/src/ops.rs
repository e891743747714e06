//! Operators on values.

use stubborn_nets::Value;

use crate::code::{Arith, Compare, Part, SetOp};
use crate::eval::{Result, truth, undefined};

pub(crate) fn arith(op: Arith, x: i64, y: i64) -> Result<i64> {
    if matches!(op, Arith::Div | Arith::Rem) && y == 0 {
        return undefined("division by zero");
    }
    let result = match op {
        Arith::Add => x.checked_add(y),
        Arith::Sub => x.checked_sub(y),
        Arith::Mul => x.checked_mul(y),
        Arith::Div => x.checked_div(y),
        Arith::Rem => x.checked_rem(y),
    };
    result.map_or_else(|| undefined("a number is too large"), Ok)
}

/// Sets are compared by inclusion, numbers by order.
pub(crate) fn compare(op: Compare, x: &Value, y: &Value) -> bool {
    let within = |x: &Value, y: &Value| match (x, y) {
        (Value::Int(x), Value::Int(y)) => x <= y,
        (Value::Seq(x), Value::Seq(y)) => x.iter().all(|value| y.binary_search(value).is_ok()),
        _ => false,
    };
    match op {
        Compare::Eq => x == y,
        Compare::Ne => x != y,
        Compare::Le => within(x, y),
        Compare::Ge => within(y, x),
        Compare::Lt => x != y && within(x, y),
        Compare::Gt => x != y && within(y, x),
    }
}

pub(crate) fn set_of(mut values: Vec<Value>) -> Value {
    values.sort();
    values.dedup();
    Value::seq(values)
}

pub(crate) fn set_op(op: SetOp, x: &[Value], y: &[Value]) -> Value {
    let has = |set: &[Value], value: &Value| set.binary_search(value).is_ok();
    match op {
        SetOp::Union => set_of(x.iter().chain(y).cloned().collect()),
        SetOp::Intersection => Value::seq(x.iter().filter(|v| has(y, v)).cloned()),
        SetOp::Difference => Value::seq(x.iter().filter(|v| !has(y, v)).cloned()),
    }
}

pub(crate) fn part_of(part: Part, values: &[Value]) -> Result {
    let name = match part {
        Part::Size => return Ok(Value::Int(values.len() as i64)),
        Part::IsEmpty => return Ok(truth(values.is_empty())),
        Part::First => "first element",
        Part::Last => "last element",
        Part::Prefix => "prefix",
        Part::Suffix => "suffix",
    };
    let n = values.len();
    match part {
        _ if values.is_empty() => undefined(format!("the empty list has no {name}")),
        Part::First => Ok(values[0].clone()),
        Part::Last => Ok(values[n - 1].clone()),
        Part::Prefix => Ok(Value::seq(values[..n - 1].iter().cloned())),
        _ => Ok(Value::seq(values[1..].iter().cloned())),
    }
}

pub(crate) fn replaced(values: &[Value], at: usize, new: Value) -> Value {
    let mut values: Vec<Value> = values.to_vec();
    values[at] = new;
    Value::seq(values)
}
