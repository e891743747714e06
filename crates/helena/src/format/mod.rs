//! Layout of a text: indentation and the space between tokens.
//!
//! Lines are the author's: none is broken, none is joined. A line that begins a definition or a statement is indented
//! by the braces around it; one that goes on with an expression keeps its distance from the line that it goes on from.
//! Between two tokens of a line is what [`space`] says; two or more spaces line something up and stay. Comments,
//! strings, directives and text that directives leave out stay as they are; two or more empty lines become one.
//!
//! Invariants: tokens and comments are the same before and after; laying out twice is laying out once.

mod space;

#[cfg(test)]
mod tests;

use stubborn_base::{FileId, Span};

use crate::lexer::{Lexed, lex};
use crate::token::{Kind, Token};
use space::Spacer;

/// Columns of one level, as in all nets of the Helena distribution.
const WIDTH: usize = 3;

/// The text laid out as is usual, with all its comments; none if it has errors that stand in the way: characters that
/// mean nothing, comments, strings or braces without an end.
pub fn format(text: &str) -> Option<String> {
    let lexed = lex(FileId(0), text, &[]);
    if !lexed.diagnostics.is_empty() || !is_balanced(&lexed) {
        return None;
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let pieces = pieces(&lexed);
    let mut layout = Layout { text, newline, out: String::new(), depth: 0, base: (0, 0), before: None };
    let mut spacer = Spacer::default();
    for (i, piece) in pieces.iter().enumerate() {
        let start = i.checked_sub(1).map_or(0, |i| pieces[i].span.end as usize);
        let gap = &text[start..piece.span.start as usize];
        layout.piece(*piece, gap, &mut spacer, i == 0);
    }
    let mut out = layout.out;
    if !out.is_empty() {
        out.push_str(newline);
    }
    // Whatever the layout, the tokens are the same.
    is_same(text, &lexed, &out).then_some(out)
}

/// A token, a comment, a directive, or text that is left out.
#[derive(Clone, Copy)]
struct Piece {
    /// None for text that is left out.
    kind: Option<Kind>,
    span: Span,
}

fn pieces(lexed: &Lexed) -> Vec<Piece> {
    let tokens = lexed.tokens.iter().chain(&lexed.trivia);
    let mut pieces: Vec<Piece> = tokens.map(|t| Piece { kind: Some(t.kind), span: t.span }).collect();
    pieces.extend(lexed.skipped.iter().map(|span| Piece { kind: None, span: *span }));
    pieces.sort_by_key(|piece| piece.span.start);
    pieces
}

fn is_balanced(lexed: &Lexed) -> bool {
    let mut depth = 0i32;
    for token in &lexed.tokens {
        match token.kind {
            Kind::LBrace => depth += 1,
            Kind::RBrace => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

fn is_same(text: &str, lexed: &Lexed, out: &str) -> bool {
    let again = lex(FileId(0), out, &[]);
    let words = |text: &str, tokens: &[Token]| -> Vec<(Kind, String)> {
        let word = |t: &Token| {
            // Lines of a comment move with it.
            let lines: Vec<&str> = text[t.span.range()].lines().map(str::trim).collect();
            (t.kind, lines.join("\n"))
        };
        tokens.iter().map(word).collect()
    };
    words(text, &lexed.tokens) == words(out, &again.tokens)
        && words(text, &lexed.trivia) == words(out, &again.trivia)
        && lexed.skipped.len() == again.skipped.len()
}

struct Layout<'a> {
    text: &'a str,
    newline: &'a str,
    out: String,
    /// Braces that are open.
    depth: usize,
    /// The column that the statement at hand began in, and the one that it begins in now.
    base: (usize, usize),
    /// The last token that is no comment.
    before: Option<Kind>,
}

impl Layout<'_> {
    fn piece(&mut self, piece: Piece, gap: &str, spacer: &mut Spacer, is_first: bool) {
        let Some(kind) = piece.kind else {
            // Up to the line of the directive that ends it.
            self.out.push_str(self.text[piece.span.range()].trim_end_matches(['\n', '\r']));
            return;
        };
        let n_lines = gap.matches('\n').count();
        let is_new_line = is_first || n_lines > 0 || kind == Kind::Directive;
        if is_new_line {
            if !is_first {
                let n_lines = n_lines.clamp(1, 2);
                (0..n_lines).for_each(|_| self.out.push_str(self.newline));
            }
            if kind != Kind::Directive {
                let column = self.column(kind, piece.span.start as usize);
                self.out.extend(std::iter::repeat_n(' ', column));
            }
        } else {
            self.out.push_str(&spacer.gap(kind, gap));
        }
        self.write(piece);
        match kind {
            Kind::LBrace => self.depth += 1,
            Kind::RBrace => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if !kind.is_trivia() {
            spacer.take(kind);
            self.before = Some(kind);
        }
    }

    /// Where a line that begins with a token begins.
    fn column(&mut self, kind: Kind, start: usize) -> usize {
        let old = width(line_before(self.text, start));
        let level = if kind == Kind::RBrace { self.depth.saturating_sub(1) } else { self.depth };
        let is_fresh = matches!(self.before, None | Some(Kind::Semi | Kind::LBrace | Kind::RBrace));
        // Only comments stand between statements and go on with nothing.
        if is_fresh || matches!(kind, Kind::LBrace | Kind::RBrace) {
            let new = level * WIDTH;
            if !kind.is_trivia() {
                self.base = (old, new);
            }
            return new;
        }
        // It goes on: as far from the beginning as before, and at least one level.
        let (was, is) = self.base;
        if old > was { old - was + is } else { is + WIDTH }
    }

    fn write(&mut self, piece: Piece) {
        let text = &self.text[piece.span.range()];
        if piece.kind != Some(Kind::BlockComment) || !text.contains('\n') {
            let text = if piece.kind == Some(Kind::Text) { text } else { text.trim_end() };
            return self.out.push_str(text);
        }
        // The lines of a comment move with its first.
        let old = width(line_before(self.text, piece.span.start as usize));
        let new = width(line_before(&self.out, self.out.len()));
        for (i, line) in text.split('\n').enumerate() {
            let line = line.trim_end();
            if i == 0 {
                self.out.push_str(line);
                continue;
            }
            self.out.push_str(self.newline);
            let inner = line.trim_start();
            let indent = width(&line[..line.len() - inner.len()]);
            let indent = if indent >= old { indent - old + new } else { indent };
            if !inner.is_empty() {
                self.out.extend(std::iter::repeat_n(' ', indent));
                self.out.push_str(inner);
            }
        }
    }
}

/// What stands before a place in its line.
fn line_before(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    &text[start..at]
}

/// Columns that a text takes; a tab goes to the next multiple of eight.
fn width(text: &str) -> usize {
    text.chars().fold(0, |column, c| if c == '\t' { (column / 8 + 1) * 8 } else { column + 1 })
}
