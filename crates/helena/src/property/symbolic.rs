//! Functions of what depends on the marking: run on all paths, whose results are put together by their conditions.

use stubborn_ir::{BinaryOp, Expr};
use stubborn_nets::Value;

use crate::code::{Bound, FunctionId, Range, Stmt};
use crate::property::expr::conditional;
use crate::property::partial::{Frame, Partial, Stop, Writer, number};

/// What is still to be done.
#[derive(Clone)]
enum Task<'c> {
    Run(&'c Stmt),
    Bind(u32, Value),
    For(&'c [Bound], &'c Stmt),
}

impl Writer<'_> {
    /// The result of a function.
    pub(super) fn call(&mut self, id: FunctionId, args: Vec<Partial>) -> Result<Partial, Stop> {
        let context = self.context.clone();
        let function = &context.functions[id.0 as usize];
        let Some(body) = &function.body else {
            return Err(Stop::Undefined(format!("the function `{}` has no body", function.name)));
        };
        let mut frame: Frame = args;
        frame.resize(function.n_locals, Partial::Known(Value::Int(0)));
        self.depth += 1;
        let result = self.run(vec![Task::Run(body)], frame);
        self.depth -= 1;
        match result? {
            Some(value) => Ok(value),
            None => Err(Stop::Undefined(format!("the function `{}` ends without `return`", function.name))),
        }
    }

    /// Runs what is to be done, the last first.
    fn run(&mut self, mut todo: Vec<Task<'_>>, mut frame: Frame) -> Result<Option<Partial>, Stop> {
        while let Some(task) = todo.pop() {
            self.spend(1)?;
            let stmt = match task {
                Task::Run(stmt) => stmt,
                Task::Bind(local, value) => {
                    frame[local as usize] = Partial::Known(value);
                    continue;
                }
                Task::For(bounds, body) => {
                    self.unroll(bounds, body, &mut frame, &mut todo)?;
                    continue;
                }
            };
            match stmt {
                Stmt::Set(local, node) => frame[*local as usize] = self.value(node, &mut frame)?,
                Stmt::Block(stmts) => todo.extend(stmts.iter().rev().map(Task::Run)),
                Stmt::Return(node) => return self.value(node, &mut frame).map(Some),
                Stmt::For(bounds, body) => todo.push(Task::For(bounds, body)),
                Stmt::Assert(node) => {
                    if self.scalar(node, &mut frame)? == Expr::Const(0) {
                        return Err(Stop::Undefined("an assertion of a function does not hold".to_owned()));
                    }
                }
                Stmt::While(condition, body) => match self.scalar(condition, &mut frame)? {
                    Expr::Const(0) => {}
                    Expr::Const(_) => todo.extend([Task::Run(stmt), Task::Run(body)]),
                    _ => {
                        let message = "a loop whose end depends on the marking cannot be written down";
                        return Err(Stop::Unsupported(message.to_owned()));
                    }
                },
                Stmt::If(condition, then, otherwise) => {
                    let otherwise = otherwise.as_deref();
                    match self.scalar(condition, &mut frame)? {
                        Expr::Const(0) => todo.extend(otherwise.map(Task::Run)),
                        Expr::Const(_) => todo.push(Task::Run(then)),
                        condition => return self.fork(condition, Some(then), otherwise, todo, frame),
                    }
                }
                Stmt::Case(node, alternatives, default) => {
                    let value = self.value(node, &mut frame)?;
                    if let Partial::Known(value) = &value {
                        let chosen = alternatives.iter().find(|(v, _)| v == value).map(|(_, stmt)| stmt);
                        todo.extend(chosen.or(default.as_deref()).map(Task::Run));
                        continue;
                    }
                    return self.cases_of(value.scalar()?, alternatives, default.as_deref(), todo, frame);
                }
            }
        }
        Ok(None)
    }

    fn unroll<'c>(
        &mut self,
        bounds: &'c [Bound],
        body: &'c Stmt,
        frame: &mut Frame,
        todo: &mut Vec<Task<'c>>,
    ) -> Result<(), Stop> {
        let Some((first, rest)) = bounds.split_first() else {
            todo.push(Task::Run(body));
            return Ok(());
        };
        let Range::Each(node) = &first.domain else {
            return Err(Stop::Unsupported("functions do not look at places".to_owned()));
        };
        for value in self.known_values(node, frame)?.into_iter().rev() {
            todo.extend([Task::For(rest, body), Task::Bind(first.local, value)]);
        }
        Ok(())
    }

    /// Goes on with one statement or the other.
    fn fork<'c>(
        &mut self,
        condition: Expr,
        then: Option<&'c Stmt>,
        otherwise: Option<&'c Stmt>,
        todo: Vec<Task<'c>>,
        frame: Frame,
    ) -> Result<Option<Partial>, Stop> {
        self.depth += 1;
        self.spend(todo.len() + frame.len())?;
        let with = |stmt: Option<&'c Stmt>| -> Vec<Task<'c>> {
            todo.iter().cloned().chain(stmt.map(Task::Run)).collect()
        };
        let x = self.run(with(then), frame.clone())?;
        let y = self.run(with(otherwise), frame)?;
        self.depth -= 1;
        match (x, y) {
            (Some(x), Some(y)) => Ok(Some(Partial::of(conditional(condition, x.scalar()?, y.scalar()?)))),
            _ => Err(Stop::Undefined("a function ends without `return`".to_owned())),
        }
    }

    fn cases_of<'c>(
        &mut self,
        value: Expr,
        alternatives: &'c [(Value, Stmt)],
        default: Option<&'c Stmt>,
        todo: Vec<Task<'c>>,
        frame: Frame,
    ) -> Result<Option<Partial>, Stop> {
        let Some(((wanted, stmt), rest)) = alternatives.split_first() else {
            let mut todo = todo;
            todo.extend(default.map(Task::Run));
            return self.run(todo, frame);
        };
        self.depth += 1;
        self.spend(todo.len() + frame.len())?;
        let is_it = Expr::binary(BinaryOp::Eq, value.clone(), number(wanted.as_int().unwrap_or(0))?);
        let mut with = todo.clone();
        with.push(Task::Run(stmt));
        let x = self.run(with, frame.clone())?;
        let y = self.cases_of(value, rest, default, todo, frame)?;
        self.depth -= 1;
        match (x, y) {
            (Some(x), Some(y)) => Ok(Some(Partial::of(conditional(is_it, x.scalar()?, y.scalar()?)))),
            _ => Err(Stop::Undefined("a function ends without `return`".to_owned())),
        }
    }
}
