//! Types and their values.
//!
//! Numbers, values of enumerations and booleans are [`Value::Int`]; vectors, structures, lists and sets are
//! [`Value::Seq`], vectors in the order of their indices with the last index fastest, sets ascending without
//! duplicates. Every type has a root: itself, or for a subtype the root of its parent. Expressions are typed by roots;
//! a value is compared with the bounds of a subtype where it is stored.

use smol_str::SmolStr;
use stubborn_base::{IndexVec, define_index};
use stubborn_nets::{Undefined, Value};

define_index! {
    /// A type of a net.
    pub(crate) struct TypeId;
}

/// A type.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    /// Its name.
    pub(crate) name: SmolStr,
    /// Itself, or for a subtype the root of its parent.
    pub(crate) root: TypeId,
    /// The first and the last value, if it is discrete.
    pub(crate) bounds: (i64, i64),
    /// What its values are.
    pub(crate) shape: Shape,
}

/// What the values of a type are.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// Numbers, modulo some number or not.
    Number(Option<i64>),
    /// Positions of these names, from 0.
    Enum(Vec<SmolStr>),
    /// One value for each index.
    Vector(Vec<TypeId>, TypeId),
    /// Components.
    Struct(Vec<(SmolStr, TypeId)>),
    /// Index, elements, and how many there can be.
    List(TypeId, TypeId, usize),
    /// Elements, and how many there can be.
    Set(TypeId, usize),
    /// Tokens of a place.
    Token(Vec<TypeId>),
}

/// All types of a net. The predefined ones come first.
#[derive(Clone, Debug)]
pub(crate) struct Types {
    all: IndexVec<TypeId, Type>,
}

/// `bool`
pub(crate) const BOOL: TypeId = TypeId(0);
/// `int`
pub(crate) const INT: TypeId = TypeId(1);

impl Types {
    /// The predefined types.
    pub(crate) fn new() -> Self {
        let mut types = Types { all: IndexVec::new() };
        let names = vec!["false".into(), "true".into()];
        types.add("bool".into(), None, (0, 1), Shape::Enum(names));
        let int = (i64::from(i32::MIN), i64::from(i32::MAX));
        types.add("int".into(), None, int, Shape::Number(None));
        types.add("nat".into(), Some(INT), (0, int.1), Shape::Number(None));
        types.add("short".into(), Some(INT), (-32768, 32767), Shape::Number(None));
        types.add("ushort".into(), Some(INT), (0, 65535), Shape::Number(None));
        types
    }

    /// Adds a type; `parent` is given for a subtype.
    pub(crate) fn add(
        &mut self,
        name: SmolStr,
        parent: Option<TypeId>,
        bounds: (i64, i64),
        shape: Shape,
    ) -> TypeId {
        let own = TypeId(self.all.len() as u32);
        let root = parent.map_or(own, |parent| self[parent].root);
        self.all.push(Type { name, root, bounds, shape })
    }

    /// All types with their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        (0..self.all.len()).map(|i| TypeId(i as u32)).map(|id| (id, &self[id]))
    }

    pub(crate) fn root(&self, id: TypeId) -> TypeId {
        self[id].root
    }

    pub(crate) fn is_number(&self, id: TypeId) -> bool {
        matches!(self[id].shape, Shape::Number(_))
    }

    pub(crate) fn is_discrete(&self, id: TypeId) -> bool {
        matches!(self[id].shape, Shape::Number(_) | Shape::Enum(_))
    }

    /// The type of the elements and the capacity of a list or a set.
    pub(crate) fn container(&self, id: TypeId) -> Option<(TypeId, usize)> {
        match self[id].shape {
            Shape::List(_, element, capacity) | Shape::Set(element, capacity) => Some((element, capacity)),
            _ => None,
        }
    }

    /// The modulus of a number type.
    pub(crate) fn modulus(&self, id: TypeId) -> Option<i64> {
        match self[id].shape {
            Shape::Number(modulus) => modulus,
            _ => None,
        }
    }

    /// How many values a discrete type has.
    pub(crate) fn card(&self, id: TypeId) -> i64 {
        let (low, high) = self[id].bounds;
        high - low + 1
    }

    /// Whether all values of `inner` are values of `outer`, which has the same root.
    pub(crate) fn is_within(&self, inner: TypeId, outer: TypeId) -> bool {
        let (low, high) = self[outer].bounds;
        !self.is_discrete(outer) || (self[inner].bounds.0 >= low && self[inner].bounds.1 <= high)
    }

    /// The value, if it is one of a type; its root is the type's root.
    pub(crate) fn check(&self, id: TypeId, value: Value) -> Result<Value, Undefined> {
        let (low, high) = self[id].bounds;
        match value {
            Value::Int(number) if self.is_discrete(id) && !(low..=high).contains(&number) => {
                let shown = self.show(self.root(id), &value);
                let [low, high] = [low, high].map(|bound| self.show(self.root(id), &Value::Int(bound)));
                let name = &self[id].name;
                Err(Undefined(format!("{shown} is not a value of `{name}`, {low} .. {high}")))
            }
            _ => Ok(value),
        }
    }

    /// The value that variables without one have: the first of the type.
    pub(crate) fn first(&self, id: TypeId) -> Value {
        match &self[id].shape {
            Shape::Number(_) | Shape::Enum(_) => Value::Int(self[id].bounds.0),
            Shape::Vector(_, element) => {
                let element = self.first(*element);
                Value::seq((0..self.vector_len(id)).map(|_| element.clone()))
            }
            Shape::Struct(fields) => Value::seq(fields.iter().map(|(_, ty)| self.first(*ty))),
            Shape::List(..) | Shape::Set(..) => Value::seq([]),
            Shape::Token(types) => Value::seq(types.iter().map(|ty| self.first(*ty))),
        }
    }

    /// How many elements a vector has.
    pub(crate) fn vector_len(&self, id: TypeId) -> usize {
        match &self[id].shape {
            Shape::Vector(indices, _) => indices.iter().map(|i| self.card(*i) as usize).product(),
            _ => 0,
        }
    }

    /// A value as the language writes it.
    pub(crate) fn show(&self, id: TypeId, value: &Value) -> String {
        let all = |types: &mut dyn Iterator<Item = TypeId>, values: &[Value]| {
            let shown: Vec<String> = values.iter().zip(types).map(|(v, t)| self.show(t, v)).collect();
            shown.join(", ")
        };
        match (&self[id].shape, value) {
            (Shape::Enum(names), Value::Int(i)) => {
                let name = usize::try_from(*i).ok().and_then(|i| names.get(i));
                name.map_or_else(|| i.to_string(), ToString::to_string)
            }
            (_, Value::Int(number)) => number.to_string(),
            (Shape::Vector(_, element), Value::Seq(v)) => {
                format!("[{}]", all(&mut std::iter::repeat(*element), v))
            }
            (Shape::Struct(fields), Value::Seq(v)) => {
                format!("{{{}}}", all(&mut fields.iter().map(|(_, ty)| *ty), v))
            }
            (Shape::List(..) | Shape::Set(..), Value::Seq(v)) if v.is_empty() => "empty".to_owned(),
            (Shape::List(_, element, _) | Shape::Set(element, _), Value::Seq(v)) => {
                format!("|{}|", all(&mut std::iter::repeat(*element), v))
            }
            (Shape::Token(types), Value::Seq(v)) if !types.is_empty() => {
                format!("({})", all(&mut types.iter().copied(), v))
            }
            (Shape::Token(_), _) => String::new(),
            (_, value) => format!("{value:?}"),
        }
    }
}

impl std::ops::Index<TypeId> for Types {
    type Output = Type;

    fn index(&self, id: TypeId) -> &Type {
        &self.all[id]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_as_they_are_written() {
        let mut types = Types::new();
        let colour = types.add("c".into(), None, (0, 1), Shape::Enum(vec!["red".into(), "blue".into()]));
        let vector = types.add("v".into(), None, (0, 0), Shape::Vector(vec![colour, BOOL], INT));
        let list = types.add("l".into(), None, (0, 0), Shape::List(INT, colour, 3));
        let pair =
            types.add("s".into(), None, (0, 0), Shape::Struct(vec![("a".into(), INT), ("b".into(), list)]));
        let token = types.add(String::new().into(), None, (0, 0), Shape::Token(vec![INT, BOOL]));
        assert_eq!(types.show(vector, &types.first(vector)), format!("[{}]", ["-2147483648"; 4].join(", ")));
        let reds = Value::seq([Value::Int(0), Value::Int(1)]);
        assert_eq!(types.show(pair, &Value::seq([Value::Int(3), reds])), "{3, |red, blue|}");
        assert_eq!(types.show(list, &Value::seq([])), "empty");
        assert_eq!(types.show(token, &Value::seq([Value::Int(1), Value::Int(1)])), "(1, true)");
        assert!(types.check(colour, Value::Int(2)).is_err());
    }
}
