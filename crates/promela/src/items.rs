//! Splits a model into its top-level items.
//!
//! Words such as `proctype` never stand inside an item, so a missing `od` or
//! brace ends at the next of them: what follows is read as if nothing had
//! happened. SPIN needs no separator between declarations; they end where the
//! next one begins.

use hashbrown::HashSet;
use std::ops::Range;

use stubborn_base::{Diagnostic, nearest, suggest};

use crate::fixes::is_written;
use crate::report::Report;
use crate::table::{Sym, Token, Tokens};
use crate::token::Kind;

/// The places of the items in `tokens`.
pub(crate) fn split(tokens: &[Token], table: &Tokens, report: &mut Report) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut types: HashSet<Sym> = HashSet::new();
    let mut at = 0;
    // Statements outside of any body are reported once, until an item begins.
    let mut lost = false;
    while at < tokens.len() {
        let token = tokens[at];
        let is_type = token.kind == Kind::Name && types.contains(&token.sym);
        let end = if token.kind.is_separator() || token.kind == Kind::CCode {
            at += 1;
            continue;
        } else if token.kind.begins_item() {
            lost = false;
            if token.kind == Kind::Typedef
                && let Some(name) = tokens.get(at + 1)
            {
                types.insert(name.sym);
            }
            body_end(tokens, at)
        } else if token.kind.begins_declaration() || is_type {
            declaration_end(tokens, at, &types)
        } else {
            if !lost {
                report.push_at(table, token, stray(tokens, at, table));
                lost = true;
            }
            let end = stray_end(tokens, at, &types);
            // What looks like a declaration of a type that is none.
            if tokens[at..end].windows(2).next().is_some_and(|w| w.iter().all(|t| t.kind == Kind::Name)) {
                let is_end = |t: &Token| matches!(t.kind, Kind::Semi | Kind::LBrace);
                let len = tokens[at..end].iter().position(is_end).unwrap_or(end - at);
                report.lose(&tokens[at + 1..at + len], table);
            }
            at = end;
            continue;
        };
        items.push(at..end);
        at = end;
    }
    items
}

/// Where the item with a body that begins at `start` ends.
fn body_end(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0usize;
    let mut parens = 0usize;
    let mut header = true;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            Kind::LBrace => {
                depth += 1;
                header = false;
            }
            Kind::RBrace => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            Kind::LParen => parens += 1,
            Kind::RParen => parens = parens.saturating_sub(1),
            Kind::Proctype | Kind::DProctype if header && is_active(&tokens[start..at]) => {}
            kind if kind.begins_item() && at > start => return at,
            // A header without a body.
            kind if header && kind.is_separator() && parens == 0 => return at,
            _ => {}
        }
    }
    tokens.len()
}

/// `active` or `active [n]` and nothing else.
fn is_active(tokens: &[Token]) -> bool {
    tokens.first().is_some_and(|t| t.kind == Kind::Active)
        && !tokens.iter().any(|t| matches!(t.kind, Kind::Proctype | Kind::DProctype))
}

/// Where the declaration that begins at `start` ends.
fn declaration_end(tokens: &[Token], start: usize, types: &HashSet<Sym>) -> usize {
    let mut depth = 0usize;
    let mut seen_type = false;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        let kind = token.kind;
        let is_type_name = kind == Kind::Name && types.contains(&token.sym);
        match kind {
            Kind::LBrace | Kind::LBracket | Kind::LParen => depth += 1,
            Kind::RBracket | Kind::RParen => depth = depth.saturating_sub(1),
            Kind::RBrace => match depth {
                0 => return at,
                _ => depth -= 1,
            },
            _ if kind == Kind::Semi || kind.begins_item() => return at,
            Kind::Arrow if depth == 0 => return at,
            Kind::Hidden | Kind::Show | Kind::Local if at > start && depth == 0 => return at,
            _ if depth == 0 && (kind.is_type() || is_type_name) => {
                if seen_type {
                    return at;
                }
                seen_type = true;
            }
            // Neither can stand in a declaration: one end or the other of a statement.
            Kind::Sep | Kind::Do | Kind::Od | Kind::If | Kind::Fi => return at,
            _ => {}
        }
    }
    tokens.len()
}

/// Where to try again after something that is no item.
fn stray_end(tokens: &[Token], start: usize, types: &HashSet<Sym>) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            Kind::LBrace | Kind::LParen => depth += 1,
            Kind::RBrace | Kind::RParen => depth = depth.saturating_sub(1),
            kind if kind.begins_item() => return at,
            _ => {}
        }
        let next = tokens.get(at + 1);
        let declares = |t: &Token| {
            t.kind.begins_declaration() || (t.kind == Kind::Name && types.contains(&t.sym) && t.starts_line())
        };
        let ends = token.kind == Kind::Semi || next.is_some_and(|t| t.starts_line());
        if depth == 0 && ends && next.is_some_and(declares) {
            return at + 1;
        }
    }
    tokens.len()
}

/// What is wrong with a token outside of any item.
fn stray(tokens: &[Token], at: usize, table: &Tokens) -> Diagnostic {
    let token = tokens[at];
    let text = table.text(token);
    let body = at.checked_sub(1).map(|before| tokens[before]).filter(|t| t.kind == Kind::RBrace);
    let mut diagnostic = match token.kind {
        Kind::RBrace => crate::balance::unmatched(token, text, "{"),
        _ => {
            let message = format!("expected a declaration or a process, found `{text}`");
            Diagnostic::error("stray-text", token.span, message)
        }
    };
    let words = ["proctype", "active", "init", "inline", "typedef", "mtype", "byte", "bool", "short", "chan"];
    if token.kind == Kind::Name
        && is_written(token)
        && tokens.get(at + 1).is_some_and(|t| matches!(t.kind, Kind::Name | Kind::LBrace | Kind::Assign))
        && nearest(text, words.into_iter()).is_some()
    {
        diagnostic = suggest(diagnostic, token.span, text, words.into_iter());
    } else if let Some(body) = body {
        diagnostic = diagnostic.label(body.span, "what came before ends here");
    } else if token.kind == Kind::Name && tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Name) {
        diagnostic =
            diagnostic.help(format!("`{text}` is not a type; a `typedef` must stand before its use"));
    }
    diagnostic
}
