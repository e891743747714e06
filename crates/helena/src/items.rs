//! Splits a text into definitions, so that an error in one does not reach the next.
//!
//! Words such as `place` begin a definition wherever they stand; `type` and `constant` only outside of braces, or where
//! nothing else can be meant. A missing `}` is therefore noticed in the definition that misses it.

use std::ops::Range;

use stubborn_base::{Diagnostic, Span};

use crate::token::{Kind, Token};

/// Where the parts of a text are, among its tokens.
#[derive(Default)]
pub(crate) struct Split {
    /// The name of the net and its parameters.
    pub(crate) head: Option<Range<usize>>,
    /// Definitions and properties.
    pub(crate) items: Vec<Range<usize>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Splits the tokens of a text.
pub(crate) fn split(tokens: &[Token]) -> Split {
    let mut splitter = Splitter { tokens, split: Split::default(), start: None, depth: 0, closed: None };
    let Some(first) = tokens.first() else { return splitter.split };
    if is_property(tokens, 0) {
        splitter.closed = Some(first.span);
        splitter.body(0);
        return splitter.split;
    }
    let stop = (0..tokens.len()).find(|&i| tokens[i].kind == Kind::LBrace || starts_item(tokens, i, 0));
    let stop = stop.unwrap_or(tokens.len());
    if stop > 0 {
        splitter.split.head = Some(0..stop);
    }
    match tokens.get(stop) {
        Some(t) if t.kind == Kind::LBrace => splitter.body(stop + 1),
        found => {
            let span = found.map_or(tokens[tokens.len() - 1].span, |t| t.span);
            let message = "a net begins with its name, its parameters if it has any, and `{`";
            splitter.split.diagnostics.push(Diagnostic::error("syntax", span, message));
            splitter.body(stop);
        }
    }
    if splitter.closed.is_none() {
        let last = tokens[tokens.len() - 1].span;
        let span = Span { start: last.end, ..last };
        let diagnostic = Diagnostic::error("syntax", last, "the net has no end: a `}` is missing");
        let edit = stubborn_base::Edit { span, text: "\n}".into() };
        splitter.split.diagnostics.push(diagnostic.fix("Insert `}`", vec![edit]));
    }
    splitter.split
}

struct Splitter<'a> {
    tokens: &'a [Token],
    split: Split,
    /// Where the definition at hand begins.
    start: Option<usize>,
    /// Braces open in it.
    depth: usize,
    /// Where the net ends.
    closed: Option<Span>,
}

impl Splitter<'_> {
    fn body(&mut self, from: usize) {
        let mut is_told = false;
        for i in from..self.tokens.len() {
            let token = self.tokens[i];
            if starts_item(self.tokens, i, self.depth) {
                self.end(i);
                self.start = Some(i);
                if let Some(end) = self.closed
                    && !is_property(self.tokens, i)
                    && !is_told
                {
                    is_told = true;
                    let message = "only properties can stand here, outside of the net";
                    let diagnostic = Diagnostic::error("syntax", token.span, message);
                    self.split.diagnostics.push(diagnostic.label(end, "the net ends before this"));
                }
                continue;
            }
            match token.kind {
                Kind::LBrace if self.start.is_some() => self.depth += 1,
                Kind::RBrace if self.depth > 0 => self.depth -= 1,
                Kind::RBrace if self.closed.is_none() => {
                    self.end(i);
                    self.closed = Some(token.span);
                }
                Kind::RBrace => {
                    self.end(i);
                    self.junk(token, "this `}` closes nothing");
                }
                _ if self.start.is_none() => {
                    let before = i.checked_sub(1).map(|b| self.tokens[b].kind);
                    if i == from || matches!(before, Some(Kind::RBrace | Kind::Semi)) {
                        self.junk(token, "expected a definition, such as `place` or `transition`");
                    }
                }
                _ => {}
            }
        }
        self.end(self.tokens.len());
    }

    fn junk(&mut self, token: Token, message: &str) {
        self.split.diagnostics.push(Diagnostic::error("syntax", token.span, message));
    }

    fn end(&mut self, at: usize) {
        if let Some(start) = self.start.take() {
            self.split.items.push(start..at);
        }
        self.depth = 0;
    }
}

/// Whether a property begins at a token.
fn is_property(tokens: &[Token], at: usize) -> bool {
    matches!(tokens[at].kind, Kind::State | Kind::Ltl)
        && tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Property)
}

/// Whether a definition or a property begins at a token, in so many braces.
fn starts_item(tokens: &[Token], at: usize, depth: usize) -> bool {
    let next = |n: usize| tokens.get(at + n).map(|t| t.kind);
    match tokens[at].kind {
        Kind::Function => at == 0 || tokens[at - 1].kind != Kind::Import,
        Kind::Type => match next(1) {
            Some(Kind::Colon) => depth == 0,
            _ => depth == 0 || next(2) == Some(Kind::Colon),
        },
        Kind::Constant => depth == 0,
        kind => kind.begins_item() || is_property(tokens, at),
    }
}
