//! Syntax errors in plain words.

use stubborn_base::{Edit, nearest};

use crate::fixes::{insert_after, insert_before, is_written, replace};
use crate::table::{Flags, Token, Tokens};
use crate::token::Kind;

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

    fn is_statement(&self) -> bool {
        self.has("goto") && self.has("number")
    }

    fn is_expression(&self) -> bool {
        self.has("number") && self.has("name") && self.has("(") && self.has("-")
    }

    fn is_type(&self) -> bool {
        self.has("byte") && self.has("chan")
    }

    /// An operator could follow: what came before is a whole expression.
    fn is_operator(&self) -> bool {
        self.has("+") && self.has("==")
    }
}

/// What should have stood after `before`.
pub(crate) fn expectation(expected: &Expected, before: Option<Token>) -> String {
    if expected.names.is_empty() {
        return "this should have ended here".to_owned();
    }
    if expected.is_statement() {
        let what = match before.map(|t| t.kind) {
            Some(Kind::Colon) => "a statement after the label",
            _ => "a statement",
        };
        return format!("expected {what}");
    }
    if expected.is_expression() {
        return "expected an expression".to_owned();
    }
    if expected.is_type() {
        return "expected a type".to_owned();
    }
    // After a whole expression, operators are always possible and seldom what is missing.
    let choices: Vec<&str> = if expected.is_operator() {
        let closers = [";", "->", ")", "]", "}", "::", "fi", "od", ",", "..", ":", "of", "{"];
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
pub(crate) fn describe(token: Option<Token>, table: &Tokens) -> String {
    let Some(token) = token else { return "the end of the text".to_owned() };
    if token.flags.has(Flags::IMPLIED) && token.kind == Kind::Semi {
        return "the end of the line".to_owned();
    }
    let text: String = match token.kind {
        Kind::CCode | Kind::CExpr => return "C code".to_owned(),
        Kind::Error => return "text that was reported above".to_owned(),
        _ => table.text(token).chars().take(40).collect(),
    };
    match token.kind {
        Kind::InlineCall => format!("a call of the inline `{text}`"),
        Kind::ProcName => format!("the proctype `{text}`"),
        Kind::TypeName => format!("the type `{text}`"),
        Kind::Always => "`[]`".to_owned(),
        Kind::Eventually => "`<>`".to_owned(),
        Kind::Implies => "`->`".to_owned(),
        Kind::Equivalent => "`<->`".to_owned(),
        _ => format!("`{text}`"),
    }
}

/// What to do about the token at `at`, where there is an obvious remedy.
pub(crate) fn help(tokens: &[Token], at: usize, expected: &Expected, table: &Tokens) -> Option<String> {
    let found = *tokens.get(at)?;
    let before = at.checked_sub(1).map(|i| tokens[i]);
    let text = table.text(found);
    match (before.map(|t| t.kind), found.kind) {
        (Some(Kind::Const), Kind::Name) if text.starts_with(['x', 'X']) => {
            Some("numbers are decimal in Promela".to_owned())
        }
        (Some(Kind::ProcName), Kind::LParen) => Some("processes are started with `run`".to_owned()),
        (_, Kind::RBrace) if expected.is_statement() => {
            Some("a block needs a statement; `skip` does nothing".to_owned())
        }
        (Some(Kind::Name), Kind::LParen) => {
            let name = table.text(before?);
            Some(format!(
                "`{name}` is not an inline defined before this call; processes are started with `run`"
            ))
        }
        (_, Kind::Comma) if tokens[..at].iter().rev().any(|t| t.kind == Kind::Bang) && expected.has(")") => {
            Some("the message of a send has no parentheses around it: `q!a,b` or `q!a(b)`".to_owned())
        }
        (_, Kind::Assign) if expected.is_operator() => Some("`==` compares".to_owned()),
        (_, kind)
            if kind.text().is_some_and(|t| t.starts_with(|c: char| c.is_alphabetic()))
                && expected.has("name") =>
        {
            Some(format!("`{text}` is a keyword and cannot be a name"))
        }
        _ => None,
    }
}

/// How to mend it, where that is clear.
pub(crate) fn fix(
    tokens: &[Token],
    at: usize,
    expected: &Expected,
    is_separator_missing: bool,
    table: &Tokens,
) -> Option<(String, Vec<Edit>)> {
    let found = *tokens.get(at).filter(|t| is_written(**t))?;
    let before = at.checked_sub(1).map(|i| tokens[i]).filter(|t| is_written(*t))?;
    let separator = || ("Insert `;`".to_owned(), insert_after(before.span, ";"));
    fix_between(before, found, expected, table).or_else(|| is_separator_missing.then(separator))
}

fn fix_between(
    before: Token,
    found: Token,
    expected: &Expected,
    table: &Tokens,
) -> Option<(String, Vec<Edit>)> {
    let text = table.text(found);
    match (before.kind, found.kind) {
        (Kind::Const, Kind::Name) if before.span.end == found.span.start && table.text(before) == "0" => {
            let digits = text.strip_prefix(['x', 'X'])?;
            let value = i32::from_str_radix(digits, 16).ok()?;
            Some((format!("Write it as {value}"), replace(before.span.join(found.span), value.to_string())))
        }
        (Kind::ProcName, Kind::LParen) => {
            Some(("Insert `run`".to_owned(), insert_before(before.span, "run ")))
        }
        (Kind::Name, Kind::LParen) => {
            let functions = ["assert", "printf", "printm", "select", "for", "len", "full", "empty"];
            let similar = nearest(table.text(before), functions.into_iter())?;
            Some((format!("Replace `{}` by `{similar}`", table.text(before)), replace(before.span, similar)))
        }
        (_, Kind::RBrace | Kind::Sep | Kind::Fi | Kind::Od) if expected.is_statement() => {
            Some(("Insert `skip`".to_owned(), insert_after(before.span, " skip")))
        }
        (_, Kind::Assign) if expected.is_operator() => {
            Some(("Replace `=` by `==`".to_owned(), replace(found.span, "==")))
        }
        _ => None,
    }
}

fn one_of(choices: &[&str]) -> String {
    let quote = |name: &&str| match *name {
        "name" => "a name".to_owned(),
        "number" => "a number".to_owned(),
        "string" => "a string".to_owned(),
        "type name" => "a type".to_owned(),
        "proctype name" => "a proctype".to_owned(),
        "inline call" => "a call of an inline".to_owned(),
        "C code" | "C expression" => "C code".to_owned(),
        "implies" => "`->`".to_owned(),
        other => format!("`{other}`"),
    };
    let quoted: Vec<String> = choices.iter().map(quote).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
