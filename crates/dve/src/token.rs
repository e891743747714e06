//! Tokens of DVE.
//!
//! Follows the lexer of DiVinE: decimal numbers, names, C's comments. `and` and `&&`, `or` and `||`, `not` and `!`
//! are the same; `!` is also how a transition sends. Names of acceptance conditions (`buchi`, `rabin` ...) are no
//! keywords here: they mean something only after `accept`.
//!
//! Invariant: the lexemes of a text do not overlap, are in order, and only white space lies between them.

use logos::{Lexer, Logos};

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident $(= $text:literal)?,)*) => {
        /// What a token is.
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[logos(skip r"[ \t\f\v\r\n]+")]
        pub(crate) enum Kind {
            $($(#[$meta])* $(#[token($text)])? $name,)*
        }

        impl Kind {
            /// The spelling, for the kinds that have only one.
            pub(crate) fn text(self) -> Option<&'static str> {
                match self {
                    $($(Kind::$name => Some($text),)?)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    /// A comment to the end of its line.
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    /// A comment that says where it ends, or does not.
    #[token("/*", comment)]
    Comment,
    /// A name that is no keyword.
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    /// A number.
    #[regex("[0-9]+")]
    Number,
    /// No token at all.
    Unknown,

    LParen = "(", RParen = ")", LBracket = "[", RBracket = "]", LBrace = "{", RBrace = "}",
    Semi = ";", Comma = ",", Dot = ".", Colon = ":", Arrow = "->", WideArrow = "=>", Assign = "=", Query = "?",
    Bang = "!",
    Plus = "+", Minus = "-", Star = "*", Slash = "/", Percent = "%", Amp = "&", Bar = "|", Caret = "^",
    Tilde = "~", Shl = "<<", Shr = ">>",
    Lt = "<", Le = "<=", Gt = ">", Ge = ">=", EqEq = "==", Ne = "!=",
    #[token("&&")] And = "and",
    #[token("||")] Or = "or",
    Not = "not", Imply = "imply", True = "true", False = "false",
    Const = "const", Byte = "byte", Int = "int", Channel = "channel",
    Process = "process", State = "state", Init = "init", Commit = "commit", Accept = "accept",
    Assert = "assert", Trans = "trans", Guard = "guard", Sync = "sync", Effect = "effect",
    System = "system", Async = "async", Property = "property",
}

impl Kind {
    /// Whether it is a comment.
    pub(crate) fn is_comment(self) -> bool {
        matches!(self, Kind::LineComment | Kind::Comment)
    }

    /// Whether it is a word of the language.
    pub(crate) fn is_keyword(self) -> bool {
        self.text().is_some_and(|text| text.starts_with(|c: char| c.is_ascii_alphabetic()))
    }
}

/// Reads a comment up to its end, or to the end of the text.
fn comment(lexer: &mut Lexer<'_, Kind>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |at| at + 2));
}

/// A token or comment and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lexeme {
    pub(crate) kind: Kind,
    /// First byte.
    pub(crate) start: usize,
    /// One past the last byte.
    pub(crate) end: usize,
}

impl Lexeme {
    /// Its text.
    pub(crate) fn text(self, text: &str) -> &str {
        &text[self.start..self.end]
    }

    /// Whether it is a comment that never ends.
    pub(crate) fn is_open_comment(self, text: &str) -> bool {
        let word = self.text(text);
        self.kind == Kind::Comment && !(word.len() >= 4 && word.ends_with("*/"))
    }
}

/// All tokens and comments of a text. Characters that begin no token are put together while they are adjacent.
pub(crate) fn lexemes(text: &str) -> Vec<Lexeme> {
    let mut found: Vec<Lexeme> = Vec::new();
    for (kind, range) in Kind::lexer(text).spanned() {
        let lexeme = Lexeme { kind: kind.unwrap_or(Kind::Unknown), start: range.start, end: range.end };
        match found.last_mut() {
            Some(last)
                if last.kind == Kind::Unknown && last.kind == lexeme.kind && last.end == lexeme.start =>
            {
                last.end = lexeme.end;
            }
            _ => found.push(lexeme),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(Kind, &str)]) {
        let found: Vec<(Kind, &str)> = lexemes(text).iter().map(|l| (l.kind, l.text(text))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_and_operators() {
        check(
            "a&&b and_c",
            &[(Kind::Name, "a"), (Kind::And, "&&"), (Kind::Name, "b"), (Kind::Name, "and_c")],
        );
        check("q!-1", &[(Kind::Name, "q"), (Kind::Bang, "!"), (Kind::Minus, "-"), (Kind::Number, "1")]);
        check("x!=<<=", &[(Kind::Name, "x"), (Kind::Ne, "!="), (Kind::Shl, "<<"), (Kind::Assign, "=")]);
    }

    #[test]
    fn comments_and_rubbish() {
        check(
            "1//é\n/* x **/2",
            &[
                (Kind::Number, "1"),
                (Kind::LineComment, "//é"),
                (Kind::Comment, "/* x **/"),
                (Kind::Number, "2"),
            ],
        );
        check("a é#b", &[(Kind::Name, "a"), (Kind::Unknown, "é#"), (Kind::Name, "b")]);
        assert!(lexemes("x /*/")[1].is_open_comment("x /*/"));
    }
}
