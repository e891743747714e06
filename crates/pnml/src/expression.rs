//! Expressions that somebody types while looking at a marking.
//!
//! PNML has no syntax for them, so they look as in C: numbers, `+ - * < <= > >= == != ! && ||` and parentheses over
//! `place`, how many tokens are there; `place(a, _)`, how many of these; `transition` and `transition(a, _)`, whether it
//! can fire, in this way; `deadlock`. Names are ids or names of nodes, whatever characters they consist of: the longest
//! that fits is meant. Invariant: nesting is bounded, so reading always ends.

use std::ops::Range;
use std::path::Path;

use hashbrown::HashMap;
use stubborn_base::{BadExpression, Loader};
use stubborn_ir::{BinaryOp, Expr, LocationId, ProcessTypeId, Typed, UnaryOp, balanced};
use stubborn_nets::{Bounds, Lowered, Net, Value, ground, lower};

use crate::build::build;
use crate::read::Files;
use crate::report::Report;
use crate::skeleton::{Skeleton, Target};
use crate::term::Term;

/// Parentheses and operators inside of each other.
const MAX_DEPTH: usize = 100;

/// Operators of two operands, those that bind weakest first; longer ones before their beginnings.
const LEVELS: [&[(&str, BinaryOp)]; 5] = [
    &[("||", BinaryOp::Or)],
    &[("&&", BinaryOp::And)],
    &[
        ("<=", BinaryOp::Le),
        (">=", BinaryOp::Ge),
        ("==", BinaryOp::Eq),
        ("!=", BinaryOp::Ne),
        ("<", BinaryOp::Lt),
        (">", BinaryOp::Gt),
    ],
    &[("+", BinaryOp::Add), ("-", BinaryOp::Sub)],
    &[("*", BinaryOp::Mul)],
];

/// Reads an expression over the markings of a net that was read without errors.
pub fn expression(
    path: &Path,
    model: &str,
    loader: &dyn Loader,
    _defines: &[(String, String)],
    text: &str,
    _at: Option<(ProcessTypeId, LocationId)>,
) -> Result<Typed, BadExpression> {
    let wrong = || bad("the net has errors", 0..text.len());
    let files = Files::read(path, model.into(), loader);
    let mut report = Report::default();
    let skeleton = Skeleton::read(&files.net, &mut report).ok_or_else(wrong)?;
    let net = build(&skeleton, &mut report).filter(|_| report.is_clean(files.net.file)).ok_or_else(wrong)?;
    let grounded =
        ground(&net, &Bounds::default()).map_err(|limit| bad(&limit.to_string(), 0..text.len()))?;
    let lowered = lower(&net, &grounded);
    let names = names(&skeleton, &net);
    let longest = names.keys().map(String::len).max().unwrap_or_default();
    let mut parser = Parser { text, at: 0, depth: 0, names, longest, net: &net, lowered: &lowered };
    let expr = parser.level(0)?;
    match parser.rest() {
        "" => Ok(Typed { expr, ty: None }),
        _ => Err(parser.expected("the end")),
    }
}

fn bad(message: &str, at: Range<usize>) -> BadExpression {
    BadExpression { message: message.to_owned(), at, help: None }
}

/// Ids, and names that are not ids of others.
fn names(skeleton: &Skeleton<'_>, net: &Net<Term>) -> HashMap<String, Target> {
    let mut names: HashMap<String, Target> = HashMap::new();
    for node in skeleton.places.iter().chain(&skeleton.transitions) {
        let id = node.attribute("id").map_or("", |id| id.text);
        names.extend(skeleton.target(id).map(|target| (id.to_owned(), target)));
    }
    let places = net.places.iter_enumerated().map(|(id, place)| (&place.name, Target::Place(id)));
    let transitions = net.transitions.iter_enumerated().map(|(id, t)| (&t.name, Target::Transition(id)));
    for (name, target) in places.chain(transitions) {
        names.entry(name.to_string()).or_insert(target);
    }
    names
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    names: HashMap<String, Target>,
    /// No name has more bytes.
    longest: usize,
    net: &'a Net<Term>,
    lowered: &'a Lowered,
}

impl<'a> Parser<'a> {
    /// What is left, without blanks before it.
    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn take(&mut self, symbol: &str) -> bool {
        let is_there = self.rest().starts_with(symbol);
        self.at += if is_there { symbol.len() } else { 0 };
        is_there
    }

    fn expected(&mut self, what: &str) -> BadExpression {
        let width = self.rest().chars().next().map_or(0, char::len_utf8);
        bad(&format!("{what} is expected here"), self.at..self.at + width)
    }

    fn level(&mut self, level: usize) -> Result<Expr, BadExpression> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        let mut n_operands = 1;
        while let Some((_, op)) = operators.iter().find(|(symbol, _)| self.take(symbol)) {
            n_operands += 1;
            if n_operands > MAX_DEPTH {
                return Err(self.expected("a shorter expression"));
            }
            left = Expr::binary(*op, left, self.level(level + 1)?);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, BadExpression> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.expected("a simpler expression"));
        }
        let rest = self.rest();
        let expr = if let Some(name) = self.name(rest) {
            self.at += name.len();
            self.node(self.names[&name])?
        } else if self.take("!") {
            self.unary()?.not()
        } else if self.take("-") {
            Expr::Unary(UnaryOp::Neg, Box::new(self.unary()?))
        } else if self.take("(") {
            let inner = self.level(0)?;
            if !self.take(")") {
                return Err(self.expected("`)`"));
            }
            inner
        } else {
            self.word(rest)?
        };
        self.depth -= 1;
        Ok(expr)
    }

    /// The longest name that the rest begins with, and that does not go on.
    fn name(&self, rest: &str) -> Option<String> {
        let ends = rest.char_indices().map(|(at, c)| (at + c.len_utf8(), c)).take(self.longest);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let ends_there = |&(end, last): &(usize, char)| {
            !(is_part(last) && rest[end..].chars().next().is_some_and(is_part))
        };
        let mut found = ends.filter(ends_there).filter(|(end, _)| self.names.contains_key(&rest[..*end]));
        let first = found.next()?;
        Some(rest[..found.fold(first, |_, last| last).0].to_owned())
    }

    /// A number, or a word that is no name of a node.
    fn word(&mut self, rest: &str) -> Result<Expr, BadExpression> {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, place) = (&rest[..end], self.at..self.at + end);
        self.at += end;
        if word == "deadlock" {
            let all = self.net.transitions.indices().map(|t| self.lowered.is_enabled(t, |_| true)).collect();
            return Ok(balanced(BinaryOp::Or, all).unwrap_or(Expr::Const(0)).not());
        }
        match word.parse() {
            Ok(number) => Ok(Expr::Const(number)),
            Err(_) if word.is_empty() => Err(self.expected("a place, a transition or a number")),
            Err(_) => Err(bad(&format!("there is no place or transition `{word}`"), place)),
        }
    }

    /// A place or a transition, perhaps with what is asked of its tokens or of its variables.
    fn node(&mut self, node: Target) -> Result<Expr, BadExpression> {
        let start = self.at;
        let wanted = if self.rest().starts_with('(') { Some(self.components()?) } else { None };
        let net = self.net;
        let n_components = |n: usize| match &wanted {
            Some(wanted) if wanted.len() != n => {
                Err(bad(&format!("{n} components are expected here"), start..self.at))
            }
            _ => Ok(()),
        };
        let fits = |shown: &[String]| {
            let pairs = wanted.iter().flatten().zip(shown);
            pairs.into_iter().all(|(wanted, shown)| wanted == "_" || wanted == shown)
        };
        match node {
            Target::Place(place) => {
                let shown = |token: &Value| split(&(net.places[place].notation.0)(token));
                if let Some((token, _)) = self.lowered.tokens(place).next() {
                    n_components(shown(token).len())?;
                }
                Ok(self.lowered.count(place, |token| fits(&shown(token))))
            }
            Target::Transition(transition) => {
                let variables = &net.transitions[transition].variables;
                n_components(variables.len())?;
                let shown = |binding: &[Value]| -> Vec<String> {
                    variables
                        .iter()
                        .zip(binding)
                        .map(|(variable, value)| (variable.notation.0)(value))
                        .collect()
                };
                Ok(self.lowered.is_enabled(transition, |binding| fits(&shown(binding))))
            }
        }
    }

    /// `(a, b)`, as written.
    fn components(&mut self) -> Result<Vec<String>, BadExpression> {
        let rest = self.rest();
        let mut depth = 0usize;
        for (at, c) in rest.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                self.at += at + 1;
                return Ok(split(&rest[..=at]));
            }
        }
        self.at = self.text.len();
        Err(self.expected("`)`"))
    }
}

/// The components of a tuple, as text without blanks around them.
fn split(tuple: &str) -> Vec<String> {
    let inner = tuple.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(tuple);
    let mut depth = 0usize;
    let parts = inner.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}
