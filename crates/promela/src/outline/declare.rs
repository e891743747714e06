//! Declarations: variables, parameters, fields, constants, labels.

use stubborn_base::outline::{Role, SymbolKind};

use super::walk::{Decl, Label, Mode, Walk};
use crate::token::Kind;

impl Walk<'_> {
    /// A declaration whose type is the keyword at `at`; where to go on.
    pub(super) fn begin_declaration(&mut self, at: usize) -> usize {
        let kind = self.tokens[at].kind;
        let mut end = at + 1;
        let mut subtype = None;
        if kind == Kind::Mtype
            && self.kind(end) == Some(Kind::Colon)
            && self.kind(end + 1) == Some(Kind::Name)
        {
            subtype = Some(at + 2);
            end = at + 3;
        }
        if self.state.types {
            self.mention_subtype(subtype);
            return end;
        }
        let list = if self.kind(end) == Some(Kind::Assign) { end + 1 } else { end };
        if kind == Kind::Mtype && self.kind(list) == Some(Kind::LBrace) && self.mode == Mode::Globals {
            return self.constants(at, subtype, list);
        }
        self.mention_subtype(subtype);
        self.begin(at, end, None, kind == Kind::Chan);
        end
    }

    /// A declaration whose type is the name of a structure at `at`.
    pub(super) fn begin_structure(&mut self, at: usize, structure: usize) {
        self.begin(at, at + 1, Some(structure), false);
    }

    fn begin(&mut self, at: usize, type_end: usize, structure: Option<usize>, is_chan: bool) {
        let first = self.state.first.take().unwrap_or(at);
        self.state.decl = Some(Decl { first, type_end, structure, is_chan });
        self.state.naming = true;
    }

    fn mention_subtype(&mut self, at: Option<usize>) {
        let Some(token) = at.map(|at| self.tokens[at]) else { return };
        if let Some(&subtype) = self.subtypes.get(&token.sym) {
            self.draft.mention(token.span, subtype, Role::Use);
        }
    }

    /// The names in the braces that open at `list`; where they end.
    fn constants(&mut self, at: usize, subtype: Option<usize>, list: usize) -> usize {
        let close = self.pairs.partner(list);
        let end = close.unwrap_or_else(|| {
            let is_end = |at: &usize| !matches!(self.kind(*at), Some(Kind::Name | Kind::Comma));
            (list + 1..).find(is_end).unwrap_or(list + 1)
        });
        let after = close.map_or(end, |close| close + 1);
        let mut prefix = "mtype".to_owned();
        if let Some(subtype) = subtype {
            let token = self.tokens[subtype];
            prefix = format!("mtype:{}", self.table.text(token));
            if self.subtypes.contains_key(&token.sym) {
                self.mention_subtype(Some(subtype));
            } else {
                let symbol = self.add(SymbolKind::Type, subtype, at..after, prefix.clone(), None);
                self.subtypes.insert(token.sym, symbol);
            }
        }
        for at in list + 1..end {
            if self.tokens[at].kind == Kind::Name {
                let detail = format!("{prefix} {}", self.table.text(self.tokens[at]));
                let symbol = self.add(SymbolKind::Constant, at, at..at + 1, detail, None);
                self.know_global(at, symbol);
            }
        }
        self.state.first = None;
        after
    }

    fn know_global(&mut self, at: usize, symbol: usize) {
        let sym = self.tokens[at].sym;
        self.scopes.declare(sym, symbol);
        self.globals.entry(sym).or_insert(symbol);
    }

    /// The variable whose name stands at `at`.
    pub(super) fn declare(&mut self, at: usize, decl: Decl) {
        self.state.naming = false;
        let token = self.tokens[at];
        // An inline can be told what to declare.
        if let Some(parameter) = self.scopes.lookup(token.sym).filter(|&s| self.is_inline_parameter(s)) {
            return self.draft.mention(token.span, parameter, Role::Use);
        }
        let end = self.declarator_end(at);
        let is_first = self.tokens.get(decl.type_end).is_some_and(|t| t.span == token.span);
        let range = if is_first { decl.first..end } else { at..end };
        let ty = self.text_of(decl.first..decl.type_end);
        let detail = format!("{ty} {}", self.text_of(at..end));
        let kind = match self.mode {
            Mode::Fields => SymbolKind::Field,
            _ if self.state.params => SymbolKind::Parameter,
            _ if decl.is_chan => SymbolKind::Channel,
            _ => SymbolKind::Variable,
        };
        let symbol = self.add(kind, at, range, detail.clone(), decl.structure);
        if kind == SymbolKind::Channel {
            self.draft.symbols[symbol].parameters = self.message_fields(at, end);
        }
        match (kind, self.container) {
            (SymbolKind::Field, Some(container)) => {
                self.fields.entry((container, token.sym)).or_insert(symbol);
            }
            (SymbolKind::Field, None) => {}
            _ if self.scopes.is_global() => self.know_global(at, symbol),
            (_, container) => {
                self.scopes.declare(token.sym, symbol);
                if let Some(container) = container {
                    self.locals.entry((container, token.sym)).or_insert(symbol);
                    if kind == SymbolKind::Parameter {
                        self.draft.symbols[container].parameters.push(detail);
                    }
                }
            }
        }
    }

    /// The types of the fields of messages, each as it is written, of the channel that is declared at `at`.
    fn message_fields(&self, at: usize, end: usize) -> Vec<String> {
        let Some(open) = (at..end).find(|&at| self.tokens[at].kind == Kind::LBrace) else {
            return Vec::new();
        };
        let close = self.pairs.partner(open).unwrap_or(end).min(end);
        let fields = self.tokens[open + 1..close].split(|token| token.kind == Kind::Comma);
        let mut first = open + 1;
        let text = |field: &[_]| {
            let range = first..first + field.len();
            first = range.end + 1;
            self.text_of(range)
        };
        fields.map(text).filter(|text| !text.is_empty()).collect()
    }

    /// Where the variable that is declared at `at` ends, with its initial value.
    fn declarator_end(&self, at: usize) -> usize {
        use Kind::*;
        let mut end = at + 1;
        while let Some(&token) = self.tokens.get(end) {
            let kind = token.kind;
            let ends = matches!(kind, Comma | Semi | Arrow | RParen | RBracket | RBrace | Sep | Fi | Od)
                || kind.begins_item()
                || kind.begins_declaration()
                || (token.starts_line() && crate::repair::ends_line(self.tokens[end - 1]));
            if ends {
                break;
            }
            end = self.pairs.partner(end).filter(|&close| close > end).unwrap_or(end) + 1;
        }
        end.min(self.tokens.len())
    }

    /// The label whose name stands at `at`.
    pub(super) fn declare_label(&mut self, at: usize) {
        let token = self.tokens[at];
        if let Some(parameter) = self.scopes.lookup(token.sym).filter(|&s| self.is_inline_parameter(s)) {
            return self.draft.mention(token.span, parameter, Role::Use);
        }
        let Some(container) = self.container else { return };
        let detail = format!("{}:", self.table.text(token));
        let symbol = self.add(SymbolKind::Label, at, at..at + 2, detail, None);
        self.draft.symbols[symbol].scope = Some(self.draft.symbols[container].span);
        let labels = self.labels.entry((container, token.sym)).or_default();
        labels.push(Label { scope: self.scopes.number(), symbol });
    }

    pub(super) fn is_inline_parameter(&self, symbol: usize) -> bool {
        let symbol = &self.draft.symbols[symbol];
        symbol.kind == SymbolKind::Parameter
            && symbol.container.is_some_and(|c| self.draft.symbols[c].kind == SymbolKind::Inline)
    }
}
