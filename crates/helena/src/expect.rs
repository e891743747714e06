//! Syntax errors in plain words.

use crate::token::{Kind, Token};

/// The tokens the parser would have gone on with.
pub(crate) struct Expected {
    names: Vec<String>,
}

impl Expected {
    /// From LALRPOP's list, where every name is in quotes.
    pub(crate) fn new(names: &[String]) -> Self {
        Expected { names: names.iter().map(|name| name.trim_matches('"').to_owned()).collect() }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    fn is_expression(&self) -> bool {
        self.has("number") && self.has("name") && self.has("not")
    }

    /// An operator could follow: what came before is a whole expression.
    fn is_operator(&self) -> bool {
        self.has("+") && self.has("=")
    }
}

/// What should have stood there.
pub(crate) fn expectation(expected: &Expected) -> String {
    if expected.names.is_empty() {
        return "this should have ended here".to_owned();
    }
    if expected.has("return") && expected.has("while") {
        return "expected a statement".to_owned();
    }
    if expected.has("<(") && expected.has("epsilon") {
        return "expected a tuple `<( … )>` or `epsilon`".to_owned();
    }
    if expected.is_expression() {
        return "expected an expression".to_owned();
    }
    if expected.has("guard") && expected.has("in") {
        return "expected a part of a transition, such as `in`, `out` or `guard`".to_owned();
    }
    if expected.has("dom") && expected.has("init") {
        return "expected a part of a place, such as `dom` or `init`".to_owned();
    }
    if expected.has("enum") && expected.has("mod") {
        return "expected a type: `range`, `mod`, `enum`, `vector`, `struct`, `list` or `set`".to_owned();
    }
    if expected.has("name") && expected.has("deadlock") {
        return "expected a name".to_owned();
    }
    // After a whole expression, operators are always possible and seldom what is missing.
    let choices: Vec<&str> = if expected.is_operator() || expected.has("=>") {
        let closers = [";", ")", "]", "}", ")>", "|", ",", "..", ":", "range"];
        closers.into_iter().filter(|closer| expected.has(closer)).take(3).collect()
    } else {
        expected.names.iter().map(String::as_str).filter(|name| *name != "error").take(6).collect()
    };
    if choices.is_empty() {
        return "expected an operator".to_owned();
    }
    format!("expected {}", one_of(&choices))
}

/// A token as people would call it.
pub(crate) fn describe(token: Option<Token>, text: &str) -> String {
    let Some(token) = token else { return "the end of the text".to_owned() };
    let spelling = text.get(token.span.range()).unwrap_or_default();
    let spelling = if spelling.is_empty() { token.kind.text().unwrap_or_default() } else { spelling };
    let shown: String = spelling.chars().take(40).collect();
    format!("`{shown}`")
}

/// What to do about a token, where there is an obvious remedy.
pub(crate) fn help(
    before: Option<Token>,
    found: Option<Token>,
    expected: &Expected,
    text: &str,
) -> Option<String> {
    let found = found?;
    let spelling = text.get(found.span.range()).unwrap_or_default();
    match (before.map(|t| t.kind), found.kind) {
        (_, Kind::Eq) if expected.has(":=") => Some("a value is given with `:=`".to_owned()),
        (_, Kind::Assign) if expected.is_operator() => Some("`=` compares".to_owned()),
        (Some(Kind::Eq), Kind::Eq) => Some("one `=` compares".to_owned()),
        (_, Kind::LParen) if expected.has("<(") => Some("tuples are written `<( … )>`".to_owned()),
        (_, kind) if kind.is_keyword() && !kind.is_contextual() && expected.has("name") => {
            Some(format!("`{spelling}` is a keyword and cannot be a name"))
        }
        _ => None,
    }
}

fn one_of(choices: &[&str]) -> String {
    let quote = |name: &&str| match *name {
        "name" => "a name".to_owned(),
        "number" => "a number".to_owned(),
        "text" => "a string".to_owned(),
        other => format!("`{other}`"),
    };
    let quoted: Vec<String> = choices.iter().map(quote).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
