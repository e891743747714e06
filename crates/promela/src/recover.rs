//! Parses one item, and goes on after errors.
//!
//! LALRPOP's own recovery drops tokens until it can go on, which in a language
//! of nested blocks easily ends in the wrong block. The text is balanced
//! already, so it is known where the statement in error ends: it is replaced
//! by one `Error` token, blocks inside it are kept as statements of their own,
//! a missing separator is inserted, and the item is parsed again.
//!
//! Invariants: each repair removes the error it is for or gives up, work is
//! bounded by [`MAX_WORK`], and what reaches the parser is nested no deeper
//! than [`MAX_DEPTH`], so neither the tree's construction nor its destruction
//! can exhaust the stack.

use lalrpop_util::ParseError;
use stubborn_base::Diagnostic;

use crate::ast::Item;
use crate::balance::MAX_DEPTH;
use crate::builder::Builder;
use crate::expect::{self, Expected, describe, expectation};
use crate::repair::Names;
use crate::report::Report;
use crate::table::{Flags, Sym, Token, Tokens};
use crate::token::Kind;

#[allow(unused_qualifications, unreachable_pub, missing_docs, clippy::all, clippy::pedantic)]
mod grammar {
    lalrpop_util::lalrpop_mod!(promela);
    pub(super) use promela::ItemParser;
}

/// Tokens parsed for one item, counting repeated attempts.
const MAX_WORK: usize = 3_000_000;

/// Parses the tokens of one item. `None` if nothing can be made of them.
pub(crate) fn parse(
    mut tokens: Vec<Token>,
    names: &Names,
    table: &Tokens,
    report: &mut Report,
) -> Option<Item> {
    if let Some(deep) = too_deep(&tokens) {
        let message = "this is nested too deeply";
        report.push_at(table, deep, Diagnostic::error("nested-too-deeply", deep.span, message));
        return None;
    }
    let parser = grammar::ItemParser::new();
    let mut work = 0;
    loop {
        let builder = Builder { tokens: &tokens, table, mtypes: &names.mtypes, report: Default::default() };
        let input = tokens.iter().enumerate().map(|(i, token)| Ok((i, token.kind, i + 1)));
        let result = parser.parse(&builder, input);
        let more = builder.report.into_inner();
        let (at, expected) = match result {
            Ok(item) => {
                for (token, diagnostic) in more {
                    report.push_at(table, token, diagnostic);
                }
                return Some(item);
            }
            Err(ParseError::UnrecognizedToken { token: (at, ..), expected }) => (at, expected),
            Err(ParseError::UnrecognizedEof { expected, .. }) => (tokens.len(), expected),
            Err(ParseError::ExtraToken { token: (at, ..) }) => (at, Vec::new()),
            Err(ParseError::InvalidToken { location }) => (location, Vec::new()),
            Err(ParseError::User { error: () }) => return None,
        };
        let expected = Expected::new(&expected);
        let remedy = remedy(&tokens, at, &expected);
        report_error(&tokens, at, &expected, &remedy, table, report);
        if let Remedy::Replace(range) = &remedy
            && declares(&tokens[range.clone()])
        {
            report.lose(&tokens[range.clone()], table);
        }
        if matches!(remedy, Remedy::Head) {
            let body = tokens.iter().position(|t| t.kind == Kind::LBrace).unwrap_or(tokens.len());
            report.lose(&tokens[..body], table);
        }
        work += tokens.len();
        if report.is_full() || work > MAX_WORK || !apply(&mut tokens, at, remedy) {
            return None;
        }
    }
}

/// Reports that the token at `at` is none of those expected.
fn report_error(
    tokens: &[Token],
    at: usize,
    expected: &Expected,
    remedy: &Remedy,
    table: &Tokens,
    report: &mut Report,
) {
    // An error that was reported stands here already.
    if tokens.get(at).is_some_and(|t| t.kind == Kind::Error) {
        return;
    }
    let before = at.checked_sub(1).and_then(|i| tokens.get(i)).copied();
    let found = tokens.get(at).copied();
    let Some(place) = found.or(before) else { return };
    let span = if found.is_some() { place.span } else { place.implied(Kind::Error).span };
    let message = match remedy {
        Remedy::Separate => format!("expected `;` or `->` before {}", describe(found, table)),
        _ => format!("{}, found {}", expectation(expected, before), describe(found, table)),
    };
    let mut diagnostic = Diagnostic::error("syntax", span, message);
    if let Some(last) = before
        && last.kind == Kind::Semi
        && last.flags.has(Flags::IMPLIED)
        && found.is_some_and(|t| t.starts_line() && !t.kind.begins_statement())
    {
        diagnostic = diagnostic
            .label(last.span, "the statement ends with this line")
            .help("move the operator to the end of the line before, or put the expression in parentheses");
    } else if let Some(help) = expect::help(tokens, at, expected, table) {
        diagnostic = diagnostic.help(help);
    }
    let is_separator_missing = matches!(remedy, Remedy::Separate);
    if let Some((title, edits)) = expect::fix(tokens, at, expected, is_separator_missing, table) {
        diagnostic = diagnostic.fix(title, edits);
    }
    report.push_at(table, place, diagnostic);
}

/// Whether a statement begins like a declaration.
fn declares(tokens: &[Token]) -> bool {
    match tokens {
        [first, second, ..] if first.kind == Kind::Name => second.kind == Kind::Name,
        [first, ..] => first.kind.begins_declaration() || first.kind == Kind::TypeName,
        [] => false,
    }
}

/// What to do about an error.
enum Remedy {
    /// Insert a separator.
    Separate,
    /// Replace these tokens by an error, keeping blocks from the given place on.
    Replace(std::ops::Range<usize>),
    /// Replace the head of a process by what is surely right.
    Head,
    GiveUp,
}

fn remedy(tokens: &[Token], at: usize, expected: &Expected) -> Remedy {
    let Some(&found) = tokens.get(at) else { return Remedy::GiveUp };
    if expected.has(";") && expected.has("->") && found.kind.begins_statement() {
        return Remedy::Separate;
    }
    let Some((start, end)) = statement_at(tokens, at) else {
        let is_process = tokens.iter().any(|t| matches!(t.kind, Kind::Proctype | Kind::DProctype));
        return if is_process { Remedy::Head } else { Remedy::GiveUp };
    };
    if tokens[start..end].iter().all(|t| t.kind == Kind::Error) && end > start {
        return Remedy::GiveUp;
    }
    Remedy::Replace(start..end)
}

/// The statement around the token at `at`, or the place for one; `None` outside of blocks.
fn statement_at(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    // Openers around `at`, each with the start of the statement it is in.
    let mut open: Vec<(Kind, usize)> = Vec::new();
    for (i, token) in tokens.iter().enumerate().take(at) {
        match token.kind {
            Kind::LBrace if i > 0 && matches!(tokens[i - 1].kind, Kind::Assign | Kind::Of | Kind::Mtype) => {
                open.push((Kind::LParen, i + 1));
            }
            kind @ (Kind::LBrace | Kind::If | Kind::Do | Kind::LParen | Kind::LBracket) => {
                open.push((kind, i + 1))
            }
            Kind::RBrace | Kind::Fi | Kind::Od | Kind::RParen | Kind::RBracket => {
                open.pop();
            }
            Kind::Semi | Kind::Arrow | Kind::Sep => {
                if let Some((kind, start)) = open.last_mut()
                    && is_block(*kind)
                {
                    *start = i + 1;
                }
            }
            _ => {}
        }
    }
    let level = open.iter().rposition(|&(kind, _)| is_block(kind))?;
    let start = open[level].1;
    let mut depth = open.len() - level - 1;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        match token.kind {
            Kind::LBrace | Kind::If | Kind::Do | Kind::LParen | Kind::LBracket => depth += 1,
            Kind::RBrace | Kind::Fi | Kind::Od | Kind::RParen | Kind::RBracket if depth > 0 => depth -= 1,
            Kind::RBrace | Kind::Fi | Kind::Od => return Some((start, i)),
            Kind::Semi | Kind::Arrow | Kind::Sep if depth == 0 => return Some((start, i)),
            _ => {}
        }
    }
    Some((start, tokens.len()))
}

fn is_block(kind: Kind) -> bool {
    matches!(kind, Kind::LBrace | Kind::If | Kind::Do)
}

/// Whether the remedy could be applied.
fn apply(tokens: &mut Vec<Token>, at: usize, remedy: Remedy) -> bool {
    match remedy {
        Remedy::GiveUp => return false,
        Remedy::Separate => {
            let before = tokens[at.max(1) - 1];
            tokens.insert(at, before.implied(Kind::Semi));
        }
        Remedy::Replace(range) => {
            let error = match tokens.get(range.start) {
                Some(&first) if !range.is_empty() => Token { kind: Kind::Error, sym: Sym::NONE, ..first },
                _ => tokens[range.start.max(1) - 1].implied(Kind::Error),
            };
            let mut new = vec![error];
            // A block that is not what may stand here would not be what may stand behind a separator, either.
            let is_misplaced = range.start == at && tokens.get(at).is_some_and(|token| is_block(token.kind));
            let mut from = at + usize::from(is_misplaced);
            while let Some((start, end)) = next_block(&tokens[..range.end], from) {
                new.push(error.implied(Kind::Semi));
                new.extend(&tokens[start..end]);
                from = end;
            }
            tokens.splice(range, new);
        }
        Remedy::Head => return replace_head(tokens),
    }
    true
}

/// The next block statement that begins at or after `from`.
fn next_block(tokens: &[Token], from: usize) -> Option<(usize, usize)> {
    let start = (from..tokens.len()).find(|&i| {
        is_block(tokens[i].kind)
            && !(i > 0
                && matches!(tokens[i - 1].kind, Kind::Assign | Kind::Of | Kind::Mtype | Kind::InlineCall))
    })?;
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            Kind::LBrace | Kind::If | Kind::Do => depth += 1,
            Kind::RBrace | Kind::Fi | Kind::Od => {
                depth -= 1;
                if depth == 0 {
                    return Some((start, i + 1));
                }
            }
            _ => {}
        }
    }
    None
}

/// Keeps a process's keyword and name, and drops the rest of its head.
fn replace_head(tokens: &mut Vec<Token>) -> bool {
    let Some(body) = tokens.iter().position(|t| t.kind == Kind::LBrace) else { return false };
    let Some(word) = tokens[..body].iter().position(|t| matches!(t.kind, Kind::Proctype | Kind::DProctype))
    else {
        return false;
    };
    let keyword = tokens[word];
    let name = match tokens.get(word + 1) {
        Some(&name) if name.kind == Kind::Name => name,
        _ => keyword.implied(Kind::Name),
    };
    let head =
        [keyword, name, name.implied(Kind::LParen), name.implied(Kind::Error), name.implied(Kind::RParen)];
    if tokens[..body].iter().map(|t| t.kind).eq(head.iter().map(|t| t.kind)) {
        return false;
    }
    tokens.splice(..body, head);
    true
}

/// The first token that is nested deeper than [`MAX_DEPTH`], counting operators as levels.
fn too_deep(tokens: &[Token]) -> Option<Token> {
    use Kind::*;
    // Levels outside of each open bracket, and of the statement at hand.
    let mut outer: Vec<usize> = Vec::new();
    let mut base = 0usize;
    let mut level = 0usize;
    for &token in tokens {
        match token.kind {
            LParen | LBracket | LBrace | If | Do => {
                outer.push(base);
                outer.push(level);
                level += 1;
                base = level;
            }
            RParen | RBracket | RBrace | Fi | Od => {
                level = outer.pop().unwrap_or(0);
                base = outer.pop().unwrap_or(0);
            }
            Semi | Arrow | Comma | Sep => level = base,
            Name | TypeName | ProcName | Const | Str => {}
            _ => level += 1,
        }
        if level > MAX_DEPTH {
            return Some(token);
        }
    }
    None
}
