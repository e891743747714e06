//! Parts of structures, vectors, lists and tokens, and attributes.

use stubborn_base::{Span, suggest};
use stubborn_nets::{PlaceId, Value};

use crate::ast::{Expr, ExprKind, Ident};
use crate::check::draft::{Draft, Kind};
use crate::check::literal::count;
use crate::check::{Checker, Space};
use crate::code::{Compare, Index, Node, Part};
use crate::types::{Shape, TypeId};

/// All attributes.
const ATTRIBUTES: [&str; 14] = [
    "card",
    "mult",
    "first",
    "last",
    "capacity",
    "size",
    "length",
    "space",
    "full",
    "empty",
    "prefix",
    "suffix",
    "first_index",
    "last_index",
];

impl Checker<'_> {
    /// An expression of the only type that `fits` and that it can have.
    fn only(&mut self, expr: &Expr, wanted: &str, fits: impl Fn(&Shape) -> bool) -> Option<(Node, TypeId)> {
        let mut draft = self.draft(expr)?;
        let types: Vec<TypeId> =
            draft.types.iter().copied().filter(|ty| fits(&self.types()[*ty].shape)).collect();
        if types.is_empty() {
            let found = self.describe(&draft.types);
            self.error("wrong-type", expr.span, format!("this must be {wanted}, not {found}"));
            return None;
        }
        draft.types = types;
        let ty = self.choose(&draft)?;
        Some((self.fix(draft, ty)?.0, ty))
    }

    fn indexed(&mut self, of: &Expr) -> Option<(Node, TypeId)> {
        self.only(of, "a vector or a list", |shape| matches!(shape, Shape::Vector(..) | Shape::List(..)))
    }

    /// `e[i, j]`
    pub(super) fn element(&mut self, of: &Expr, indices: &[Expr], span: Span) -> Option<Draft> {
        let (node, ty) = self.indexed(of)?;
        let (places, element) = self.indices(ty, indices, span)?;
        let node = match places {
            Places::Vector(indices) => Node::Element(Box::new(node), indices),
            Places::List(index, low) => Node::Item(Box::new([node, index]), low),
        };
        Some(Draft::done(span, self.types().root(element), node, Some(element)))
    }

    /// `e :: ([i, j] := f)`
    pub(super) fn with_element(
        &mut self,
        of: &Expr,
        indices: &[Expr],
        value: &Expr,
        span: Span,
    ) -> Option<Draft> {
        let (node, ty) = self.indexed(of)?;
        let (places, element) = self.indices(ty, indices, span)?;
        let value = self.expr(value, element)?;
        Some(Draft::done(span, ty, replace(places, node, value), Some(ty)))
    }

    pub(super) fn indices(&mut self, ty: TypeId, given: &[Expr], span: Span) -> Option<(Places, TypeId)> {
        match self.types()[ty].shape.clone() {
            Shape::Vector(types, element) => {
                if types.len() != given.len() {
                    let message = format!("this vector has {}, not {}", plural(types.len()), given.len());
                    self.error("wrong-arity", span, message);
                    return None;
                }
                let mut indices = Vec::new();
                for (expr, ty) in given.iter().zip(types) {
                    let (low, _) = self.types()[ty].bounds;
                    let card = self.types().card(ty);
                    let value = self.expr(expr, ty);
                    indices.push(value.map(|value| Index { value, low, card }));
                }
                Some((Places::Vector(indices.into_iter().collect::<Option<_>>()?), element))
            }
            Shape::List(index, element, _) => {
                let [given] = given else {
                    self.error("wrong-arity", span, format!("a list has 1 index, not {}", given.len()));
                    return None;
                };
                let (low, _) = self.types()[index].bounds;
                Some((Places::List(self.expr(given, index)?, low), element))
            }
            _ => None,
        }
    }

    /// `e[i .. j]`
    pub(super) fn slice(&mut self, parts: &[Expr; 3], span: Span) -> Option<Draft> {
        let (list, ty) = self.only(&parts[0], "a list", |shape| matches!(shape, Shape::List(..)))?;
        let Shape::List(index, ..) = self.types()[ty].shape else { return None };
        let (first, last) = (self.expr(&parts[1], index), self.expr(&parts[2], index));
        let (low, _) = self.types()[index].bounds;
        Some(Draft::done(span, ty, Node::Slice(Box::new([list, first?, last?]), low), Some(ty)))
    }

    /// Where a component of a structure stands, and its type.
    pub(super) fn component_of(&mut self, ty: TypeId, name: &Ident) -> Option<(usize, TypeId)> {
        let Shape::Struct(fields) = self.types()[ty].shape.clone() else { return None };
        let found = fields.iter().position(|(field, _)| *field == name.name);
        if found.is_none() {
            let message = format!("`{}` has no component `{}`", self.types()[ty].name, name.name);
            let diagnostic = stubborn_base::Diagnostic::error("undeclared", name.span, message);
            let names = fields.iter().map(|(field, _)| field.as_str());
            self.report(suggest(diagnostic, name.span, &name.name, names));
        }
        found.map(|i| (i, fields[i].1))
    }

    pub(super) fn structure_of(&mut self, of: &Expr) -> Option<(Node, TypeId)> {
        self.only(of, "a structure", |shape| matches!(shape, Shape::Struct(_)))
    }

    /// `e.a`
    pub(super) fn field(&mut self, of: &Expr, name: &Ident, span: Span) -> Option<Draft> {
        let (node, ty) = self.structure_of(of)?;
        let (i, ty) = self.component_of(ty, name)?;
        Some(Draft::done(span, self.types().root(ty), Node::Field(Box::new(node), i), Some(ty)))
    }

    /// `e :: (a := f)`
    pub(super) fn with_field(&mut self, of: &Expr, name: &Ident, value: &Expr, span: Span) -> Option<Draft> {
        let (node, ty) = self.structure_of(of)?;
        let (i, field) = self.component_of(ty, name)?;
        let value = self.expr(value, field)?;
        Some(Draft::done(span, ty, Node::WithField(Box::new([node, value]), i), Some(ty)))
    }

    /// `t->n`
    pub(super) fn component(
        &mut self,
        token: &Ident,
        number: Option<i64>,
        at: Span,
        span: Span,
    ) -> Option<Draft> {
        let Some(local) = self.local(&token.name) else {
            self.undeclared_value(&token.name, token.span);
            return None;
        };
        let (ty, node) = (local.ty, local.node.clone());
        let Shape::Token(types) = &self.types()[ty].shape else {
            let message = format!("`{}` is no token of a place", token.name);
            self.error("wrong-type", token.span, message);
            return None;
        };
        let n_components = types.len();
        let i = number.and_then(|n| usize::try_from(n - 1).ok()).filter(|i| *i < n_components);
        let Some(i) = i else {
            let message = format!("tokens of this place have {}", count(n_components, "component"));
            self.error("out-of-range", at, message);
            return None;
        };
        let ty = types[i];
        self.is_dynamic = true;
        Some(Draft::done(span, self.types().root(ty), Node::Field(Box::new(node), i), Some(ty)))
    }

    /// `e'a`
    pub(super) fn attribute(&mut self, of: &Expr, name: &Ident, span: Span) -> Option<Draft> {
        if let ExprKind::Name(element) = &of.kind {
            let place = self.find(Space::Place, element);
            let ty = self.find(Space::Type, element).map(|ty| TypeId(ty as u32));
            match (&*name.name, place, ty) {
                ("card" | "mult", Some(place), _) => {
                    return self.place_attribute(PlaceId(place as u32), name, span);
                }
                ("first" | "last" | "card", _, Some(ty)) if self.local(element).is_none() => {
                    return self.type_attribute(ty, name, of.span, span);
                }
                _ => {}
            }
        }
        match &*name.name {
            "first" | "last" | "prefix" | "suffix" | "first_index" | "last_index" => {
                let (node, ty) = self.only(of, "a list", |shape| matches!(shape, Shape::List(..)))?;
                self.list_attribute(node, ty, &name.name, span)
            }
            "capacity" | "size" | "length" | "space" | "full" | "empty" => {
                let is_container = |shape: &Shape| matches!(shape, Shape::List(..) | Shape::Set(..));
                let (node, ty) = self.only(of, "a list or a set", is_container)?;
                self.container_attribute(node, ty, &name.name, span)
            }
            "card" | "mult" => {
                self.error("wrong-type", of.span, format!("`{}` asks about a place or a type", name.name));
                None
            }
            _ => {
                let message = format!("there is no attribute `{}`", name.name);
                let diagnostic = stubborn_base::Diagnostic::error("undeclared", name.span, message);
                self.report(suggest(diagnostic, name.span, &name.name, ATTRIBUTES.into_iter()));
                None
            }
        }
    }

    fn place_attribute(&mut self, place: PlaceId, name: &Ident, span: Span) -> Option<Draft> {
        self.is_dynamic = true;
        if !self.is_complex {
            let message = "places can be looked at in propositions and priorities only";
            self.error("misplaced", span, message);
            return None;
        }
        let node = if name.name == "card" { Node::PlaceCard(place) } else { Node::PlaceMult(place) };
        Some(Draft { span, types: self.numbers(), kind: Kind::Any(node) })
    }

    fn type_attribute(&mut self, ty: TypeId, name: &Ident, at: Span, span: Span) -> Option<Draft> {
        if !self.types().is_discrete(ty) {
            self.error("wrong-type", at, format!("`{}` is no discrete type", self.types()[ty].name));
            return None;
        }
        let (low, high) = self.types()[ty].bounds;
        let value = |n: i64| Node::Const(Value::Int(n));
        let root = self.types().root(ty);
        Some(match &*name.name {
            "first" => Draft::done(span, root, value(low), Some(ty)),
            "last" => Draft::done(span, root, value(high), Some(ty)),
            _ => Draft { span, types: self.numbers(), kind: Kind::Any(value(self.types().card(ty))) },
        })
    }

    fn list_attribute(&mut self, list: Node, ty: TypeId, name: &str, span: Span) -> Option<Draft> {
        let Shape::List(index, element, _) = self.types()[ty].shape else { return None };
        let (low, _) = self.types()[index].bounds;
        let part = |part: Part, list: Node| Node::Part(part, Box::new(list));
        let number = |n: i64| Node::Const(Value::Int(n));
        let (node, ty) = match name {
            "first" => (part(Part::First, list), element),
            "last" => (part(Part::Last, list), element),
            "prefix" => (part(Part::Prefix, list), ty),
            "suffix" => (part(Part::Suffix, list), ty),
            "first_index" => (number(low), index),
            _ => {
                let size = part(Part::Size, list);
                let last = Node::Arith(crate::code::Arith::Add, Box::new([size, number(low - 1)]));
                (Node::Check(index, Box::new(last)), index)
            }
        };
        Some(Draft::done(span, self.types().root(ty), node, Some(ty)))
    }

    fn container_attribute(&mut self, of: Node, ty: TypeId, name: &str, span: Span) -> Option<Draft> {
        let (_, capacity) = self.types().container(ty)?;
        let capacity = Node::Const(Value::Int(capacity as i64));
        let size = |of: Node| Node::Part(Part::Size, Box::new(of));
        let node = match name {
            "size" | "length" => size(of),
            "capacity" => capacity,
            "space" => Node::Arith(crate::code::Arith::Sub, Box::new([capacity, size(of)])),
            "full" => {
                return Some(Draft::bool(span, Node::Compare(Compare::Eq, Box::new([size(of), capacity]))));
            }
            _ => return Some(Draft::bool(span, Node::Part(Part::IsEmpty, Box::new(of)))),
        };
        Some(Draft { span, types: self.numbers(), kind: Kind::Any(node) })
    }
}

/// Where an element stands.
pub(super) enum Places {
    Vector(Vec<Index>),
    /// In a list with this first index.
    List(Node, i64),
}

/// The vector or list with another element.
pub(super) fn replace(places: Places, of: Node, value: Node) -> Node {
    match places {
        Places::Vector(indices) => Node::WithElement(Box::new([of, value]), indices),
        Places::List(index, low) => Node::WithItem(Box::new([of, index, value]), low),
    }
}

fn plural(n: usize) -> String {
    if n == 1 { "1 index".to_owned() } else { format!("{n} indices") }
}
