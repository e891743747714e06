//! How deep a line is indented.
//!
//! Options stand at the level of their `if` or `do`, what belongs to them one deeper; so does what stands between
//! braces, and a line that goes on with what the line before began. Labels stand out.

use crate::lexemes::{Lexeme, is_directive};
use crate::token::{Kind, keyword};

/// Blocks that are open where a line begins.
#[derive(Default)]
pub(super) struct Indent {
    open: Vec<Open>,
    /// What was open where each conditional of the preprocessor began.
    conditionals: Vec<Vec<Open>>,
    /// The line before ended in the middle of something.
    goes_on: bool,
}

/// Something that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    Paren,
    Bracket,
    Brace,
    /// The braces of an `mtype` or of initial values.
    List,
    If,
    Do,
}

impl Indent {
    /// Every branch of a conditional begins as its first one did.
    pub(super) fn directive(&mut self, text: &str, line: &[Lexeme]) {
        match line.get(1).map(|word| word.text(text)) {
            Some("if" | "ifdef" | "ifndef") => self.conditionals.push(self.open.clone()),
            Some("else" | "elif") => {
                if let Some(open) = self.conditionals.last() {
                    self.open.clone_from(open);
                }
            }
            Some("endif") => drop(self.conditionals.pop()),
            _ => {}
        }
    }

    /// The level of a line of code, which is taken in.
    pub(super) fn line(&mut self, text: &str, line: &[Lexeme]) -> usize {
        let n_closers = line.iter().take_while(|l| closes(text, **l).is_some()).count();
        let goes_on = std::mem::take(&mut self.goes_on);
        let mut level = 0;
        for (i, lexeme) in line.iter().enumerate() {
            if i == n_closers {
                level = self.level(text, lexeme, line.get(i + 1), goes_on && i == 0);
            }
            take_in(&mut self.open, text, line, i);
        }
        if n_closers == line.len() {
            level = self.depth();
        }
        let last = line.iter().rev().find(|l| !l.is_comment());
        let in_list = matches!(self.open.last(), Some(Open::Paren | Open::Bracket | Open::List));
        self.goes_on = !in_list && last.and_then(|l| l.token()).is_some_and(goes_on_after);
        level
    }

    /// The level of a line of comments: that of the line they are about.
    pub(super) fn comment(&self, rest: &[&[Lexeme]]) -> usize {
        let next = rest.iter().find_map(|line| {
            let code = line.iter().position(|l| !l.is_comment())?;
            (!is_directive(&line[code..])).then_some(line[code])
        });
        match next {
            Some(first) if first.is(Kind::Sep) => self.depth().saturating_sub(1),
            _ => self.depth(),
        }
    }

    fn depth(&self) -> usize {
        // Parentheses in each other are one: what is between them is one deeper.
        let is_round = |o: &Open| matches!(o, Open::Paren | Open::Bracket);
        let nested = self.open.windows(2).filter(|pair| is_round(&pair[0]) && is_round(&pair[1])).count();
        self.open.len() - nested
    }

    fn level(&self, text: &str, first: &Lexeme, second: Option<&Lexeme>, goes_on: bool) -> usize {
        let depth = self.depth();
        let is_label = first.is(Kind::Name)
            && second.is_some_and(|l| l.is(Kind::Colon))
            && keyword(first.text(text)).is_none()
            && matches!(self.open.last(), Some(Open::Brace | Open::If | Open::Do));
        if first.is(Kind::Sep) || (is_label && !goes_on) {
            depth.saturating_sub(1)
        } else {
            depth + usize::from(goes_on)
        }
    }
}

/// Takes in the token at `at`; none if it closes what is not open.
pub(super) fn take_in(open: &mut Vec<Open>, text: &str, line: &[Lexeme], at: usize) -> Option<()> {
    let lexeme = line[at];
    let opened = match lexeme.token() {
        Some(Kind::LParen) => Open::Paren,
        Some(Kind::LBracket) => Open::Bracket,
        Some(Kind::LBrace) => {
            let before = at.checked_sub(1).map(|i| line[i]);
            let is_list = before.is_some_and(|l| {
                l.is(Kind::Assign) || (l.is(Kind::Name) && matches!(l.text(text), "of" | "mtype"))
            });
            if is_list { Open::List } else { Open::Brace }
        }
        Some(Kind::Name) if lexeme.text(text) == "if" => Open::If,
        Some(Kind::Name) if lexeme.text(text) == "do" => Open::Do,
        _ => {
            let Some(closed) = closes(text, lexeme) else { return Some(()) };
            let last = open.pop()?;
            return (last == closed || (last == Open::List && closed == Open::Brace)).then_some(());
        }
    };
    open.push(opened);
    Some(())
}

/// What a token closes.
fn closes(text: &str, lexeme: Lexeme) -> Option<Open> {
    Some(match lexeme.token()? {
        Kind::RParen => Open::Paren,
        Kind::RBracket => Open::Bracket,
        Kind::RBrace => Open::Brace,
        Kind::Name => match lexeme.text(text) {
            "fi" => Open::If,
            "od" => Open::Do,
            _ => return None,
        },
        _ => return None,
    })
}

/// Whether a line that ends in this goes on in the next.
fn goes_on_after(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, Comma | Assign | Plus | Minus | Star | Slash | Percent | Amp | AndAnd | Bar | OrOr | Caret)
        || matches!(kind, Lt | Le | Gt | Ge | EqEq | Ne | Shl | Shr | Bang | BangBang | Query | QueryQuery)
}
