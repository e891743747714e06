//! Definitions of types.

use crate::ast::{Field, Ident, Range, TypeDef, TypeKind};
use crate::check::{Checker, Space};
use crate::types::{INT, Shape, TypeId};

/// Elements of the largest vector.
const MAX_VECTOR: i64 = 1_000_000;

impl Checker<'_> {
    pub(super) fn type_def(&mut self, def: &TypeDef) {
        match self.shape(def) {
            Some((parent, bounds, shape)) => {
                let id = self.context.types.add(def.name.name.clone(), parent, bounds, shape);
                self.define(Space::Type, &def.name, id.0 as usize);
                self.note_enum(id);
            }
            None => {
                // Something is known under its name, so that nobody complains of it.
                let id = self.context.types.add(
                    def.name.name.clone(),
                    Some(INT),
                    self.types()[INT].bounds,
                    Shape::Number(None),
                );
                self.define(Space::Type, &def.name, id.0 as usize);
            }
        }
    }

    fn shape(&mut self, def: &TypeDef) -> Option<(Option<TypeId>, (i64, i64), Shape)> {
        match &def.kind {
            TypeKind::Range(range) => {
                let bounds = self.static_range(range, None)?;
                Some((None, bounds, Shape::Number(None)))
            }
            TypeKind::Mod(modulus) => {
                let value = self.static_number(modulus)?;
                if value < 1 {
                    let message = format!("the modulus of a type is positive, not {value}");
                    self.error("out-of-range", modulus.span, message);
                    return None;
                }
                Some((None, (0, value - 1), Shape::Number(Some(value))))
            }
            TypeKind::Enum(values) => {
                let names: Vec<_> = values.iter().map(|v| v.name.clone()).collect();
                for (i, value) in values.iter().enumerate() {
                    if names[..i].contains(&value.name) {
                        let message = format!("`{}` stands twice in this enumeration", value.name);
                        self.error("duplicate", value.span, message);
                    }
                }
                Some((None, (0, names.len() as i64 - 1), Shape::Enum(names)))
            }
            TypeKind::Vector(indices, element) => self.vector(def, indices, element),
            TypeKind::Struct(fields) => self.structure(def, fields),
            TypeKind::List(index, element, capacity) => {
                let index = self.discrete_type(index);
                let element = self.type_named(element);
                let capacity = self.capacity_of(capacity);
                Some((None, (0, 0), Shape::List(index?, element?, capacity?)))
            }
            TypeKind::Set(element, capacity) => {
                let element = self.type_named(element);
                let capacity = self.capacity_of(capacity);
                Some((None, (0, 0), Shape::Set(element?, capacity?)))
            }
            TypeKind::Subtype(parent, range) => {
                let parent = self.discrete_type(parent)?;
                let bounds = match range {
                    Some(range) => self.static_range(range, Some(parent))?,
                    None => self.types()[parent].bounds,
                };
                let shape = self.types()[parent].shape.clone();
                Some((Some(parent), bounds, shape))
            }
        }
    }

    fn vector(
        &mut self,
        def: &TypeDef,
        indices: &[Ident],
        element: &Ident,
    ) -> Option<(Option<TypeId>, (i64, i64), Shape)> {
        let indices: Vec<Option<TypeId>> = indices.iter().map(|index| self.discrete_type(index)).collect();
        let element = self.type_named(element)?;
        let indices: Vec<TypeId> = indices.into_iter().collect::<Option<_>>()?;
        let length = indices.iter().try_fold(1i64, |n, i| n.checked_mul(self.types().card(*i)));
        if length.is_none_or(|n| n > MAX_VECTOR) {
            let message = format!("a vector has at most {MAX_VECTOR} elements");
            self.error("too-large", def.name.span, message);
            return None;
        }
        Some((None, (0, 0), Shape::Vector(indices, element)))
    }

    fn structure(&mut self, def: &TypeDef, fields: &[Field]) -> Option<(Option<TypeId>, (i64, i64), Shape)> {
        let mut known = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            if fields[..i].iter().any(|f| f.name.name == field.name.name) {
                let message = format!("the component `{}` stands twice in this structure", field.name.name);
                self.error("duplicate", field.name.span, message);
            }
            known.push(self.type_named(&field.ty).map(|ty| (field.name.name.clone(), ty)));
        }
        if fields.is_empty() && !self.lost.contains(&def.name.name) {
            self.error("syntax", def.name.span, "a structure needs a component");
        }
        Some((None, (0, 0), Shape::Struct(known.into_iter().collect::<Option<_>>()?)))
    }

    /// A type that has to be discrete.
    pub(super) fn discrete_type(&mut self, name: &Ident) -> Option<TypeId> {
        let id = self.type_named(name)?;
        if !self.types().is_discrete(id) {
            let message = format!("`{}` is no discrete type: no range, `mod` or `enum`", name.name);
            self.error("wrong-type", name.span, message);
            return None;
        }
        Some(id)
    }

    fn capacity_of(&mut self, capacity: &crate::ast::Expr) -> Option<usize> {
        let value = self.static_number(capacity)?;
        if value < 1 {
            self.error("out-of-range", capacity.span, format!("a capacity is positive, not {value}"));
            return None;
        }
        Some(value as usize)
    }

    /// The bounds of a range, of a given type or of numbers.
    fn static_range(&mut self, range: &Range, ty: Option<TypeId>) -> Option<(i64, i64)> {
        let mut bound = |expr| match ty {
            Some(ty) => self.static_value(expr, ty)?.as_int(),
            None => self.static_number(expr),
        };
        let (low, high) = (bound(&range.low), bound(&range.high));
        let (low, high) = (low?, high?);
        if low > high {
            let span = range.low.span.join(range.high.span);
            self.error("empty-range", span, format!("the range {low} .. {high} has no values"));
            return None;
        }
        Some((low, high))
    }
}
