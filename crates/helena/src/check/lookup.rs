//! What names stand for.

use smol_str::SmolStr;
use stubborn_base::{Diagnostic, Span, suggest};
use stubborn_nets::PlaceId;

use crate::ast::Ident;
use crate::check::{Checker, Local, Space};
use crate::code::{FunctionId, Node};
use crate::types::{Shape, TypeId};

impl Space {
    fn word(self) -> &'static str {
        match self {
            Space::Type => "type",
            Space::Constant => "constant",
            Space::Function => "function",
            Space::Place => "place",
            Space::Transition => "transition",
            Space::Proposition => "proposition",
        }
    }
}

impl Checker<'_> {
    /// Defines the predefined types.
    pub(super) fn predefine(&mut self) {
        let all: Vec<(TypeId, SmolStr)> = self.types().iter().map(|(id, ty)| (id, ty.name.clone())).collect();
        for (id, name) in all {
            self.names.insert((Space::Type, name), (id.0, None));
            self.note_enum(id);
        }
    }

    /// Makes the values of an enumeration known.
    pub(super) fn note_enum(&mut self, id: TypeId) {
        if let Shape::Enum(values) = &self.context.types[id].shape
            && self.context.types[id].root == id
        {
            for value in values.clone() {
                self.enum_values.entry(value).or_default().push(id);
            }
        }
    }

    /// Gives a name its meaning; reports if it has one already.
    pub(super) fn define(&mut self, space: Space, name: &Ident, number: usize) {
        let key = (space, name.name.clone());
        self.later.remove(&key);
        let new = (number as u32, Some(name.span));
        if let Some((_, old)) = self.names.insert(key.clone(), new) {
            let message = format!("the {} `{}` is defined twice", space.word(), name.name);
            let mut diagnostic = Diagnostic::error("duplicate", name.span, message);
            match old {
                Some(old) => diagnostic = diagnostic.label(old, "first defined here"),
                None => diagnostic = diagnostic.help("it is predefined; choose another name"),
            }
            self.report(diagnostic);
        }
    }

    pub(super) fn find(&self, space: Space, name: &str) -> Option<usize> {
        self.names.get(&(space, SmolStr::from(name))).map(|(number, _)| *number as usize)
    }

    fn must_find(&mut self, space: Space, name: &Ident) -> Option<usize> {
        let found = self.find(space, &name.name);
        if found.is_none() {
            self.undeclared(space, name);
        }
        found
    }

    pub(super) fn type_named(&mut self, name: &Ident) -> Option<TypeId> {
        self.must_find(Space::Type, name).map(|id| TypeId(id as u32))
    }

    pub(super) fn place_named(&mut self, name: &Ident) -> Option<PlaceId> {
        self.must_find(Space::Place, name).map(|id| PlaceId(id as u32))
    }

    pub(super) fn proposition_named(&mut self, name: &Ident) -> Option<usize> {
        self.must_find(Space::Proposition, name)
    }

    pub(super) fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.find(Space::Function, name).map(|id| FunctionId(id as u32))
    }

    /// A variable in scope.
    pub(super) fn local(&self, name: &str) -> Option<&Local> {
        self.scope.iter().rev().find(|local| local.name == name)
    }

    /// Adds a variable of the frame, and gives its number.
    pub(super) fn new_local(&mut self, name: &Ident, ty: TypeId, is_variable: bool) -> u32 {
        let local = self.n_locals;
        self.n_locals += 1;
        self.scope.push(Local { name: name.name.clone(), ty, node: Node::Local(local), is_variable });
        local
    }

    /// Reports that a name of some kind has no meaning.
    pub(super) fn undeclared(&mut self, space: Space, name: &Ident) {
        self.undeclared_as(space.word(), &[space], &name.name, name.span);
    }

    /// Reports that a name in an expression has no meaning.
    pub(super) fn undeclared_value(&mut self, name: &str, span: Span) {
        self.undeclared_as("variable or constant", &[Space::Constant], name, span);
    }

    fn undeclared_as(&mut self, word: &str, spaces: &[Space], name: &str, span: Span) {
        if self.lost.contains(name) {
            return;
        }
        for &space in spaces {
            if let Some(&later) = self.later.get(&(space, SmolStr::from(name))) {
                let message = format!("the {} `{name}` is used before it is defined", space.word());
                let diagnostic = Diagnostic::error("undeclared", span, message);
                let help = "move the definition before its first use";
                return self.report(diagnostic.label(later, "defined here").help(help));
            }
        }
        let of_space = self.names.keys().filter(|(space, _)| spaces.contains(space));
        let mut known: Vec<SmolStr> = of_space.map(|(_, name)| name.clone()).collect();
        if spaces.contains(&Space::Constant) {
            known.extend(self.scope.iter().map(|local| local.name.clone()));
            known.extend(self.enum_values.keys().cloned());
        }
        known.sort();
        let diagnostic = Diagnostic::error("undeclared", span, format!("there is no {word} `{name}`"));
        let mut diagnostic = suggest(diagnostic, span, name, known.iter().map(SmolStr::as_str));
        if diagnostic.help.is_none() {
            diagnostic.help = self.elsewhere(spaces, name);
        }
        self.report(diagnostic);
    }

    /// What else has that name.
    fn elsewhere(&self, spaces: &[Space], name: &str) -> Option<String> {
        let all = [Space::Type, Space::Constant, Space::Function, Space::Place, Space::Transition];
        let other =
            all.into_iter().filter(|s| !spaces.contains(s)).find(|s| self.find(*s, name).is_some())?;
        Some(format!("`{name}` is a {}", other.word()))
    }
}
