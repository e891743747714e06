//! What comments say about declarations, and declarations in one line.

use stubborn_base::Sources;
use stubborn_base::outline::Symbol;

use crate::lexemes::{Lexeme, LexemeKind, lexemes};
use crate::token::Kind;

/// Characters that a declaration in one line may have.
const MAX_LINE: usize = 120;

/// Gives symbols the comments that stand just before them, or at the end of their line.
pub(super) fn attach(symbols: &mut [Symbol], sources: &Sources, files: &[Vec<Lexeme>]) {
    for symbol in symbols {
        let text = sources.file(symbol.span.file).text();
        let lexemes = &files[symbol.span.file.0 as usize];
        let first = lexemes.partition_point(|l| l.start < symbol.span.start);
        let name = lexemes.partition_point(|l| l.start < symbol.name_span.start);
        symbol.comment = before(text, lexemes, first).or_else(|| at_end_of_line(text, lexemes, name));
    }
}

/// The comments on the lines above the one that the lexeme at `first` begins.
fn before(text: &str, lexemes: &[Lexeme], first: usize) -> Option<String> {
    let mut at = first;
    let mut comments = Vec::new();
    let only_newline = |at: &mut usize| {
        let newline = at.checked_sub(1).is_some_and(|i| lexemes[i].is(Kind::Newline));
        *at -= usize::from(newline);
        newline
    };
    if first > 0 && lexemes[first - 1].is_comment() {
        // On the same line, as in `/* of what */ byte x`.
        comments.push(lexemes[first - 1]);
    } else {
        while only_newline(&mut at)
            && let Some(comment) = at.checked_sub(1).map(|i| lexemes[i]).filter(|l| l.is_comment())
            && at.checked_sub(2).is_none_or(|i| lexemes[i].is(Kind::Newline))
        {
            comments.push(comment);
            at -= 1;
        }
    }
    comments.reverse();
    said(text, &comments)
}

/// The comment that ends the line of the lexeme at `name`.
fn at_end_of_line(text: &str, lexemes: &[Lexeme], name: usize) -> Option<String> {
    let line = lexemes.get(name..)?;
    let end = line.iter().position(|l| l.is(Kind::Newline)).unwrap_or(line.len());
    let last = *line[..end].last().filter(|l| l.is_comment())?;
    said(text, &[last])
}

/// The words of comments, without what makes them comments.
fn said(text: &str, comments: &[Lexeme]) -> Option<String> {
    let mut lines: Vec<&str> = Vec::new();
    for comment in comments {
        let inner = comment.text(text);
        match comment.kind {
            LexemeKind::LineComment => lines.push(inner.trim_start_matches('/').trim()),
            _ => {
                let inner = inner.strip_prefix("/*").unwrap_or(inner);
                let inner = inner.strip_suffix("*/").unwrap_or(inner);
                let bare =
                    |line: &'_ str| -> usize { line.len() - line.trim_start_matches(['*', ' ', '\t']).len() };
                lines.extend(
                    inner.lines().map(|line| line[bare(line)..].trim_end_matches(['*', ' ', '\t', '\r'])),
                );
            }
        }
    }
    let said = lines.join("\n").trim().to_owned();
    (!said.is_empty()).then_some(said)
}

/// Writes a text in one line, without its comments.
pub(super) fn one_line(text: &str, out: &mut String) {
    // No more is shown.
    let text = match text.char_indices().nth(4 * MAX_LINE) {
        Some((end, _)) => &text[..end],
        None => text,
    };
    let mut end = None;
    for lexeme in lexemes(text).into_iter().filter(|l| !l.is_comment() && !l.is(Kind::Newline)) {
        if end.is_some_and(|end| end < lexeme.start) {
            out.push(' ');
        }
        out.push_str(lexeme.text(text));
        end = Some(lexeme.end);
    }
}

/// Cuts a line that is too long.
pub(super) fn shorten(line: String) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => format!("{} …", line[..end].trim_end()),
        None => line,
    }
}
