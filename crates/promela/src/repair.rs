//! What SPIN's lexer does to tokens before its parser sees them.
//!
//! Follows `lex` and `yylex` of SPIN 6.5.2: names are classified by what has
//! been declared before them; the end of a line ends a statement if the line
//! ends in something that can end one and no parenthesis is open; `}` and
//! `else` need no separator after them; separators before `}` and repeated
//! ones are dropped. More is dropped than SPIN drops (it trips over `;;;;}`).

use hashbrown::HashSet;

use smol_str::SmolStr;

use crate::table::{Flags, Sym, Token, Tokens};
use crate::token::{Kind, temporal_word};

/// Names that have been declared as something other than a variable.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) types: HashSet<Sym>,
    pub(crate) proctypes: HashSet<Sym>,
    /// Constants of `mtype`s; they stay names, but count as numbers.
    pub(crate) mtypes: HashSet<SmolStr>,
}

/// Gives names their kinds: types, proctypes, and the words of formulas and of `for`.
pub(crate) fn classify(tokens: &mut Vec<Token>, names: &Names, table: &Tokens) {
    if tokens.first().is_some_and(|t| t.kind == Kind::Ltl) {
        temporal(tokens, table);
    }
    // Parentheses open since the head of a `for` began; zero outside of one.
    let mut head = 0usize;
    for at in 0..tokens.len() {
        let before = at.checked_sub(1).map(|i| tokens[i].kind);
        let token = tokens[at];
        match token.kind {
            Kind::LParen if head > 0 || before == Some(Kind::For) => head += 1,
            Kind::RParen => head = head.saturating_sub(1),
            Kind::Name if head > 0 && table.text(token) == "in" => tokens[at].kind = Kind::In,
            Kind::Name => {
                use Kind::{At, DProctype, Dot, Goto, Ltl, Never, Proctype, Typedef};
                let own =
                    matches!(before, Some(Dot | Goto | At | Proctype | DProctype | Typedef | Ltl | Never));
                if !own && names.types.contains(&token.sym) {
                    tokens[at].kind = Kind::TypeName;
                } else if !own && names.proctypes.contains(&token.sym) {
                    tokens[at].kind = Kind::ProcName;
                }
            }
            _ => {}
        }
    }
}

/// Reads the operators of a formula.
fn temporal(tokens: &mut Vec<Token>, table: &Tokens) {
    let Some(body) = tokens.iter().position(|t| t.kind == Kind::LBrace) else { return };
    let mut out: Vec<Token> = tokens[..body].to_vec();
    for &token in &tokens[body..] {
        let adjacent = out
            .last()
            .filter(|last| last.ctx == token.ctx && last.span.file == token.span.file)
            .filter(|last| last.span.end == token.span.start)
            .map(|last| last.kind);
        let joined = match (adjacent, token.kind) {
            (Some(Kind::LBracket), Kind::RBracket) => Some(Kind::Always),
            (Some(Kind::Lt), Kind::Gt) => Some(Kind::Eventually),
            (Some(Kind::Lt), Kind::Arrow) => Some(Kind::Equivalent),
            _ => None,
        };
        match (joined, out.last_mut()) {
            (Some(kind), Some(last)) => {
                last.kind = kind;
                last.span = last.span.join(token.span);
                last.sym = Sym::NONE;
            }
            _ => {
                let kind = match token.kind {
                    Kind::Arrow => Kind::Implies,
                    Kind::Name => temporal_word(table.text(token)).unwrap_or(Kind::Name),
                    kind => kind,
                };
                out.push(Token { kind, ..token });
            }
        }
    }
    *tokens = out;
}

/// Inserts and drops separators.
pub(crate) fn separate(tokens: &[Token]) -> Vec<Token> {
    use Kind::*;
    let has_sequence = tokens.first().is_some_and(|t| t.kind.begins_item() && t.kind != Ltl);
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + tokens.len() / 8);
    let (mut braces, mut parens) = (0usize, 0usize);
    for &token in tokens {
        let kind = token.kind;
        if let Some(&last) = out.last() {
            let line_ends = token.starts_line()
                && has_sequence
                && braces > 0
                && parens == 0
                && ends_line(last)
                && !(last.kind == RBrace && kind == Unless);
            let else_ends = last.kind == Else && !matches!(kind, Semi | Arrow | Fi);
            let brace_ends = last.kind == RBrace
                && !matches!(kind, Proctype | Init | Never | Sep | Fi | Od | RBrace | Unless | Semi | Arrow)
                && !matches!(kind, Comma | RParen | RBracket);
            if (line_ends || else_ends || brace_ends) && kind != RBrace {
                out.push(last.implied(Semi));
            }
        }
        match kind {
            LBrace => braces += 1,
            RBrace => {
                braces = braces.saturating_sub(1);
                while out.last().is_some_and(|t| t.kind.is_separator()) {
                    out.pop();
                }
            }
            LParen | LBracket => parens += 1,
            RParen | RBracket => parens = parens.saturating_sub(1),
            Semi | Arrow if parens == 0 => {
                while out.last().is_some_and(|t| t.kind.is_separator()) {
                    out.pop();
                }
            }
            _ => {}
        }
        out.push(token);
    }
    out
}

/// Whether the end of a line after this token ends a statement.
pub(crate) fn ends_line(token: Token) -> bool {
    use Kind::*;
    match token.kind {
        RBrace | RParen | RBracket | Od | Fi | Else | Break | CCode | CExpr | Name | Const | Incr | Decr
        | Error => true,
        // SPIN reads it as `(timeout)`, but not in inlines.
        Timeout => !token.flags.has(Flags::IN_INLINE),
        _ => false,
    }
}
