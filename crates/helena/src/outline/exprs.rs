//! Mentions and calls in expressions.

use smol_str::SmolStr;
use stubborn_base::Span;
use stubborn_base::outline::Role;

use crate::ast::{Expr, ExprKind, Ident};
use crate::outline::draft::{Draft, Space};

impl Draft<'_> {
    /// Adds what an expression mentions; `role` is what is done with it.
    pub(super) fn expr(&mut self, expr: &Expr, role: Role) {
        self.node(expr.span);
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Empty => {}
            ExprKind::Name(name) => {
                let found = self.local(name).or_else(|| self.find(Space::Constant, name));
                if let Some(symbol) = found.or_else(|| self.find(Space::EnumValue, name)) {
                    let name = self.bare(name, expr.span);
                    self.note(name.span, symbol, role);
                }
            }
            ExprKind::Unary(_, x) => self.expr(x, Role::Read),
            ExprKind::Binary(_, xs) => xs.iter().for_each(|x| self.expr(x, Role::Read)),
            ExprKind::Conditional(xs) | ExprKind::Slice(xs) => {
                xs.iter().for_each(|x| self.expr(x, Role::Read));
            }
            ExprKind::Call(name, args) => {
                args.iter().for_each(|arg| self.expr(arg, Role::Read));
                match self.find(Space::Function, &name.name) {
                    Some(symbol) => {
                        self.note(name.span, symbol, Role::Call);
                        self.call(expr.span, symbol, args.iter().map(|arg| arg.span).collect());
                    }
                    None => self.ty(name),
                }
            }
            ExprKind::Vector(xs) | ExprKind::Struct(xs) | ExprKind::Container(xs) => {
                xs.iter().for_each(|x| self.expr(x, Role::Read));
            }
            ExprKind::Index(of, indices) => {
                self.expr(of, part_role(role));
                indices.iter().for_each(|index| self.expr(index, Role::Read));
            }
            ExprKind::Field(of, name) => {
                self.expr(of, part_role(role));
                self.mention(Space::Field, name, role);
            }
            ExprKind::Component(token, ..) => {
                if let Some(symbol) = self.local(&token.name) {
                    self.note(token.span, symbol, Role::Read);
                }
            }
            ExprKind::UpdateField(of, name, value) => {
                self.expr(of, Role::Read);
                self.mention(Space::Field, name, Role::Write);
                self.expr(value, Role::Read);
            }
            ExprKind::UpdateIndex(of, indices, value) => {
                self.expr(of, Role::Read);
                indices.iter().chain([&**value]).for_each(|x| self.expr(x, Role::Read));
            }
            ExprKind::Attribute(of, name) => self.attribute(of, name),
            ExprKind::Quantified(_, vars, condition, body) => {
                let in_scope = self.scope.len();
                vars.iter().for_each(|var| self.bound(var, expr.span));
                let parts = condition.iter().chain(body);
                parts.for_each(|part| self.expr(part, Role::Read));
                self.scope.truncate(in_scope);
            }
        }
    }

    /// A name without the parentheses that the place of an expression includes.
    pub(super) fn bare(&self, name: &SmolStr, span: Span) -> Ident {
        let at = self.sources.text(span).find(name.as_str()).unwrap_or(0) as u32;
        let start = span.start + at;
        Ident { name: name.clone(), span: Span { start, end: start + name.len() as u32, ..span } }
    }

    fn attribute(&mut self, of: &Expr, name: &Ident) {
        if let ExprKind::Name(element) = &of.kind {
            let ident = self.bare(element, of.span);
            let is_place = self.find(Space::Place, element).is_some();
            let is_type = self.find(Space::Type, element).is_some();
            match &*name.name {
                "card" | "mult" if is_place => return self.mention(Space::Place, &ident, Role::Read),
                "first" | "last" | "card" if is_type && self.local(element).is_none() => {
                    return self.ty(&ident);
                }
                _ => {}
            }
        }
        self.expr(of, Role::Read);
    }
}

/// What is done with the whole of which a part is set.
fn part_role(role: Role) -> Role {
    if role == Role::Write { Role::ReadWrite } else { role }
}
