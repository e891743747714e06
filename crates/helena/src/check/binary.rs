//! Operators with two operands: which types they can have.

use stubborn_base::{Diagnostic, Span};

use crate::ast::{BinaryOp, Expr};
use crate::check::Checker;
use crate::check::draft::{Draft, Kind, common};
use crate::code::{Compare, Node};
use crate::types::{BOOL, Shape, TypeId};

impl Checker<'_> {
    pub(super) fn binary(&mut self, op: BinaryOp, operands: &[Expr; 2], span: Span) -> Option<Draft> {
        let (x, y) = (self.draft(&operands[0]), self.draft(&operands[1]));
        let (x, y) = (x?, y?);
        match op {
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.comparison(op, x, y, span)
            }
            BinaryOp::In => self.member(x, y, span),
            BinaryOp::And | BinaryOp::Or if x.types.contains(&BOOL) && y.types.contains(&BOOL) => {
                let (x, y) = (self.store(x, BOOL)?, self.store(y, BOOL)?);
                let operands = Box::new([x, y]);
                let node = if op == BinaryOp::And { Node::And(operands) } else { Node::Or(operands) };
                Some(Draft::bool(span, node))
            }
            _ => {
                let types = self.operator_types(op, &x.types, &y.types);
                if types.is_empty() {
                    self.wrong_operands(op, &x, &y, span);
                    return None;
                }
                Some(Draft { span, types, kind: Kind::Binary(op, Box::new([x, y])) })
            }
        }
    }

    /// Types of the result of an arithmetic operator, or of one of sets or lists.
    fn operator_types(&self, op: BinaryOp, x: &[TypeId], y: &[TypeId]) -> Vec<TypeId> {
        let mut types = Vec::new();
        if matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem) {
            types.extend(common(x, y).into_iter().filter(|ty| self.types().is_number(*ty)));
        }
        let containers = self.roots(|checker, ty| match checker.types()[ty].shape {
            Shape::Set(..) => matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Sub),
            Shape::List(..) => op == BinaryOp::Concat,
            _ => false,
        });
        for container in containers {
            let Some((element, _)) = self.types().container(container) else { continue };
            let element = self.types().root(element);
            let (x_is, y_is) = (x.contains(&container), y.contains(&container));
            // The element may stand on either side, except for what is taken away.
            let mirrored = op != BinaryOp::Sub && y_is && x.contains(&element);
            if (x_is && (y_is || y.contains(&element))) || mirrored {
                types.push(container);
            }
        }
        types.sort();
        types
    }

    fn comparison(&mut self, op: BinaryOp, mut x: Draft, mut y: Draft, span: Span) -> Option<Draft> {
        let is_order = !matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let fits = |ty: &TypeId| {
            !is_order || self.types().is_discrete(*ty) || matches!(self.types()[*ty].shape, Shape::Set(..))
        };
        let types: Vec<TypeId> = common(&x.types, &y.types).into_iter().filter(fits).collect();
        if types.is_empty() {
            self.wrong_operands(op, &x, &y, span);
            return None;
        }
        x.types.clone_from(&types);
        y.types.clone_from(&types);
        let ty = self.choose(&x)?;
        let (x, y) = (self.fix(x, ty)?.0, self.fix(y, ty)?.0);
        let op = match op {
            BinaryOp::Eq => Compare::Eq,
            BinaryOp::Ne => Compare::Ne,
            BinaryOp::Lt => Compare::Lt,
            BinaryOp::Le => Compare::Le,
            BinaryOp::Gt => Compare::Gt,
            _ => Compare::Ge,
        };
        Some(Draft::bool(span, Node::Compare(op, Box::new([x, y]))))
    }

    fn member(&mut self, x: Draft, mut y: Draft, span: Span) -> Option<Draft> {
        let fits = |ty: &TypeId| {
            let element = self.types().container(*ty).map(|(element, _)| self.types().root(element));
            element.is_some_and(|element| x.types.contains(&element))
        };
        let containers: Vec<TypeId> = y.types.iter().copied().filter(fits).collect();
        // A list and a set of the same things have the same elements.
        let Some(&container) = containers.first() else {
            self.wrong_operands(BinaryOp::In, &x, &y, span);
            return None;
        };
        y.types = vec![container];
        let (element, _) = self.types().container(container)?;
        let (x, y) = (self.fix(x, element)?.0, self.fix(y, container)?.0);
        Some(Draft::bool(span, Node::Member(Box::new([x, y]))))
    }

    fn wrong_operands(&mut self, op: BinaryOp, x: &Draft, y: &Draft, span: Span) {
        let (left, right) = (self.describe(&x.types), self.describe(&y.types));
        let message = format!("`{}` cannot be applied to {left} and {right}", op.text());
        let mut diagnostic = Diagnostic::error("wrong-type", span, message);
        let is_number = |draft: &Draft| draft.types.iter().all(|ty| self.types().is_number(*ty));
        if is_number(x) && is_number(y) && op != BinaryOp::Concat {
            let name = x.types.first().map_or("int", |ty| self.types()[*ty].name.as_str());
            diagnostic =
                diagnostic.help(format!("one can be converted to the type of the other: `{name}(…)`"));
        }
        self.report(diagnostic);
    }
}
