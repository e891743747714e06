//! Places.

use stubborn_base::{Diagnostic, Span};
use stubborn_nets::PlaceId;

use crate::ast::{self, Ident, PlacePart, PlacePartKind};
use crate::check::{Checker, PlaceDef, Space};
use crate::types::TypeId;

impl Checker<'_> {
    pub(super) fn place(&mut self, def: &ast::Place) {
        let mut domain = None;
        let mut parts = [false; 4];
        let mut is_lost = false;
        for (i, part) in def.parts.iter().enumerate() {
            let (number, word) = match &part.kind {
                PlacePartKind::Dom(types) => {
                    if i > 0 {
                        self.error("misplaced", part.span, "`dom` is the first part of a place");
                    }
                    let types: Vec<Option<TypeId>> = types.iter().map(|ty| self.type_named(ty)).collect();
                    is_lost |= types.contains(&None);
                    domain = types.into_iter().collect::<Option<Vec<TypeId>>>().or(Some(Vec::new()));
                    (0, "dom")
                }
                PlacePartKind::Init(_) => (1, "init"),
                PlacePartKind::Capacity(_) => (2, "capacity"),
                PlacePartKind::Type(_) => (3, "type"),
                PlacePartKind::Error => {
                    is_lost = true;
                    continue;
                }
            };
            self.once(&mut parts[number], word, part.span);
        }
        if domain.is_none() && !is_lost {
            let message = format!("the place `{}` has no `dom`", def.name.name);
            let diagnostic = Diagnostic::error("missing-part", def.name.span, message);
            self.report(diagnostic.help("`dom: epsilon;` is a place whose tokens have no components"));
        }
        let domain = domain.unwrap_or_default();
        let token = self.token_type(domain.clone());
        let id = PlaceId(self.places.len() as u32);
        self.places.push(PlaceDef {
            name: def.name.clone(),
            domain,
            token,
            init: Vec::new(),
            capacity: None,
        });
        if !is_lost {
            self.place_parts(id, &def.parts);
        }
        self.define(Space::Place, &def.name, id.0 as usize);
    }

    fn place_parts(&mut self, id: PlaceId, parts: &[PlacePart]) {
        for part in parts {
            match &part.kind {
                PlacePartKind::Init(label) => {
                    self.scope.clear();
                    self.places[id].init = self.tuples(id, label);
                }
                PlacePartKind::Capacity(expr) => {
                    let Some(value) = self.static_number(expr) else { continue };
                    match u32::try_from(value).ok().filter(|n| *n > 0) {
                        Some(value) => self.places[id].capacity = Some(value),
                        None => {
                            let message = format!("a capacity is positive, not {value}");
                            self.error("out-of-range", expr.span, message);
                        }
                    }
                }
                PlacePartKind::Type(name) => self.place_type(name),
                PlacePartKind::Dom(_) | PlacePartKind::Error => {}
            }
        }
    }

    fn place_type(&mut self, name: &Ident) {
        let types = ["process", "local", "shared", "protected", "buffer", "ack"];
        if !types.contains(&&*name.name) {
            let message = format!("`{}` is no type of places", name.name);
            let diagnostic = Diagnostic::error("undeclared", name.span, message);
            self.report(diagnostic.help(format!("they are {}", types.join(", "))));
        }
    }

    /// Reports a part that stands somewhere for the second time.
    pub(super) fn once(&mut self, seen: &mut bool, word: &str, span: Span) {
        if std::mem::replace(seen, true) {
            self.error("duplicate", span, format!("`{word}` stands here twice"));
        }
    }
}
