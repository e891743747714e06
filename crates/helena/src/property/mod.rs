//! Propositions and properties as expressions over the state of a model.
//!
//! After grounding every place has a finite list of tokens that may be there. A proposition is evaluated as far as it
//! can be for each of them, and what is left is an expression over how many of each there are: `exists (t in p | c)` is
//! the disjunction, over the tokens `t` of which `c` holds, of "`t` is there". Semantics of iterators: language
//! reference, section 2.8.17; `card` counts distinct tokens, `mult` counts all.
//!
//! A value that is computed from a marking is not compared with the bounds of its type. An expression that is undefined
//! for a token is a division by zero, evaluated only when that token is there.

mod expr;
mod iterate;
mod partial;
mod symbolic;

use std::sync::Arc;

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_ir::{BinaryOp, Claim, ClaimBody, ClaimKind, Expr, TemporalClaim};
use stubborn_nets::{Lowered, PlaceId, Value};

use crate::check::{Checked, Condition};
use crate::code::Context;
use partial::{Partial, Stop, Writer};

/// What there is to know of the markings of a model.
pub trait Marking {
    /// The tokens that may be in a place at some time, each with how many there are.
    fn tokens(&self, place: PlaceId) -> Vec<(Value, Expr)>;

    /// How many tokens of a place that are wanted there are.
    fn count(&self, place: PlaceId, wanted: &mut dyn FnMut(&Value) -> bool) -> Expr {
        let tokens = self.tokens(place).into_iter().filter(|(value, _)| wanted(value));
        stubborn_ir::balanced(BinaryOp::Add, tokens.map(|(_, amount)| amount).collect())
            .unwrap_or(Expr::Const(0))
    }
}

impl Marking for Lowered {
    fn tokens(&self, place: PlaceId) -> Vec<(Value, Expr)> {
        Lowered::tokens(self, place).map(|(value, amount)| (value.clone(), amount)).collect()
    }

    fn count(&self, place: PlaceId, wanted: &mut dyn FnMut(&Value) -> bool) -> Expr {
        Lowered::count(self, place, wanted)
    }
}

/// All properties of a net.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Properties {
    /// Properties of states.
    pub states: Vec<StateProperty>,
    /// Properties of runs, each with its place among all properties.
    pub claims: Vec<(usize, Claim)>,
    /// Propositions that could not be written down, and why.
    pub failures: Vec<(Span, String)>,
}

/// A property of all states: none is rejected. A state is rejected if all of `reject` hold in it and none of `accept`;
/// there is one condition in `reject`, unless it could not be read.
#[derive(Clone, PartialEq, Debug)]
pub struct StateProperty {
    /// Its name.
    pub name: SmolStr,
    /// Where it stands.
    pub span: Span,
    /// Its place among all properties.
    pub index: usize,
    /// What is rejected.
    pub reject: Vec<StateCondition>,
    /// What is accepted all the same.
    pub accept: Vec<StateCondition>,
}

/// What holds or not in a state.
#[derive(Clone, PartialEq, Debug)]
pub enum StateCondition {
    /// No transition can fire.
    Deadlock,
    /// The expression is not 0.
    Holds(Expr),
    /// It could not be written down, and why.
    Unknown(String),
}

/// The properties of a net, over the markings of its model.
pub(crate) fn properties(checked: &Checked, context: &Arc<Context>, marking: &dyn Marking) -> Properties {
    let mut found = Properties::default();
    let mut written: Vec<Option<Result<Expr, String>>> = vec![None; checked.propositions.len()];
    let mut proposition = |i: usize, failures: &mut Vec<(Span, String)>| {
        written[i]
            .get_or_insert_with(|| {
                let def = &checked.propositions[i];
                let result = match &def.body {
                    Some(body) => Writer::new(context, marking).proposition(body, def.n_locals),
                    None => Err("it could not be read".to_owned()),
                };
                if let Err(why) = &result {
                    failures.push((def.name.span, why.clone()));
                }
                result
            })
            .clone()
    };
    for def in &checked.states {
        let mut conditions = |conditions: &[Condition]| {
            let condition = |condition: &Condition| match condition {
                Condition::Deadlock => StateCondition::Deadlock,
                Condition::Proposition(i) => match proposition(*i, &mut found.failures) {
                    Ok(expr) => StateCondition::Holds(expr),
                    Err(why) => StateCondition::Unknown(why),
                },
            };
            conditions.iter().map(condition).collect()
        };
        let (reject, accept) = (conditions(&def.reject), conditions(&def.accept));
        let (name, span) = (def.name.name.clone(), def.name.span);
        found.states.push(StateProperty { name, span, index: def.index, reject, accept });
    }
    for def in &checked.formulas {
        let propositions = def.propositions.iter().map(|i| proposition(*i, &mut found.failures));
        let body = match propositions.collect::<Result<Vec<Expr>, String>>() {
            Ok(propositions) => ClaimBody::Formula(TemporalClaim {
                formula: def.formula.clone(),
                propositions,
                extends_finite_runs: true,
            }),
            Err(why) => ClaimBody::Unchecked(why),
        };
        let (name, span) = (def.name.name.clone(), def.name.span);
        found.claims.push((def.index, Claim { name, kind: ClaimKind::Ltl, body, span }));
    }
    found
}

/// An expression over the markings of a model.
pub(crate) fn expression(
    node: &crate::code::Node,
    n_locals: usize,
    context: &Arc<Context>,
    marking: &dyn Marking,
) -> Result<Expr, String> {
    Writer::new(context, marking).proposition(node, n_locals)
}

impl Writer<'_> {
    /// A proposition as an expression over the state.
    fn proposition(&mut self, body: &crate::code::Node, n_locals: usize) -> Result<Expr, String> {
        let mut frame = vec![Partial::Known(Value::Int(0)); n_locals];
        match self.value(body, &mut frame) {
            Ok(value) => value.scalar().map_err(|stop| stop.to_string()),
            Err(Stop::Undefined(_)) => Ok(expr::fail()),
            Err(stop) => Err(stop.to_string()),
        }
    }
}
