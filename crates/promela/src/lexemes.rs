//! The tokens of a file with its comments and ends of lines, for what looks at text rather than at meaning.
//!
//! Invariant: lexemes do not overlap, and between two of them is only white space (and `\` at the end of a line).

use crate::token::{Kind, lex};

/// A token or a comment of one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lexeme {
    pub(crate) kind: LexemeKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// What a lexeme is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LexemeKind {
    /// A token before preprocessing, ends of lines among them.
    Token(Kind),
    /// `// ...`
    LineComment,
    /// `/* ... */`, or without an end.
    BlockComment,
}

impl Lexeme {
    /// The kind of token, if it is one.
    pub(crate) fn token(self) -> Option<Kind> {
        match self.kind {
            LexemeKind::Token(kind) => Some(kind),
            _ => None,
        }
    }

    pub(crate) fn is(self, kind: Kind) -> bool {
        self.token() == Some(kind)
    }

    pub(crate) fn is_comment(self) -> bool {
        self.token().is_none()
    }

    pub(crate) fn text(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }
}

/// Splits a file.
pub(crate) fn lexemes(text: &str) -> Vec<Lexeme> {
    let raws = lex(text);
    let mut out = Vec::with_capacity(raws.len() + raws.len() / 8);
    let mut end = 0;
    for raw in raws {
        comments(text, end, raw.start as usize, &mut out);
        let kind = match raw.kind {
            Kind::OpenComment => LexemeKind::BlockComment,
            kind => LexemeKind::Token(kind),
        };
        out.push(Lexeme { kind, start: raw.start, end: raw.end });
        end = raw.end as usize;
    }
    comments(text, end, text.len(), &mut out);
    out
}

/// The comments in a text between tokens.
fn comments(text: &str, from: usize, to: usize, out: &mut Vec<Lexeme>) {
    let mut at = from;
    while at < to {
        let rest = &text[at..to];
        let (kind, len) = if rest.starts_with("//") {
            (LexemeKind::LineComment, rest.trim_end_matches([' ', '\t', '\r']).len())
        } else if let Some(inner) = rest.strip_prefix("/*") {
            (LexemeKind::BlockComment, inner.find("*/").map_or(rest.len(), |end| end + 4))
        } else {
            // White space, or a line that goes on: one byte each.
            at += 1;
            continue;
        };
        out.push(Lexeme { kind, start: at as u32, end: (at + len) as u32 });
        at += len;
    }
}

/// The lexemes of each line that is a directive, with all that follows a `\`, and without the end of the line.
pub(crate) fn directives(lexemes: &[Lexeme]) -> impl Iterator<Item = &[Lexeme]> {
    lexemes.split(|l| l.is(Kind::Newline)).map(without_comments_before).filter(|line| is_directive(line))
}

/// Whether a line, or what is left of it, is a directive.
pub(crate) fn is_directive(line: &[Lexeme]) -> bool {
    line.first().is_some_and(|first| first.is(Kind::Hash))
}

fn without_comments_before(line: &[Lexeme]) -> &[Lexeme] {
    let first = line.iter().position(|l| !l.is_comment()).unwrap_or(line.len());
    &line[first..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_lexemes() {
        let text = "a /* b\n */ c // d \\\n e \r\n#x /* f";
        let all: Vec<&str> = lexemes(text).into_iter().map(|l| l.text(text)).collect();
        assert_eq!(all, ["a", "/* b\n */", "c", "// d \\\n e", "\n", "#", "x", "/* f"]);
    }

    #[test]
    fn a_directive_goes_on_after_a_backslash() {
        let text = "x\n/* c */ #define a \\\n  b\ny # z";
        let all = lexemes(text);
        let found: Vec<String> = directives(&all)
            .map(|line| line.iter().map(|l| l.text(text)).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(found, ["# define a b"]);
    }
}
