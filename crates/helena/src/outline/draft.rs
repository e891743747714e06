//! An outline in the making: symbols by name, and what is in scope.

use hashbrown::HashMap;
use smol_str::SmolStr;
use stubborn_base::outline::{Call, Mention, Outline, Role, Symbol, SymbolKind};
use stubborn_base::{Sources, Span};

use crate::ast::Ident;

/// Kinds of names; those of one kind do not hide those of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Space {
    Type,
    Constant,
    EnumValue,
    Function,
    Place,
    Transition,
    Proposition,
    Field,
}

pub(super) struct Draft<'a> {
    pub(super) sources: &'a Sources,
    outline: Outline,
    names: HashMap<(Space, SmolStr), usize>,
    /// Variables in scope, innermost last.
    pub(super) scope: Vec<(SmolStr, usize)>,
    /// What variables belong to, and where they can be used.
    pub(super) inside: Option<(usize, Span)>,
    /// By place: the names of its components' types.
    pub(super) domains: HashMap<SmolStr, Vec<SmolStr>>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(sources: &'a Sources) -> Self {
        Draft {
            sources,
            outline: Outline::default(),
            names: HashMap::new(),
            scope: Vec::new(),
            inside: None,
            domains: HashMap::new(),
        }
    }

    /// Adds a symbol and the mention that declares it.
    pub(super) fn symbol(
        &mut self,
        name: &Ident,
        kind: SymbolKind,
        span: Span,
        detail: String,
        container: Option<usize>,
    ) -> usize {
        let symbol = self.outline.symbols.len();
        self.outline.symbols.push(Symbol {
            name: name.name.to_string(),
            kind,
            span: span.join(name.span),
            name_span: name.span,
            detail,
            comment: None,
            container,
            parameters: Vec::new(),
            scope: None,
        });
        self.outline.mentions.push(Mention { span: name.span, symbol, role: Role::Declaration });
        symbol
    }

    /// Makes a name of the whole net known; the first definition counts. A prototype and its function are one symbol.
    pub(super) fn global(&mut self, space: Space, name: &Ident, symbol: usize) {
        self.names.entry((space, name.name.clone())).or_insert(symbol);
    }

    pub(super) fn find(&self, space: Space, name: &str) -> Option<usize> {
        self.names.get(&(space, SmolStr::from(name))).copied()
    }

    /// A variable, which can be used where things are now.
    pub(super) fn variable(&mut self, name: &Ident, kind: SymbolKind, span: Span, detail: String) -> usize {
        let container = self.inside.map(|(container, _)| container);
        let symbol = self.symbol(name, kind, span, detail, container);
        self.outline.symbols[symbol].scope = self.inside.map(|(_, span)| span);
        self.scope.push((name.name.clone(), symbol));
        symbol
    }

    /// A variable in scope.
    pub(super) fn local(&self, name: &str) -> Option<usize> {
        self.scope.iter().rev().find(|(known, _)| known == name).map(|(_, symbol)| *symbol)
    }

    pub(super) fn mention(&mut self, space: Space, name: &Ident, role: Role) {
        if let Some(symbol) = self.find(space, &name.name) {
            self.note(name.span, symbol, role);
        }
    }

    pub(super) fn note(&mut self, span: Span, symbol: usize, role: Role) {
        self.outline.mentions.push(Mention { span, symbol, role });
    }

    pub(super) fn node(&mut self, span: Span) {
        self.outline.nodes.push(span);
    }

    pub(super) fn call(&mut self, span: Span, symbol: usize, arguments: Vec<Span>) {
        self.outline.calls.push(Call { span, symbol, arguments });
    }

    pub(super) fn set_parameters(&mut self, symbol: usize, parameters: Vec<String>) {
        self.outline.symbols[symbol].parameters = parameters;
    }

    /// A piece of text in one line, without comments.
    pub(super) fn one_line(&self, span: Span) -> String {
        super::comments::one_line(self.sources.text(span))
    }

    pub(super) fn finish(self) -> Outline {
        let mut outline = self.outline;
        // A declaration wins over what else stands at its place.
        outline.mentions.sort_by_key(|m| (m.span.file, m.span.start, m.role != Role::Declaration));
        outline.mentions.dedup_by_key(|m| m.span);
        outline.nodes.sort_by_key(|n| (n.file, n.start, std::cmp::Reverse(n.end)));
        outline.nodes.dedup();
        outline.calls.sort_by_key(|c| c.span);
        outline
    }
}
