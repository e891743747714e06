//! Parses one definition, and goes on after errors.
//!
//! The part in error, from the last `;` or `}` to the next, is replaced by one `error` token and the definition is
//! parsed again; a missing `;` or `}` is put in. Invariants: each repair removes the error it is for or gives up, work
//! is bounded by [`MAX_WORK`], and what reaches the parser is nested no deeper than [`MAX_DEPTH`], so that neither the
//! tree's construction nor anything that walks it can exhaust the stack.

use std::ops::Range;

use lalrpop_util::ParseError;
use stubborn_base::{Diagnostic, Edit, Span};

use crate::ast::{Expr, Head, Item};
use crate::builder::Builder;
use crate::expect::{Expected, describe, expectation, help};
use crate::token::{Kind, Token};

#[allow(unused_qualifications, unreachable_pub, missing_docs, clippy::all, clippy::pedantic)]
mod grammar {
    lalrpop_util::lalrpop_mod!(helena);
    pub(super) use helena::{ExprParser, HeadParser, ItemParser};
}

/// Tokens parsed for one definition, counting repeated attempts.
const MAX_WORK: usize = 3_000_000;

/// How deep brackets and operators may be nested.
const MAX_DEPTH: usize = 500;

/// Parses a definition. `None` if nothing can be made of it.
pub(crate) fn item(tokens: &[Token], text: &str, report: &mut Vec<Diagnostic>) -> Option<Item> {
    let parser = grammar::ItemParser::new();
    attempt(tokens.to_vec(), text, report, |builder, tokens| {
        parser.parse(builder, tokens.iter().enumerate().map(|(i, t)| Ok((i, t.kind, i + 1))))
    })
}

/// Parses the beginning of a net.
pub(crate) fn head(tokens: &[Token], text: &str, report: &mut Vec<Diagnostic>) -> Option<Head> {
    let parser = grammar::HeadParser::new();
    let result = attempt(tokens.to_vec(), text, report, |builder, tokens| {
        parser.parse(builder, tokens.iter().enumerate().map(|(i, t)| Ok((i, t.kind, i + 1))))
    });
    let builder = Builder { tokens, text };
    let is_named = tokens.first().is_some_and(|t| t.kind == Kind::Name || t.kind.is_contextual());
    result.or_else(|| is_named.then(|| Head { name: builder.ident(0), params: Vec::new() }))
}

/// Parses an expression that stands alone.
pub(crate) fn expression(tokens: &[Token], text: &str, report: &mut Vec<Diagnostic>) -> Option<Expr> {
    let parser = grammar::ExprParser::new();
    attempt(tokens.to_vec(), text, report, |builder, tokens| {
        parser.parse(builder, tokens.iter().enumerate().map(|(i, t)| Ok((i, t.kind, i + 1))))
    })
}

type Failure = ParseError<usize, Kind, ()>;

fn attempt<T>(
    mut tokens: Vec<Token>,
    text: &str,
    report: &mut Vec<Diagnostic>,
    parse: impl Fn(&Builder<'_>, &[Token]) -> Result<T, Failure>,
) -> Option<T> {
    if let Some(deep) = too_deep(&tokens) {
        report.push(Diagnostic::error("nested-too-deeply", deep.span, "this is nested too deeply"));
        return None;
    }
    let mut work = 0;
    loop {
        let builder = Builder { tokens: &tokens, text };
        let (at, expected) = match parse(&builder, &tokens) {
            Ok(item) => return Some(item),
            Err(ParseError::UnrecognizedToken { token: (at, ..), expected }) => (at, expected),
            Err(ParseError::UnrecognizedEof { expected, .. }) => (tokens.len(), expected),
            Err(ParseError::ExtraToken { token: (at, ..) }) => (at, Vec::new()),
            Err(ParseError::InvalidToken { location }) => (location, Vec::new()),
            Err(ParseError::User { error: () }) => return None,
        };
        let expected = Expected::new(&expected);
        let remedy = remedy(&tokens, at, &expected, text);
        tell(&tokens, at, &expected, &remedy, text, report);
        work += tokens.len();
        if work > MAX_WORK || report.len() > 100 || !apply(&mut tokens, remedy) {
            return None;
        }
    }
}

/// What to do about an error.
enum Remedy {
    /// Put a token in.
    Insert(usize, Kind),
    /// Replace these tokens by an error.
    Replace(Range<usize>),
    /// Leave out what follows.
    Cut(usize),
    GiveUp,
}

fn remedy(tokens: &[Token], at: usize, expected: &Expected, text: &str) -> Remedy {
    let before = at.checked_sub(1).map(|i| tokens[i]);
    let found = tokens.get(at).copied();
    let starts_line = match (before, found) {
        (Some(before), Some(found)) => {
            let between = before.span.end as usize..found.span.start as usize;
            text.get(between).is_some_and(|between| between.contains('\n'))
        }
        _ => true,
    };
    let ends = found.is_none_or(|t| t.kind == Kind::RBrace || (starts_line && t.kind.begins_part()));
    if expected.has(";") && ends && before.is_some_and(|t| t.kind != Kind::Semi) {
        return Remedy::Insert(at, Kind::Semi);
    }
    if found.is_none() {
        return if expected.has("}") { Remedy::Insert(at, Kind::RBrace) } else { Remedy::GiveUp };
    }
    if let Some(range) = part_at(tokens, at) {
        return Remedy::Replace(range);
    }
    if before.is_some_and(|t| matches!(t.kind, Kind::Semi | Kind::RBrace)) {
        return Remedy::Cut(at);
    }
    Remedy::GiveUp
}

/// The part around the token at `at`: between the braces it is in, from the last `;` or `}` to the next. `None` outside
/// of braces, or if all of it has been replaced already.
fn part_at(tokens: &[Token], at: usize) -> Option<Range<usize>> {
    // Where the part begins that is at hand in each open brace.
    let mut open: Vec<usize> = Vec::new();
    for (i, token) in tokens.iter().enumerate().take(at) {
        match token.kind {
            Kind::LBrace => open.push(i + 1),
            Kind::RBrace => {
                open.pop();
                if begins_part(tokens, i + 1)
                    && let Some(start) = open.last_mut()
                {
                    *start = i + 1;
                }
            }
            Kind::Semi | Kind::Error => {
                if let Some(start) = open.last_mut() {
                    *start = i + 1;
                }
            }
            _ => {}
        }
    }
    while let Some(start) = open.pop() {
        let end = part_end(tokens, start, at);
        if tokens[start..end].iter().any(|t| t.kind != Kind::Error) {
            return Some(start..end);
        }
        // It is the text before it that is wrong, then: all that these braces belong to.
    }
    None
}

fn begins_part(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_none_or(|t| t.kind.begins_part() || matches!(t.kind, Kind::RBrace | Kind::Error))
}

fn part_end(tokens: &[Token], start: usize, at: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            Kind::LBrace => depth += 1,
            Kind::RBrace if depth == 0 => return i,
            Kind::RBrace => {
                depth -= 1;
                if depth == 0 && i >= at && begins_part(tokens, i + 1) {
                    return i + 1;
                }
            }
            Kind::Semi if depth == 0 && i >= at => return i + 1,
            _ => {}
        }
    }
    tokens.len()
}

fn apply(tokens: &mut Vec<Token>, remedy: Remedy) -> bool {
    match remedy {
        Remedy::Insert(at, kind) => {
            let last = tokens[at - 1].span;
            tokens.insert(at, Token { kind, span: Span { start: last.end, ..last } });
            true
        }
        Remedy::Replace(range) => {
            let first = tokens[range.start].span;
            let span = first.join(tokens[range.end.max(range.start + 1) - 1].span);
            tokens.splice(range, [Token { kind: Kind::Error, span }]);
            true
        }
        Remedy::Cut(at) => {
            tokens.truncate(at);
            true
        }
        Remedy::GiveUp => false,
    }
}

/// Reports that the token at `at` is none of those expected.
fn tell(
    tokens: &[Token],
    at: usize,
    expected: &Expected,
    remedy: &Remedy,
    text: &str,
    report: &mut Vec<Diagnostic>,
) {
    // An error that was reported stands here already.
    if tokens.get(at).is_some_and(|t| t.kind == Kind::Error) {
        return;
    }
    let before = at.checked_sub(1).and_then(|i| tokens.get(i)).copied();
    let found = tokens.get(at).copied();
    let Some(place) = found.or(before) else { return };
    let after = |span: Span| Span { start: span.end, ..span };
    if let (Remedy::Insert(_, kind), Some(before)) = (remedy, before) {
        // An inserted token has no text to point at.
        let Some(missing) = kind.text() else { return };
        let message = format!("expected `{missing}` after {}", describe(Some(before), text));
        let edit = Edit { span: after(before.span), text: missing.into() };
        let diagnostic = Diagnostic::error("syntax", before.span, message);
        report.push(diagnostic.fix(format!("Insert `{missing}`"), vec![edit]));
        return;
    }
    let message = match remedy {
        Remedy::Cut(_) => format!("expected the end of the definition, found {}", describe(found, text)),
        _ => format!("{}, found {}", expectation(expected), describe(found, text)),
    };
    let mut diagnostic = Diagnostic::error("syntax", place.span, message);
    diagnostic.help = help(before, found, expected, text);
    report.push(diagnostic);
}

/// The first token that is nested deeper than [`MAX_DEPTH`].
fn too_deep(tokens: &[Token]) -> Option<Token> {
    levels(tokens).find(|(_, level)| *level > MAX_DEPTH).map(|(token, _)| token)
}

/// How deep the deepest token is nested.
pub(crate) fn depth(tokens: &[Token]) -> usize {
    levels(tokens).map(|(_, level)| level).max().unwrap_or(0)
}

/// Tokens and how deep each is nested, counting operators as levels.
fn levels(tokens: &[Token]) -> impl Iterator<Item = (Token, usize)> {
    use Kind::*;
    // Levels outside of each open bracket, and of the part at hand.
    let mut outer: Vec<(usize, usize)> = Vec::new();
    let (mut base, mut level) = (0usize, 0usize);
    tokens.iter().map(move |&token| {
        match token.kind {
            LParen | LBracket | LBrace | LTuple => {
                outer.push((base, level));
                level += 1;
                base = level;
            }
            RParen | RBracket | RBrace | RTuple => (base, level) = outer.pop().unwrap_or_default(),
            Semi | Comma => level = base,
            Name | Number | Text => {}
            _ => level += 1,
        }
        (token, level)
    })
}
