//! Symbols as the walk makes them: their names, places, and how they are declared.

use std::ops::Range;

use stubborn_base::Span;
use stubborn_base::outline::{Role, Symbol, SymbolKind};

use super::comments::{one_line, shorten};
use super::draft::Fact;
use super::walk::Walk;
use crate::table::{Ctx, Flags};

impl Walk<'_> {
    /// Adds the symbol whose name is the token at `name` and whose declaration is `range`.
    pub(super) fn add(
        &mut self,
        kind: SymbolKind,
        name: usize,
        range: Range<usize>,
        detail: String,
        structure: Option<usize>,
    ) -> usize {
        let token = self.tokens[name];
        let span = self.span_of(range);
        let whole =
            span.file == token.span.file && span.start <= token.span.start && token.span.end <= span.end;
        let symbol = Symbol {
            name: self.table.text(token).to_owned(),
            kind,
            span: if whole { span } else { token.span },
            name_span: token.span,
            detail,
            comment: None,
            container: self.container,
            parameters: Vec::new(),
            scope: None,
        };
        let fact = Fact { sym: token.sym, place: self.place(token), structure, role: None };
        let symbol = self.draft.add(symbol, fact);
        self.draft.mention(token.span, symbol, Role::Declaration);
        symbol
    }

    /// The place of some tokens.
    pub(super) fn span_of(&self, range: Range<usize>) -> Span {
        let last = range.end.max(range.start + 1) - 1;
        self.table.join(self.tokens[range.start], self.tokens[last]).0
    }

    /// Some tokens in one line, as they are written, or as they are read if a macro takes part.
    pub(super) fn text_of(&self, range: Range<usize>) -> String {
        let Some(tokens) = self.tokens.get(range.clone()).filter(|tokens| !tokens.is_empty()) else {
            return String::new();
        };
        let outer = tokens[0].span.file;
        let plain = tokens[0].ctx == Ctx::ROOT && tokens[tokens.len() - 1].ctx == Ctx::ROOT;
        let mut text = String::new();
        if plain && tokens[tokens.len() - 1].span.file == outer {
            one_line(self.sources.text(self.span_of(range)), &mut text);
        } else {
            for token in tokens.iter().take(40) {
                if !text.is_empty() && (token.starts_line() || token.flags.has(Flags::SPACE)) {
                    text.push(' ');
                }
                text.push_str(self.table.text(*token));
            }
        }
        shorten(text)
    }
}
