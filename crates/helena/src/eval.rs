//! Evaluation of expressions.
//!
//! Values that a type does not have, divisions by zero, elements that a list does not have … are Helena's run-time
//! errors: [`Undefined`]. Invariants: an evaluation ends after [`MAX_STEPS`] at the latest, and is nested no deeper than
//! [`MAX_DEPTH`], so that it can neither run for ever nor exhaust the stack.

use stubborn_nets::{Expression, Undefined, Value, VariableId};

use crate::code::{Bound, Context, Index, Node, Range, Term};
use crate::ops::{arith, compare, part_of, replaced, set_of, set_op};
use crate::run::call;

/// Expressions and statements that one evaluation may look at.
const MAX_STEPS: u64 = 5_000_000;

/// How deep calls and expressions may be nested while they are evaluated.
const MAX_DEPTH: u32 = 1500;

/// The longest sequence that may be made.
pub(crate) const MAX_LENGTH: i64 = 10_000_000;

pub(crate) type Result<T = Value> = std::result::Result<T, Undefined>;

impl Expression for Term {
    fn variables(&self, found: &mut dyn FnMut(VariableId)) {
        fn walk(node: &Node, found: &mut dyn FnMut(VariableId)) {
            if let Node::Var(variable) = node {
                found(*variable);
            }
            node.children(&mut |child| walk(child, found));
        }
        walk(&self.node, found);
    }

    fn as_variable(&self) -> Option<VariableId> {
        match self.node {
            Node::Var(variable) => Some(variable),
            _ => None,
        }
    }

    fn eval(&self, variables: &[Value]) -> Result {
        Machine::new(&self.context, variables).eval(&self.node, &mut Vec::new())
    }
}

/// An evaluation under way.
pub(crate) struct Machine<'a> {
    pub(crate) context: &'a Context,
    variables: &'a [Value],
    steps: u64,
    depth: u32,
}

pub(crate) fn undefined<T>(message: impl Into<String>) -> Result<T> {
    Err(Undefined(message.into()))
}

pub(crate) fn truth(value: bool) -> Value {
    Value::Int(i64::from(value))
}

impl<'a> Machine<'a> {
    pub(crate) fn new(context: &'a Context, variables: &'a [Value]) -> Self {
        Machine { context, variables, steps: 0, depth: 0 }
    }

    /// Counts a step and a level; [`Machine::leave`] ends the level.
    pub(crate) fn enter(&mut self) -> Result<()> {
        self.steps += 1;
        self.depth += 1;
        if self.steps > MAX_STEPS {
            return undefined("the evaluation takes too long; is there an endless loop?");
        }
        if self.depth > MAX_DEPTH {
            return undefined("functions are nested too deeply; is there an endless recursion?");
        }
        Ok(())
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The value of an expression, where `frame` has the variables of the frame.
    pub(crate) fn eval(&mut self, node: &Node, frame: &mut Vec<Value>) -> Result {
        self.enter()?;
        let value = self.value(node, frame)?;
        self.leave();
        Ok(value)
    }

    pub(crate) fn int(&mut self, node: &Node, frame: &mut Vec<Value>) -> Result<i64> {
        match self.eval(node, frame)? {
            Value::Int(number) => Ok(number),
            Value::Seq(_) => undefined("a number is expected"),
        }
    }

    pub(crate) fn bool(&mut self, node: &Node, frame: &mut Vec<Value>) -> Result<bool> {
        Ok(self.int(node, frame)? != 0)
    }

    fn seq(&mut self, node: &Node, frame: &mut Vec<Value>) -> Result<std::sync::Arc<[Value]>> {
        match self.eval(node, frame)? {
            Value::Seq(values) => Ok(values),
            Value::Int(_) => undefined("a sequence is expected"),
        }
    }

    #[inline(never)]
    fn all(&mut self, nodes: &[Node], frame: &mut Vec<Value>) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(nodes.len());
        for node in nodes {
            values.push(self.eval(node, frame)?);
        }
        Ok(values)
    }

    /// What is evaluated often has no room of its own on the stack: calls may be nested deeply.
    fn value(&mut self, node: &Node, frame: &mut Vec<Value>) -> Result {
        match node {
            Node::Const(value) => Ok(value.clone()),
            Node::Constant(i) => self.constant(*i),
            Node::Var(variable) => Ok(self.variables[variable.0 as usize].clone()),
            Node::Local(local) => Ok(frame[*local as usize].clone()),
            Node::Check(ty, x) => {
                let value = self.eval(x, frame)?;
                self.context.types.check(*ty, value)
            }
            Node::Conditional(xs) => {
                let chosen = if self.bool(&xs[0], frame)? { &xs[1] } else { &xs[2] };
                self.eval(chosen, frame)
            }
            Node::Call(function, args) => {
                let args = self.all(args, frame)?;
                call(self, *function, args)
            }
            Node::Iterate(iterate) => self.iterate(iterate, frame),
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Compare(..) => {
                self.logical(node, frame).map(truth)
            }
            Node::Modulo(..) | Node::Neg(_) | Node::Circle { .. } | Node::Arith(..) => {
                self.number(node, frame).map(Value::Int)
            }
            _ => self.composite(node, frame),
        }
    }

    fn constant(&self, i: usize) -> Result {
        match &self.context.constants[i] {
            Some(value) => Ok(value.clone()),
            None => undefined("a constant has no value"),
        }
    }

    #[inline(never)]
    fn logical(&mut self, node: &Node, frame: &mut Vec<Value>) -> Result<bool> {
        match node {
            Node::Not(x) => Ok(!self.bool(x, frame)?),
            Node::And(xs) => Ok(self.bool(&xs[0], frame)? && self.bool(&xs[1], frame)?),
            Node::Or(xs) => Ok(self.bool(&xs[0], frame)? || self.bool(&xs[1], frame)?),
            Node::Compare(op, xs) => {
                let (x, y) = (self.eval(&xs[0], frame)?, self.eval(&xs[1], frame)?);
                Ok(compare(*op, &x, &y))
            }
            _ => self.bool(node, frame),
        }
    }

    #[inline(never)]
    fn number(&mut self, node: &Node, frame: &mut Vec<Value>) -> Result<i64> {
        match node {
            Node::Modulo(modulus, x) => Ok(self.int(x, frame)?.rem_euclid(*modulus)),
            Node::Neg(x) => Ok(-self.int(x, frame)?),
            Node::Circle { delta, low, card, of } => {
                let position = self.int(of, frame)? - low + delta;
                Ok(low + position.rem_euclid(*card))
            }
            Node::Arith(op, xs) => {
                let (x, y) = (self.int(&xs[0], frame)?, self.int(&xs[1], frame)?);
                arith(*op, x, y)
            }
            _ => self.int(node, frame),
        }
    }

    /// Structures, vectors, lists and sets.
    #[inline(never)]
    fn composite(&mut self, node: &Node, frame: &mut Vec<Value>) -> Result {
        match node {
            Node::Seq(xs) => Ok(Value::seq(self.all(xs, frame)?)),
            Node::Vector(xs, length) => {
                let mut values = self.all(xs, frame)?;
                if let Some(last) = values.last().cloned() {
                    values.resize(*length, last);
                }
                Ok(Value::seq(values))
            }
            Node::Set(xs) => Ok(set_of(self.all(xs, frame)?)),
            Node::Capacity(capacity, x) => {
                let values = self.seq(x, frame)?;
                if values.len() > *capacity {
                    let found = values.len();
                    return undefined(format!("{found} elements are more than the capacity of {capacity}"));
                }
                Ok(Value::Seq(values))
            }
            Node::Field(x, i) => Ok(self.seq(x, frame)?[*i].clone()),
            Node::Element(x, indices) => {
                let values = self.seq(x, frame)?;
                let at = self.position(indices, frame)?;
                Ok(values[at].clone())
            }
            Node::Item(xs, low) => {
                let values = self.seq(&xs[0], frame)?;
                let at = self.item(&xs[1], *low, values.len(), frame)?;
                Ok(values[at].clone())
            }
            Node::WithField(xs, i) => {
                let values = self.seq(&xs[0], frame)?;
                let new = self.eval(&xs[1], frame)?;
                Ok(replaced(&values, *i, new))
            }
            Node::WithElement(xs, indices) => {
                let values = self.seq(&xs[0], frame)?;
                let at = self.position(indices, frame)?;
                let new = self.eval(&xs[1], frame)?;
                Ok(replaced(&values, at, new))
            }
            Node::WithItem(xs, low) => {
                let values = self.seq(&xs[0], frame)?;
                let at = self.item(&xs[1], *low, values.len(), frame)?;
                let new = self.eval(&xs[2], frame)?;
                Ok(replaced(&values, at, new))
            }
            Node::Slice(xs, low) => {
                let values = self.seq(&xs[0], frame)?;
                let first = self.item(&xs[1], *low, values.len(), frame)?;
                let last = self.item(&xs[2], *low, values.len(), frame)?;
                Ok(Value::seq(values.get(first..=last).unwrap_or_default().iter().cloned()))
            }
            Node::Concat(xs) => {
                let (x, y) = (self.seq(&xs[0], frame)?, self.seq(&xs[1], frame)?);
                Ok(Value::seq(x.iter().chain(y.iter()).cloned()))
            }
            Node::SetOp(op, xs) => {
                let (x, y) = (self.seq(&xs[0], frame)?, self.seq(&xs[1], frame)?);
                Ok(set_op(*op, &x, &y))
            }
            Node::Member(xs) => {
                let x = self.eval(&xs[0], frame)?;
                Ok(truth(self.seq(&xs[1], frame)?.contains(&x)))
            }
            Node::Part(part, x) => part_of(*part, &self.seq(x, frame)?),
            Node::Interval(xs) => {
                let (low, high) = (self.int(&xs[0], frame)?, self.int(&xs[1], frame)?);
                if high - low > MAX_LENGTH {
                    return undefined(format!("{low} .. {high} has too many values"));
                }
                Ok(Value::seq((low..=high).map(Value::Int)))
            }
            _ => undefined("places can be looked at in propositions only"),
        }
    }

    /// Where an element of a vector stands.
    pub(crate) fn position(&mut self, indices: &[Index], frame: &mut Vec<Value>) -> Result<usize> {
        let mut position = 0;
        for index in indices {
            let value = self.int(&index.value, frame)? - index.low;
            if !(0..index.card).contains(&value) {
                return undefined(format!("there is no element with the index {}", value + index.low));
            }
            position = position * index.card + value;
        }
        Ok(position as usize)
    }

    /// Where an element of a list of some length stands.
    fn item(&mut self, index: &Node, low: i64, length: usize, frame: &mut Vec<Value>) -> Result<usize> {
        let index = self.int(index, frame)? - low;
        match usize::try_from(index) {
            Ok(index) if index < length => Ok(index),
            _ => undefined(format!("a list of {length} has no element with the index {}", index + low)),
        }
    }

    /// The values that a variable goes over.
    pub(crate) fn domain(
        &mut self,
        bound: &Bound,
        frame: &mut Vec<Value>,
    ) -> Result<std::sync::Arc<[Value]>> {
        match &bound.domain {
            Range::Each(node) => self.seq(node, frame),
            Range::Place(_) => undefined("places can be looked at in propositions only"),
        }
    }
}
