//! Tokens of SPIN's formula syntax.
//!
//! As in SPIN, `X` is an operator wherever a word begins with it: `Xp` is `X p`. The other letters are
//! operators only where they are words of their own.

use std::ops::Range;

use smol_str::SmolStr;

use crate::parse::ParseError;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Open,
    Close,
    True,
    False,
    /// A name, or what stands between double quotes.
    Proposition(SmolStr),
    Not,
    Next,
    Always,
    Eventually,
    Until,
    WeakUntil,
    Release,
    And,
    Or,
    Implies,
    Equivalent,
}

const SYMBOLS: &[(&str, Token)] = &[
    // Longer ones first.
    ("<->", Token::Equivalent),
    ("->", Token::Implies),
    ("<>", Token::Eventually),
    ("[]", Token::Always),
    ("&&", Token::And),
    ("||", Token::Or),
    ("/\\", Token::And),
    ("\\/", Token::Or),
    ("&", Token::And),
    ("|", Token::Or),
    ("!", Token::Not),
    ("~", Token::Not),
    ("(", Token::Open),
    (")", Token::Close),
];

const WORDS: &[(&str, Token)] = &[
    ("true", Token::True),
    ("1", Token::True),
    ("false", Token::False),
    ("0", Token::False),
    ("always", Token::Always),
    ("G", Token::Always),
    ("eventually", Token::Eventually),
    ("F", Token::Eventually),
    ("until", Token::Until),
    ("stronguntil", Token::Until),
    ("U", Token::Until),
    ("weakuntil", Token::WeakUntil),
    ("W", Token::WeakUntil),
    ("release", Token::Release),
    ("V", Token::Release),
    ("R", Token::Release),
    ("next", Token::Next),
    ("implies", Token::Implies),
    ("equivalent", Token::Equivalent),
];

/// The tokens with their places; what is none is reported and left out.
pub(crate) fn tokens(text: &str, errors: &mut Vec<ParseError>) -> Vec<(Token, Range<usize>)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if let Some((symbol, token)) = SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
            tokens.push((token.clone(), at..at + symbol.len()));
            symbol.len()
        } else if first == 'X' {
            tokens.push((Token::Next, at..at + 1));
            1
        } else if first == '"' {
            quoted(rest, at, &mut tokens, errors)
        } else {
            word(text, at, &mut tokens, errors)
        };
        at += length;
    }
    tokens
}

fn quoted(
    rest: &str,
    at: usize,
    tokens: &mut Vec<(Token, Range<usize>)>,
    errors: &mut Vec<ParseError>,
) -> usize {
    let (inner, length) = match rest[1..].find('"') {
        Some(end) => (&rest[1..=end], end + 2),
        None => {
            let range = at..at + rest.len();
            errors.push(ParseError::new(range, "a quoted expression does not end", "close it with `\"`"));
            (&rest[1..], rest.len())
        }
    };
    if inner.trim().is_empty() {
        let message = "there is no expression between the quotes";
        errors.push(ParseError::new(at..at + length, message, "write one, such as `\"x > 3\"`"));
    }
    tokens.push((Token::Proposition(inner.trim().into()), at..at + length));
    length
}

fn word(
    text: &str,
    at: usize,
    tokens: &mut Vec<(Token, Range<usize>)>,
    errors: &mut Vec<ParseError>,
) -> usize {
    let rest = &text[at..];
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let word = &rest[..length];
    if let Some((_, token)) = WORDS.iter().find(|(known, _)| *known == word) {
        tokens.push((token.clone(), at..at + length));
        return length;
    }
    if word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        tokens.push((Token::Proposition(word.into()), at..at + length));
        return length;
    }
    // What belongs together is reported together.
    let is_foreign = |c: char| {
        !is_part(c) && !c.is_whitespace() && c != '"' && !SYMBOLS.iter().any(|(s, _)| s.starts_with(c))
    };
    let length = length.max(rest.find(|c| !is_foreign(c)).unwrap_or(rest.len())).max(1);
    let length = (length..).find(|&end| rest.is_char_boundary(end)).unwrap_or(rest.len());
    let start = match errors.last() {
        Some(last) if is_foreign_error(last) && text[last.range.end..at].trim().is_empty() => {
            last.range.start
        }
        _ => at,
    };
    errors.retain(|error| error.range.start != start);
    let found = &text[start..at + length];
    let message = format!("`{found}` {FOREIGN}");
    let help = "put an expression of the model in double quotes, such as `\"x > 3\"`";
    errors.push(ParseError::new(start..at + length, message, help));
    length
}

const FOREIGN: &str = "means nothing in a formula";

fn is_foreign_error(error: &ParseError) -> bool {
    error.message.ends_with(FOREIGN)
}
