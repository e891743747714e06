//! Symbols of the whole net.

use stubborn_base::outline::SymbolKind;

use crate::ast::{Body, Item, PlacePartKind, Program, TypeDef, TypeKind};
use crate::outline::draft::{Draft, Space};

impl Draft<'_> {
    /// Adds the symbols that a file defines.
    pub(super) fn declare(&mut self, program: &Program) {
        if let Some(head) = &program.head {
            for param in &head.params {
                let span = param.name.span.join(param.value.span);
                let detail = self.one_line(span);
                let symbol = self.symbol(&param.name, SymbolKind::Constant, span, detail, None);
                self.global(Space::Constant, &param.name, symbol);
            }
        }
        for item in &program.items {
            self.declare_item(item);
        }
    }

    fn declare_item(&mut self, item: &Item) {
        match item {
            Item::Type(def) => self.declare_type(def),
            Item::Constant(def) => {
                let detail = self.one_line(def.span);
                let symbol = self.symbol(&def.name, SymbolKind::Constant, def.span, detail, None);
                self.global(Space::Constant, &def.name, symbol);
            }
            Item::Function(def) => {
                if let Some(known) = self.find(Space::Function, &def.name.name) {
                    // The prototype came before: this is where it says what it does.
                    return self.note(def.name.span, known, stubborn_base::outline::Role::Use);
                }
                let head = def.name.span.join(def.ty.span);
                let word = if matches!(def.body, Body::Import) { "import function" } else { "function" };
                let detail = format!("{word} {}", self.one_line(head));
                let symbol = self.symbol(&def.name, SymbolKind::Inline, def.span, detail, None);
                let params = def.params.iter().map(|p| format!("{} {}", p.ty.name, p.name.name)).collect();
                self.set_parameters(symbol, params);
                self.global(Space::Function, &def.name, symbol);
            }
            Item::Place(def) => {
                let dom = def.parts.iter().find_map(|part| match &part.kind {
                    PlacePartKind::Dom(types) => Some(types),
                    _ => None,
                });
                let types: Vec<_> = dom.into_iter().flatten().map(|ty| ty.name.clone()).collect();
                let shown = if types.is_empty() { "epsilon".to_owned() } else { types.join(" * ") };
                let detail = format!("place {} {{ dom: {shown}; }}", def.name.name);
                self.domains.entry(def.name.name.clone()).or_insert(types);
                let symbol = self.symbol(&def.name, SymbolKind::Variable, def.span, detail, None);
                self.global(Space::Place, &def.name, symbol);
            }
            Item::Transition(def) => {
                let detail = format!("transition {}", def.name.name);
                let symbol = self.symbol(&def.name, SymbolKind::Process, def.span, detail, None);
                self.global(Space::Transition, &def.name, symbol);
            }
            Item::Proposition(def) => {
                let detail = self.one_line(def.span);
                let symbol = self.symbol(&def.name, SymbolKind::Property, def.span, detail, None);
                self.global(Space::Proposition, &def.name, symbol);
            }
            Item::StateProperty(def) => {
                let detail = self.one_line(def.span);
                self.symbol(&def.name, SymbolKind::Property, def.span, detail, None);
            }
            Item::LtlProperty(def) => {
                let detail = self.one_line(def.span);
                self.symbol(&def.name, SymbolKind::Property, def.span, detail, None);
            }
        }
    }

    fn declare_type(&mut self, def: &TypeDef) {
        let detail = self.one_line(def.span);
        let ty = self.symbol(&def.name, SymbolKind::Type, def.span, detail, None);
        self.global(Space::Type, &def.name, ty);
        match &def.kind {
            TypeKind::Enum(values) => {
                for value in values {
                    let detail = format!("{} of {}", value.name, def.name.name);
                    let symbol = self.symbol(value, SymbolKind::Constant, value.span, detail, Some(ty));
                    self.global(Space::EnumValue, value, symbol);
                }
            }
            TypeKind::Struct(fields) => {
                for field in fields {
                    let span = field.ty.span.join(field.name.span);
                    let detail = self.one_line(span);
                    let symbol = self.symbol(&field.name, SymbolKind::Field, span, detail, Some(ty));
                    self.global(Space::Field, &field.name, symbol);
                }
            }
            _ => {}
        }
    }
}
