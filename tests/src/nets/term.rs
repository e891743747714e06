//! The expressions of nets by chance: enough to bind, compare and compute.

use std::fmt;

use stubborn_base::Idx;
use stubborn_nets::{Expression, Undefined, Value, VariableId};

/// An expression over variables whose values are numbers below some modulus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// A variable.
    Variable(usize),
    /// A number.
    Constant(i64),
    /// `x + 1`, modulo the last.
    Next(usize, i64),
    /// `x = y`
    Equal(usize, usize),
    /// `x != y`
    Differ(usize, usize),
    /// `x = c`
    Is(usize, i64),
    /// `x != c`
    IsNot(usize, i64),
}

const NAMES: [&str; 3] = ["x", "y", "z"];

impl Expression for Term {
    fn variables(&self, found: &mut dyn FnMut(VariableId)) {
        match *self {
            Term::Constant(_) => {}
            Term::Variable(v) | Term::Next(v, _) | Term::Is(v, _) | Term::IsNot(v, _) => {
                found(VariableId::new(v));
            }
            Term::Equal(v, w) | Term::Differ(v, w) => {
                found(VariableId::new(v));
                found(VariableId::new(w));
            }
        }
    }

    fn as_variable(&self) -> Option<VariableId> {
        match *self {
            Term::Variable(v) => Some(VariableId::new(v)),
            _ => None,
        }
    }

    fn eval(&self, variables: &[Value]) -> Result<Value, Undefined> {
        let value = |v: usize| variables[v].as_int().expect("values are numbers");
        Ok(Value::Int(match *self {
            Term::Variable(v) => value(v),
            Term::Constant(c) => c,
            Term::Next(v, n) => (value(v) + 1) % n,
            Term::Equal(v, w) => i64::from(value(v) == value(w)),
            Term::Differ(v, w) => i64::from(value(v) != value(w)),
            Term::Is(v, c) => i64::from(value(v) == c),
            Term::IsNot(v, c) => i64::from(value(v) != c),
        }))
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Term::Variable(v) => f.write_str(NAMES[v]),
            Term::Constant(c) => c.fmt(f),
            Term::Next(v, _) => write!(f, "succ {}", NAMES[v]),
            Term::Equal(v, w) => write!(f, "{} = {}", NAMES[v], NAMES[w]),
            Term::Differ(v, w) => write!(f, "{} != {}", NAMES[v], NAMES[w]),
            Term::Is(v, c) => write!(f, "{} = {c}", NAMES[v]),
            Term::IsNot(v, c) => write!(f, "{} != {c}", NAMES[v]),
        }
    }
}
