//! Names and types: what a name means at a place in the text.
//!
//! Scopes follow SPIN 6: braces open one, a name is visible from its declaration
//! to the end of its scope and cannot be declared again there. Symbols are kept
//! in the order of their declaration, so "visible" is "declared before", and a
//! lookup at a place needs only the scope and the number of symbols known there.

use hashbrown::{HashMap, HashSet};
use smol_str::SmolStr;
use stubborn_base::{Diagnostic, FileId, IndexVec, Span, define_index, suggest};
use stubborn_ir::{Region, SlotType};

use super::declare::MAX_VECTOR;
use crate::ast;
use crate::fixes::replace;

define_index! {
    /// A declared name.
    pub(crate) struct SymbolId;
}
define_index! {
    /// A scope: the globals, or a pair of braces in a process.
    pub(crate) struct ScopeId;
}
define_index! {
    /// A `typedef`.
    pub(crate) struct StructId;
}

/// The scope of globals.
pub(crate) const GLOBAL: ScopeId = ScopeId(0);

/// A place in the text: its scope, and the symbols declared before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Here {
    pub(crate) scope: ScopeId,
    pub(crate) known: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Scalar(SlotType),
    Struct(StructId),
}

/// A variable, parameter or field: its type and where it lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Var {
    pub(crate) ty: Type,
    /// Number of elements of an array.
    pub(crate) array: Option<u32>,
    pub(crate) region: Region,
    /// Offset from the region, or from the enclosing structure.
    pub(crate) offset: u32,
}

impl Var {
    /// The type as it is stored: SPIN's verifier keeps arrays of bits in bytes, and
    /// does not truncate what is stored there.
    pub(crate) fn stored(&self) -> Type {
        match (&self.ty, self.array) {
            (Type::Scalar(SlotType::Bit), Some(_)) => Type::Scalar(SlotType::Byte),
            (ty, _) => ty.clone(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    Var(Var),
    /// A symbolic constant: its value, and the subtype it belongs to.
    Constant(i32, usize),
    /// Declared with an error that was reported; anything goes.
    Broken,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: SmolStr,
    pub(crate) span: Span,
    pub(crate) meaning: Meaning,
    /// Not part of the state.
    pub(crate) hidden: bool,
    /// The initial value of a scalar, if it is a constant.
    pub(crate) initial: Option<i32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    pub(crate) name: SmolStr,
    pub(crate) var: Var,
    /// Initial value of scalars.
    pub(crate) init: Option<ast::Init>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Struct {
    pub(crate) name: SmolStr,
    pub(crate) fields: Vec<Field>,
    pub(crate) size: u32,
    /// Structures inside of each other in it.
    pub(crate) depth: u32,
    /// It is too large or nested too deeply, which was reported.
    pub(crate) is_broken: bool,
}

#[derive(Clone, Debug)]
struct Scope {
    parent: Option<ScopeId>,
    symbols: Vec<SymbolId>,
    /// The first symbol of each name.
    first: HashMap<SmolStr, SymbolId>,
    /// Those that are declared again, which is an error.
    again: Vec<SymbolId>,
}

impl Scope {
    fn new(parent: Option<ScopeId>) -> Self {
        Scope { parent, symbols: Vec::new(), first: HashMap::new(), again: Vec::new() }
    }
}

/// Everything that has been declared.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    symbols: IndexVec<SymbolId, Symbol>,
    scopes: IndexVec<ScopeId, Scope>,
    pub(crate) structs: IndexVec<StructId, Struct>,
    structs_by_name: HashMap<SmolStr, StructId>,
    /// Names of symbolic constants by subtype; the first subtype is the unnamed one.
    pub(crate) mtypes: Vec<(SmolStr, Vec<SmolStr>)>,
    longest_message: usize,
    /// Bytes of all variables, and of what channels can hold.
    n_bytes: u64,
    /// Names in declarations that could not be read.
    lost: HashSet<SmolStr>,
}

impl Names {
    /// Nothing but the globals' scope. `lost` are names whose declarations could not be read.
    pub(crate) fn new(lost: &HashSet<SmolStr>) -> Self {
        let mut scopes = IndexVec::new();
        scopes.push(Scope::new(None));
        Names {
            symbols: IndexVec::new(),
            scopes,
            structs: IndexVec::new(),
            structs_by_name: HashMap::new(),
            mtypes: vec![(SmolStr::default(), Vec::new())],
            longest_message: 0,
            n_bytes: 0,
            lost: lost.clone(),
        }
    }

    /// Whether all declarations together, those of each process type once, leave room for so many more bytes; reports
    /// that they do not. Every element of an array is a named scalar, so this also bounds what is kept of a model.
    pub(crate) fn has_room(
        &mut self,
        bytes: u64,
        declarator: &ast::Declarator,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> bool {
        let has_room = self.n_bytes + bytes <= u64::from(MAX_VECTOR);
        if has_room {
            self.n_bytes += bytes;
        } else {
            let message =
                format!("`{}` makes all declarations together longer than 1 MiB", declarator.name.name);
            diagnostics.push(Diagnostic::error("state-too-large", declarator.span, message));
        }
        has_room
    }

    pub(crate) fn open_scope(&mut self, parent: ScopeId) -> ScopeId {
        self.scopes.push(Scope::new(Some(parent)))
    }

    /// The scopes around `scope`, innermost first.
    pub(crate) fn enclosing(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |&s| self.scopes[s].parent)
    }

    pub(crate) fn here(&self, scope: ScopeId) -> Here {
        Here { scope, known: self.symbols.len() as u32 }
    }

    pub(crate) fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id]
    }

    pub(crate) fn set_initial(&mut self, id: SymbolId, value: i32) {
        self.symbols[id].initial = Some(value);
    }

    pub(crate) fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols.iter_enumerated()
    }

    /// Declares a name; reports one that already means something: SPIN lets no
    /// declaration hide another.
    pub(crate) fn declare(
        &mut self,
        scope: ScopeId,
        name: &ast::Ident,
        meaning: Meaning,
        hidden: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> SymbolId {
        if let Some(earlier) = self.lookup(self.here(scope), &name.name) {
            let message = format!("`{}` is already declared", name.name);
            let diagnostic = Diagnostic::error("redeclared", name.span, message)
                .label(self.symbols[earlier].span, "first declared here")
                .help("a local cannot hide another variable: give one of them another name");
            // An inline that is called twice declares its names twice.
            if diagnostics.last() != Some(&diagnostic) {
                diagnostics.push(diagnostic);
            }
        }
        let meaning = if self.is_lost(&name.name) { Meaning::Broken } else { meaning };
        let (name, span) = (name.name.clone(), name.span);
        let id = self.symbols.push(Symbol { name: name.clone(), span, meaning, hidden, initial: None });
        let scope = &mut self.scopes[scope];
        scope.symbols.push(id);
        if *scope.first.entry(name).or_insert(id) != id {
            scope.again.push(id);
        }
        id
    }

    /// What a name means at a place.
    pub(crate) fn lookup(&self, here: Here, name: &str) -> Option<SymbolId> {
        self.enclosing(here.scope).find_map(|scope| {
            let Scope { first, again, .. } = &self.scopes[scope];
            let is_known = |s: &SymbolId| s.0 < here.known;
            let mut latest = again.iter().rev().copied().filter(is_known);
            latest.find(|&s| self.symbols[s].name == name).or(first.get(name).copied().filter(is_known))
        })
    }

    /// A variable of exactly this scope, wherever it is declared in it.
    pub(crate) fn member(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        self.scopes[scope].first.get(name).copied()
    }

    /// The subtype of symbolic constants with that name.
    pub(crate) fn mtype(&mut self, subtype: Option<&str>) -> usize {
        let subtype = subtype.unwrap_or_default();
        if let Some(found) = self.mtypes.iter().position(|(name, _)| name == subtype) {
            return found;
        }
        self.mtypes.push((subtype.into(), Vec::new()));
        self.mtypes.len() - 1
    }

    pub(crate) fn find_struct(&self, name: &str) -> Option<StructId> {
        self.structs_by_name.get(name).copied()
    }

    /// Adds a structure, of whose name there is none yet.
    pub(crate) fn add_struct(&mut self, structure: Struct) {
        let name = structure.name.clone();
        let id = self.structs.push(structure);
        self.structs_by_name.insert(name, id);
    }

    /// Bytes of one element of a type.
    pub(crate) fn size(&self, ty: &Type) -> u32 {
        match ty {
            Type::Scalar(slot) => slot.size(),
            Type::Struct(id) => self.structs[*id].size,
        }
    }

    /// Bytes of a variable with all its elements.
    pub(crate) fn var_size(&self, var: &Var) -> u32 {
        self.size(&var.ty) * var.array.unwrap_or(1)
    }

    /// The number of fields of the longest message, over all channels declared.
    pub(crate) fn longest_message(&self) -> usize {
        self.longest_message
    }

    /// A channel has messages of so many fields.
    pub(crate) fn note_message(&mut self, fields: usize) {
        self.longest_message = self.longest_message.max(fields);
    }

    /// The types of the scalars of a type, flattened, as a message carries them.
    pub(crate) fn flatten(&self, ty: &Type, into: &mut Vec<SlotType>) {
        match ty {
            Type::Scalar(slot) => into.push(slot.clone()),
            Type::Struct(id) => {
                for field in &self.structs[*id].fields {
                    for _ in 0..field.var.array.unwrap_or(1) {
                        self.flatten(&field.var.ty, into);
                    }
                }
            }
        }
    }

    /// The names that are known at a place.
    pub(crate) fn known(&self, here: Here) -> impl Iterator<Item = &str> {
        let symbols = self.enclosing(here.scope).flat_map(|s| &self.scopes[s].symbols);
        symbols.filter(move |s| s.0 < here.known).map(|&s| self.symbols[s].name.as_str())
    }

    /// Whether a name was declared in text that could not be read.
    pub(crate) fn is_lost(&self, name: &str) -> bool {
        self.lost.contains(name)
    }

    /// Says that a name is not declared, unless its declaration was reported.
    pub(crate) fn undeclared(&self, here: Here, name: &ast::Ident, is_constant: bool) -> Option<Diagnostic> {
        if self.is_lost(&name.name) {
            return None;
        }
        let message = format!("`{}` is not declared", name.name);
        let diagnostic = Diagnostic::error("undeclared", name.span, message);
        let mut diagnostic = suggest(diagnostic, name.span, &name.name, self.known(here));
        let is_macro = name.name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        if is_constant || is_macro {
            if diagnostic.help.is_none() {
                let help =
                    format!("define it: `#define {0} 1` in the model, or `-D {0}=1` outside", name.name);
                diagnostic = diagnostic.help(help);
            }
            let top = Span::new(FileId(0), 0, 0);
            let define = format!("#define {} 1\n", name.name);
            diagnostic = diagnostic.fix(format!("Define `{}` as 1", name.name), replace(top, define));
        }
        Some(diagnostic)
    }
}
