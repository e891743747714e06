//! Expressions over the variables of a transition.
//!
//! Reference: ISO/IEC 15909-2, terms of symmetric nets. Invariant: built only by [`crate::terms`] and [`crate::bag`]
//! from terms that have the sorts their places ask for, so that evaluation meets no value of a wrong shape; constants
//! are folded.

use std::collections::BTreeMap;
use std::sync::Arc;

use stubborn_nets::{Expression, Undefined, Value, VariableId};

use crate::bag::Bag;

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A variable of the transition.
    Variable(VariableId),
    /// A value.
    Constant(Value),
    /// A tuple.
    Tuple(Vec<Term>),
    /// The value so many positions further on, round and round.
    Shift {
        /// From where.
        term: Box<Term>,
        /// How many.
        by: i64,
        /// The first value of the sort.
        first: i64,
        /// How many it has.
        size: i64,
    },
    /// The element of a partition that a value is in.
    ElementOf(Box<Term>, Arc<BTreeMap<i64, i64>>),
    /// 1 if the two compare so, else 0.
    Compare(Comparison, Box<[Term; 2]>),
    /// 1 if it is 0, else 0.
    Not(Box<Term>),
    /// 0 if one is 0, else 1.
    And(Vec<Term>),
    /// 0 if all are 0, else 1.
    Or(Vec<Term>),
    /// A multiset, as a sequence of pairs of a token and a number.
    Multiset(Box<Bag>),
}

/// How two values compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    fn holds(self, left: &Value, right: &Value) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}

impl Term {
    /// 1 or 0.
    pub(crate) fn truth(holds: bool) -> Term {
        Term::Constant(Value::Int(i64::from(holds)))
    }

    /// The value, if it is a constant.
    pub(crate) fn as_constant(&self) -> Option<&Value> {
        match self {
            Term::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Itself, or the constant it is.
    pub(crate) fn folded(self) -> Term {
        let mut is_constant = true;
        self.variables(&mut |_| is_constant = false);
        match is_constant.then(|| self.eval(&[])) {
            Some(Ok(value)) => Term::Constant(value),
            _ => self,
        }
    }

    /// The terms it is a conjunction of.
    pub(crate) fn conjuncts(self) -> Vec<Term> {
        match self {
            Term::And(terms) => terms.into_iter().flat_map(Term::conjuncts).collect(),
            Term::Constant(Value::Int(1)) => Vec::new(),
            term => vec![term],
        }
    }

    fn holds(&self, variables: &[Value]) -> Result<bool, Undefined> {
        Ok(self.eval(variables)? != Value::Int(0))
    }
}

impl Expression for Term {
    fn variables(&self, found: &mut dyn FnMut(VariableId)) {
        match self {
            Term::Variable(variable) => found(*variable),
            Term::Constant(_) => {}
            Term::Tuple(terms) | Term::And(terms) | Term::Or(terms) => {
                terms.iter().for_each(|term| term.variables(found));
            }
            Term::Shift { term, .. } | Term::ElementOf(term, _) | Term::Not(term) => term.variables(found),
            Term::Compare(_, terms) => terms.iter().for_each(|term| term.variables(found)),
            Term::Multiset(bag) => bag.for_each_term(&mut |term| term.variables(found)),
        }
    }

    fn as_variable(&self) -> Option<VariableId> {
        match self {
            Term::Variable(variable) => Some(*variable),
            _ => None,
        }
    }

    fn eval(&self, variables: &[Value]) -> Result<Value, Undefined> {
        let truth = |holds: bool| Value::Int(i64::from(holds));
        let number = |term: &Term| {
            let value = term.eval(variables)?;
            value.as_int().ok_or_else(|| Undefined(format!("{value:?} is no number")))
        };
        Ok(match self {
            Term::Variable(variable) => {
                let value = variables.get(variable.0 as usize);
                value.cloned().ok_or_else(|| Undefined("a variable has no value".to_owned()))?
            }
            Term::Constant(value) => value.clone(),
            Term::Tuple(terms) => {
                let values: Result<Vec<Value>, Undefined> = terms.iter().map(|t| t.eval(variables)).collect();
                Value::seq(values?)
            }
            Term::Shift { term, by, first, size } => {
                Value::Int(first + (number(term)? - first + by).rem_euclid(*size))
            }
            Term::ElementOf(term, elements) => {
                let value = number(term)?;
                let element = elements.get(&value);
                Value::Int(
                    *element.ok_or_else(|| Undefined(format!("{value} is in no element of a partition")))?,
                )
            }
            Term::Compare(how, terms) => {
                truth(how.holds(&terms[0].eval(variables)?, &terms[1].eval(variables)?))
            }
            Term::Not(term) => truth(!term.holds(variables)?),
            Term::And(terms) => truth(every(terms, |term| term.holds(variables))?),
            Term::Or(terms) => truth(!every(terms, |term| Ok(!term.holds(variables)?))?),
            Term::Multiset(bag) => bag.value(variables)?,
        })
    }
}

/// Whether all hold, up to the first that does not.
fn every(terms: &[Term], mut holds: impl FnMut(&Term) -> Result<bool, Undefined>) -> Result<bool, Undefined> {
    for term in terms {
        if !holds(term)? {
            return Ok(false);
        }
    }
    Ok(true)
}
