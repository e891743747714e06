//! Variables that go over a domain, and iterators.

use stubborn_base::{Diagnostic, Span};
use stubborn_nets::{PlaceId, Value};

use crate::ast::{Expr, ExprKind, IterVar, Quantifier};
use crate::check::draft::{Draft, Kind};
use crate::check::{Checker, Space};
use crate::code::{Bound, Iterate, Node, Range};
use crate::types::{BOOL, Shape, TypeId};

/// What a variable may go over, besides a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Allowed {
    /// Nothing, and ranges must be static.
    Types,
    /// Lists and sets.
    Containers,
    /// And places.
    Places,
}

impl Checker<'_> {
    /// The domain of a variable, and the type of its values.
    pub(super) fn domain(&mut self, var: &IterVar, allowed: Allowed) -> Option<(Range, TypeId)> {
        if let ExprKind::Name(name) = &var.domain.kind {
            if let Some(ty) = self.find(Space::Type, name) {
                return self.type_domain(var, TypeId(ty as u32), allowed);
            }
            if let Some(place) = self.find(Space::Place, name)
                && (allowed == Allowed::Places || self.local(name).is_none())
            {
                return self.place_domain(var, PlaceId(place as u32), allowed);
            }
        }
        if let Some(range) = &var.range {
            let message = "only a type can be limited to a range";
            self.error("misplaced", range.low.span.join(range.high.span), message);
        }
        if allowed == Allowed::Types {
            self.error("misplaced", var.domain.span, "variables of arcs go over types only");
            return None;
        }
        let mut draft = self.draft(&var.domain)?;
        let types = draft.types.iter().copied().filter(|ty| self.types().container(*ty).is_some());
        let types: Vec<TypeId> = types.collect();
        if types.is_empty() {
            let found = self.describe(&draft.types);
            let message = format!("a variable goes over a type, a list or a set, not over {found}");
            self.error("wrong-type", var.domain.span, message);
            return None;
        }
        draft.types = types;
        let ty = self.choose(&draft)?;
        let (node, _) = self.fix(draft, ty)?;
        let (element, _) = self.types().container(ty)?;
        Some((Range::Each(node), element))
    }

    fn type_domain(&mut self, var: &IterVar, ty: TypeId, allowed: Allowed) -> Option<(Range, TypeId)> {
        if !self.types().is_discrete(ty) {
            let message = format!("`{}` is no discrete type", self.types()[ty].name);
            self.error("wrong-type", var.domain.span, message);
            return None;
        }
        let (low, high) = self.types()[ty].bounds;
        let value = |n: i64| Node::Const(Value::Int(n));
        let (low, high) = match &var.range {
            None => (value(low), value(high)),
            Some(range) if allowed == Allowed::Types => {
                let (low, high) = (self.static_value(&range.low, ty), self.static_value(&range.high, ty));
                (Node::Const(low?), Node::Const(high?))
            }
            Some(range) => {
                let (low, high) = (self.expr(&range.low, ty), self.expr(&range.high, ty));
                (low?, high?)
            }
        };
        Some((Range::Each(Node::Interval(Box::new([low, high]))), ty))
    }

    fn place_domain(&mut self, var: &IterVar, place: PlaceId, allowed: Allowed) -> Option<(Range, TypeId)> {
        if allowed != Allowed::Places {
            let message = "tokens of places can be looked at in propositions and priorities only";
            self.error("misplaced", var.domain.span, message);
            return None;
        }
        self.is_dynamic = true;
        Some((Range::Place(place), self.places[place].token))
    }

    /// Brings variables into scope, each of which may refer to those before it.
    pub(super) fn bounds(&mut self, vars: &[IterVar], allowed: Allowed) -> Option<Vec<Bound>> {
        let mut bounds = Vec::new();
        for (i, var) in vars.iter().enumerate() {
            if vars[..i].iter().any(|v| v.name.name == var.name.name) {
                let message = format!("the variable `{}` is declared twice", var.name.name);
                self.error("duplicate", var.name.span, message);
            }
            let domain = self.domain(var, allowed);
            let ty = domain.as_ref().map_or(BOOL, |(_, ty)| *ty);
            let local = self.new_local(&var.name, ty, false);
            bounds.push(domain.map(|(domain, _)| Bound { local, domain }));
        }
        bounds.into_iter().collect()
    }

    /// `forall (x in d | c : e)`
    pub(super) fn iterator(
        &mut self,
        quantifier: Quantifier,
        vars: &[IterVar],
        condition: Option<&Expr>,
        body: Option<&Expr>,
        span: Span,
    ) -> Option<Draft> {
        self.is_dynamic = true;
        let word = quantifier.text();
        if !self.is_complex {
            let message = format!("`{word}` can stand in propositions and priorities only");
            self.error("misplaced", span, message);
            return None;
        }
        let in_scope = self.scope.len();
        let bounds = self.bounds(vars, Allowed::Places);
        let bounds = bounds.filter(|bounds| self.suits(quantifier, bounds, span));
        let condition = condition.map(|condition| self.condition(condition));
        let body = self.said(quantifier, body, span);
        self.scope.truncate(in_scope);
        let condition = match condition {
            Some(condition) => Some(condition?),
            None => None,
        };
        let (vars, body) = (bounds?, body?);
        let iterate = Iterate { quantifier, vars, condition, body: None, bounds: (0, 1) };
        let done = |body: Option<Node>| Node::Iterate(Box::new(Iterate { body, ..iterate.clone() }));
        Some(match (quantifier, body) {
            (Quantifier::Exists, _) => Draft::bool(span, done(None)),
            (Quantifier::Card | Quantifier::Mult, _) => {
                Draft { span, types: self.numbers(), kind: Kind::Any(done(None)) }
            }
            (Quantifier::Forall, Some(body)) => {
                let body = self.store(body, BOOL)?;
                Draft::bool(span, done(Some(body)))
            }
            (_, Some(body)) => Draft {
                span,
                types: body.types.clone(),
                kind: Kind::Iterate(Box::new(iterate), Box::new(body)),
            },
            (_, None) => return None,
        })
    }

    /// What an iterator says of its variables: nothing where it says nothing.
    fn said(&mut self, quantifier: Quantifier, body: Option<&Expr>, span: Span) -> Option<Option<Draft>> {
        let word = quantifier.text();
        let Some(body) = body else {
            if !quantifier.has_body() {
                return Some(None);
            }
            let diagnostic = Diagnostic::error("syntax", span, format!("`{word}` needs an expression"));
            self.report(diagnostic.help(format!("write it after a colon: `{word} (x in p : e)`")));
            return None;
        };
        if !quantifier.has_body() {
            let diagnostic = Diagnostic::error("syntax", body.span, format!("`{word}` has no expression"));
            self.report(diagnostic.help("a condition stands after `|`"));
            return None;
        }
        let mut draft = self.draft(body)?;
        let is_order = matches!(quantifier, Quantifier::Min | Quantifier::Max);
        if quantifier != Quantifier::Forall {
            let fits =
                |ty: &TypeId| self.types().is_number(*ty) || (is_order && self.types().is_discrete(*ty));
            draft.types = draft.types.iter().copied().filter(fits).collect();
        }
        if draft.types.is_empty() {
            self.error("wrong-type", body.span, "this must be a number");
            return None;
        }
        Some(Some(draft))
    }

    fn suits(&mut self, quantifier: Quantifier, bounds: &[Bound], span: Span) -> bool {
        let is_one_place = matches!(bounds, [bound] if matches!(bound.domain, Range::Place(_)));
        if quantifier == Quantifier::Mult && !is_one_place {
            self.error("misplaced", span, "`mult` has one variable, which goes over a place");
            return false;
        }
        true
    }

    /// The type of tokens of a place.
    pub(super) fn token_type(&mut self, domain: Vec<TypeId>) -> TypeId {
        self.context.types.add(String::new().into(), None, (0, 0), Shape::Token(domain))
    }
}
