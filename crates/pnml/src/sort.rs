//! Sorts: what tokens and variables can be.
//!
//! Reference: ISO/IEC 15909-2, symmetric nets: dots, booleans, enumerations, ranges of integers, products, partitions.
//! Invariant: a value of a simple sort is a [`Value::Int`] (0 for the dot, the position for an enumeration and for a
//! partition's elements, the number itself for a range), one of a product a [`Value::Seq`]. Enumerations and
//! partitions are the same only if they are the same declaration; other sorts if they look the same.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use smol_str::SmolStr;
use stubborn_nets::{Notation, Value, render_tuple};

/// A sort with more values than this is not enumerated.
pub(crate) const MAX_VALUES: usize = 1 << 20;

/// Parts that a product may have, those of its parts included: so that recursion over a sort ends well.
pub(crate) const MAX_PARTS: usize = 1000;

/// A sort.
#[derive(Clone, Debug)]
pub(crate) struct Sort {
    kind: Arc<Kind>,
    /// How many sorts it is made of, itself included.
    n_parts: usize,
}

/// What a sort is made of.
#[derive(Debug)]
pub(crate) enum Kind {
    /// The sort of tokens that cannot be told apart.
    Dot,
    /// False and true.
    Bool,
    /// Names.
    Enumeration {
        /// Which declaration it comes from.
        number: usize,
        /// Its values.
        names: Vec<SmolStr>,
    },
    /// Numbers, the last included.
    Range(i64, i64),
    /// Tuples.
    Product(Vec<Sort>),
    /// The elements of a partition.
    Partition {
        /// Which declaration it comes from.
        number: usize,
        /// What is partitioned.
        of: Sort,
        /// The names of its elements.
        names: Vec<SmolStr>,
        /// Which element a value is in.
        element_of: Arc<BTreeMap<i64, i64>>,
    },
    /// Some values of a simple sort: an element of a partition, used as a sort.
    Subset {
        /// That sort.
        of: Sort,
        /// The values, in order.
        values: Vec<i64>,
    },
}

impl Sort {
    /// A sort of that kind.
    pub(crate) fn new(kind: Kind) -> Sort {
        let n_parts = match &kind {
            Kind::Product(parts) => parts.iter().fold(1, |n: usize, part| n.saturating_add(part.n_parts)),
            _ => 1,
        };
        Sort { kind: Arc::new(kind), n_parts }
    }

    /// Whether it is made of more parts than a sort may be.
    pub(crate) fn is_too_large(&self) -> bool {
        self.n_parts > MAX_PARTS
    }

    /// What it is made of.
    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Itself, or what it is a part of.
    pub(crate) fn whole(&self) -> &Sort {
        match self.kind() {
            Kind::Subset { of, .. } => of.whole(),
            _ => self,
        }
    }

    /// Whether its values are numbers, not tuples.
    pub(crate) fn is_simple(&self) -> bool {
        !matches!(self.whole().kind(), Kind::Product(_))
    }

    /// Whether values of one can stand where values of the other do.
    pub(crate) fn fits(&self, other: &Sort) -> bool {
        match (self.whole().kind(), other.whole().kind()) {
            (Kind::Dot, Kind::Dot) | (Kind::Bool, Kind::Bool) => true,
            (Kind::Enumeration { number: a, .. }, Kind::Enumeration { number: b, .. }) => a == b,
            (Kind::Partition { number: a, .. }, Kind::Partition { number: b, .. }) => a == b,
            (Kind::Range(first, last), Kind::Range(other_first, other_last)) => {
                (first, last) == (other_first, other_last)
            }
            (Kind::Product(parts), Kind::Product(others)) => {
                parts.len() == others.len() && parts.iter().zip(others).all(|(a, b)| a.fits(b))
            }
            _ => false,
        }
    }

    /// The first value and how many there are, for simple sorts.
    pub(crate) fn interval(&self) -> Option<(i64, i64)> {
        match self.whole().kind() {
            Kind::Dot => Some((0, 1)),
            Kind::Bool => Some((0, 2)),
            Kind::Enumeration { names, .. } | Kind::Partition { names, .. } => Some((0, names.len() as i64)),
            Kind::Range(first, last) => Some((*first, last.checked_sub(*first)?.checked_add(1)?)),
            Kind::Product(_) | Kind::Subset { .. } => None,
        }
    }

    /// Whether a number is a value of it.
    pub(crate) fn contains(&self, value: i64) -> bool {
        match self.kind() {
            Kind::Subset { values, .. } => values.contains(&value),
            _ => self.interval().is_some_and(|(first, n)| first <= value && value - first < n),
        }
    }

    /// How many values it has.
    fn size(&self) -> usize {
        match self.kind() {
            Kind::Subset { values, .. } => values.len(),
            Kind::Product(parts) => {
                parts.iter().fold(1, |size: usize, part| size.saturating_mul(part.size()))
            }
            _ => self.interval().map_or(usize::MAX, |(_, n)| usize::try_from(n).unwrap_or(usize::MAX)),
        }
    }

    /// Its values in ascending order; none if there are more than [`MAX_VALUES`].
    pub(crate) fn values(&self) -> Option<Vec<Value>> {
        if self.size() > MAX_VALUES {
            return None;
        }
        Some(match self.kind() {
            Kind::Subset { values, .. } => values.iter().copied().map(Value::Int).collect(),
            Kind::Product(parts) => {
                let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
                for part in parts {
                    let values = part.values()?;
                    let longer = |tuple: &Vec<Value>, value: &Value| {
                        [&tuple[..], std::slice::from_ref(value)].concat()
                    };
                    tuples = tuples.iter().flat_map(|t| values.iter().map(|v| longer(t, v))).collect();
                }
                tuples.into_iter().map(Value::seq).collect()
            }
            _ => {
                let (first, n) = self.interval()?;
                (first..first + n).map(Value::Int).collect()
            }
        })
    }

    /// The components of a token of this sort: those of a product, none for the dot.
    pub(crate) fn components(&self) -> Vec<Sort> {
        match self.whole().kind() {
            Kind::Dot => Vec::new(),
            Kind::Product(parts) => parts.clone(),
            _ => vec![self.clone()],
        }
    }

    /// Shows a value.
    pub(crate) fn show(&self, value: &Value) -> String {
        match (self.whole().kind(), value) {
            (Kind::Enumeration { names, .. } | Kind::Partition { names, .. }, Value::Int(position)) => {
                let name = usize::try_from(*position).ok().and_then(|at| names.get(at));
                name.map_or_else(|| position.to_string(), SmolStr::to_string)
            }
            (Kind::Dot, _) => "dot".to_owned(),
            (Kind::Bool, Value::Int(value)) => (*value != 0).to_string(),
            (Kind::Product(parts), Value::Seq(values)) => show_tuple(parts, values),
            (_, value) => format!("{value:?}"),
        }
    }

    /// Shows values.
    pub(crate) fn notation(&self) -> Notation {
        let sort = self.clone();
        Notation(Arc::new(move |value| sort.show(value)))
    }

    /// Shows tokens of places of this sort.
    pub(crate) fn token_notation(&self) -> Notation {
        let components = self.components();
        Notation(Arc::new(move |token| show_tuple(&components, token.as_seq().unwrap_or_default())))
    }
}

fn show_tuple(sorts: &[Sort], values: &[Value]) -> String {
    let shown: Vec<String> = sorts.iter().zip(values).map(|(sort, value)| sort.show(value)).collect();
    render_tuple(&shown)
}

impl fmt::Display for Sort {
    /// As it is spoken of in messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, names: &[SmolStr]| match names {
            [first, .., last] if names.len() > 3 => write!(f, "{{{first}, …, {last}}}"),
            names => write!(f, "{{{}}}", names.join(", ")),
        };
        match self.kind() {
            Kind::Dot => f.write_str("dot"),
            Kind::Bool => f.write_str("bool"),
            Kind::Enumeration { names, .. } | Kind::Partition { names, .. } => list(f, names),
            Kind::Range(first, last) => write!(f, "{first}..{last}"),
            Kind::Product(parts) => {
                let parts: Vec<String> = parts.iter().map(Sort::to_string).collect();
                f.write_str(&parts.join(" × "))
            }
            Kind::Subset { of, .. } => write!(f, "a part of {of}"),
        }
    }
}
