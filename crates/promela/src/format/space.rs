//! What stands between two tokens of a line.
//!
//! Space is taken away only where the tokens stay what they are without it.

use crate::lexemes::{Lexeme, LexemeKind};
use crate::token::{Kind, keyword, lex};

/// Lays out lines one after the other.
pub(super) struct Spacer<'a> {
    text: &'a str,
    /// The last token that is no comment.
    before: Option<Lexeme>,
    /// It belongs to what follows: `-` in `-x`, `!` in `!x` and in `q!x`.
    is_prefix: bool,
    /// Parentheses and brackets that are open; `<` of a receive is one.
    round: Vec<Kind>,
    /// It is the name of a statement's label, should `:` follow.
    may_be_label: bool,
}

/// Space between two tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    One,
    /// None if there is none, else one.
    Kept,
    /// As it is.
    Same,
}

impl<'a> Spacer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Spacer { text, before: None, is_prefix: false, round: Vec::new(), may_be_label: false }
    }

    /// Writes a line without its indentation.
    pub(super) fn line(&mut self, line: &[Lexeme], out: &mut String) {
        for (i, &lexeme) in line.iter().enumerate() {
            if let Some(left) = i.checked_sub(1).map(|i| line[i]) {
                let there = &self.text[left.end as usize..lexeme.start as usize];
                let gap =
                    if there.contains('\n') { Gap::Same } else { self.gap(left, lexeme, line.get(i + 1)) };
                match gap {
                    Gap::Same => out.push_str(there),
                    Gap::One => out.push(' '),
                    Gap::Kept if there.is_empty() => {}
                    Gap::Kept => out.push(' '),
                    Gap::None if there.is_empty() || self.stay_apart(left, lexeme) => {}
                    Gap::None => out.push(' '),
                }
            }
            out.push_str(lexeme.text(self.text));
            if !lexeme.is_comment() {
                self.take_in(lexeme, i == 0, line.get(i + 1));
            }
        }
    }

    /// Whether two tokens are the same two without space between them.
    fn stay_apart(&self, left: Lexeme, right: Lexeme) -> bool {
        // `[]`, `<>` and `<->` are operators of formulas only if nothing is between.
        let joins = (left.is(Kind::LBracket) && right.is(Kind::RBracket)) || left.is(Kind::Lt);
        let glued = format!("{}{}", left.text(self.text), right.text(self.text));
        let raws = lex(&glued);
        !joins && raws.len() == 2 && raws[0].end == left.end - left.start
    }

    /// Between two neighbours, of which the left one has been taken in.
    fn gap(&self, left: Lexeme, right: Lexeme, after: Option<&Lexeme>) -> Gap {
        let (LexemeKind::Token(l), LexemeKind::Token(r)) = (left.kind, right.kind) else {
            return if right.is_comment() && left.end < right.start { Gap::Same } else { Gap::Kept };
        };
        use Kind::*;
        let adjacent = |a: Lexeme, b: Lexeme| a.end == b.start;
        match (l, r) {
            (Unknown | BadChar | CloseComment | Hash | HashHash, _)
            | (_, Unknown | BadChar | CloseComment | Hash | HashHash) => Gap::Kept,
            // Operators of formulas.
            (LBracket, RBracket) | (Lt, Gt | Arrow) if adjacent(left, right) => Gap::None,
            (_, Comma | Semi) => Gap::None,
            (Comma | Semi | Sep | Arrow, _) | (_, Arrow | Sep) => Gap::One,
            (LBrace, RBrace) => Gap::Kept,
            (LBrace | RBrace, Dot | RParen | RBracket) => Gap::None,
            (LParen | LBracket, _) | (_, RParen | RBracket) => Gap::None,
            (LBrace | RBrace, _) | (_, LBrace | RBrace) => Gap::One,
            (Dot | At, _) | (_, Dot | At) => Gap::None,
            (_, Colon) => self.before_colon(left),
            (Colon, _) if self.may_be_label => Gap::One,
            (Colon, _) => Gap::Kept,
            (Query | QueryQuery, _) | (_, Query | QueryQuery) => Gap::None,
            (Bang | BangBang | Lt, _) if self.is_prefix => Gap::None,
            (_, Bang | BangBang) if self.is_channel(left) => Gap::None,
            (Minus | Tilde, _) if self.is_prefix => Gap::None,
            (Incr | Decr, _) | (_, Incr | Decr) if self.is_postfix(left, right) => match r {
                Incr | Decr => Gap::None,
                _ => Gap::One,
            },
            (_, Gt) if self.round.last() == Some(&Lt) => Gap::None,
            // After `[]` and `<>`.
            (RBracket, _) | (Gt, _) if self.is_prefix => Gap::Kept,
            (_, LParen) => self.before_paren(left),
            (_, LBracket) if after.is_some_and(|close| close.is(RBracket) && adjacent(right, *close)) => {
                Gap::One
            }
            (Name, LBracket) if keyword(left.text(self.text)).is_none() => Gap::None,
            _ => Gap::One,
        }
    }

    fn before_colon(&self, left: Lexeme) -> Gap {
        if self.may_be_label || (left.is(Kind::Name) && left.text(self.text) == "mtype") {
            Gap::None
        } else {
            Gap::Kept
        }
    }

    fn before_paren(&self, left: Lexeme) -> Gap {
        if !left.is(Kind::Name) {
            return if left.is(Kind::RParen) { Gap::Kept } else { Gap::One };
        }
        match left.text(self.text) {
            "assert" | "printf" | "printm" | "len" | "full" | "empty" | "nfull" | "nempty" | "enabled"
            | "eval" | "get_priority" | "set_priority" | "pc_value" => Gap::None,
            // Operators of formulas are words, too.
            "U" | "V" | "W" | "X" => Gap::Kept,
            word if keyword(word).is_some() || crate::token::temporal_word(word).is_some() => Gap::One,
            _ => Gap::None,
        }
    }

    /// A name or an index, as before the `!` of a send.
    fn is_channel(&self, left: Lexeme) -> bool {
        match left.token() {
            Some(Kind::Name) => keyword(left.text(self.text)).is_none(),
            Some(Kind::RBracket) => !self.is_prefix,
            _ => false,
        }
    }

    fn is_postfix(&self, left: Lexeme, right: Lexeme) -> bool {
        matches!(right.token(), Some(Kind::Incr | Kind::Decr)) && self.ends_operand(left)
            || matches!(left.token(), Some(Kind::Incr | Kind::Decr)) && !self.is_prefix
    }

    /// Whether a token ends an operand, so that an operator follows.
    fn ends_operand(&self, lexeme: Lexeme) -> bool {
        use Kind::*;
        match lexeme.token() {
            Some(Name) => {
                let word = lexeme.text(self.text);
                keyword(word).is_none() || matches!(word, "true" | "false" | "skip" | "timeout" | "np_")
            }
            Some(RBracket) => !self.is_prefix,
            Some(Number | Str | Char | RParen | Incr | Decr | CExpr) => true,
            _ => false,
        }
    }

    fn take_in(&mut self, lexeme: Lexeme, starts_line: bool, after: Option<&Lexeme>) {
        use Kind::*;
        let Some(kind) = lexeme.token() else { return };
        let after_operand = self.before.is_some_and(|before| self.ends_operand(before));
        let before = self.before.and_then(|l| l.token());
        let was_label = self.may_be_label;
        // `]` of `[]`, and `>` of `<>`.
        let adjacent = self.before.is_some_and(|l| l.end == lexeme.start);
        let closes_operator =
            adjacent && matches!((before, kind), (Some(LBracket), RBracket) | (Some(Lt), Gt));
        match kind {
            LParen | LBracket => self.round.push(kind),
            RParen | RBracket => drop(self.round.pop()),
            Lt if matches!(before, Some(Query | QueryQuery)) => self.round.push(Lt),
            Gt if self.round.last() == Some(&Lt) => drop(self.round.pop()),
            Semi | LBrace | RBrace | Sep => self.round.clear(),
            _ => {}
        }
        self.is_prefix = match kind {
            Minus | Tilde | Incr | Decr => !after_operand,
            Bang | BangBang => true,
            Lt => {
                matches!(before, Some(Query | QueryQuery))
                    || after.is_some_and(|l| l.is(Gt) && l.start == lexeme.end)
            }
            _ => closes_operator,
        };
        let begins = match before {
            None => true,
            Some(Semi | Arrow | Sep | LBrace | RBrace | Colon) => true,
            Some(Name) => self.before.is_some_and(|l| matches!(l.text(self.text), "else" | "fi" | "od")),
            _ => false,
        };
        self.may_be_label = match kind {
            Name => {
                (begins || starts_line) && self.round.is_empty() && keyword(lexeme.text(self.text)).is_none()
            }
            Colon => was_label,
            _ => false,
        };
        self.before = Some(lexeme);
    }
}
