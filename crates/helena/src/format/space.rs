//! What stands between two tokens of a line.

use crate::token::Kind;

/// Space between two tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    One,
    /// None if there is none, else one.
    Kept,
}

/// Follows the tokens of a text.
#[derive(Default)]
pub(super) struct Spacer {
    before: Option<Kind>,
    /// The last token is a sign, not an operator between two operands.
    is_sign: bool,
    /// Open brackets other than braces, and conditions whose `:` is yet to come.
    open: Vec<Kind>,
}

impl Spacer {
    /// The space before a token or comment on the same line, where there is `gap` now.
    pub(super) fn gap(&self, next: Kind, gap: &str) -> String {
        let closes = matches!(next, Kind::Semi | Kind::Comma | Kind::RParen | Kind::RBracket);
        if next.is_trivia() || (gap.chars().count() > 1 && !closes) {
            return gap.to_owned();
        }
        match self.wanted(next) {
            Gap::None => String::new(),
            Gap::One => " ".to_owned(),
            Gap::Kept => gap.to_owned(),
        }
    }

    fn wanted(&self, next: Kind) -> Gap {
        use Kind::*;
        let Some(before) = self.before else { return Gap::Kept };
        match (before, next) {
            (_, Semi | Comma | RBracket | Dot | Quote) | (LParen | LBracket | Dot | Quote, _) => Gap::None,
            (_, RParen) => Gap::None,
            // Between tuple brackets, and between bars, one may write either.
            (LTuple, _) | (_, RTuple) | (Bar, _) | (_, Bar) => Gap::Kept,
            (_, Arrow) | (Arrow, Number) if next == Arrow && before != RParen => Gap::None,
            (Arrow, Number) => Gap::None,
            (_, Colon) if self.open.is_empty() => Gap::Kept,
            (before, LParen | LBracket) if !is_operator(before) && before != Comma => Gap::Kept,
            _ if self.is_sign => Gap::None,
            _ => Gap::One,
        }
    }

    /// Goes on after a token.
    pub(super) fn take(&mut self, kind: Kind) {
        use Kind::*;
        let can_be_sign = matches!(kind, Plus | Minus);
        self.is_sign = can_be_sign && self.before.is_none_or(|before| !ends_operand(before));
        match kind {
            LParen | LBracket | LTuple | Query => self.open.push(kind),
            RParen | RBracket | RTuple => while self.open.pop().is_some_and(|open| open == Query) {},
            Colon if self.open.last() == Some(&Query) => {
                self.open.pop();
            }
            Semi | LBrace => self.open.clear(),
            _ => {}
        }
        self.before = Some(kind);
    }
}

fn ends_operand(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, Name | Number | RParen | RBracket | RBrace | Bar | Empty | Card | Mult | Capacity | RTuple)
        || kind.is_contextual()
}

fn is_operator(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        Plus | Minus
            | Star
            | Slash
            | Percent
            | Amp
            | Eq
            | Ne
            | Lt
            | Le
            | Gt
            | Ge
            | Query
            | Colon
            | Update
            | Assign
            | DotDot
            | And
            | Or
            | Implies
            | Equivalent
            | Until
            | Always
            | Eventually
            | Return
    )
}
