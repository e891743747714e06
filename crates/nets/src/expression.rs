//! Expressions about markings that somebody types: names of places are numbers of tokens.
//!
//! `p` is how many tokens are in place `p`, and `p(1, red)` how many of that one token, written as trails show it. Numbers
//! are joined by `+ - * == != < <= > >= && || !` and parentheses, as in C; a single `=` compares, too.

use std::ops::Range;

use stubborn_base::BadExpression;
use stubborn_ir::{BinaryOp, Expr, Kept, Model, Net, Place, Region, SlotType, Token, Typed, UnaryOp};

use crate::balance::balanced;

/// Expressions are not nested deeper than this.
const MAX_DEPTH: usize = 200;

/// Reads an expression about the markings of a model that was a net.
pub fn expression(model: &Model, text: &str) -> Result<Typed, BadExpression> {
    let nothing = Net::default();
    let mut reader = Reader { net: model.net.as_ref().unwrap_or(&nothing), text, at: 0, depth: 0 };
    let expr = reader.binary(0)?;
    reader.skip_space();
    match reader.at == text.len() {
        true => Ok(Typed { expr, ty: None }),
        false => Err(reader.bad(reader.at..text.len(), "this is not expected here")),
    }
}

struct Reader<'a> {
    net: &'a Net,
    text: &'a str,
    at: usize,
    depth: usize,
}

/// Operators by precedence, lowest first; longer ones before those they begin with.
const OPERATORS: [&[(&str, BinaryOp)]; 5] = [
    &[("||", BinaryOp::Or)],
    &[("&&", BinaryOp::And)],
    &[
        ("==", BinaryOp::Eq),
        ("!=", BinaryOp::Ne),
        ("<=", BinaryOp::Le),
        (">=", BinaryOp::Ge),
        ("<", BinaryOp::Lt),
        (">", BinaryOp::Gt),
        ("=", BinaryOp::Eq),
    ],
    &[("+", BinaryOp::Add), ("-", BinaryOp::Sub)],
    &[("*", BinaryOp::Mul)],
];

impl Reader<'_> {
    fn bad(&self, at: Range<usize>, message: impl Into<String>) -> BadExpression {
        BadExpression { message: message.into(), at, help: None }
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
    }

    fn take(&mut self, word: &str) -> bool {
        self.skip_space();
        let found = self.text[self.at..].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn binary(&mut self, level: usize) -> Result<Expr, BadExpression> {
        let Some(operators) = OPERATORS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(&(_, op)) = operators.iter().find(|(word, _)| self.take(word)) {
            left = Expr::binary(op, left, self.binary(level + 1)?);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, BadExpression> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.bad(self.at..self.text.len(), "this is nested too deeply"));
        }
        let expr = if self.take("!") {
            self.unary()?.not()
        } else if self.take("-") {
            Expr::Unary(UnaryOp::Neg, Box::new(self.unary()?))
        } else if self.take("(") {
            let inner = self.binary(0)?;
            if !self.take(")") {
                return Err(self.bad(self.at..self.at, "`)` is expected here"));
            }
            inner
        } else {
            self.operand()?
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn operand(&mut self) -> Result<Expr, BadExpression> {
        self.skip_space();
        let start = self.at;
        let rest = &self.text[start..];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '#' | '@' | '\'');
        // The longest name of a place that stands here: in PNML, names may contain anything.
        let names = self.net.places.iter().filter(|place| rest.starts_with(&*place.name));
        let whole = names.filter(|place| !rest[place.name.len()..].starts_with(is_part));
        if let Some(place) = whole.max_by_key(|place| place.name.len()) {
            self.at += place.name.len();
            let colour = place
                .tokens
                .iter()
                .find(|token| !token.colour.is_empty() && self.text[self.at..].starts_with(&*token.colour));
            if let Some(token) = colour {
                self.at += token.colour.len();
                return Ok(amount(token));
            }
            let amounts = place.tokens.iter().map(amount).collect();
            return Ok(balanced(BinaryOp::Add, amounts).unwrap_or(Expr::Const(0)));
        }
        let word = &rest[..rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())];
        let end = start + word.len().max(rest.chars().next().map_or(0, char::len_utf8));
        match word.parse() {
            Ok(number) => {
                self.at = end;
                Ok(Expr::Const(number))
            }
            Err(_) if word.is_empty() => Err(self.bad(start..end, "a number or a place is expected here")),
            Err(_) => Err(self.bad(start..end, format!("there is no place `{word}`"))),
        }
    }
}

/// How many of a token there are.
fn amount(token: &Token) -> Expr {
    match token.kept {
        Kept::Number(slot) => Expr::Load(Place::simple(Region::Global, slot)),
        Kept::Choice(slot, value) => {
            let load = Expr::Load(Place::simple(Region::Global, slot));
            Expr::binary(BinaryOp::Eq, load, Expr::Const(value))
        }
    }
}
