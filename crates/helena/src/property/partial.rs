//! Evaluation as far as it goes without knowing the marking.

use std::fmt;
use std::sync::Arc;

use stubborn_ir::{BinaryOp, Expr};
use stubborn_nets::{PlaceId, Undefined, Value};

use crate::code::{Arith, Compare, Context, Node, Range};
use crate::eval::Machine;
use crate::property::Marking;
use crate::property::expr::{all, any, binary, conditional, fail, is_truth, not, positive, sum};

/// So many expressions may be looked at for one proposition.
const MAX_WORK: usize = 4_000_000;

/// How deep functions may be nested.
const MAX_DEPTH: usize = 400;

/// A value, or how it is computed from the state.
#[derive(Clone, Debug)]
pub(super) enum Partial {
    Known(Value),
    State(Expr),
}

impl Partial {
    /// As an expression: a number or a truth value.
    pub(super) fn scalar(self) -> Result<Expr, Stop> {
        match self {
            Partial::State(expr) => Ok(expr),
            Partial::Known(Value::Int(number)) => match i32::try_from(number) {
                Ok(number) => Ok(Expr::Const(number)),
                Err(_) => Err(Stop::Unsupported("a number is too large".to_owned())),
            },
            Partial::Known(Value::Seq(_)) => {
                Err(Stop::Unsupported("lists, sets and the like cannot depend on the marking".to_owned()))
            }
        }
    }

    pub(super) fn of(expr: Expr) -> Partial {
        match expr {
            Expr::Const(value) => Partial::Known(Value::Int(i64::from(value))),
            expr => Partial::State(expr),
        }
    }
}

/// Why there is no value.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// It is an error to ask for it.
    Undefined(String),
    /// It cannot be written as an expression over the state.
    Unsupported(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Undefined(why) | Stop::Unsupported(why) => f.write_str(why),
        }
    }
}

impl From<Undefined> for Stop {
    fn from(undefined: Undefined) -> Self {
        Stop::Undefined(undefined.0)
    }
}

/// Writes propositions as expressions.
pub(super) struct Writer<'a> {
    pub(super) context: &'a Arc<Context>,
    pub(super) marking: &'a dyn Marking,
    work: usize,
    pub(super) depth: usize,
}

pub(super) type Frame = Vec<Partial>;

impl<'a> Writer<'a> {
    pub(super) fn new(context: &'a Arc<Context>, marking: &'a dyn Marking) -> Self {
        Writer { context, marking, work: 0, depth: 0 }
    }

    /// Counts some work.
    pub(super) fn spend(&mut self, work: usize) -> Result<(), Stop> {
        self.work += work;
        if self.work > MAX_WORK {
            return Err(Stop::Unsupported("it is too large when written over all tokens".to_owned()));
        }
        if self.depth > MAX_DEPTH {
            return Err(Stop::Unsupported("functions are nested too deeply".to_owned()));
        }
        Ok(())
    }

    /// Whether its value depends on the marking.
    fn depends(&self, node: &Node, frame: &Frame) -> bool {
        node.any(&|node| match node {
            Node::PlaceCard(_) | Node::PlaceMult(_) => true,
            Node::Iterate(iterate) => iterate.vars.iter().any(|var| matches!(var.domain, Range::Place(_))),
            Node::Local(local) => matches!(frame[*local as usize], Partial::State(_)),
            _ => false,
        })
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, node: &Node, frame: &mut Frame) -> Result<Partial, Stop> {
        self.spend(1)?;
        if !self.depends(node, frame) {
            let mut values: Vec<Value> = frame.iter().map(known_or_zero).collect();
            let value = Machine::new(self.context, &[]).eval(node, &mut values)?;
            return Ok(Partial::Known(value));
        }
        self.depth += 1;
        let value = self.dependent(node, frame);
        self.depth -= 1;
        value
    }

    pub(super) fn scalar(&mut self, node: &Node, frame: &mut Frame) -> Result<Expr, Stop> {
        self.value(node, frame)?.scalar()
    }

    /// A condition; one that is undefined fails when it is asked for.
    pub(super) fn condition(&mut self, node: &Node, frame: &mut Frame) -> Result<Expr, Stop> {
        match self.scalar(node, frame) {
            Err(Stop::Undefined(_)) => Ok(fail()),
            other => other,
        }
    }

    fn dependent(&mut self, node: &Node, frame: &mut Frame) -> Result<Partial, Stop> {
        let expr = match node {
            Node::Local(local) => return Ok(frame[*local as usize].clone()),
            Node::PlaceMult(place) => self.marking.count(*place, &mut |_| true),
            Node::PlaceCard(place) => self.distinct(*place, &mut |_| true),
            Node::Check(_, x) => return self.value(x, frame),
            Node::Modulo(modulus, x) => {
                let x = self.scalar(x, frame)?;
                let modulus = number(*modulus)?;
                let rest = binary(BinaryOp::Rem, x, modulus.clone());
                binary(BinaryOp::Rem, binary(BinaryOp::Add, rest, modulus.clone()), modulus)
            }
            Node::Neg(x) => {
                let x = self.scalar(x, frame)?;
                Expr::binary(BinaryOp::Sub, Expr::Const(0), x)
            }
            Node::Circle { delta, low, card, of } => {
                let x = self.scalar(of, frame)?;
                let shifted = binary(BinaryOp::Add, x, number(delta + card - low)?);
                binary(BinaryOp::Add, binary(BinaryOp::Rem, shifted, number(*card)?), number(*low)?)
            }
            Node::Arith(op, xs) => {
                let op = match op {
                    Arith::Add => BinaryOp::Add,
                    Arith::Sub => BinaryOp::Sub,
                    Arith::Mul => BinaryOp::Mul,
                    Arith::Div => BinaryOp::Div,
                    Arith::Rem => BinaryOp::Rem,
                };
                let (x, y) = (self.scalar(&xs[0], frame)?, self.scalar(&xs[1], frame)?);
                binary(op, x, y)
            }
            Node::Compare(op, xs) => {
                let op = match op {
                    Compare::Eq => BinaryOp::Eq,
                    Compare::Ne => BinaryOp::Ne,
                    Compare::Lt => BinaryOp::Lt,
                    Compare::Le => BinaryOp::Le,
                    Compare::Gt => BinaryOp::Gt,
                    Compare::Ge => BinaryOp::Ge,
                };
                let (x, y) = (self.scalar(&xs[0], frame)?, self.scalar(&xs[1], frame)?);
                Expr::binary(op, x, y)
            }
            Node::Not(x) => not(self.scalar(x, frame)?),
            Node::And(xs) => {
                let x = self.scalar(&xs[0], frame)?;
                if x == Expr::Const(0) { x } else { all(vec![x, self.condition(&xs[1], frame)?]) }
            }
            Node::Or(xs) => {
                let x = self.scalar(&xs[0], frame)?;
                let is_decided = matches!(x, Expr::Const(value) if value != 0);
                if is_decided { x } else { any(vec![x, self.condition(&xs[1], frame)?]) }
            }
            Node::Conditional(xs) => match self.scalar(&xs[0], frame)? {
                Expr::Const(0) => return self.value(&xs[2], frame),
                Expr::Const(_) => return self.value(&xs[1], frame),
                condition => {
                    let (x, y) = (self.condition(&xs[1], frame)?, self.condition(&xs[2], frame)?);
                    conditional(condition, x, y)
                }
            },
            Node::Call(function, args) => {
                let args: Result<Vec<Partial>, Stop> =
                    args.iter().map(|arg| self.value(arg, frame)).collect();
                return self.call(*function, args?);
            }
            Node::Iterate(iterate) => self.iterate(iterate, frame)?,
            _ => {
                let message = "lists, sets and the like cannot depend on the marking";
                return Err(Stop::Unsupported(message.to_owned()));
            }
        };
        Ok(Partial::of(expr))
    }

    /// How many distinct tokens of a place that are wanted there are.
    pub(super) fn distinct(&mut self, place: PlaceId, wanted: &mut dyn FnMut(&Value) -> bool) -> Expr {
        let mut single = Vec::new();
        let mut addends = Vec::new();
        for (token, amount) in self.marking.tokens(place) {
            if !wanted(&token) {
                continue;
            }
            if is_truth(&amount) {
                single.push(token);
            } else {
                addends.push(positive(amount));
            }
        }
        // Tokens of which there is at most one are counted, which can be said shorter.
        if !single.is_empty() {
            addends.push(self.marking.count(place, &mut |token| single.binary_search(token).is_ok()));
        }
        sum(addends)
    }
}

fn known_or_zero(part: &Partial) -> Value {
    match part {
        Partial::Known(value) => value.clone(),
        Partial::State(_) => Value::Int(0),
    }
}

pub(super) fn number(value: i64) -> Result<Expr, Stop> {
    Partial::Known(Value::Int(value)).scalar()
}
