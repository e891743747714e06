//! What comments say about declarations.

use stubborn_base::outline::{Symbol, SymbolKind};

use crate::token::{Kind, Lexeme};

/// Gives symbols the comments that stand on the lines before the one that declares them, or at its end.
pub(super) fn attach(symbols: &mut [Symbol], text: &str, lexemes: &[Lexeme]) {
    for symbol in symbols {
        let name = lexemes.partition_point(|l| l.start < symbol.name_span.start as usize);
        // Of a list of states no comment is about one.
        symbol.comment = match symbol.kind {
            SymbolKind::Label => at_end_of_line(text, lexemes, name),
            _ => before(text, lexemes, name).or_else(|| at_end_of_line(text, lexemes, name)),
        };
    }
}

/// Line breaks between a lexeme and the one before it.
fn breaks(text: &str, lexemes: &[Lexeme], at: usize) -> usize {
    let end = at.checked_sub(1).map_or(0, |before| lexemes[before].end);
    lexemes.get(at).map_or(0, |lexeme| text[end..lexeme.start].matches('\n').count())
}

/// The comments on the lines above that of the lexeme at `name`, if nothing is declared before it on its line.
fn before(text: &str, lexemes: &[Lexeme], name: usize) -> Option<String> {
    let mut first = name;
    let mut depth = 0usize;
    while first > 0 && breaks(text, lexemes, first) == 0 {
        first -= 1;
        match lexemes[first].kind {
            Kind::RBrace => depth += 1,
            Kind::LBrace => depth = depth.saturating_sub(1),
            Kind::Semi | Kind::Comma if depth == 0 => return None,
            _ => {}
        }
    }
    let mut comments = Vec::new();
    let mut at = first;
    while at > 0
        && breaks(text, lexemes, at) == 1
        && lexemes[at - 1].kind.is_comment()
        && (at == 1 || breaks(text, lexemes, at - 1) > 0)
    {
        at -= 1;
        comments.push(lexemes[at]);
    }
    comments.reverse();
    said(text, &comments)
}

/// The comment that ends the line of the lexeme at `name`.
fn at_end_of_line(text: &str, lexemes: &[Lexeme], name: usize) -> Option<String> {
    let mut last = name;
    while last + 1 < lexemes.len() && breaks(text, lexemes, last + 1) == 0 {
        last += 1;
    }
    let comment = *lexemes.get(last).filter(|l| l.kind.is_comment())?;
    said(text, &[comment])
}

/// The words of comments, without what makes them comments.
fn said(text: &str, comments: &[Lexeme]) -> Option<String> {
    let mut lines: Vec<&str> = Vec::new();
    for comment in comments {
        let inner = comment.text(text);
        if comment.kind == Kind::LineComment {
            lines.push(inner.trim_start_matches('/').trim());
        } else {
            let inner = inner.strip_prefix("/*").unwrap_or(inner);
            let inner = inner.strip_suffix("*/").unwrap_or(inner);
            let bare = |line: &'_ str| line.len() - line.trim_start_matches(['*', ' ', '\t']).len();
            lines.extend(
                inner.lines().map(|line| line[bare(line)..].trim_end_matches(['*', ' ', '\t', '\r'])),
            );
        }
    }
    let said = lines.join("\n").trim().to_owned();
    (!said.is_empty()).then_some(said)
}
