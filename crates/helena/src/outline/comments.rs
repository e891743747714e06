//! What comments say about definitions, and definitions in one line.

use stubborn_base::Sources;
use stubborn_base::outline::Symbol;

use crate::parser::Parsed;
use crate::token::{Kind, Token};

/// Characters that a definition in one line may have.
const MAX_LINE: usize = 120;

/// Gives symbols the comments that stand just before them, or at the end of their line.
pub(super) fn attach(symbols: &mut [Symbol], sources: &Sources, parsed: &[Parsed]) {
    for symbol in symbols {
        let text = sources.file(symbol.span.file).text();
        let comments = &parsed[symbol.span.file.0 as usize].lexed.trivia;
        symbol.comment = before(text, comments, symbol.span.start as usize)
            .or_else(|| at_end_of_line(text, comments, symbol.name_span.end as usize));
    }
}

fn is_comment(token: &Token) -> bool {
    matches!(token.kind, Kind::LineComment | Kind::BlockComment)
}

/// The comments on the lines above, without an empty line between.
fn before(text: &str, comments: &[Token], start: usize) -> Option<String> {
    let mut end = comments.partition_point(|c| (c.span.start as usize) < start);
    let mut from = start;
    let mut found = Vec::new();
    while let Some(comment) = end.checked_sub(1).map(|i| comments[i]).filter(is_comment) {
        let between = &text[comment.span.end as usize..from];
        let line = text[..comment.span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let is_alone = text[line..comment.span.start as usize].trim().is_empty();
        if !between.trim().is_empty() || between.matches('\n').count() > 1 || !is_alone {
            break;
        }
        found.push(comment);
        from = comment.span.start as usize;
        end -= 1;
    }
    found.reverse();
    said(text, &found)
}

/// The comment that ends a line.
fn at_end_of_line(text: &str, comments: &[Token], name: usize) -> Option<String> {
    let line = name + text[name..].find('\n').unwrap_or(text.len() - name);
    let i = comments.partition_point(|c| (c.span.start as usize) < name);
    let on_line = comments[i..].iter().take_while(|c| (c.span.start as usize) < line);
    let last = on_line.filter(|c| is_comment(c)).last()?;
    let rest = text.get(last.span.end as usize..line).unwrap_or_default();
    rest.trim().is_empty().then(|| said(text, &[*last])).flatten()
}

/// The words of comments, without what makes them comments.
fn said(text: &str, comments: &[Token]) -> Option<String> {
    let mut lines: Vec<&str> = Vec::new();
    for comment in comments {
        let inner = &text[comment.span.range()];
        if comment.kind == Kind::LineComment {
            lines.push(inner.trim_start_matches('/').trim());
            continue;
        }
        let inner = inner.strip_prefix("/*").unwrap_or(inner);
        let inner = inner.strip_suffix("*/").unwrap_or(inner);
        lines.extend(inner.lines().map(|line| {
            let line = line.trim_start_matches(['*', ' ', '\t']);
            line.trim_end_matches(['*', ' ', '\t', '\r'])
        }));
    }
    let said = lines.join("\n").trim().to_owned();
    (!said.is_empty()).then_some(said)
}

/// A text in one line, without its comments.
pub(super) fn one_line(text: &str) -> String {
    let text: String = text.chars().take(4 * MAX_LINE).collect();
    let lexed = crate::lexer::lex(stubborn_base::FileId(0), &text, &[]);
    let mut line = String::new();
    let mut end = 0;
    for token in &lexed.tokens {
        if !line.is_empty() && token.span.start as usize > end {
            line.push(' ');
        }
        line.push_str(&text[token.span.range()]);
        end = token.span.end as usize;
        if line.chars().count() > MAX_LINE {
            let mut short: String = line.chars().take(MAX_LINE).collect();
            short.push('…');
            return short;
        }
    }
    line.trim_end_matches(';').trim_end().to_owned()
}
