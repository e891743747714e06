//! SPIN's formula syntax. Parsing never fails: it returns a tree, with `true` in the place of what is
//! missing, and errors.
//!
//! Precedence as in SPIN's `ltl` blocks, from the tightest: `! [] <> X`; `U W V`; `&&`; `||`; `-> <->`.
//! All binary operators associate to the left, `->` and `U` too: `p U q U r` is `(p U q) U r`, and
//! `p -> q -> r` is `(p -> q) -> r`. (`spin -f` differs in one point: there `&& || -> <->` bind equally.)

use std::ops::Range;

use smol_str::SmolStr;

use crate::lexer::{Token, tokens};
use crate::{Formula, MAX_DEPTH};

/// What a text means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The formula; of no use if there are errors.
    pub formula: Formula,
    /// The text of each proposition: a name, or an expression without its quotes.
    pub propositions: Vec<SmolStr>,
    /// In the order of their places.
    pub errors: Vec<ParseError>,
}

/// What is wrong with a text, where, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The bytes it is about.
    pub range: Range<usize>,
    /// One sentence, without a full stop.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl ParseError {
    pub(crate) fn new(range: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        ParseError { range, message: message.into(), help: help.into() }
    }
}

/// Reads a formula in SPIN's syntax.
pub fn parse(text: &str) -> Parsed {
    let mut errors = Vec::new();
    let tokens = tokens(text, &mut errors);
    let mut parser = Parser { text, tokens, at: 0, propositions: Vec::new(), errors, has_given_up: false };
    let (formula, _) = parser.whole();
    let Parser { propositions, mut errors, .. } = parser;
    errors.sort_by_key(|error| (error.range.start, error.range.end));
    Parsed { formula, propositions, errors }
}

/// Parentheses and unary operators nested deeper are refused: each level takes several stack frames.
const MAX_NESTING: usize = 200;

/// Binary operators, from the loosest.
type Level = &'static [(Token, fn(Formula, Formula) -> Formula)];
const LEVELS: [Level; 4] = [
    &[(Token::Implies, Formula::implies), (Token::Equivalent, Formula::equivalent)],
    &[(Token::Or, Formula::or)],
    &[(Token::And, Formula::and)],
    &[
        (Token::Until, Formula::until),
        (Token::WeakUntil, Formula::weak_until),
        (Token::Release, Formula::release),
    ],
];

/// A formula and its depth.
type Tree = (Formula, usize);

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    propositions: Vec<SmolStr>,
    errors: Vec<ParseError>,
    has_given_up: bool,
}

impl Parser<'_> {
    fn whole(&mut self) -> Tree {
        if self.tokens.is_empty() && self.errors.is_empty() {
            let help = "write one, such as `[] (p -> <> q)`";
            self.errors.push(ParseError::new(0..self.text.len(), "there is no formula", help));
            return (Formula::True, 1);
        }
        let tree = self.binary(0, 0);
        if let Some((token, range)) = self.tokens.get(self.at).cloned() {
            let (message, help) = match token {
                Token::Close => ("this parenthesis closes nothing", "remove it, or open one before"),
                _ => (
                    "the formula has ended before this",
                    "put an operator such as `&&` in between, or double quotes around an expression",
                ),
            };
            self.report(range, message, help);
        }
        tree
    }

    /// An error, unless it follows from another.
    fn report(&mut self, range: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let follows = self.errors.iter().any(|error| {
            error.range.start <= range.start && range.start <= error.range.end && !error.range.is_empty()
        });
        if !follows && !self.has_given_up {
            self.errors.push(ParseError::new(range, message, help));
        }
    }

    fn binary(&mut self, level: usize, nesting: usize) -> Tree {
        let Some(operators) = LEVELS.get(level) else { return self.unary(nesting) };
        let mut left = self.binary(level + 1, nesting);
        while let Some((token, range)) = self.tokens.get(self.at).cloned() {
            let Some((_, join)) = operators.iter().find(|(operator, _)| *operator == token) else { break };
            self.at += 1;
            let right = self.binary(level + 1, nesting);
            let depth = 1 + left.1.max(right.1);
            if depth > MAX_DEPTH {
                return self.give_up(range);
            }
            left = (join(left.0, right.0), depth);
        }
        left
    }

    fn unary(&mut self, nesting: usize) -> Tree {
        let Some((token, range)) = self.tokens.get(self.at).cloned() else {
            let end = self.text.len();
            self.report(end..end, "the formula ends where an operand is missing", "add the operand");
            return (Formula::True, 1);
        };
        if nesting > MAX_NESTING {
            return self.give_up(range);
        }
        self.at += 1;
        let unary: fn(Formula) -> Formula = match token {
            Token::True => return (Formula::True, 1),
            Token::False => return (Formula::False, 1),
            Token::Proposition(text) => return (self.proposition(text), 1),
            Token::Open => return self.parenthesised(range, nesting),
            Token::Not => Formula::negated,
            Token::Next => Formula::next,
            Token::Always => Formula::always,
            Token::Eventually => Formula::eventually,
            _ => {
                self.at -= 1;
                let found = &self.text[range.clone()];
                let message = format!("an operand is missing before `{found}`");
                self.report(range, message, "write a proposition, or a formula in parentheses");
                return (Formula::True, 1);
            }
        };
        let (operand, depth) = self.unary(nesting + 1);
        (unary(operand), depth + 1)
    }

    fn parenthesised(&mut self, open: Range<usize>, nesting: usize) -> Tree {
        let inner = self.binary(0, nesting + 1);
        match self.tokens.get(self.at).cloned() {
            Some((Token::Close, _)) => self.at += 1,
            Some((_, range)) => {
                let help = "put an operator such as `&&` before it, or double quotes around an expression";
                self.report(range, "an operator or a closing parenthesis is missing before this", help);
                self.skip_to_close();
            }
            None => self.report(open, "this parenthesis is not closed", "add `)`"),
        }
        inner
    }

    /// Leaves out what is wrong up to the parenthesis that closes.
    fn skip_to_close(&mut self) {
        let mut n_open = 0;
        while let Some((token, _)) = self.tokens.get(self.at) {
            self.at += 1;
            match token {
                Token::Open => n_open += 1,
                Token::Close if n_open == 0 => return,
                Token::Close => n_open -= 1,
                _ => {}
            }
        }
    }

    fn proposition(&mut self, text: SmolStr) -> Formula {
        let known = self.propositions.iter().position(|known| *known == text);
        Formula::atom(known.unwrap_or_else(|| {
            self.propositions.push(text);
            self.propositions.len() - 1
        }))
    }

    fn give_up(&mut self, range: Range<usize>) -> Tree {
        let message = "the formula is nested too deeply";
        self.report(range, message, "check its parts one by one");
        self.has_given_up = true;
        self.at = self.tokens.len();
        (Formula::True, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Proposition;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let parsed = parse(text);
        assert_eq!(parsed.errors, [], "{text}");
        let name = |proposition: Proposition| parsed.propositions[proposition.0 as usize].to_string();
        assert_eq!(parsed.formula.display(&name).to_string(), expected, "{text}");
    }

    /// Each error as the text it is about and its message.
    #[track_caller]
    fn check_errors(text: &str, expected: &[(&str, &str)]) {
        let errors = parse(text).errors;
        let found: Vec<(&str, &str)> =
            errors.iter().map(|error| (&text[error.range.clone()], error.message.as_str())).collect();
        assert_eq!(found, expected, "{text}");
        assert!(errors.iter().all(|error| !error.help.is_empty()));
    }

    #[test]
    fn precedence_as_in_ltl_blocks() {
        check("p U q U r", "(p U q) U r");
        check("p -> q -> r", "(p -> q) -> r");
        check("p <-> q -> r", "(p <-> q) -> r");
        check("p && q U r", "p && (q U r)");
        check("p || q && r", "p || (q && r)");
        check("p && q || r -> s", "((p && q) || r) -> s");
        check("!p U q", "!p U q");
        check("[]p U q", "[]p U q");
        check("p U q W r V s", "((p U q) W r) V s");
    }

    #[test]
    fn every_spelling() {
        check("always eventually p", "[]<>p");
        check("p stronguntil q", "p U q");
        check("p weakuntil q", "p W q");
        check("(p release q) implies (next p equivalent q)", "(p V q) -> (X p <-> q)");
        check("G F p /\\ (p \\/ ~q)", "[]<>p && (p || !q)");
        check("p R q & 1 | 0", "((p V q) && true) || false");
        check("XXp0 && X!p1", "X X p0 && X !p1");
        check("\"x > 3\" U \"y==1\"", "x > 3 U y==1");
        assert_eq!(parse("p U \"p\"").propositions, ["p"]);
    }

    #[test]
    fn errors_are_located() {
        check_errors("", &[("", "there is no formula")]);
        check_errors("p &&", &[("", "the formula ends where an operand is missing")]);
        check_errors("p && || q", &[("||", "an operand is missing before `||`")]);
        check_errors("(p U q", &[("(", "this parenthesis is not closed")]);
        check_errors("p) && q", &[(")", "this parenthesis closes nothing")]);
        check_errors("[] (x > 3)", &[("> 3", "`> 3` means nothing in a formula")]);
        check_errors("p q", &[("q", "the formula has ended before this")]);
        check_errors("\"x > 3", &[("\"x > 3", "a quoted expression does not end")]);
        check_errors(
            "(p q) && (r",
            &[
                ("q", "an operator or a closing parenthesis is missing before this"),
                ("(", "this parenthesis is not closed"),
            ],
        );
        check_errors("p && é", &[("é", "`é` means nothing in a formula")]);
    }

    #[test]
    fn depth_is_limited() {
        for text in ["!".repeat(100_000) + "p", "(".repeat(100_000), "p U ".repeat(100_000) + "p"] {
            let parsed = parse(&text);
            assert!(parsed.errors.iter().any(|error| error.message == "the formula is nested too deeply"));
            assert!(parsed.formula.depth() <= MAX_DEPTH);
        }
    }
}
