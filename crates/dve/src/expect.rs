//! What a syntax error says: what was expected, in words.

use crate::token::{Kind, Lexeme};

/// How a token is called.
pub(crate) fn describe(found: Option<Lexeme>, text: &str) -> String {
    match found {
        None => "the end of the text".to_owned(),
        Some(lexeme) if lexeme.kind.is_keyword() => format!("the keyword `{}`", lexeme.text(text)),
        Some(lexeme) => format!("`{}`", lexeme.text(text)),
    }
}

/// What could stand where an error is; terminals are as LALRPOP names them, in quotes.
pub(crate) fn expectation(expected: &[String]) -> String {
    let has = |terminal: &str| expected.iter().any(|e| e.trim_matches('"') == terminal);
    if has("name") && has("number") {
        let list = if has("{") { " or `{`" } else { "" };
        return format!("expected an expression{list}");
    }
    // Where an operand has ended, an operator could follow: that goes without saying.
    let mut rest: Vec<&str> = expected.iter().map(|e| e.trim_matches('"')).collect();
    if has("+") && has("==") {
        rest.retain(|terminal| !is_operator(terminal));
        if rest.is_empty() {
            return "expected the end of the expression".to_owned();
        }
    }
    // Where a list goes on, its piece could also end; inside of brackets it could not.
    if has(",") && !has("}") && !has(")") {
        rest.push(";");
    }
    let words: Vec<String> = rest.iter().map(|&terminal| word(terminal)).collect();
    match words.as_slice() {
        [] => "expected the end".to_owned(),
        [one] => format!("expected {one}"),
        [first @ .., last] => format!("expected {} or {last}", first.join(", ")),
    }
}

fn word(terminal: &str) -> String {
    match terminal {
        "name" => "a name".to_owned(),
        "number" => "a number".to_owned(),
        _ if terminal.contains(' ') => terminal.to_owned(),
        _ => format!("`{terminal}`"),
    }
}

fn is_operator(terminal: &str) -> bool {
    matches!(
        terminal,
        "+" | "-"
            | "*"
            | "/"
            | "%"
            | "&"
            | "|"
            | "^"
            | "<<"
            | ">>"
            | "<"
            | "<="
            | ">"
            | ">="
            | "=="
            | "!="
            | "and"
            | "or"
            | "imply"
            | "."
            | "->"
            | "["
    )
}

/// What to do about a token that people write out of habit from other languages.
pub(crate) fn help(found: Option<Lexeme>, before: Option<Lexeme>) -> Option<&'static str> {
    match (before?.kind, found?.kind) {
        (Kind::Plus, Kind::Plus) | (Kind::Minus, Kind::Minus) => Some("write `x = x + 1` or `x = x - 1`"),
        (Kind::Plus | Kind::Minus | Kind::Star | Kind::Slash, Kind::Assign) => {
            Some("there is only `=`: write `x = x + y`")
        }
        (Kind::Name, Kind::Assign) => Some("equality is `==`; assignments stand in `effect`"),
        (_, kind) if kind.is_keyword() => Some("a keyword of the language cannot be a name"),
        _ => None,
    }
}
