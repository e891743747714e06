//! From preprocessed tokens to tokens of Promela.
//!
//! Names that spell keywords become keywords. Numbers are read as SPIN reads
//! them: decimal digits only, so that `0..N` is `0`, `..`, `N`. C code becomes
//! one token and is reported as not supported. Characters that begin no token
//! are reported and dropped; so is `*/` without a comment, which SPIN ignores.

use hashbrown::HashSet;

use stubborn_base::{Diagnostic, Span};

use crate::fixes::{insert_before, is_written, replace};
use crate::preprocess::Preprocessed;
use crate::report::Report;
use crate::table::{Flags, Sym, Token, Tokens};
use crate::token::{Kind, keyword};

/// Turns the preprocessor's output into what the parser reads.
pub(crate) fn convert(text: &mut Preprocessed, report: &mut Report) -> Vec<Token> {
    let macros: HashSet<Sym> = text.macros.iter().map(|m| m.name).collect();
    let mut converter = Converter {
        table: &mut text.table,
        report,
        macros,
        keywords: Vec::new(),
        carry: Flags::default(),
        c_ends: true,
        out: Vec::new(),
    };
    let mut at = 0;
    while at < text.tokens.len() {
        at += converter.convert(&text.tokens[at..]);
    }
    converter.out
}

struct Converter<'a> {
    table: &'a mut Tokens,
    report: &'a mut Report,
    macros: HashSet<Sym>,
    /// What each name is, once known.
    keywords: Vec<Option<Kind>>,
    /// Flags of tokens that were dropped, for the one that follows.
    carry: Flags,
    /// Every piece of C code so far had an end; after one that has not, none is looked for.
    c_ends: bool,
    out: Vec<Token>,
}

impl Converter<'_> {
    /// Converts the first of `tokens`; how many were used.
    fn convert(&mut self, tokens: &[Token]) -> usize {
        let mut token = tokens[0];
        let n_out = self.out.len();
        token.flags = token.flags.with(std::mem::take(&mut self.carry));
        match token.kind {
            Kind::Name => match self.keyword(token.sym) {
                Kind::CCode => return self.c_code(token, tokens),
                kind => self.out.push(Token { kind, ..token }),
            },
            Kind::Number => self.number(token),
            Kind::Char => self.out.push(Token { kind: Kind::Const, ..token }),
            Kind::CCode | Kind::CExpr => {
                self.unsupported(
                    token,
                    token.span,
                    if token.kind == Kind::CExpr { "c_expr" } else { "c_code" },
                );
                self.out.push(token);
            }
            Kind::OpenComment => self.error(token, "unclosed-comment", "the comment has no `*/`"),
            Kind::OpenStr => {
                self.error(token, "unclosed-string", "the string has no closing `\"` on its line");
                self.out.push(Token { kind: Kind::Str, ..token });
            }
            Kind::BadChar => {
                self.error(token, "bad-character", "expected one character between `'` and `'`");
                self.out.push(Token { kind: Kind::Const, ..token });
            }
            Kind::Unknown => {
                let text: String = self.table.text(token).chars().take(20).collect();
                let message = format!("`{}` is not part of Promela", text.escape_debug());
                self.error(token, "unknown-character", &message);
            }
            Kind::Hash | Kind::HashHash => {
                self.error(token, "unknown-character", "`#` begins a directive only at the start of a line");
            }
            Kind::CloseComment => {
                let diagnostic = Diagnostic::warning("stray-comment-end", token.span, "`*/` ends no comment");
                let mut diagnostic = diagnostic.help("comments do not nest");
                if is_written(token) {
                    diagnostic = diagnostic.fix("Remove `*/`", replace(token.span, ""));
                }
                self.report.push_at(self.table, token, diagnostic);
            }
            _ => self.out.push(token),
        }
        if self.out.len() == n_out {
            self.carry = token.flags;
        }
        1
    }

    fn error(&mut self, token: Token, code: &'static str, message: &str) {
        self.report.push_at(self.table, token, Diagnostic::error(code, token.span, message));
    }

    /// What a name is. All C code answers [`Kind::CCode`].
    fn keyword(&mut self, sym: Sym) -> Kind {
        let index = sym.0 as usize;
        if self.keywords.len() <= index {
            self.keywords.resize(self.table.n_names().max(index + 1), None);
        }
        *self.keywords[index].get_or_insert_with(|| match self.table.name(sym).as_str() {
            "c_code" | "c_decl" | "c_expr" | "c_state" | "c_track" => Kind::CCode,
            name => keyword(name).unwrap_or(Kind::Name),
        })
    }

    /// C code that came out of a macro, and `c_state` and `c_track` with their strings.
    fn c_code(&mut self, first: Token, tokens: &[Token]) -> usize {
        let name = self.table.text(first).to_owned();
        let is_block = matches!(name.as_str(), "c_code" | "c_decl" | "c_expr");
        let len = if is_block {
            let len = if self.c_ends { block_len(&tokens[1..]) } else { 0 };
            self.c_ends &=
                len > 0 || tokens.get(1).is_none_or(|t| !matches!(t.kind, Kind::LBrace | Kind::LBracket));
            len
        } else {
            tokens[1..].iter().take(3).take_while(|t| t.kind == Kind::Str).count()
        };
        let (span, _) = self.table.join(first, tokens[len]);
        self.unsupported(first, span, &name);
        let kind = if name == "c_expr" { Kind::CExpr } else { Kind::CCode };
        self.out.push(Token { kind, span, ..first });
        len + 1
    }

    fn unsupported(&mut self, token: Token, span: Span, name: &str) {
        let diagnostic = Diagnostic::error("unsupported-c-code", span, format!("`{name}` is not supported"));
        let help = "C code cannot be analysed; write it in Promela";
        self.report.push_at(self.table, token, diagnostic.help(help));
    }

    /// Splits a preprocessing number as SPIN does.
    fn number(&mut self, token: Token) {
        let text = self.table.text(token).to_owned();
        if text.bytes().all(|b| b.is_ascii_digit()) {
            return self.constant(token, &text);
        }
        let in_place = (token.span.end - token.span.start) as usize == text.len();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let class = |b: u8| if b == b'.' { 0 } else { 1 + u8::from(!b.is_ascii_digit()) };
            let first = class(bytes[at]);
            let len = match first {
                0 => 1 + usize::from(bytes.get(at + 1) == Some(&b'.')),
                1 => bytes[at..].iter().take_while(|&&b| class(b) == 1).count(),
                _ => bytes[at..].iter().take_while(|&&b| class(b) != 0).count(),
            };
            let piece = &text[at..at + len];
            let mut span = token.span;
            if in_place {
                span = Span { start: span.start + at as u32, end: span.start + (at + len) as u32, ..span };
            }
            let flags = if at == 0 { token.flags } else { Flags::default() };
            let part = Token { flags, span, ..token };
            match (first, len) {
                (0, 2) => self.out.push(Token { kind: Kind::DotDot, sym: Sym::NONE, ..part }),
                (0, _) => self.out.push(Token { kind: Kind::Dot, sym: Sym::NONE, ..part }),
                (1, _) => self.constant(part, piece),
                _ => self.name_in_number(part, piece, &text),
            }
            at += len;
        }
    }

    fn constant(&mut self, token: Token, text: &str) {
        let after_minus = self.out.last().is_some_and(|t| t.kind == Kind::Minus);
        let limit = i64::from(i32::MAX) + i64::from(after_minus);
        if !text.parse::<i64>().is_ok_and(|value| value <= limit) {
            let message = format!("`{text}` is larger than the largest `int`, 2147483647");
            self.error(token, "constant-out-of-range", &message);
        }
        let sym = self.table.intern(text);
        self.out.push(Token { kind: Kind::Const, sym, ..token });
    }

    /// The name inside `0..N`, which the C preprocessor does not see.
    fn name_in_number(&mut self, token: Token, name: &str, number: &str) {
        let sym = self.table.intern(name);
        if self.macros.contains(&sym) {
            let message =
                format!("the macro `{name}` is not expanded here: C reads `{number}` as one number");
            let help = "put spaces around `..`";
            let mut diagnostic = Diagnostic::error("macro-in-number", token.span, message).help(help);
            if is_written(token) && (token.span.end - token.span.start) as usize == name.len() {
                diagnostic = diagnostic.fix("Insert a space", insert_before(token.span, " "));
            }
            self.report.push_at(self.table, token, diagnostic);
            self.report.lose(&[Token { kind: Kind::Name, sym, ..token }], self.table);
        }
        let kind = self.keyword(sym);
        self.out.push(Token { kind, sym, ..token });
    }
}

/// How many tokens an optional `[...]` and a `{...}` take; none if there is no end.
fn block_len(tokens: &[Token]) -> usize {
    let mut braces = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::LBrace => braces += 1,
            Kind::RBrace if braces <= 1 => return at + 1,
            Kind::RBrace => braces -= 1,
            _ if braces == 0 && at == 0 && token.kind != Kind::LBracket => return 0,
            _ => {}
        }
    }
    0
}
