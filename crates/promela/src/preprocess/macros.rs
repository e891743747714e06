//! Macro expansion (C99 §6.10.3.1 to §6.10.3.4), as gcc does it.
//!
//! Expansions are read from a stack of frames; a macro is not expanded while
//! its own frame is being read, and a name met there is never expanded later.
//! Line breaks matter to SPIN: the first token of an expansion begins a line
//! if the macro's name does; line breaks between arguments are lost.

use stubborn_base::{Diagnostic, Span};

use super::define::Macro;
use super::{MAX_NESTING, MacroCall, MacroUse, Preprocessor};
use crate::table::{Ctx, ExpansionKind, Flags, Sym, Token};
use crate::token::{Kind, lex_one};

/// Expansions that may stand inside each other.
const MAX_DEPTH: u32 = 512;

/// Tokens that are being read in place of a macro call.
pub(super) struct Frame {
    tokens: Vec<Token>,
    pos: usize,
    macro_name: Option<Sym>,
    /// Flags of the call, for the first token.
    lead: Flags,
}

impl Frame {
    /// Tokens that belong to no macro.
    fn plain(tokens: Vec<Token>) -> Frame {
        Frame { tokens, pos: 0, macro_name: None, lead: Flags::default() }
    }
}

/// The arguments of a macro call.
struct Call {
    args: Vec<Vec<Token>>,
    end: Token,
}

impl Preprocessor<'_> {
    /// The next token of the preprocessed text.
    pub(super) fn next(&mut self) -> Option<Token> {
        loop {
            let mut token = self.pull()?;
            token.flags = token.flags.with(std::mem::take(&mut self.carry));
            if token.kind != Kind::Name || token.flags.has(Flags::NO_EXPAND) {
                return Some(token);
            }
            let Some(definition) = self.macros.get(&token.sym).cloned() else {
                return Some(self.builtin(token));
            };
            if self.active.contains(&token.sym) {
                token.flags = token.flags.with(Flags::NO_EXPAND);
                return Some(token);
            }
            if self.table.depth(token.ctx) >= MAX_DEPTH {
                self.error_at("macro-too-deep", token, "macros expand to each other too deeply");
                return Some(token);
            }
            if definition.params.is_none() {
                self.mention(token);
                let ctx = self.table.add_expansion(ExpansionKind::Macro, token.sym, token.span, token.ctx);
                let body = self.substitute(&definition, &[], ctx);
                self.enter(token, body)?;
                continue;
            }
            if self.unterminated || !self.call_follows() {
                return Some(token);
            }
            let Some(call) = self.collect(token, &definition) else { return Some(token) };
            let (span, parent) = self.table.join(token, call.end);
            let ctx = self.table.add_expansion(ExpansionKind::Macro, token.sym, span, parent);
            let body = self.substitute(&definition, &call.args, ctx);
            self.enter(token, body)?;
        }
    }

    /// Expands a list of tokens by itself, as an argument is.
    pub(super) fn expand_list(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        if self.nesting >= MAX_NESTING {
            if let Some(&first) = tokens.first() {
                self.error_at("macro-too-deep", first, "macro calls are nested too deeply");
            }
            return tokens;
        }
        self.nesting += 1;
        let base = std::mem::replace(&mut self.base, self.frames.len() + 1);
        let carry = std::mem::take(&mut self.carry);
        // A frame below `base` that is never read, so that `base` is never zero here.
        self.frames.push(Frame::plain(Vec::new()));
        self.frames.push(Frame::plain(tokens));
        let mut expanded = Vec::new();
        while let Some(token) = self.next() {
            expanded.push(token);
        }
        self.frames.truncate(self.base - 1);
        self.base = base;
        self.carry = carry;
        self.nesting -= 1;
        expanded
    }

    /// Reads `body` next, in place of the call that begins with `name`.
    fn enter(&mut self, name: Token, body: Vec<Token>) -> Option<()> {
        let Some(budget) = self.budget.checked_sub(body.len() + 1) else {
            if self.budget > 0 {
                self.budget = 0;
                self.error_at("expansion-too-large", name, "macros expand to too much text");
            }
            // Gives up: the text ends here.
            self.frames.clear();
            self.readers.clear();
            self.pushed = None;
            return None;
        };
        self.budget = budget;
        self.active.insert(name.sym);
        self.frames.push(Frame { tokens: body, pos: 0, macro_name: Some(name.sym), lead: name.flags });
        Some(())
    }

    /// The next token, macros not expanded.
    fn pull(&mut self) -> Option<Token> {
        while self.frames.len() > self.base {
            let frame = self.frames.last_mut()?;
            let lead = std::mem::take(&mut frame.lead);
            if let Some(&token) = frame.tokens.get(frame.pos) {
                frame.pos += 1;
                let flags = if frame.pos == 1 && frame.macro_name.is_some() {
                    token.flags.without(Flags::SPACE).with(lead)
                } else {
                    token.flags
                };
                return Some(Token { flags, ..token });
            }
            self.carry = self.carry.with(lead);
            if let Some(name) = frame.macro_name {
                self.active.remove(&name);
            }
            self.frames.pop();
        }
        if self.base > 0 {
            return None;
        }
        self.pushed.take().or_else(|| self.read())
    }

    /// Whether `(` comes next.
    fn call_follows(&mut self) -> bool {
        let inner = self.frames.get(self.base..).unwrap_or_default();
        if let Some(token) = inner.iter().rev().find_map(|frame| frame.tokens.get(frame.pos)) {
            return token.kind == Kind::LParen;
        }
        if self.base > 0 {
            return false;
        }
        if self.pushed.is_none() {
            self.pushed = self.read();
        }
        self.pushed.is_some_and(|token| token.kind == Kind::LParen)
    }

    /// Reads the arguments of a call of `definition`; none after an error.
    fn collect(&mut self, name: Token, definition: &Macro) -> Option<Call> {
        let n_params = definition.params.as_ref().map_or(0, Vec::len);
        let open = self.pull()?;
        let mut read = vec![open];
        let mut noted = MacroCall { starts: vec![open.span], end: None, closed: false };
        let mut args = vec![Vec::new()];
        let mut depth = 1usize;
        let end = loop {
            let Some(mut token) = self.pull() else {
                let message = format!("the call of macro `{}` has no `)`", self.table.text(name));
                let diagnostic = Diagnostic::error("unclosed-macro-call", name.span, message);
                self.report.push(diagnostic.label(open.span, "opened here"));
                self.note_call(name, definition, noted);
                self.unterminated = true;
                self.frames.push(Frame::plain(read));
                return None;
            };
            read.push(token);
            match token.kind {
                Kind::LParen => depth += 1,
                Kind::RParen if depth == 1 => break token,
                Kind::RParen => depth -= 1,
                Kind::Comma if depth == 1 && !(definition.variadic && args.len() == n_params) => {
                    if noted.end.is_none() {
                        noted.starts.push(token.span);
                    }
                    args.push(Vec::new());
                    continue;
                }
                Kind::Semi | Kind::LBrace | Kind::RBrace | Kind::Sep if noted.end.is_none() => {
                    noted.end = Some(token.span);
                }
                _ => {}
            }
            if token.starts_line() {
                token.flags = token.flags.without(Flags::NEWLINE).with(Flags::SPACE);
            }
            if self.active.contains(&token.sym) && token.kind == Kind::Name {
                token.flags = token.flags.with(Flags::NO_EXPAND);
            }
            if let Some(arg) = args.last_mut() {
                arg.push(token);
            }
        };
        noted = MacroCall { end: Some(end.span), closed: true, ..noted };
        self.note_call(name, definition, noted);
        if n_params == 0 && args.len() == 1 && args[0].is_empty() {
            args.clear();
        }
        if definition.variadic && args.len() + 1 == n_params {
            args.push(Vec::new());
        }
        if args.len() != n_params {
            let text = self.table.text(name);
            let message = format!("macro `{text}` takes {n_params} arguments, not {}", args.len());
            let diagnostic = Diagnostic::error("macro-arity", self.table.join(name, end).0, message);
            self.report.push_at(&self.table, name, diagnostic.label(definition.span, "defined here"));
            return None;
        }
        Some(Call { args, end })
    }

    /// Notes a use with arguments, with their places if it stands in a file.
    fn note_call(&mut self, name: Token, definition: &Macro, call: MacroCall) {
        let call = (name.ctx == Ctx::ROOT).then_some(call);
        self.uses.push(MacroUse { definition: definition.definition, span: name.span, call });
    }

    /// The body of a macro with its arguments in place.
    fn substitute(&mut self, definition: &Macro, args: &[Vec<Token>], ctx: Ctx) -> Vec<Token> {
        let body = &definition.body;
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; args.len()];
        let mut out: Vec<Token> = Vec::with_capacity(body.len());
        let mut at = 0;
        while at < body.len() {
            let token = body[at];
            let pasted = body.get(at + 1).is_some_and(|t| t.kind == Kind::HashHash);
            if token.kind == Kind::HashHash && at > 0 && at + 1 < body.len() {
                let right = match definition.param(body[at + 1]) {
                    Some(param) => args[param].clone(),
                    None => vec![Token { ctx, ..body[at + 1] }],
                };
                self.paste(&mut out, right, body[at - 1].span.join(body[at + 1].span), ctx);
                at += 2;
                continue;
            }
            match definition.param(token) {
                _ if token.kind == Kind::Hash && definition.params.is_some() => {
                    match body.get(at + 1).and_then(|&next| definition.param(next)) {
                        Some(param) => {
                            out.push(self.stringify(&args[param], token, body[at + 1].span, ctx));
                            at += 1;
                        }
                        None => out.push(Token { ctx, ..token }),
                    }
                }
                Some(param) if pasted => {
                    out.extend(&args[param]);
                    if args[param].is_empty() {
                        // A place for `##` to paste to.
                        out.push(Token { kind: Kind::Unknown, sym: Sym::NONE, ctx, ..token });
                    }
                }
                Some(param) => {
                    if expanded[param].is_none() {
                        expanded[param] = Some(self.expand_list(args[param].clone()));
                    }
                    let from = out.len();
                    out.extend(expanded[param].iter().flatten());
                    if let Some(first) = out.get_mut(from) {
                        first.flags = first.flags.without(Flags::SPACE).with(token.flags);
                    }
                }
                None => out.push(Token { ctx, ..token }),
            }
            at += 1;
        }
        out.retain(|token| !(token.kind == Kind::Unknown && token.sym == Sym::NONE));
        out
    }

    /// Pastes the first of `right` to the last of `out`.
    fn paste(&mut self, out: &mut Vec<Token>, right: Vec<Token>, span: Span, ctx: Ctx) {
        let Some(&second) = right.first() else { return };
        let Some(first) = out.pop() else { return out.extend(right) };
        let text = if first.kind == Kind::Unknown && first.sym == Sym::NONE {
            self.table.text(second).to_owned()
        } else {
            format!("{}{}", self.table.text(first), self.table.text(second))
        };
        match lex_one(&text) {
            Some(kind) => {
                let sym = if kind.has_own_text() { self.table.intern(&text) } else { Sym::NONE };
                out.push(Token { kind, flags: first.flags, sym, span, ctx, param: None });
            }
            // `, ## __VA_ARGS__` of gcc.
            None if first.kind == Kind::Comma => out.extend([first, second]),
            None => {
                let at = Token { span, ctx, ..first };
                self.error_at("bad-paste", at, format!("`##` makes `{text}`, which is not a token"));
                out.extend([first, second]);
            }
        }
        out.extend(&right[1..]);
    }

    /// `#param`
    fn stringify(&mut self, arg: &[Token], hash: Token, param: Span, ctx: Ctx) -> Token {
        let mut text = String::from("\"");
        for (i, &token) in arg.iter().enumerate() {
            if i > 0 && token.flags.has(Flags::SPACE) {
                text.push(' ');
            }
            for c in self.table.text(token).chars() {
                if c == '"' || (c == '\\' && matches!(token.kind, Kind::Str | Kind::Char)) {
                    text.push('\\');
                }
                text.push(c);
            }
        }
        text.push('"');
        let sym = self.table.intern(&text);
        Token { kind: Kind::Str, flags: hash.flags, sym, span: hash.span.join(param), ctx, param: None }
    }

    /// `__LINE__` and `__FILE__`; any other name is left as it is.
    fn builtin(&mut self, token: Token) -> Token {
        let name = self.table.text(token);
        if !matches!(name, "__LINE__" | "__FILE__") {
            return token;
        }
        let is_line = name == "__LINE__";
        let span = self.table.outermost_call(token).map_or(token.span, |call| call.call);
        let text = if is_line {
            self.sources.position(span.file, span.start).line.to_string()
        } else {
            format!("\"{}\"", self.sources.file(span.file).path().display())
        };
        let sym = self.table.intern(&text);
        let ctx = self.table.add_expansion(ExpansionKind::Macro, token.sym, token.span, token.ctx);
        Token { kind: if is_line { Kind::Number } else { Kind::Str }, sym, ctx, ..token }
    }
}
