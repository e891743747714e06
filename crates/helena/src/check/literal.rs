//! `[a, b]`, `{a, b}` and `|a, b|`: which types they can have. Also calls and casts, which look alike.

use stubborn_base::{Diagnostic, Span};

use crate::ast::{Expr, Ident};
use crate::check::draft::{Draft, Kind};
use crate::check::{Checker, Space};
use crate::code::Node;
use crate::types::{Shape, TypeId};

impl Checker<'_> {
    pub(super) fn vector_literal(&mut self, parts: Vec<Draft>, span: Span) -> Option<Draft> {
        let types = self.roots(|checker, ty| match &checker.types()[ty].shape {
            Shape::Vector(_, element) => {
                parts.len() <= checker.types().vector_len(ty) && checker.all_can_be(&parts, *element)
            }
            _ => false,
        });
        self.literal(types, Kind::Vector(parts), span, "vector", "its elements")
    }

    pub(super) fn struct_literal(&mut self, parts: Vec<Draft>, span: Span) -> Option<Draft> {
        let types = self.roots(|checker, ty| match &checker.types()[ty].shape {
            Shape::Struct(fields) => {
                let can_be = |(part, (_, ty)): (&Draft, &(_, TypeId))| checker.can_be(part, *ty);
                fields.len() == parts.len() && parts.iter().zip(fields).all(can_be)
            }
            _ => false,
        });
        self.literal(types, Kind::Struct(parts), span, "structure", "these components")
    }

    pub(super) fn container_literal(&mut self, parts: Vec<Draft>, span: Span) -> Option<Draft> {
        let types = self.roots(|checker, ty| {
            checker.types().container(ty).is_some_and(|(element, _)| checker.all_can_be(&parts, element))
        });
        self.literal(types, Kind::Container(parts), span, "list or set", "its elements")
    }

    fn literal(
        &mut self,
        types: Vec<TypeId>,
        kind: Kind,
        span: Span,
        word: &str,
        parts: &str,
    ) -> Option<Draft> {
        if types.is_empty() {
            self.error("wrong-type", span, format!("there is no {word} type with {parts}"));
            return None;
        }
        Some(Draft { span, types, kind })
    }

    fn can_be(&self, draft: &Draft, ty: TypeId) -> bool {
        draft.types.contains(&self.types().root(ty))
    }

    fn all_can_be(&self, parts: &[Draft], ty: TypeId) -> bool {
        parts.iter().all(|part| self.can_be(part, ty))
    }

    /// `f(e, …)`, where `f` is a function or a type.
    pub(super) fn call(&mut self, name: &Ident, args: &[Expr], span: Span) -> Option<Draft> {
        let Some(id) = self.function_named(&name.name) else {
            return match self.find(Space::Type, &name.name) {
                Some(ty) => self.cast(TypeId(ty as u32), args, span),
                None => {
                    for arg in args {
                        self.draft(arg);
                    }
                    self.undeclared(Space::Function, name);
                    None
                }
            };
        };
        self.is_dynamic = true;
        let function = &self.context.functions[id.0 as usize];
        let (params, ty) = (function.params.clone(), function.ty);
        if params.len() != args.len() {
            let defined = self.functions[id.0 as usize].name.span;
            let message =
                format!("`{}` has {}, not {}", name.name, count(params.len(), "parameter"), args.len());
            let diagnostic = Diagnostic::error("wrong-arity", span, message);
            self.report(diagnostic.label(defined, "defined here"));
            return None;
        }
        let args: Vec<Option<Node>> = args.iter().zip(params).map(|(arg, ty)| self.expr(arg, ty)).collect();
        let args = args.into_iter().collect::<Option<_>>()?;
        Some(Draft::done(span, self.types().root(ty), Node::Call(id, args), Some(ty)))
    }

    fn cast(&mut self, ty: TypeId, args: &[Expr], span: Span) -> Option<Draft> {
        let [arg] = args else {
            let message = format!("a conversion has one operand, not {}", args.len());
            self.error("wrong-arity", span, message);
            return None;
        };
        let mut draft = self.draft(arg)?;
        let root = self.types().root(ty);
        let is_number = self.types().is_number(ty);
        let fits = |from: &TypeId| *from == root || (is_number && self.types().is_number(*from));
        let types: Vec<TypeId> = draft.types.iter().copied().filter(fits).collect();
        if types.is_empty() {
            let (from, to) = (self.describe(&draft.types), self.describe(&[ty]));
            self.error("wrong-type", span, format!("{from} cannot be converted to {to}"));
            return None;
        }
        draft.types = types;
        let from = self.choose(&draft)?;
        let (node, _) = self.fix(draft, from)?;
        Some(Draft::done(span, root, Node::Check(ty, Box::new(node)), Some(ty)))
    }
}

/// `1 parameter`, `2 parameters`
pub(super) fn count(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}
