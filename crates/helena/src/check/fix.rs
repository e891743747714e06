//! Expressions whose type is decided.
//!
//! Values of `mod` types wrap at every operation; others are compared with the bounds of their type where a whole
//! expression is stored: in a token, a variable, a parameter, a result, an element.

use stubborn_nets::Value;

use crate::ast::{BinaryOp, UnaryOp};
use crate::check::Checker;
use crate::check::draft::{Draft, Kind};
use crate::code::{Arith, Node, SetOp};
use crate::types::{Shape, TypeId};

/// An expression, and a type whose bounds its value surely keeps to.
type Fixed = (Node, Option<TypeId>);

impl Checker<'_> {
    /// The expression as one of a type, which its value must be in the bounds of.
    pub(super) fn store(&mut self, draft: Draft, ty: TypeId) -> Option<Node> {
        let root = self.types().root(ty);
        let span = draft.span;
        if !draft.types.contains(&root) {
            let (wanted, found) = (self.describe(&[ty]), self.describe(&draft.types));
            let mut diagnostic = stubborn_base::Diagnostic::error(
                "wrong-type",
                span,
                format!("this must be of type {wanted}, not {found}"),
            );
            let is_number = |ty: &TypeId| self.types().is_number(*ty);
            if is_number(&ty) && draft.types.iter().all(is_number) {
                let name = &self.types()[ty].name;
                diagnostic = diagnostic.help(format!("a number can be converted: `{name}(…)`"));
            }
            self.report(diagnostic);
            return None;
        }
        let (node, exact) = self.fix(draft, ty)?;
        if let Node::Const(value) = &node {
            if let Err(undefined) = self.types().check(ty, value.clone()) {
                self.error("out-of-range", span, undefined.to_string());
                return None;
            }
            return Some(node);
        }
        let is_safe = exact.is_some_and(|exact| self.types().is_within(exact, ty));
        Some(if is_safe || !self.types().is_discrete(ty) { node } else { Node::Check(ty, Box::new(node)) })
    }

    /// The expression as one of a type that it can have.
    pub(super) fn fix(&mut self, draft: Draft, ty: TypeId) -> Option<Fixed> {
        match draft.kind {
            Kind::Done(node, exact) => Some((node, exact)),
            Kind::Number(n) => Some((Node::Const(Value::Int(n)), None)),
            Kind::Any(node) => Some((node, None)),
            Kind::Enum(name) => {
                let Shape::Enum(names) = &self.types()[ty].shape else { return None };
                let position = names.iter().position(|n| *n == name)?;
                Some((Node::Const(Value::Int(position as i64)), None))
            }
            Kind::Unary(op, operand) => self.fix_unary(op, *operand, ty),
            Kind::Binary(op, operands) => self.fix_binary(op, *operands, ty),
            Kind::Conditional(condition, branches) => {
                let [x, y] = *branches;
                let ((x, x_exact), (y, y_exact)) = (self.fix(x, ty)?, self.fix(y, ty)?);
                let within = |exact: Option<TypeId>| exact.is_some_and(|t| self.types().is_within(t, ty));
                let exact = (within(x_exact) && within(y_exact)).then_some(ty);
                Some((Node::Conditional(Box::new([*condition, x, y])), exact))
            }
            Kind::Vector(parts) => {
                let Shape::Vector(_, element) = self.types()[ty].shape else { return None };
                let length = self.types().vector_len(ty);
                Some((Node::Vector(self.store_all(parts, element)?, length), Some(ty)))
            }
            Kind::Struct(parts) => {
                let Shape::Struct(fields) = self.types()[ty].shape.clone() else { return None };
                let stored: Vec<Option<Node>> =
                    parts.into_iter().zip(fields).map(|(part, (_, ty))| self.store(part, ty)).collect();
                Some((Node::Seq(stored.into_iter().collect::<Option<_>>()?), Some(ty)))
            }
            Kind::Container(parts) => {
                let (element, capacity) = self.types().container(ty)?;
                let n_parts = parts.len();
                let parts = self.store_all(parts, element)?;
                let node = match self.types()[ty].shape {
                    Shape::Set(..) => Node::Set(parts),
                    _ => Node::Seq(parts),
                };
                let node = if n_parts > capacity { Node::Capacity(capacity, Box::new(node)) } else { node };
                Some((node, Some(ty)))
            }
            Kind::Empty => Some((Node::Const(Value::seq([])), Some(ty))),
            Kind::Iterate(mut iterate, body) => {
                iterate.body = Some(self.fix(*body, ty)?.0);
                iterate.bounds = self.types()[ty].bounds;
                let node = Node::Iterate(iterate);
                Some(match self.types().modulus(ty) {
                    Some(modulus) => (Node::Modulo(modulus, Box::new(node)), Some(self.types().root(ty))),
                    None => (node, None),
                })
            }
        }
    }

    pub(super) fn store_all(&mut self, parts: Vec<Draft>, ty: TypeId) -> Option<Vec<Node>> {
        let stored: Vec<Option<Node>> = parts.into_iter().map(|part| self.store(part, ty)).collect();
        stored.into_iter().collect()
    }

    fn fix_unary(&mut self, op: UnaryOp, operand: Draft, ty: TypeId) -> Option<Fixed> {
        let (node, exact) = self.fix(operand, ty)?;
        let delta = match op {
            UnaryOp::Plus | UnaryOp::Not => return Some((node, exact)),
            UnaryOp::Minus => return Some(self.wrapped(Node::Neg(Box::new(node)), ty)),
            UnaryOp::Succ => 1,
            UnaryOp::Pred => -1,
        };
        if !self.types().is_number(ty) {
            let (low, _) = self.types()[ty].bounds;
            let card = self.types().card(ty);
            return Some((Node::Circle { delta, low, card, of: Box::new(node) }, Some(ty)));
        }
        let one = Node::Const(Value::Int(delta));
        Some(self.wrapped(Node::Arith(Arith::Add, Box::new([node, one])), ty))
    }

    fn wrapped(&self, node: Node, ty: TypeId) -> Fixed {
        let node = match node {
            Node::Neg(x) if matches!(*x, Node::Const(Value::Int(_))) => match *x {
                Node::Const(Value::Int(n)) => Node::Const(Value::Int(-n)),
                other => Node::Neg(Box::new(other)),
            },
            node => node,
        };
        match self.types().modulus(ty) {
            Some(modulus) => (Node::Modulo(modulus, Box::new(node)), Some(self.types().root(ty))),
            None => (node, None),
        }
    }

    fn fix_binary(&mut self, op: BinaryOp, [x, y]: [Draft; 2], ty: TypeId) -> Option<Fixed> {
        if let Some((_, capacity)) = self.types().container(ty) {
            let (x, y) = (self.as_container(x, ty)?, self.as_container(y, ty)?);
            let operands = Box::new([x, y]);
            let capped = |node: Node| Node::Capacity(capacity, Box::new(node));
            let node = match op {
                BinaryOp::Concat => capped(Node::Concat(operands)),
                BinaryOp::Or => capped(Node::SetOp(SetOp::Union, operands)),
                BinaryOp::And => Node::SetOp(SetOp::Intersection, operands),
                _ => Node::SetOp(SetOp::Difference, operands),
            };
            return Some((node, Some(ty)));
        }
        let op = match op {
            BinaryOp::Add => Arith::Add,
            BinaryOp::Sub => Arith::Sub,
            BinaryOp::Mul => Arith::Mul,
            BinaryOp::Div => Arith::Div,
            _ => Arith::Rem,
        };
        let (x, y) = (self.fix(x, ty)?.0, self.fix(y, ty)?.0);
        Some(self.wrapped(Node::Arith(op, Box::new([x, y])), ty))
    }

    /// An operand of an operator of lists or sets, which may be a single element.
    fn as_container(&mut self, draft: Draft, ty: TypeId) -> Option<Node> {
        if draft.types.contains(&ty) {
            return self.fix(draft, ty).map(|(node, _)| node);
        }
        let (element, _) = self.types().container(ty)?;
        Some(Node::Seq(vec![self.store(draft, element)?]))
    }
}
