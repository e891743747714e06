//! Makes brackets, braces, `if`/`fi` and `do`/`od` balance before parsing.
//!
//! A closing token that is missing is reported where it should have been, with
//! the opening one, and put there; one too many is reported and dropped. The
//! parser then sees balanced text, so one such mistake is one error.
//!
//! Invariant: what comes out is balanced, and nested no deeper than [`MAX_DEPTH`].

use stubborn_base::Diagnostic;

use crate::fixes::{insert_after, insert_before, is_written, replace};
use crate::report::Report;
use crate::table::{Token, Tokens};
use crate::token::Kind;

/// Levels of brackets, blocks and operators that an item may have.
pub(crate) const MAX_DEPTH: usize = 1000;

/// The balanced text of one item; `None` if it is nested too deeply.
pub(crate) fn balance(tokens: &[Token], table: &Tokens, report: &mut Report) -> Option<Vec<Token>> {
    let out = Vec::with_capacity(tokens.len());
    let mut balancer = Balancer { table, report, open: Vec::new(), n_open: [0; 5], out, head: true };
    for &token in tokens {
        balancer.step(token);
        if balancer.open.len() > MAX_DEPTH {
            let message = "this is nested too deeply";
            report.push_at(table, token, Diagnostic::error("nested-too-deeply", token.span, message));
            return None;
        }
    }
    if let Some(&last) = tokens.last() {
        let end = last.implied(Kind::Error);
        while let Some(&opener) = balancer.open.last() {
            balancer.close_missing(opener, end);
        }
    }
    Some(balancer.out)
}

/// Says that `token` closes what nothing opened.
pub(crate) fn unmatched(token: Token, text: &str, opener: &str) -> Diagnostic {
    let message = format!("`{text}` has no `{opener}`");
    let diagnostic = Diagnostic::error("unmatched-close", token.span, message);
    if is_written(token) {
        diagnostic.fix(format!("Remove `{text}`"), replace(token.span, ""))
    } else {
        diagnostic
    }
}

struct Balancer<'a> {
    table: &'a Tokens,
    report: &'a mut Report,
    open: Vec<Token>,
    /// How many openers of each kind are open.
    n_open: [usize; 5],
    out: Vec<Token>,
    /// Still before the item's body, where `;` may stand between parentheses.
    head: bool,
}

/// The number of a pair, by either of its tokens.
fn pair(kind: Kind) -> usize {
    match kind {
        Kind::LParen | Kind::RParen => 0,
        Kind::LBracket | Kind::RBracket => 1,
        Kind::LBrace | Kind::RBrace => 2,
        Kind::If | Kind::Fi => 3,
        _ => 4,
    }
}

fn closer(opener: Kind) -> Kind {
    match opener {
        Kind::LParen => Kind::RParen,
        Kind::LBracket => Kind::RBracket,
        Kind::LBrace => Kind::RBrace,
        Kind::If => Kind::Fi,
        _ => Kind::Od,
    }
}

/// Cannot stand between parentheses or square brackets.
fn ends_parens(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        LBrace | RBrace | If | Fi | Do | Od | Sep | Semi | Goto | Break | Printf | Assert | Atomic | DStep
    )
}

impl Balancer<'_> {
    fn step(&mut self, token: Token) {
        let kind = token.kind;
        if ends_parens(kind) && !(self.head && kind == Kind::Semi) {
            while let Some(&opener) = self.open.last()
                && matches!(opener.kind, Kind::LParen | Kind::LBracket)
            {
                self.close_missing(opener, token);
            }
        }
        match kind {
            Kind::LParen | Kind::LBracket | Kind::If | Kind::Do | Kind::LBrace => {
                self.head &= kind != Kind::LBrace;
                self.expect_option(token);
                self.n_open[pair(kind)] += 1;
                self.open.push(token);
            }
            Kind::Sep => {}
            Kind::RParen | Kind::RBracket | Kind::RBrace | Kind::Fi | Kind::Od => return self.close(token),
            _ => self.expect_option(token),
        }
        self.out.push(token);
    }

    /// Reports `token` if it stands where only `::` can.
    fn expect_option(&mut self, token: Token) {
        let Some(&opener) = self.out.last().filter(|t| matches!(t.kind, Kind::If | Kind::Do)) else { return };
        let word = self.table.text(opener);
        let message = format!("expected `::` after `{word}`");
        let mut diagnostic = Diagnostic::error("missing-option", token.span, message);
        if is_written(token) {
            diagnostic = diagnostic.fix("Insert `::`", insert_before(token.span, ":: "));
        }
        self.report.push_at(self.table, token, diagnostic);
        self.out.push(opener.implied(Kind::Sep));
    }

    fn close(&mut self, token: Token) {
        let matching = |opener: &Token| closer(opener.kind) == token.kind;
        // Parentheses end with their statement, so none is open outside of the innermost block.
        let found = self.n_open[pair(token.kind)] > 0;
        if found {
            while let Some(&opener) = self.open.last()
                && !matching(&opener)
            {
                self.close_missing(opener, token);
            }
            self.pop();
            self.out.push(token);
            return;
        }
        if self.report.is_full() {
            return;
        }
        let text = self.table.text(token);
        let diagnostic = match self.open.last() {
            Some(&opener)
                if matches!(token.kind, Kind::Fi | Kind::Od)
                    && matches!(opener.kind, Kind::If | Kind::Do) =>
            {
                // `do ... fi`: the wrong word rather than a missing one.
                self.pop();
                let right = closer(opener.kind);
                self.out.push(Token { kind: right, ..token });
                let (word, right) = (self.table.text(opener), right.text().unwrap_or_default());
                let message = format!("`{word}` ends in `{right}`, not in `{text}`");
                let diagnostic = Diagnostic::error("unmatched-close", token.span, message);
                let diagnostic = diagnostic.label(opener.span, "opened here");
                if is_written(token) {
                    diagnostic.fix(format!("Replace `{text}` by `{right}`"), replace(token.span, right))
                } else {
                    diagnostic
                }
            }
            _ => {
                let opener = match token.kind {
                    Kind::RParen => "(",
                    Kind::RBracket => "[",
                    Kind::Fi => "if",
                    Kind::Od => "do",
                    _ => "{",
                };
                unmatched(token, text, opener)
            }
        };
        self.report.push_at(self.table, token, diagnostic);
    }

    /// Closes `opener`, the innermost, before `found`.
    fn close_missing(&mut self, opener: Token, found: Token) {
        self.pop();
        let kind = closer(opener.kind);
        let last = self.out.last().copied().unwrap_or(opener);
        self.out.push(last.implied(kind));
        if self.report.is_full() {
            return;
        }
        let (word, missing) = (self.table.text(opener), kind.text().unwrap_or_default());
        let message = format!("`{word}` has no `{missing}`");
        let mut diagnostic =
            Diagnostic::error("unclosed", found.span, message).label(opener.span, "opened here");
        if is_written(opener) && last.ctx == opener.ctx {
            let space = if matches!(opener.kind, Kind::LParen | Kind::LBracket) { "" } else { " " };
            let edits = insert_after(last.span, format!("{space}{missing}"));
            diagnostic = diagnostic.fix(format!("Insert `{missing}`"), edits);
        }
        self.report.push_at(self.table, found, diagnostic);
    }

    fn pop(&mut self) {
        if let Some(opener) = self.open.pop() {
            self.n_open[pair(opener.kind)] -= 1;
        }
    }
}
