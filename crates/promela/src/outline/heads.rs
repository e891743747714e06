//! Items: what each declares as a whole, and how it is walked.

use std::ops::Range;

use stubborn_base::outline::SymbolKind;

use super::walk::{Mode, Walk};
use crate::token::Kind;

/// What an item declares.
pub(super) struct Head {
    symbol: usize,
    /// Its name, unless it has none.
    name: Option<usize>,
}

impl Walk<'_> {
    /// Declares what the item is, so that it is known everywhere.
    pub(super) fn head(&mut self, range: &Range<usize>) -> Option<Head> {
        let first = self.tokens[range.start].kind;
        match first {
            Kind::Proctype | Kind::DProctype | Kind::Active => self.process_head(range),
            Kind::Init => {
                let symbol = self.add_item(SymbolKind::Process, range.start, range);
                Some(Head { symbol, name: None })
            }
            Kind::Inline => self.inline_head(range),
            Kind::Typedef => {
                let name = self.name_after(range.start)?;
                let detail = self.text_of(range.clone());
                let symbol = self.add(SymbolKind::Type, name, range.clone(), detail, None);
                self.types.entry(self.tokens[name].sym).or_insert(symbol);
                Some(Head { symbol, name: Some(name) })
            }
            Kind::Ltl | Kind::Never | Kind::Trace | Kind::Notrace => Some(self.property_head(range)),
            _ => None,
        }
    }

    fn process_head(&mut self, range: &Range<usize>) -> Option<Head> {
        let is_word = |at: &usize| matches!(self.tokens[*at].kind, Kind::Proctype | Kind::DProctype);
        let name = self.name_after(range.clone().find(is_word)?)?;
        let symbol = self.add_item(SymbolKind::Process, name, range);
        self.processes.entry(self.tokens[name].sym).or_insert(symbol);
        Some(Head { symbol, name: Some(name) })
    }

    fn inline_head(&mut self, range: &Range<usize>) -> Option<Head> {
        let name = self.name_after(range.start)?;
        let symbol = self.add_item(SymbolKind::Inline, name, range);
        self.inlines.insert(self.tokens[name].sym, symbol);
        self.container = Some(symbol);
        let mut parameters = Vec::new();
        if self.kind(name + 1) == Some(Kind::LParen) {
            let list = name + 2..self.pairs.partner(name + 1).unwrap_or(range.end);
            for at in list.take_while(|&at| matches!(self.tokens[at].kind, Kind::Name | Kind::Comma)) {
                if self.tokens[at].kind == Kind::Name {
                    let text = self.table.text(self.tokens[at]).to_owned();
                    let parameter = self.add(SymbolKind::Parameter, at, at..at + 1, text.clone(), None);
                    self.draft.symbols[parameter].scope = Some(self.draft.symbols[symbol].span);
                    self.draft.symbols[symbol].parameters.push(text);
                    parameters.push(parameter);
                }
            }
        }
        self.container = None;
        self.parameters.insert(symbol, parameters);
        Some(Head { symbol, name: Some(name) })
    }

    /// Properties without a name are called as the checker calls them.
    fn property_head(&mut self, range: &Range<usize>) -> Head {
        let kind = self.tokens[range.start].kind;
        let name = self.name_after(range.start).filter(|_| matches!(kind, Kind::Ltl | Kind::Never));
        let detail = self.text_of(range.clone());
        let symbol = self.add(SymbolKind::Property, name.unwrap_or(range.start), range.clone(), detail, None);
        // Claims are numbered as they stand, formulas among those without a name.
        let number = match kind {
            Kind::Ltl if name.is_none() => Some(&mut self.n_formulas),
            Kind::Never => Some(&mut self.n_claims),
            _ => None,
        };
        if let Some(number) = number {
            *number += 1;
            if name.is_none() {
                let word = self.table.text(self.tokens[range.start]);
                self.draft.symbols[symbol].name = format!("{word}_{}", *number - 1);
            }
        }
        Head { symbol, name }
    }

    fn name_after(&self, at: usize) -> Option<usize> {
        self.tokens.get(at + 1).filter(|t| t.kind == Kind::Name).map(|_| at + 1)
    }

    /// A process or an inline: told by what stands before its body.
    fn add_item(&mut self, kind: SymbolKind, name: usize, range: &Range<usize>) -> usize {
        let is_body = |at: &usize| self.tokens[*at].kind == Kind::LBrace;
        let body = range.clone().find(is_body).unwrap_or(range.end);
        let detail = self.text_of(range.start..body);
        self.add(kind, name, range.clone(), detail, None)
    }

    /// Walks an item.
    pub(super) fn item(&mut self, range: &Range<usize>, head: &Option<Head>) {
        let first = self.tokens[range.start].kind;
        let (mode, has_scope) = match first {
            Kind::Typedef => (Mode::Fields, false),
            Kind::Ltl => (Mode::Formula, false),
            _ if first.begins_item() => (Mode::Body, true),
            _ => (Mode::Globals, false),
        };
        self.mode = mode;
        self.container = head.as_ref().map(|h| h.symbol);
        if has_scope {
            self.scopes.open();
        }
        let mut start = range.start;
        if first == Kind::Inline
            && let Some(inline) = self.container
        {
            for parameter in self.parameters.get(&inline).cloned().unwrap_or_default() {
                self.scopes.declare(self.draft.facts[parameter].sym, parameter);
            }
            let is_body = |at: &usize| self.tokens[*at].kind == Kind::LBrace;
            start = range.clone().find(is_body).unwrap_or(range.end);
        }
        self.walk(start..range.end, head.as_ref().and_then(|h| h.name));
        if has_scope {
            let last = range.end - 1;
            self.close_scope(if self.tokens[last].kind == Kind::RBrace { last } else { range.end });
        }
        self.container = None;
    }
}
