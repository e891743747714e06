//! Expansion of inlines.
//!
//! SPIN replaces the call of an inline by the inline's text, parameters
//! replaced by the text of the arguments; here tokens are replaced. A call
//! becomes [`Kind::InlineCall`] followed by the body in its braces. An inline
//! can be called after its definition only, but its body may call inlines that
//! are defined later, as long as they are known where it is called.
//!
//! Invariant: what is inserted is balanced, since definitions have been
//! through [`crate::balance`] and arguments are balanced by construction.

use hashbrown::HashMap;
use std::ops::Range;

use stubborn_base::{Diagnostic, Span};

use crate::report::Report;
use crate::table::{Ctx, ExpansionKind, Flags, Sym, Token, Tokens};
use crate::token::Kind;

/// Inlines that may call each other in a row; SPIN stops at 16.
const MAX_DEPTH: usize = 64;
/// Tokens that all expansions of a model may produce.
const MAX_TOKENS: usize = 1_000_000;

/// An inline that has been defined.
pub(crate) struct Inline {
    pub(crate) span: Span,
    pub(crate) params: Vec<Sym>,
    /// With its braces.
    pub(crate) body: Vec<Token>,
    /// Its definition has errors, which calls need not repeat.
    pub(crate) broken: bool,
}

/// Expands calls of the inlines known so far.
pub(crate) struct Expander {
    inlines: HashMap<Sym, Inline>,
    budget: usize,
}

/// What one expansion needs to know.
struct Job<'a> {
    table: &'a mut Tokens,
    report: &'a mut Report,
    /// The inlines being expanded, and whether the call's value is used.
    active: Vec<(Sym, bool)>,
    out: Vec<Token>,
}

impl Expander {
    pub(crate) fn new() -> Self {
        Expander { inlines: HashMap::new(), budget: MAX_TOKENS }
    }

    /// Makes an inline known; the earlier one of that name, if there is one.
    pub(crate) fn define(&mut self, name: Sym, inline: Inline) -> Option<Inline> {
        self.inlines.insert(name, inline)
    }

    /// The tokens of an item with calls expanded.
    pub(crate) fn expand(&mut self, tokens: &[Token], table: &mut Tokens, report: &mut Report) -> Vec<Token> {
        let mut job = Job { table, report, active: Vec::new(), out: Vec::with_capacity(tokens.len()) };
        self.sequence(tokens, &mut job);
        job.out
    }

    fn sequence(&mut self, tokens: &[Token], job: &mut Job<'_>) {
        let parens = Parens::new(tokens);
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at];
            if token.kind == Kind::Name
                && self.inlines.contains_key(&token.sym)
                && let Some((args, end)) = parens.arguments(tokens, at + 1)
            {
                self.call(tokens, at, args, end, job);
                at = end + 1;
            } else {
                if token.kind == Kind::Return && !job.active.last().is_some_and(|&(_, valued)| valued) {
                    let message = "`return` only makes sense in an inline that is called as `x = name(...)`";
                    let diagnostic = Diagnostic::error("stray-return", token.span, message);
                    job.report.push_at(job.table, token, diagnostic);
                }
                job.out.push(token);
                at += 1;
            }
        }
    }

    /// Expands the call that stands at `at..=end`.
    fn call(&mut self, tokens: &[Token], at: usize, args: Vec<Range<usize>>, end: usize, job: &mut Job<'_>) {
        let name = tokens[at];
        let (span, parent) = job.table.join(name, tokens[end]);
        let text = job.table.text(name).to_owned();
        let inline = &self.inlines[&name.sym];
        let before = job.out.last().map(|t| t.kind);
        let in_expression = before.is_some_and(expects_operand) && !name.starts_line();
        let mut fault = None;
        if in_expression {
            let message = format!("the inline `{text}` cannot be called inside an expression");
            let help = format!("an inline is a statement; its value can be assigned: `x = {text}(...)`");
            fault = Some(Diagnostic::error("inline-in-expression", span, message).help(help));
        } else if inline.params.len() != args.len() {
            let n_params = inline.params.len();
            let message = format!("inline `{text}` takes {n_params} arguments, not {}", args.len());
            fault = Some(Diagnostic::error("inline-arity", span, message).label(inline.span, "defined here"));
        } else if job.active.iter().any(|&(active, _)| active == name.sym) {
            let message = format!("inline `{text}` calls itself");
            fault =
                Some(Diagnostic::error("recursive-inline", span, message).label(inline.span, "defined here"));
        } else if job.active.len() >= MAX_DEPTH {
            fault = Some(Diagnostic::error("inline-too-deep", span, "inlines call each other too deeply"));
        }
        if let Some(diagnostic) = fault {
            job.report.push_at(job.table, name, diagnostic);
            return if in_expression { job.out.push(name) } else { push_empty(name, span, job) };
        }
        if inline.broken {
            return push_empty(name, span, job);
        }
        let ctx = job.table.add_expansion(ExpansionKind::Inline, name.sym, span, parent);
        let args: Vec<&[Token]> = args.into_iter().map(|range| &tokens[range]).collect();
        let body = substitute(inline, &args, ctx, job.table);
        match self.budget.checked_sub(body.len()) {
            Some(budget) => self.budget = budget,
            None => {
                let first = std::mem::take(&mut self.budget) > 0;
                let diagnostic =
                    Diagnostic::error("expansion-too-large", span, "inlines expand to too much text");
                if first {
                    job.report.push_at(job.table, name, diagnostic);
                }
                return push_empty(name, span, job);
            }
        }
        job.out.push(Token { kind: Kind::InlineCall, span, ctx: parent, ..name });
        job.active.push((name.sym, before == Some(Kind::Assign)));
        self.sequence(&body, job);
        job.active.pop();
    }
}

/// The body of an inline being defined, calls in it replaced by empty ones:
/// what is left is what the definition itself has to say.
pub(crate) fn outline(tokens: &[Token], is_inline: impl Fn(Sym) -> bool, table: &mut Tokens) -> Vec<Token> {
    let mut report = Report::default();
    let mut job =
        Job { table, report: &mut report, active: Vec::new(), out: Vec::with_capacity(tokens.len()) };
    let parens = Parens::new(tokens);
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        let operand = job.out.last().is_some_and(|t| expects_operand(t.kind)) && !token.starts_line();
        let is_call = token.kind == Kind::Name && is_inline(token.sym);
        let call = if is_call { parens.arguments(tokens, at + 1) } else { None };
        match call {
            Some((_, end)) if at > 1 => {
                let (span, _) = job.table.join(token, tokens[end]);
                if operand {
                    job.out.push(token);
                } else {
                    push_empty(token, span, &mut job);
                }
                at = end + 1;
            }
            _ => {
                job.out.push(token);
                at += 1;
            }
        }
    }
    job.out
}

/// A call whose body says nothing.
fn push_empty(name: Token, span: Span, job: &mut Job<'_>) {
    let call = Token { kind: Kind::InlineCall, span, ..name };
    let one = job.table.intern("1");
    let skip = Token { sym: one, ..call.implied(Kind::Const) };
    job.out.extend([call, call.implied(Kind::LBrace), skip, call.implied(Kind::RBrace)]);
}

/// Whether a token is followed by an operand, so that no statement begins after it.
fn expects_operand(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, LParen | LBracket | Comma | Dot | DotDot | At | Bang | BangBang | Query | QueryQuery)
        || matches!(kind, Plus | Minus | Star | Slash | Percent | Amp | AndAnd | Bar | OrOr | Caret | Tilde)
        || matches!(kind, Lt | Le | Gt | Ge | EqEq | Ne | Shl | Shr | Run | Goto | Assert | Return | Inline)
}

/// Where each parenthesis of a text closes.
pub(crate) struct Parens {
    closes: HashMap<usize, usize>,
}

impl Parens {
    pub(crate) fn new(tokens: &[Token]) -> Self {
        let mut closes = HashMap::new();
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::LParen => open.push(at),
                Kind::RParen => closes.extend(open.pop().map(|start| (start, at))),
                // Parentheses do not reach beyond a statement.
                Kind::Semi | Kind::LBrace | Kind::RBrace | Kind::Sep => open.clear(),
                _ => {}
            }
        }
        Parens { closes }
    }

    /// The arguments in the parentheses that open at `open`, and where they close.
    pub(crate) fn arguments(&self, tokens: &[Token], open: usize) -> Option<(Vec<Range<usize>>, usize)> {
        let end = *self.closes.get(&open)?;
        let mut args = Vec::new();
        let mut depth = 0usize;
        let mut start = open + 1;
        for (at, token) in tokens.iter().enumerate().take(end).skip(open + 1) {
            match token.kind {
                Kind::LParen | Kind::LBracket => depth += 1,
                Kind::RParen | Kind::RBracket => depth = depth.saturating_sub(1),
                Kind::Comma if depth == 0 => {
                    args.push(start..at);
                    start = at + 1;
                }
                _ => {}
            }
        }
        if end > open + 1 {
            args.push(start..end);
        }
        Some((args, end))
    }
}

/// The body of `inline` with `args` for its parameters, as text of `ctx`.
fn substitute(inline: &Inline, args: &[&[Token]], ctx: Ctx, table: &mut Tokens) -> Vec<Token> {
    let mut contexts = HashMap::from([(Ctx::ROOT, ctx)]);
    let mut out = Vec::with_capacity(inline.body.len());
    for (i, &token) in inline.body.iter().enumerate() {
        let param = inline.params.iter().position(|&param| token.kind == Kind::Name && param == token.sym);
        let mut flags = token.flags.with(Flags::IN_INLINE);
        if i == 0 {
            flags = flags.without(Flags::NEWLINE);
        }
        match param {
            Some(param) => {
                let around = rebase(token.ctx, &mut contexts, table);
                let place = table.add_expansion(ExpansionKind::Param, token.sym, token.span, around);
                for (j, &arg) in args[param].iter().enumerate() {
                    let lead = if j == 0 && token.starts_line() { Flags::NEWLINE } else { Flags::default() };
                    let flags = arg.flags.without(Flags::NEWLINE).with(lead);
                    out.push(Token { flags, param: Some(place), ..arg });
                }
            }
            None => {
                let ctx = rebase(token.ctx, &mut contexts, table);
                out.push(Token { flags, ctx, ..token });
            }
        }
    }
    out
}

/// A copy of a context of the definition that belongs to the call.
fn rebase(ctx: Ctx, contexts: &mut HashMap<Ctx, Ctx>, table: &mut Tokens) -> Ctx {
    let mut chain = Vec::new();
    let mut known = ctx;
    while !contexts.contains_key(&known) {
        chain.push(known);
        known = table.expansion(known).map_or(Ctx::ROOT, |e| e.parent);
    }
    let mut parent = contexts[&known];
    for old in chain.into_iter().rev() {
        if let Some(expansion) = table.expansion(old).cloned() {
            parent = table.add_expansion(expansion.kind, expansion.name, expansion.call, parent);
        }
        contexts.insert(old, parent);
    }
    parent
}
