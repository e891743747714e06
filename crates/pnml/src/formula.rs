//! Formulas of the Model Checking Contest: what its property files say.
//!
//! Reference: the contest's property grammar (`http://mcc.lip6.fr/`). Invariant: a formula without temporal operators is
//! a [`Formula::State`], whose parts are [`StateFormula`]s; so the maximal ones are there to be seen.

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_nets::{PlaceId, TransId};

/// A property of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name: its id without the name of the net, such as `LTLCardinality-00`.
    pub name: SmolStr,
    /// From where it begins to the end of its id.
    pub span: Span,
    /// What it says.
    pub statement: Statement,
}

/// What a property says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// Some marking can be reached in which this holds.
    Reachable(StateFormula),
    /// This holds in all markings that can be reached.
    Invariant(StateFormula),
    /// This holds of all runs.
    Ltl(Formula),
}

/// A formula about runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// Holds of the first marking.
    State(StateFormula),
    /// Does not hold.
    Not(Box<Formula>),
    /// All hold.
    And(Vec<Formula>),
    /// One holds.
    Or(Vec<Formula>),
    /// Exactly one of the two holds.
    ExclusiveOr(Box<[Formula; 2]>),
    /// If the first holds, so does the second.
    Implies(Box<[Formula; 2]>),
    /// Both hold or none.
    Equivalent(Box<[Formula; 2]>),
    /// Holds after the next step.
    Next(Box<Formula>),
    /// Holds from now on.
    Globally(Box<Formula>),
    /// Holds at some time.
    Finally(Box<Formula>),
    /// The second holds at some time, and the first up to then.
    Until(Box<[Formula; 2]>),
}

/// A formula about a marking.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StateFormula {
    /// Always, or never.
    Constant(bool),
    /// The first number is not greater than the second.
    AtMost(Number, Number),
    /// One of the transitions can fire, in some way.
    Fireable(Vec<TransId>),
    /// No transition can fire.
    Deadlock,
    /// Does not hold.
    Not(Box<StateFormula>),
    /// All hold.
    And(Vec<StateFormula>),
    /// One holds.
    Or(Vec<StateFormula>),
    /// Exactly one of the two holds.
    ExclusiveOr(Box<[StateFormula; 2]>),
    /// If the first holds, so does the second.
    Implies(Box<[StateFormula; 2]>),
    /// Both hold or none.
    Equivalent(Box<[StateFormula; 2]>),
}

/// A number in a marking.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    /// A number.
    Constant(i32),
    /// How many tokens there are, of all colours, in these places together.
    Tokens(Vec<PlaceId>),
    /// All of these together.
    Sum(Vec<Number>),
    /// The first without the others.
    Difference(Vec<Number>),
}

impl Formula {
    /// It, if it is about the first marking only.
    pub fn as_state(&self) -> Option<&StateFormula> {
        match self {
            Formula::State(state) => Some(state),
            _ => None,
        }
    }

    /// The negation.
    pub(crate) fn negated(self) -> Formula {
        match self {
            Formula::State(state) => Formula::State(StateFormula::Not(Box::new(state))),
            other => Formula::Not(Box::new(other)),
        }
    }

    /// All together, or one of them; those about the first marking only become one.
    pub(crate) fn several(operands: Vec<Formula>, is_and: bool) -> Formula {
        let mut states = Vec::new();
        let mut others = Vec::new();
        for operand in operands {
            match operand {
                Formula::State(state) => states.push(state),
                other => others.push(other),
            }
        }
        let state = match (states.len(), is_and) {
            (1, _) => states.pop(),
            (_, true) => Some(StateFormula::And(states)),
            (_, false) => Some(StateFormula::Or(states)),
        };
        match state {
            Some(state) if others.is_empty() => Formula::State(state),
            Some(StateFormula::And(states) | StateFormula::Or(states)) if states.is_empty() => {
                if is_and {
                    Formula::And(others)
                } else {
                    Formula::Or(others)
                }
            }
            state => {
                let mut all: Vec<Formula> = state.into_iter().map(Formula::State).collect();
                all.append(&mut others);
                if is_and { Formula::And(all) } else { Formula::Or(all) }
            }
        }
    }

    /// An operator of two operands, of markings if both are of markings.
    pub(crate) fn pair(
        operands: [Formula; 2],
        of_states: fn(Box<[StateFormula; 2]>) -> StateFormula,
        of_runs: fn(Box<[Formula; 2]>) -> Formula,
    ) -> Formula {
        match operands {
            [Formula::State(left), Formula::State(right)] => {
                Formula::State(of_states(Box::new([left, right])))
            }
            operands => of_runs(Box::new(operands)),
        }
    }
}
