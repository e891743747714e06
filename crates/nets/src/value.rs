//! What tokens are made of.

use std::fmt;
use std::sync::Arc;

/// A value: a number, or a sequence of values. What it stands for (an enumeration, a structure, a list, a set in
/// ascending order …) is known to the front-end that made it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A number, or the position of a name in its enumeration.
    Int(i64),
    /// A tuple, a vector, a structure, a list or a set.
    Seq(Arc<[Value]>),
}

impl Value {
    /// A sequence.
    pub fn seq(values: impl IntoIterator<Item = Value>) -> Value {
        Value::Seq(values.into_iter().collect())
    }

    /// The number, if it is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            Value::Seq(_) => None,
        }
    }

    /// The values of a sequence, if it is one.
    pub fn as_seq(&self) -> Option<&[Value]> {
        match self {
            Value::Int(_) => None,
            Value::Seq(values) => Some(values),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(number) => number.fmt(f),
            Value::Seq(values) => f.debug_list().entries(values.iter()).finish(),
        }
    }
}

/// `(a, b)`, or nothing for the empty tuple.
pub fn render_tuple(components: &[impl fmt::Display]) -> String {
    if components.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = components.iter().map(ToString::to_string).collect();
    format!("({})", shown.join(", "))
}
