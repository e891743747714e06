//! Parameters, constants, and expressions whose values must be known.

use stubborn_base::{Diagnostic, Span, suggest};
use stubborn_nets::Value;

use crate::ast::{Expr, ExprKind, Param, VarDecl};
use crate::check::{Checker, ConstantDef, Space};
use crate::types::{INT, TypeId};

/// What to say of a value for a parameter that the net has not.
pub(crate) fn unknown_parameter(name: &str, net: Span, params: &[Param]) -> Diagnostic {
    let message = format!("a value is given for `{name}`, which is no parameter of the net");
    let diagnostic = Diagnostic::error("unknown-parameter", net, message);
    let mut diagnostic = suggest(diagnostic, net, name, params.iter().map(|p| p.name.name.as_str()));
    diagnostic.fixes.clear();
    diagnostic
}

impl Checker<'_> {
    /// Defines the parameters of the net, with other values than their defaults where some are given.
    pub(super) fn parameters(&mut self, params: &[Param], given: &[(String, String)]) {
        for param in params {
            let mut value = match self.static_number(&param.value) {
                Some(value) => value,
                None => continue,
            };
            if !matches!(param.value.kind, ExprKind::Number(_)) {
                let message = "the default of a parameter is a number";
                self.error("not-constant", param.value.span, message);
            }
            if let Some((_, text)) = given.iter().rev().find(|(name, _)| *name == param.name.name) {
                match text.trim().parse::<i32>() {
                    Ok(number) => value = i64::from(number),
                    Err(_) => {
                        let message = format!(
                            "`{text}` is given for the parameter `{}`, which is a number",
                            param.name.name
                        );
                        self.error("bad-parameter", param.name.span, message);
                    }
                }
            }
            self.add_constant(&param.name, INT, Some(Value::Int(value)), None);
        }
    }

    /// Defines a constant of the net.
    pub(super) fn constant(&mut self, def: &VarDecl) {
        let ty = self.type_named(&def.ty);
        let Some(expr) = &def.value else {
            self.error("syntax", def.name.span, format!("the constant `{}` needs a value", def.name.name));
            return self.add_constant(&def.name, ty.unwrap_or(INT), None, None);
        };
        let Some(ty) = ty else {
            return self.add_constant(&def.name, INT, None, None);
        };
        self.is_dynamic = false;
        let Some(node) = self.expr(expr, ty) else { return self.add_constant(&def.name, ty, None, None) };
        if self.is_dynamic {
            return self.add_constant(&def.name, ty, None, Some(node));
        }
        let value = match self.evaluate(&node) {
            Ok(value) => Some(value),
            Err(undefined) => {
                let message = format!("this constant has no value: {undefined}");
                self.error("undefined", expr.span, message);
                None
            }
        };
        self.add_constant(&def.name, ty, value, None);
    }

    fn add_constant(
        &mut self,
        name: &crate::ast::Ident,
        ty: TypeId,
        value: Option<Value>,
        pending: Option<crate::code::Node>,
    ) {
        let value = if pending.is_some() { value } else { value.or_else(|| Some(self.poison(ty))) };
        self.define(Space::Constant, name, self.constants.len());
        self.constants.push(ConstantDef { ty, span: name.span, pending });
        self.context.constants.push(value);
    }

    /// The value of an expression of some type that must be known now.
    pub(super) fn static_value(&mut self, expr: &Expr, ty: TypeId) -> Option<Value> {
        let was_dynamic = std::mem::replace(&mut self.is_dynamic, false);
        let node = self.expr(expr, ty);
        let is_dynamic = std::mem::replace(&mut self.is_dynamic, was_dynamic);
        self.known(expr, node?, is_dynamic)
    }

    /// The same for any number.
    pub(super) fn static_number(&mut self, expr: &Expr) -> Option<i64> {
        let was_dynamic = std::mem::replace(&mut self.is_dynamic, false);
        let node = self.number(expr);
        let is_dynamic = std::mem::replace(&mut self.is_dynamic, was_dynamic);
        self.known(expr, node?, is_dynamic)?.as_int()
    }

    fn known(&mut self, expr: &Expr, node: crate::code::Node, is_dynamic: bool) -> Option<Value> {
        if is_dynamic {
            let message = "this must be a constant: it has a variable or a call in it";
            self.error("not-constant", expr.span, message);
            return None;
        }
        match self.evaluate(&node) {
            Ok(value) => Some(value),
            Err(undefined) => {
                self.error("undefined", expr.span, format!("this has no value: {undefined}"));
                None
            }
        }
    }
}
