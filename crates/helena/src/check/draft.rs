//! Expressions before their type is decided.
//!
//! A number can be of any numeric type, a name of any enumeration that has it, `|1, 2|` a list or a set. A [`Draft`] is
//! an expression with all types it can have, by their roots; its context decides ([`super::fix`]). Where nothing does
//! and all are numeric, it is `int`; otherwise it is ambiguous, as the reference has it.

use smol_str::SmolStr;
use stubborn_base::Span;

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::check::{Checker, Space};
use crate::code::{Iterate, Node};
use crate::types::{BOOL, INT, Shape, TypeId};

/// An expression that may yet be of several types.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) span: Span,
    /// Roots of types it can have, ascending.
    pub(super) types: Vec<TypeId>,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// Decided: it is of one type, and surely in the bounds of the given subtype.
    Done(Node, Option<TypeId>),
    Number(i64),
    Enum(SmolStr),
    /// Some number, of any type.
    Any(Node),
    Unary(UnaryOp, Box<Draft>),
    /// Arithmetic, or an operation on sets or lists.
    Binary(BinaryOp, Box<[Draft; 2]>),
    Conditional(Box<Node>, Box<[Draft; 2]>),
    Vector(Vec<Draft>),
    Struct(Vec<Draft>),
    Container(Vec<Draft>),
    Empty,
    /// An iterator whose type is that of what is said.
    Iterate(Box<Iterate>, Box<Draft>),
}

impl Draft {
    pub(super) fn done(span: Span, ty: TypeId, node: Node, exact: Option<TypeId>) -> Draft {
        Draft { span, types: vec![ty], kind: Kind::Done(node, exact) }
    }

    pub(super) fn bool(span: Span, node: Node) -> Draft {
        Draft::done(span, BOOL, node, Some(BOOL))
    }
}

impl Checker<'_> {
    /// An expression of a type that is known; its value is checked against the type's bounds.
    pub(super) fn expr(&mut self, expr: &Expr, ty: TypeId) -> Option<Node> {
        let draft = self.draft(expr)?;
        self.store(draft, ty)
    }

    /// A condition.
    pub(super) fn condition(&mut self, expr: &Expr) -> Option<Node> {
        self.expr(expr, BOOL)
    }

    /// Any number.
    pub(super) fn number(&mut self, expr: &Expr) -> Option<Node> {
        let mut draft = self.draft(expr)?;
        draft.types.retain(|ty| self.types().is_number(*ty));
        if draft.types.is_empty() {
            self.error("wrong-type", expr.span, "this must be a number");
            return None;
        }
        let ty = self.choose(&draft)?;
        self.fix(draft, ty).map(|(node, _)| node)
    }

    /// All roots of numeric types.
    pub(super) fn numbers(&self) -> Vec<TypeId> {
        self.roots(|checker, ty| checker.types().is_number(ty))
    }

    /// All roots that `f` holds of.
    pub(super) fn roots(&self, f: impl Fn(&Self, TypeId) -> bool) -> Vec<TypeId> {
        let all = self.types().iter().filter(|(id, ty)| ty.root == *id).map(|(id, _)| id);
        all.filter(|id| f(self, *id)).collect()
    }

    /// The type of an expression that its context does not decide.
    pub(super) fn choose(&mut self, draft: &Draft) -> Option<TypeId> {
        match draft.types[..] {
            [ty] => Some(ty),
            [] => {
                self.error("wrong-type", draft.span, "this has no type");
                None
            }
            _ if draft.types.iter().all(|ty| self.types().is_number(*ty)) => Some(INT),
            _ => {
                let message = format!("this can be of several types: {}", self.describe(&draft.types));
                let diagnostic = stubborn_base::Diagnostic::error("ambiguous", draft.span, message);
                self.report(diagnostic.help("name a constant of the type that is meant"));
                None
            }
        }
    }

    /// Types as people would name them.
    pub(super) fn describe(&self, types: &[TypeId]) -> String {
        if types.len() > 1 && types.iter().all(|ty| self.types().is_number(*ty)) {
            return "a number".to_owned();
        }
        let names: Vec<String> = types.iter().take(4).map(|ty| self.type_name(*ty)).collect();
        match names.is_empty() {
            true => "nothing".to_owned(),
            false => names.join(" or "),
        }
    }

    fn type_name(&self, ty: TypeId) -> String {
        match &self.types()[ty].shape {
            Shape::Token(_) => "a token".to_owned(),
            _ => format!("`{}`", self.types()[ty].name),
        }
    }

    /// An expression with all types it can have; none if something is wrong with it, which is then reported.
    pub(super) fn draft(&mut self, expr: &Expr) -> Option<Draft> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number(None) => {
                self.error("out-of-range", span, "this number is too large; 2147483647 is the largest");
                None
            }
            ExprKind::Number(Some(n)) => Some(Draft { span, types: self.numbers(), kind: Kind::Number(*n) }),
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExprKind::Binary(op, operands) => self.binary(*op, operands, span),
            ExprKind::Conditional(parts) => {
                let condition = self.condition(&parts[0]);
                let (x, y) = (self.draft(&parts[1]), self.draft(&parts[2]));
                let (condition, x, y) = (condition?, x?, y?);
                let types = common(&x.types, &y.types);
                if types.is_empty() {
                    let (a, b) = (self.describe(&x.types), self.describe(&y.types));
                    self.error("wrong-type", span, format!("this is {a} or {b}: both must be of one type"));
                    return None;
                }
                Some(Draft { span, types, kind: Kind::Conditional(Box::new(condition), Box::new([x, y])) })
            }
            ExprKind::Call(name, args) => self.call(name, args, span),
            ExprKind::Vector(parts) | ExprKind::Struct(parts) | ExprKind::Container(parts) => {
                let parts: Vec<Option<Draft>> = parts.iter().map(|part| self.draft(part)).collect();
                let parts: Vec<Draft> = parts.into_iter().collect::<Option<_>>()?;
                match expr.kind {
                    ExprKind::Vector(_) => self.vector_literal(parts, span),
                    ExprKind::Struct(_) => self.struct_literal(parts, span),
                    _ => self.container_literal(parts, span),
                }
            }
            ExprKind::Empty => {
                let types = self.roots(|checker, ty| checker.types().container(ty).is_some());
                if types.is_empty() {
                    self.error("wrong-type", span, "the net has no list or set type");
                    return None;
                }
                Some(Draft { span, types, kind: Kind::Empty })
            }
            ExprKind::Index(of, indices) => self.element(of, indices, span),
            ExprKind::Slice(parts) => self.slice(parts, span),
            ExprKind::Field(of, name) => self.field(of, name, span),
            ExprKind::Component(token, number, at) => self.component(token, *number, *at, span),
            ExprKind::UpdateField(of, name, value) => self.with_field(of, name, value, span),
            ExprKind::UpdateIndex(of, indices, value) => self.with_element(of, indices, value, span),
            ExprKind::Attribute(of, name) => self.attribute(of, name, span),
            ExprKind::Quantified(quantifier, vars, condition, body) => {
                self.iterator(*quantifier, vars, condition.as_deref(), body.as_deref(), span)
            }
        }
    }

    fn name(&mut self, name: &SmolStr, span: Span) -> Option<Draft> {
        if let Some(local) = self.local(name) {
            let (ty, node) = (local.ty, local.node.clone());
            self.is_dynamic = true;
            return Some(Draft::done(span, self.types().root(ty), node, Some(ty)));
        }
        if let Some(i) = self.find(Space::Constant, name) {
            let ty = self.constants[i].ty;
            let root = self.types().root(ty);
            let Some(value) = &self.context.constants[i] else {
                self.is_dynamic = true;
                return Some(Draft::done(span, root, Node::Constant(i), Some(ty)));
            };
            return Some(Draft::done(span, root, Node::Const(value.clone()), Some(ty)));
        }
        match self.enum_values.get(name) {
            Some(types) => Some(Draft { span, types: types.clone(), kind: Kind::Enum(name.clone()) }),
            None => {
                self.undeclared_value(name, span);
                None
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Option<Draft> {
        let mut operand = self.draft(operand)?;
        if op == UnaryOp::Not {
            let node = self.store(operand, BOOL)?;
            return Some(Draft::bool(span, Node::Not(Box::new(node))));
        }
        let is_step = matches!(op, UnaryOp::Pred | UnaryOp::Succ);
        let fits = |ty: &TypeId| self.types().is_number(*ty) || (is_step && self.types().is_discrete(*ty));
        let types: Vec<TypeId> = operand.types.iter().copied().filter(fits).collect();
        if types.is_empty() {
            let found = self.describe(&operand.types);
            let wanted = if is_step { "of a discrete type" } else { "a number" };
            self.error("wrong-type", operand.span, format!("this must be {wanted}, not {found}"));
            return None;
        }
        operand.types.clone_from(&types);
        Some(Draft { span, types, kind: Kind::Unary(op, Box::new(operand)) })
    }
}

/// What two ascending lists have in common.
pub(super) fn common(x: &[TypeId], y: &[TypeId]) -> Vec<TypeId> {
    x.iter().copied().filter(|ty| y.contains(ty)).collect()
}
