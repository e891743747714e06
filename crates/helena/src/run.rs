//! Evaluation of functions, statement by statement, and of iterators.

use stubborn_nets::Value;

use crate::ast::Quantifier;
use crate::code::{Bound, FunctionId, Iterate, Node, Stmt};
use crate::eval::{Machine, Result, undefined};

/// The result of a function. Values that variables have before they are set are the first of their types.
#[inline(never)]
pub(crate) fn call(machine: &mut Machine<'_>, id: FunctionId, args: Vec<Value>) -> Result {
    let function = &machine.context.functions[id.0 as usize];
    let Some(body) = &function.body else {
        return undefined(format!("the function `{}` has no body", function.name));
    };
    let mut frame = args;
    frame.resize(function.n_locals, Value::Int(0));
    match machine.run(body, &mut frame)? {
        Some(value) => Ok(value),
        None => undefined(format!("the function `{}` ends without `return`", function.name)),
    }
}

impl Machine<'_> {
    /// Runs a statement; the result if it returns one.
    pub(crate) fn run(&mut self, stmt: &Stmt, frame: &mut Vec<Value>) -> Result<Option<Value>> {
        self.enter()?;
        let result = self.statement(stmt, frame)?;
        self.leave();
        Ok(result)
    }

    fn statement(&mut self, stmt: &Stmt, frame: &mut Vec<Value>) -> Result<Option<Value>> {
        match stmt {
            Stmt::Set(local, node) => {
                frame[*local as usize] = self.eval(node, frame)?;
                Ok(None)
            }
            Stmt::If(condition, then, otherwise) => match (self.bool(condition, frame)?, otherwise) {
                (true, _) => self.run(then, frame),
                (false, Some(otherwise)) => self.run(otherwise, frame),
                (false, None) => Ok(None),
            },
            Stmt::Case(node, alternatives, default) => {
                let chosen = match self.chosen(node, alternatives, frame)? {
                    Some(i) => Some(&alternatives[i].1),
                    None => default.as_deref(),
                };
                chosen.map_or(Ok(None), |stmt| self.run(stmt, frame))
            }
            Stmt::While(condition, body) => {
                while self.bool(condition, frame)? {
                    if let Some(result) = self.run(body, frame)? {
                        return Ok(Some(result));
                    }
                }
                Ok(None)
            }
            Stmt::For(bounds, body) => self.each(bounds, body, frame),
            Stmt::Return(node) => self.eval(node, frame).map(Some),
            Stmt::Assert(node) => match self.bool(node, frame)? {
                true => Ok(None),
                false => undefined("an assertion of a function does not hold"),
            },
            Stmt::Block(stmts) => {
                for stmt in stmts {
                    if let Some(result) = self.run(stmt, frame)? {
                        return Ok(Some(result));
                    }
                }
                Ok(None)
            }
        }
    }

    /// Which alternative a value chooses.
    #[inline(never)]
    fn chosen(
        &mut self,
        node: &Node,
        alternatives: &[(Value, Stmt)],
        frame: &mut Vec<Value>,
    ) -> Result<Option<usize>> {
        let value = self.eval(node, frame)?;
        Ok(alternatives.iter().position(|(wanted, _)| *wanted == value))
    }

    /// Runs a statement for all values of some variables; domains are evaluated once, where their variable's turn comes.
    #[inline(never)]
    fn each(&mut self, bounds: &[Bound], body: &Stmt, frame: &mut Vec<Value>) -> Result<Option<Value>> {
        let Some((first, rest)) = bounds.split_first() else { return self.run(body, frame) };
        for value in self.domain(first, frame)?.iter() {
            frame[first.local as usize] = value.clone();
            if let Some(result) = self.each(rest, body, frame)? {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }

    /// The value of an iterator that looks at no place.
    #[inline(never)]
    pub(crate) fn iterate(&mut self, iterate: &Iterate, frame: &mut Vec<Value>) -> Result {
        let mut values = Vec::new();
        self.collect(iterate, &iterate.vars, frame, &mut values)?;
        fold(iterate.quantifier, iterate.bounds, &values).map(Value::Int)
    }

    /// What is said, for all values of the variables that the condition allows.
    fn collect(
        &mut self,
        iterate: &Iterate,
        vars: &[Bound],
        frame: &mut Vec<Value>,
        found: &mut Vec<i64>,
    ) -> Result<()> {
        let Some((first, rest)) = vars.split_first() else {
            let holds = match &iterate.condition {
                Some(condition) => self.bool(condition, frame)?,
                None => true,
            };
            if holds {
                found.push(match &iterate.body {
                    Some(body) => self.int(body, frame)?,
                    None => 1,
                });
            }
            return Ok(());
        };
        for value in self.domain(first, frame)?.iter() {
            frame[first.local as usize] = value.clone();
            self.collect(iterate, rest, frame, found)?;
        }
        Ok(())
    }
}

/// What an iterator makes of all that was said. The most or least of nothing is the other end of the type, as in the
/// code that Helena generates; the reference leaves it open.
pub(crate) fn fold(quantifier: Quantifier, bounds: (i64, i64), values: &[i64]) -> Result<i64> {
    let sum = || values.iter().try_fold(0i64, |sum, v| sum.checked_add(*v));
    let product = || values.iter().try_fold(1i64, |product, v| product.checked_mul(*v));
    let result = match quantifier {
        Quantifier::Forall => Some(i64::from(values.iter().all(|v| *v != 0))),
        Quantifier::Exists => Some(i64::from(!values.is_empty())),
        Quantifier::Card | Quantifier::Mult => Some(values.len() as i64),
        Quantifier::Max => Some(values.iter().copied().max().unwrap_or(bounds.0)),
        Quantifier::Min => Some(values.iter().copied().min().unwrap_or(bounds.1)),
        Quantifier::Sum => sum(),
        Quantifier::Product => product(),
    };
    result.map_or_else(|| undefined("a number is too large"), Ok)
}
