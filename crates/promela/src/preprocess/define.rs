//! `#define`: macros and their definitions (C99 §6.10.3).

use std::rc::Rc;

use stubborn_base::{Diagnostic, Span};

use super::{MacroDef, Preprocessor};
use crate::fixes::replace;
use crate::table::{Flags, Sym, Token};
use crate::token::Kind;

/// A macro.
pub(super) struct Macro {
    /// Its number among all definitions.
    pub(super) definition: usize,
    /// Where its name stands in the definition.
    pub(super) span: Span,
    /// The parameters, if it takes arguments.
    pub(super) params: Option<Vec<Sym>>,
    /// The last parameter takes all that is left.
    pub(super) variadic: bool,
    /// The body.
    pub(super) body: Vec<Token>,
}

impl Macro {
    /// Which parameter a token of the body names.
    pub(super) fn param(&self, token: Token) -> Option<usize> {
        if token.kind != Kind::Name {
            return None;
        }
        self.params.as_ref()?.iter().position(|&param| param == token.sym)
    }
}

/// Macros that gcc defines by itself and that models ask for. They count in
/// `#if` and `#ifdef` only: nobody who names a variable `unix` means 1.
const PREDEFINED: &[&str] =
    &["__GNUC__", "__STDC__", "__linux", "__linux__", "__unix", "__unix__", "linux", "unix"];

impl Preprocessor<'_> {
    pub(super) fn is_defined(&self, name: Sym) -> bool {
        let text = self.table.name(name).as_str();
        self.macros.contains_key(&name) || is_predefined(text) || matches!(text, "__LINE__" | "__FILE__")
    }

    pub(super) fn define(&mut self, directive: Span, operands: &[Token]) {
        let Some(&name) = operands.first().filter(|name| name.kind == Kind::Name) else {
            return self.error("bad-directive", directive, "`#define` needs a name");
        };
        if self.table.text(name) == "defined" {
            return self.error("bad-directive", name.span, "`defined` cannot be a macro");
        }
        let takes_arguments =
            operands.get(1).is_some_and(|t| t.kind == Kind::LParen && !t.flags.has(Flags::SPACE));
        let (params, variadic, from) = if takes_arguments {
            match self.params(operands) {
                Some((params, variadic, from)) => (Some(params), variadic, from),
                None => return self.error("bad-directive", name.span, "malformed list of macro parameters"),
            }
        } else {
            (None, false, 1)
        };
        let body = operands[from..].to_vec();
        let is_paste = |t: Option<&Token>| t.is_some_and(|t| t.kind == Kind::HashHash);
        if is_paste(body.first()) || is_paste(body.last()) {
            return self.error("bad-directive", name.span, "`##` needs a token on both sides");
        }
        let span = body.first().zip(body.last()).map(|(a, b)| a.span.join(b.span));
        self.defined.push(MacroDef { name: name.sym, span: name.span, params: params.clone(), body: span });
        let definition = self.defined.len() - 1;
        let new = Macro { definition, span: name.span, params, variadic, body };
        let old = self.macros.insert(name.sym, Rc::new(new));
        if let Some(old) = old
            && !self.same_body(&old, name.sym)
        {
            let message = format!("macro `{}` is defined twice", self.table.text(name));
            let diagnostic = Diagnostic::warning("macro-redefined", name.span, message);
            let text = self.sources.file(name.span.file).text();
            let line = text[..name.span.start as usize].rfind('\n').map_or(0, |at| at + 1);
            let undef = format!("#undef {}\n", self.table.text(name));
            self.report.push(
                diagnostic
                    .label(old.span, "first defined here")
                    .help("remove one, or `#undef` it first")
                    .fix("Insert `#undef`", replace(Span::new(name.span.file, line, line), undef)),
            );
        }
    }

    fn same_body(&self, old: &Macro, name: Sym) -> bool {
        let new = &self.macros[&name];
        let same = |a: &Token, b: &Token| (a.kind, a.sym) == (b.kind, b.sym);
        old.params == new.params
            && old.body.len() == new.body.len()
            && old.body.iter().zip(&new.body).all(|(a, b)| same(a, b))
    }

    /// The parameters, whether the last is variadic, and where the body begins.
    fn params(&mut self, operands: &[Token]) -> Option<(Vec<Sym>, bool, usize)> {
        let mut params = Vec::new();
        let mut at = 2;
        if operands.get(at)?.kind == Kind::RParen {
            return Some((params, false, at + 1));
        }
        loop {
            let mut variadic = false;
            if operands.get(at)?.kind == Kind::Name {
                params.push(operands[at].sym);
                at += 1;
                if operands.get(at)?.kind == Kind::DotDot {
                    variadic = true;
                    at += 2;
                }
            } else if operands[at].kind == Kind::DotDot && operands.get(at + 1)?.kind == Kind::Dot {
                params.push(self.table.intern("__VA_ARGS__"));
                variadic = true;
                at += 2;
            } else {
                return None;
            }
            match operands.get(at)?.kind {
                Kind::RParen => return Some((params, variadic, at + 1)),
                Kind::Comma if !variadic => at += 1,
                _ => return None,
            }
        }
    }
}

/// Whether gcc defines it by itself, as 1.
pub(super) fn is_predefined(name: &str) -> bool {
    PREDEFINED.contains(&name)
}
