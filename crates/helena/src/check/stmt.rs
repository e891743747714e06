//! Statements of functions.

use stubborn_base::{Diagnostic, Span};

use crate::ast::{self, Alternative, BlockItem, Expr, ExprKind, StmtKind, VarDecl};
use crate::check::Checker;
use crate::check::access::replace;
use crate::check::iterate::Allowed;
use crate::code::{Node, Stmt};
use crate::types::{INT, Shape, TypeId};

impl Checker<'_> {
    /// A statement of a function with a result of type `ty`; none if something is wrong with it.
    pub(super) fn stmt(&mut self, stmt: &ast::Stmt, ty: TypeId) -> Option<Stmt> {
        match &stmt.kind {
            StmtKind::Assign(target, value) => self.assign(target, value),
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                let then = self.stmt(then, ty);
                let otherwise = otherwise.as_ref().map(|stmt| self.stmt(stmt, ty).map(Box::new));
                let otherwise = match otherwise {
                    Some(otherwise) => Some(otherwise?),
                    None => None,
                };
                Some(Stmt::If(condition?, Box::new(then?), otherwise))
            }
            StmtKind::Case(expr, alternatives) => self.case(expr, alternatives, ty),
            StmtKind::While(condition, body) => {
                let condition = self.condition(condition);
                let body = self.stmt(body, ty);
                Some(Stmt::While(condition?, Box::new(body?)))
            }
            StmtKind::For(vars, body) => {
                let in_scope = self.scope.len();
                let bounds = self.bounds(vars, Allowed::Containers);
                let body = self.stmt(body, ty);
                self.scope.truncate(in_scope);
                Some(Stmt::For(bounds?, Box::new(body?)))
            }
            StmtKind::Return(value) => self.expr(value, ty).map(Stmt::Return),
            StmtKind::Assert(condition) => self.condition(condition).map(Stmt::Assert),
            StmtKind::Block(items) => self.block(items, stmt.span, ty),
            StmtKind::Error => None,
        }
    }

    fn block(&mut self, items: &[BlockItem], span: Span, ty: TypeId) -> Option<Stmt> {
        let in_scope = self.scope.len();
        let mut has_stmt = false;
        let mut stmts = Vec::new();
        for item in items {
            match item {
                BlockItem::Decl(decl) => {
                    if has_stmt {
                        let message = "variables are declared before the first statement of a block";
                        self.error("misplaced", decl.span, message);
                    }
                    stmts.push(self.block_decl(decl, in_scope));
                }
                BlockItem::Stmt(stmt) => {
                    has_stmt = true;
                    stmts.push(self.stmt(stmt, ty));
                }
            }
        }
        self.scope.truncate(in_scope);
        if !has_stmt {
            self.error("syntax", span, "a block needs a statement");
        }
        stmts.into_iter().collect::<Option<_>>().map(Stmt::Block)
    }

    fn block_decl(&mut self, decl: &VarDecl, in_scope: usize) -> Option<Stmt> {
        let ty = self.type_named(&decl.ty);
        let value = decl.value.as_ref().map(|value| ty.and_then(|ty| self.expr(value, ty)));
        if self.scope[in_scope..].iter().any(|local| local.name == decl.name.name) {
            let message = format!("the variable `{}` is declared twice", decl.name.name);
            self.error("duplicate", decl.name.span, message);
        }
        if decl.is_const && decl.value.is_none() {
            let message = format!("the constant `{}` needs a value", decl.name.name);
            self.error("syntax", decl.name.span, message);
        }
        let local = self.new_local(&decl.name, ty.unwrap_or(INT), !decl.is_const);
        let value = match value {
            Some(value) => value?,
            None => Node::Const(self.types().first(ty?)),
        };
        Some(Stmt::Set(local, value))
    }

    fn case(&mut self, expr: &Expr, alternatives: &[Alternative], ty: TypeId) -> Option<Stmt> {
        let decided = self.draft(expr).and_then(|draft| {
            let ty = self.choose(&draft)?;
            Some((self.fix(draft, ty)?.0, ty))
        });
        let mut seen = Vec::new();
        let mut found = Vec::new();
        let mut default = None;
        for (i, alternative) in alternatives.iter().enumerate() {
            let value = match (&alternative.value, &decided) {
                (Some(value), Some((_, ty))) => Some(self.static_value(value, *ty)),
                (Some(value), None) => {
                    self.draft(value);
                    Some(None)
                }
                (None, _) => None,
            };
            if let (Some(Some(value)), Some(expr)) = (&value, &alternative.value) {
                if seen.contains(value) {
                    self.error("duplicate", expr.span, "this alternative stands here twice");
                }
                seen.push(value.clone());
            }
            let body = self.stmt(&alternative.body, ty);
            match value {
                Some(value) => found.push(value.zip(body)),
                None => {
                    if i + 1 < alternatives.len() {
                        let message = "`default` is the last alternative";
                        self.error("misplaced", alternative.body.span, message);
                    }
                    default = Some(body.map(Box::new));
                }
            }
        }
        let default = match default {
            Some(default) => Some(default?),
            None => None,
        };
        Some(Stmt::Case(decided?.0, found.into_iter().collect::<Option<_>>()?, default))
    }

    fn assign(&mut self, target: &Expr, value: &Expr) -> Option<Stmt> {
        let Some(ty) = self.target_type(target) else {
            self.draft(value);
            return None;
        };
        let value = self.expr(value, ty)?;
        let (local, value) = self.updated(target, value)?;
        Some(Stmt::Set(local, value))
    }

    /// The type of what is assigned to.
    fn target_type(&mut self, target: &Expr) -> Option<TypeId> {
        match &target.kind {
            ExprKind::Name(name) => {
                let Some(local) = self.local(name) else {
                    self.undeclared_value(name, target.span);
                    return None;
                };
                let (ty, is_variable) = (local.ty, local.is_variable);
                if !is_variable {
                    let message = format!("`{name}` cannot be set");
                    let diagnostic = Diagnostic::error("not-assignable", target.span, message);
                    self.report(diagnostic.help("constants and variables of `for` keep their value"));
                    return None;
                }
                Some(ty)
            }
            ExprKind::Field(of, name) => {
                let ty = self.target_type(of)?;
                let _ = self.structure_of(of)?;
                self.component_of(ty, name).map(|(_, ty)| ty)
            }
            ExprKind::Index(of, indices) => {
                let ty = self.target_type(of)?;
                if !matches!(self.types()[ty].shape, Shape::Vector(..) | Shape::List(..)) {
                    self.error("wrong-type", of.span, "this must be a vector or a list");
                    return None;
                }
                self.indices(ty, indices, target.span).map(|(_, element)| element)
            }
            _ => {
                let message = "only variables, and components and elements of variables, can be set";
                self.error("not-assignable", target.span, message);
                None
            }
        }
    }

    /// The variable to set, and the value that it gets when `target` becomes `value`.
    fn updated(&mut self, target: &Expr, value: Node) -> Option<(u32, Node)> {
        match &target.kind {
            ExprKind::Name(name) => match self.local(name)?.node {
                Node::Local(local) => Some((local, value)),
                _ => None,
            },
            ExprKind::Field(of, name) => {
                let (node, ty) = self.structure_of(of)?;
                let (i, _) = self.component_of(ty, name)?;
                self.updated(of, Node::WithField(Box::new([node, value]), i))
            }
            ExprKind::Index(of, indices) => {
                let draft = self.draft(of)?;
                let ty = self.choose(&draft)?;
                let (node, _) = self.fix(draft, ty)?;
                let (places, _) = self.indices(ty, indices, target.span)?;
                self.updated(of, replace(places, node, value))
            }
            _ => None,
        }
    }
}
