//! Pieces of a text: where a declaration, a clause or a transition begins and ends.
//!
//! A piece ends at its `;`. One that lacks it ends where a word stands that only begins something else, or where the
//! block ends. So an error in one piece is found without making errors of the next.
//!
//! Invariant: every token belongs to one piece or is passed by itself; no piece is empty but for a missing one.

use std::ops::Range;

use crate::token::{Kind, Lexeme};

/// The tokens of a text, without comments, and how far they are read.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    pub(crate) tokens: Vec<Lexeme>,
    pub(crate) at: usize,
}

/// A piece that was cut off.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Its tokens, without the `;`.
    pub(crate) range: Range<usize>,
    /// It ended with a `;`.
    pub(crate) is_closed: bool,
}

impl Pieces {
    /// The next token.
    pub(crate) fn peek(&self) -> Option<Kind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    /// Passes a token if it is the next one.
    pub(crate) fn eat(&mut self, kind: Kind) -> bool {
        let is_next = self.peek() == Some(kind);
        self.at += usize::from(is_next);
        is_next
    }

    /// Cuts off a declaration, a part of a process or a clause of a transition.
    pub(crate) fn piece(&mut self) -> Piece {
        let start = self.at;
        let (mut n_braces, mut n_parens) = (0usize, 0usize);
        // Pairs of sets of states are separated by `;`.
        let has_pairs = self.peek() == Some(Kind::Accept);
        while let Some(kind) = self.peek() {
            match kind {
                Kind::Semi if n_braces == 0 && !(has_pairs && n_parens > 0) => {
                    self.at += 1;
                    return Piece { range: start..self.at - 1, is_closed: true };
                }
                Kind::RBrace if n_braces == 0 => break,
                Kind::LBrace => n_braces += 1,
                Kind::RBrace => n_braces -= 1,
                Kind::LParen => n_parens += 1,
                Kind::RParen => n_parens = n_parens.saturating_sub(1),
                _ if self.at > start && self.begins_another(n_braces) => break,
                _ => {}
            }
            self.at += 1;
        }
        Piece { range: start..self.at, is_closed: false }
    }

    /// Cuts off the head of a process or of a transition, up to its `{`.
    pub(crate) fn head(&mut self) -> Range<usize> {
        let start = self.at;
        while let Some(kind) = self.peek() {
            let is_end = matches!(kind, Kind::LBrace | Kind::RBrace | Kind::Semi | Kind::Comma);
            if is_end || (self.at > start && self.begins_another(0)) {
                break;
            }
            self.at += 1;
        }
        start..self.at
    }

    /// Passes a block in braces, if one comes next.
    pub(crate) fn skip_block(&mut self) {
        if !self.eat(Kind::LBrace) {
            return;
        }
        let mut depth = 1usize;
        while let Some(kind) = self.peek() {
            match kind {
                Kind::LBrace => depth += 1,
                Kind::RBrace => depth -= 1,
                Kind::Process | Kind::System => return,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Whether the next token begins something that no piece contains.
    fn begins_another(&self, n_braces: usize) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.tokens[at].kind);
        match self.peek() {
            Some(Kind::Process | Kind::System | Kind::Trans | Kind::Guard | Kind::Effect) => true,
            Some(Kind::State | Kind::Init | Kind::Commit | Kind::Accept | Kind::Assert) => true,
            Some(Kind::Const | Kind::Channel) => true,
            Some(Kind::Byte | Kind::Int) => n_braces == 0 && before != Some(Kind::Const),
            Some(Kind::Sync) => before != Some(Kind::System),
            _ => self.begins_transition(),
        }
    }

    /// Whether a transition begins here, brace and all: what may look like one inside of an expression has none.
    pub(crate) fn begins_transition(&self) -> bool {
        let kinds = self.tokens[self.at..].iter().take(4).map(|token| token.kind);
        kinds.eq([Kind::Name, Kind::Arrow, Kind::Name, Kind::LBrace])
    }
}
