//! Expressions: what names in them mean, and what they compute.
//!
//! An expression is a process's, or nobody's: then the variables of the process whose names are meant are asked for
//! from outside. Values have 32 bits while they are computed, as in DiVinE. What is constant is computed here.

use stubborn_base::Diagnostic;
use stubborn_ir::{self as ir, Index, Place, ProcessTypeId, Region, Remote, SlotType};

use super::constant::{element, too_large, wrong_index};
use super::declare::{Channel, slot_type};
use super::names::{Meaning, Names, Variable};
use crate::ast::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};

/// Gives a meaning to expressions.
pub(crate) struct Lower<'a> {
    pub(crate) names: &'a Names<'a>,
    pub(crate) channels: &'a mut Vec<Channel>,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    /// Whose names are meant.
    pub(crate) process: Option<usize>,
    /// The expression is nobody's.
    pub(crate) from_outside: bool,
}

/// What stands for an expression in error.
const ERROR: ir::Expr = ir::Expr::Const(0);

impl Lower<'_> {
    /// What an expression computes.
    pub(crate) fn expr(&mut self, expr: &Expr) -> ir::Expr {
        match &expr.kind {
            ExprKind::Number(Some(value)) => ir::Expr::Const(*value),
            ExprKind::Number(None) => {
                self.diagnostics.push(too_large(expr));
                ERROR
            }
            ExprKind::Variable(name, index) => {
                self.variable(self.process, name, index.as_deref(), expr).unwrap_or(ERROR)
            }
            ExprKind::Remote(process, name, index) => {
                let found = self.names.process(process, self.diagnostics);
                let value = found.and_then(|process| self.remote(process, name, index.as_deref(), expr));
                value.unwrap_or(ERROR)
            }
            ExprKind::State(process, state) => self.at(process, state).unwrap_or(ERROR),
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand);
                match operand.as_const() {
                    Some(value) => ir::Expr::Const(op.apply(value)),
                    None => ir::Expr::Unary(*op, Box::new(operand)),
                }
            }
            ExprKind::Imply(operands) => {
                let (left, right) = (self.expr(&operands[0]), self.expr(&operands[1]));
                ir::Expr::binary(BinaryOp::Or, left.not(), right)
            }
            ExprKind::Binary(op, operands) => {
                let (left, right) = (self.expr(&operands[0]), self.expr(&operands[1]));
                let value = left.as_const().zip(right.as_const()).map(|(l, r)| op.apply(l, r));
                match value {
                    Some(Some(value)) => ir::Expr::Const(value),
                    _ => ir::Expr::binary(*op, left, right),
                }
            }
        }
    }

    /// Whether a process is at a state.
    fn at(&mut self, process: &Ident, state: &Ident) -> Option<ir::Expr> {
        let index = self.names.process(process, self.diagnostics)?;
        let location = self.names.state(index, state, self.diagnostics)?;
        let remote = self.other(index, process)?;
        Some(ir::Expr::At(Box::new(remote), location))
    }

    /// Another process, as expressions name it; the property is none.
    fn other(&mut self, index: usize, name: &Ident) -> Option<Remote> {
        let id = self.names.processes[index].id;
        if id.is_none() {
            let message = format!("`{}` is the property: the system cannot look at it", name.name);
            let diagnostic = Diagnostic::error("not-supported", name.span, message);
            self.diagnostics.push(diagnostic.help("give the property states for what it has to remember"));
        }
        id.map(|process| Remote { process, pid: None })
    }

    /// A variable of another process.
    fn remote(&mut self, index: usize, name: &Ident, at: Option<&Expr>, expr: &Expr) -> Option<ir::Expr> {
        let scope = &self.names.processes[index];
        if scope.table.get(&name.name).is_none() {
            let message = format!("process `{}` has no variable `{}`", scope.name.name, name.name);
            let diagnostic = Diagnostic::error("undeclared", name.span, message);
            if !self.names.lost.contains(&name.name) {
                let values = scope.table.iter().map(|symbol| symbol.name.name.as_str());
                let help = "only variables that the process declares itself can be asked for".to_owned();
                self.diagnostics.push(crate::suggest::suggest(diagnostic, name, values, help));
            }
            return None;
        }
        self.variable(Some(index), name, at, expr)
    }

    /// A variable as it is known in a process, or outside of all.
    fn variable(
        &mut self,
        owner: Option<usize>,
        name: &Ident,
        index: Option<&Expr>,
        expr: &Expr,
    ) -> Option<ir::Expr> {
        let index = index.map(|index| (self.expr(index), index));
        let Some(symbol) = self.names.find(owner, &name.name) else {
            self.names.undeclared(name, "variable", self.names.values(owner), self.diagnostics);
            return None;
        };
        match &symbol.meaning {
            Meaning::Variable(variable) => {
                let place = self.place(variable, name, index, expr)?;
                self.load(owner, place)
            }
            Meaning::Constant { values, is_array } => match (index, is_array) {
                (None, false) => values.first().map(|&value| ir::Expr::Const(value)),
                (Some((index, written)), true) => {
                    self.check_index(&index, values.len() as u32, name, written)?;
                    Some(element(values, index))
                }
                _ => {
                    self.diagnostics.push(wrong_index(name, *is_array, expr));
                    None
                }
            },
            other => {
                let message = format!("`{}` is {}, not a variable", name.name, other.word());
                let diagnostic = Diagnostic::error("not-a-variable", expr.span, message);
                let diagnostic = diagnostic.label(symbol.name.span, "declared here");
                self.diagnostics.push(match other {
                    Meaning::State(_) => diagnostic.help("to ask where a process is, write `P.state`"),
                    _ => diagnostic,
                });
                None
            }
        }
    }

    /// The value of a place of a process, or of the system.
    fn load(&self, owner: Option<usize>, place: Place) -> Option<ir::Expr> {
        let id = match place.region {
            Region::Local => owner.map(|owner| self.names.processes[owner].id),
            Region::Global => None,
        };
        Some(match id {
            None => ir::Expr::Load(place),
            Some(_) if owner == self.process && !self.from_outside => ir::Expr::Load(place),
            // The property's own variables make it one that is not checked.
            Some(None) => ERROR,
            Some(Some(process)) => ir::Expr::Remote(Box::new(Remote { process, pid: None }), place),
        })
    }

    fn place(
        &mut self,
        variable: &Variable,
        name: &Ident,
        index: Option<(ir::Expr, &Expr)>,
        expr: &Expr,
    ) -> Option<Place> {
        match (index, variable.size) {
            (None, None) => Some(Place::simple(variable.region, variable.slot)),
            (Some((value, written)), Some(bound)) => {
                self.check_index(&value, bound, name, written)?;
                let stride = slot_type(variable.ty).size();
                let place = Place::simple(variable.region, variable.slot);
                Some(match value {
                    ir::Expr::Const(at) => Place { slot: place.slot.shifted(at as u32 * stride), ..place },
                    value => Place { indices: Box::new([Index { value, bound, stride }]), ..place },
                })
            }
            _ => {
                self.diagnostics.push(wrong_index(name, variable.size.is_some(), expr));
                None
            }
        }
    }

    /// Reports a constant index that is always out of bounds.
    fn check_index(&mut self, value: &ir::Expr, bound: u32, name: &Ident, written: &Expr) -> Option<()> {
        let Some(value) = value.as_const() else { return Some(()) };
        if value >= 0 && (value as u32) < bound {
            return Some(());
        }
        let message = format!("`{}` has no element {value}", name.name);
        let help = format!("its elements are numbered 0 to {}", bound - 1);
        self.diagnostics.push(Diagnostic::error("index-out-of-bounds", written.span, message).help(help));
        None
    }

    /// Where an assignment or a receive puts something, and its type.
    pub(crate) fn target(&mut self, expr: &Expr) -> Option<(Place, crate::ast::Type)> {
        let ExprKind::Variable(name, index) = &expr.kind else {
            let message = "nothing can be stored here";
            let diagnostic = Diagnostic::error("not-a-variable", expr.span, message);
            self.diagnostics.push(match &expr.kind {
                ExprKind::Remote(..) => {
                    diagnostic.help("a process sets only its own variables and global ones")
                }
                _ => diagnostic.help("name a variable or an element of an array"),
            });
            return None;
        };
        let names = self.names;
        match names.find(self.process, &name.name).map(|symbol| &symbol.meaning) {
            Some(Meaning::Variable(variable)) => {
                let index = index.as_deref().map(|index| (self.expr(index), index));
                let place = self.place(variable, name, index, expr)?;
                Some((place, variable.ty))
            }
            Some(Meaning::Constant { .. }) => {
                let message = format!("`{}` is a constant", name.name);
                let mut diagnostic = Diagnostic::error("constant-changed", expr.span, message);
                if let Some(span) = names.span_of(self.process, &name.name) {
                    diagnostic = diagnostic.label(span, "declared here");
                }
                self.diagnostics.push(diagnostic.help("declare it without `const`"));
                None
            }
            _ => {
                // Reports what is wrong with it.
                self.expr(expr);
                None
            }
        }
    }

    /// The type of the variable that an expression is, if it is one.
    pub(crate) fn type_of(&self, expr: &Expr) -> Option<SlotType> {
        let (owner, name) = match &expr.kind {
            ExprKind::Variable(name, _) => (self.process, name),
            ExprKind::Remote(process, name, _) => match &self.names.globals.get(&process.name)?.meaning {
                Meaning::Process(index) => (Some(*index), name),
                _ => return None,
            },
            _ => return None,
        };
        match &self.names.find(owner, &name.name)?.meaning {
            Meaning::Variable(variable) => Some(slot_type(variable.ty)),
            _ => None,
        }
    }
}

/// Takes a condition apart into what must hold together, in order. What always holds is left out.
pub(crate) fn conjuncts(condition: ir::Expr, found: &mut Vec<ir::Expr>) {
    match condition {
        ir::Expr::Const(value) if value != 0 => {}
        ir::Expr::Binary(BinaryOp::And, operands) => {
            let [left, right] = *operands;
            conjuncts(left, found);
            conjuncts(right, found);
        }
        ir::Expr::Unary(UnaryOp::Not, operand) => match *operand {
            // Neither holds.
            ir::Expr::Binary(BinaryOp::Or, operands) => {
                let [left, right] = *operands;
                conjuncts(left.not(), found);
                conjuncts(right.not(), found);
            }
            ir::Expr::Unary(UnaryOp::Not, inner) => conjuncts(*inner, found),
            operand => found.push(operand.not()),
        },
        condition => found.push(condition),
    }
}

/// A process that is somewhere, seen from outside.
pub(crate) fn located(process: ProcessTypeId, location: ir::LocationId) -> ir::Expr {
    ir::Expr::At(Box::new(Remote { process, pid: None }), location)
}
