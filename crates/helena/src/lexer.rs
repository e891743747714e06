//! Text to tokens: comments are kept aside, and directives (`#ifdef` …) decide what is read.
//!
//! Symbols of directives are not macros: nothing is expanded. Invariant: tokens, comments, directives and skipped
//! text are in the order of the text and do not overlap; together with white space they are all of it.

use hashbrown::HashSet;
use logos::Logos;
use smol_str::SmolStr;
use stubborn_base::{Diagnostic, FileId, Span};

use crate::token::{Kind, Token};

/// What a text consists of.
#[derive(Debug, Default)]
pub struct Lexed {
    /// Tokens that are read.
    pub tokens: Vec<Token>,
    /// Comments and directives.
    pub trivia: Vec<Token>,
    /// Text that a directive leaves out.
    pub skipped: Vec<Span>,
    /// Symbols that directives ask about.
    pub symbols: HashSet<SmolStr>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a text. `defined` are the symbols defined beforehand.
pub fn lex(file: FileId, text: &str, defined: &[&str]) -> Lexed {
    let mut reader = Reader {
        file,
        lexed: Lexed::default(),
        defined: defined.iter().map(|symbol| SmolStr::from(*symbol)).collect(),
        open: Vec::new(),
        skips_from: None,
    };
    let mut lexer = Kind::lexer(text);
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(file, range.start, range.end);
        match result {
            Ok(Kind::Directive) => reader.directive(span, lexer.slice()),
            Ok(kind) if kind.is_trivia() && reader.skips_from.is_none() => {
                reader.lexed.trivia.push(Token { kind, span });
            }
            Ok(kind) if reader.skips_from.is_none() => reader.lexed.tokens.push(Token { kind, span }),
            Ok(_) => {}
            Err(()) => {
                if reader.unknown(span, lexer.slice()) {
                    let rest = lexer.remainder().len();
                    lexer.bump(rest);
                }
            }
        }
    }
    reader.finish(text.len())
}

struct Reader {
    file: FileId,
    lexed: Lexed,
    defined: HashSet<SmolStr>,
    /// Open conditions: where, and whether what stood before was skipped because of this one.
    open: Vec<(Span, bool)>,
    /// Where the text that is being skipped begins, and how many conditions were open before.
    skips_from: Option<(u32, usize)>,
}

impl Reader {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        if self.lexed.diagnostics.len() < 100 {
            self.lexed.diagnostics.push(Diagnostic::error(code, span, message));
        }
    }

    /// Something that is no token. Whether all that is left is lost.
    fn unknown(&mut self, span: Span, text: &str) -> bool {
        if self.skips_from.is_some() {
            return false;
        }
        if text.starts_with("/*") {
            self.error("open-comment", span, "this comment has no end");
            self.lexed.trivia.push(Token { kind: Kind::OpenComment, span });
            return true;
        }
        if text.starts_with('"') {
            self.error("open-string", span, "this string has no end");
            self.lexed.trivia.push(Token { kind: Kind::OpenComment, span });
            return true;
        }
        let shown: String = text.chars().take(20).collect();
        let mut diagnostic =
            Diagnostic::error("unknown-character", span, format!("`{shown}` means nothing here"));
        let remedy = match text {
            "!" => Some("`not` negates, `!=` tells apart"),
            "=" | "==" => Some("`=` compares, `:=` sets"),
            "&&" => Some("write `and`"),
            "||" => Some("write `or`"),
            _ => None,
        };
        diagnostic.help = remedy.map(str::to_owned);
        self.lexed.diagnostics.push(diagnostic);
        self.lexed.trivia.push(Token { kind: Kind::OpenComment, span });
        false
    }

    fn directive(&mut self, span: Span, line: &str) {
        let mut words = line[1..].split_whitespace();
        let word = words.next().unwrap_or_default();
        let symbol = words.next().map(SmolStr::from);
        let is_skipping = self.skips_from.is_some();
        match (word, symbol) {
            ("define", Some(symbol)) if !is_skipping => {
                self.defined.insert(symbol);
            }
            ("undef" | "undefine", Some(symbol)) if !is_skipping => {
                self.defined.remove(&symbol);
            }
            ("define" | "undef" | "undefine", Some(_)) => {}
            ("ifdef" | "ifndef", Some(symbol)) => {
                let holds = self.defined.contains(&symbol) == (word == "ifdef");
                self.lexed.symbols.insert(symbol);
                self.open.push((span, !holds));
                if !holds && !is_skipping {
                    self.skips_from = Some((span.end, self.open.len()));
                }
            }
            ("else", _) => match self.open.last().copied() {
                None => self.error("directive", span, "there is no `#ifdef` before this `#else`"),
                Some((_, was_skipped)) => {
                    let depth = self.open.len();
                    if let Some((from, at)) = self.skips_from {
                        if at == depth && was_skipped {
                            self.end_skipping(from, span.start);
                        }
                    } else {
                        self.skips_from = Some((span.end, depth));
                    }
                }
            },
            ("endif", _) => {
                if self.open.is_empty() {
                    self.error("directive", span, "there is no `#ifdef` before this `#endif`");
                }
                if let Some((from, at)) = self.skips_from
                    && at == self.open.len()
                {
                    self.end_skipping(from, span.start);
                }
                self.open.pop();
            }
            ("set", _) => {}
            ("define" | "undef" | "undefine" | "ifdef" | "ifndef", None) => {
                self.error("directive", span, format!("`#{word}` needs the name of a symbol"));
            }
            _ if is_skipping => {}
            _ => self.error("directive", span, format!("`#{word}` is no directive")),
        }
        if self.skips_from.is_none_or(|(from, _)| from == span.end) {
            self.lexed.trivia.push(Token { kind: Kind::Directive, span });
        }
    }

    fn end_skipping(&mut self, from: u32, to: u32) {
        self.lexed.skipped.push(Span { file: self.file, start: from, end: to });
        self.skips_from = None;
    }

    fn finish(mut self, length: usize) -> Lexed {
        if let Some((from, _)) = self.skips_from {
            self.end_skipping(from, length as u32);
        }
        for (span, _) in std::mem::take(&mut self.open) {
            self.error("directive", span, "there is no `#endif` for this");
        }
        self.lexed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str, defined: &[&str]) -> Vec<Kind> {
        lex(FileId(0), text, defined).tokens.iter().map(|t| t.kind).collect()
    }

    #[test]
    fn tuples_and_operators() {
        use Kind::*;
        assert_eq!(kinds("<(x)> /* c */ :: := // d", &[]), [LTuple, Name, RTuple, Update, Assign]);
        assert_eq!(kinds("1..2 a->1 <=> => [] <>", &[]).len(), 10);
    }

    #[test]
    fn directives_leave_text_out() {
        let text = "a\n#ifdef U\nb\n#ifdef V\nc\n#endif\n#else\nd\n#endif\ne";
        assert_eq!(kinds(text, &[]).len(), 3);
        assert_eq!(kinds(text, &["U"]).len(), 3);
        assert_eq!(kinds(text, &["U", "V"]).len(), 4);
        assert!(lex(FileId(0), text, &[]).diagnostics.is_empty());
        assert_eq!(lex(FileId(0), "#ifdef X\na", &[]).diagnostics.len(), 1);
        assert_eq!(lex(FileId(0), "#endif\n#foo\n#else", &[]).diagnostics.len(), 3);
    }

    #[test]
    fn what_is_no_token_is_reported() {
        assert_eq!(lex(FileId(0), "a ! b \u{e9} \"x", &[]).diagnostics.len(), 3);
        assert_eq!(lex(FileId(0), "a /* b", &[]).diagnostics.len(), 1);
    }
}
