//! What comments say about declarations, and declarations in one line.

use stubborn_base::Sources;
use stubborn_base::outline::Symbol;

use crate::lexemes::{Lexeme, LexemeKind, lexemes};
use crate::token::Kind;

/// Characters that a declaration in one line may have.
const MAX_LINE: usize = 120;

/// Gives symbols the comments that stand just before them, or at the end of their line.
pub(super) fn attach(symbols: &mut [Symbol], sources: &Sources, files: &[Vec<Lexeme>]) {
    // By file: where its lines end.
    let ends = |lexemes: &Vec<Lexeme>| {
        let newlines = lexemes.iter().enumerate().filter(|(_, l)| l.is(Kind::Newline));
        newlines.map(|(i, _)| i).collect::<Vec<usize>>()
    };
    let ends: Vec<Vec<usize>> = files.iter().map(ends).collect();
    for symbol in symbols {
        let text = sources.file(symbol.span.file).text();
        let file = symbol.span.file.0 as usize;
        let lexemes = &files[file];
        let first = lexemes.partition_point(|l| l.start < symbol.span.start);
        let name = lexemes.partition_point(|l| l.start < symbol.name_span.start);
        let newline = ends[file].partition_point(|&i| i < name);
        let end = ends[file].get(newline).copied().unwrap_or(lexemes.len());
        symbol.comment = before(text, lexemes, first)
            .or_else(|| said_last(text, lexemes.get(name..end).unwrap_or_default()));
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

/// The comment that these lexemes, the rest of a line, end with.
fn said_last(text: &str, line: &[Lexeme]) -> Option<String> {
    let last = *line.last().filter(|l| l.is_comment())?;
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
