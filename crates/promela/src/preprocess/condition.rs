//! The constant expressions of `#if` and `#elif` (C99 §6.10.1).
//!
//! Names that are no macros are 0, arithmetic is that of `intmax_t` and
//! `uintmax_t`, and operands that are not evaluated may divide by zero.

use stubborn_base::Span;

use super::define::is_predefined;
use super::{MAX_NESTING, Preprocessor};
use crate::builder::char_value;
use crate::table::Token;
use crate::token::Kind;

/// A value with C's signedness.
#[derive(Clone, Copy)]
struct Value {
    bits: i64,
    unsigned: bool,
}

impl Value {
    fn signed(bits: i64) -> Value {
        Value { bits, unsigned: false }
    }

    fn truth(truth: bool) -> Value {
        Value::signed(truth as i64)
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// Why an expression has no value: where, and what is wrong.
struct Fault(Span, String);

struct Evaluator<'a> {
    tokens: &'a [Token],
    at: usize,
    end: Span,
    depth: usize,
    text: &'a dyn Fn(Token) -> &'a str,
}

impl Preprocessor<'_> {
    /// Whether the condition of `directive` holds; false after an error.
    pub(super) fn evaluate(&mut self, directive: Span, operands: &[Token]) -> bool {
        let resolved = self.resolve_defined(operands);
        let tokens = self.expand_list(resolved);
        if tokens.is_empty() {
            self.error("bad-condition", directive, "`#if` needs a condition");
            return false;
        }
        let end = operands.last().map_or(directive, |t| t.span);
        let table = &self.table;
        let text = |token: Token| table.text(token);
        let mut evaluator = Evaluator { tokens: &tokens, at: 0, end, depth: 0, text: &text };
        let result = evaluator.conditional(true).and_then(|value| match evaluator.tokens.get(evaluator.at) {
            Some(extra) => Err(Fault(extra.span, "the condition should end here".to_owned())),
            None => Ok(value),
        });
        match result {
            Ok(value) => value.is_true(),
            Err(Fault(span, message)) => {
                self.error("bad-condition", span, message);
                false
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` by 1 or 0.
    fn resolve_defined(&mut self, operands: &[Token]) -> Vec<Token> {
        let defined = self.table.intern("defined");
        let (one, zero) = (self.table.intern("1"), self.table.intern("0"));
        let mut out = Vec::with_capacity(operands.len());
        let mut at = 0;
        while at < operands.len() {
            let token = operands[at];
            let kind = |i: usize| operands.get(at + i).map(|t| t.kind);
            let (name, len) = match (token.sym == defined, kind(1), kind(2), kind(3)) {
                (true, Some(Kind::Name), _, _) => (at + 1, 2),
                (true, Some(Kind::LParen), Some(Kind::Name), Some(Kind::RParen)) => (at + 2, 4),
                _ => {
                    out.push(token);
                    at += 1;
                    continue;
                }
            };
            self.mention(operands[name]);
            let sym = if self.is_defined(operands[name].sym) { one } else { zero };
            out.push(Token { kind: Kind::Number, sym, ..token });
            at += len;
        }
        out
    }
}

/// Binding strength of a binary operator, stronger is larger.
fn strength(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::Star | Kind::Slash | Kind::Percent => 10,
        Kind::Plus | Kind::Minus => 9,
        Kind::Shl | Kind::Shr => 8,
        Kind::Lt | Kind::Le | Kind::Gt | Kind::Ge => 7,
        Kind::EqEq | Kind::Ne => 6,
        Kind::Amp => 5,
        Kind::Caret => 4,
        Kind::Bar => 3,
        Kind::AndAnd => 2,
        Kind::OrOr => 1,
        _ => return None,
    })
}

impl Evaluator<'_> {
    fn kind(&self) -> Option<Kind> {
        self.tokens.get(self.at).map(|t| t.kind)
    }

    fn fault<T>(&self, message: &str) -> Result<T, Fault> {
        Err(Fault(self.tokens.get(self.at).map_or(self.end, |t| t.span), message.to_owned()))
    }

    fn expect(&mut self, kind: Kind, message: &str) -> Result<(), Fault> {
        if self.kind() != Some(kind) {
            return self.fault(message);
        }
        self.at += 1;
        Ok(())
    }

    /// `live` is false where C does not evaluate.
    fn conditional(&mut self, live: bool) -> Result<Value, Fault> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return self.fault("the condition is nested too deeply");
        }
        let condition = self.binary(1, live)?;
        let value = if self.kind() == Some(Kind::Query) {
            self.at += 1;
            let yes = self.conditional(live && condition.is_true())?;
            self.expect(Kind::Colon, "expected `:` of `?:`")?;
            let no = self.conditional(live && !condition.is_true())?;
            Value { unsigned: yes.unsigned || no.unsigned, ..if condition.is_true() { yes } else { no } }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, weakest: u8, live: bool) -> Result<Value, Fault> {
        let mut left = self.unary(live)?;
        while let Some(operator) = self.kind()
            && let Some(strength) = strength(operator)
            && strength >= weakest
        {
            self.at += 1;
            let needed = match operator {
                Kind::AndAnd => left.is_true(),
                Kind::OrOr => !left.is_true(),
                _ => true,
            };
            let right = self.binary(strength + 1, live && needed)?;
            left = match operator {
                Kind::AndAnd => Value::truth(left.is_true() && right.is_true()),
                Kind::OrOr => Value::truth(left.is_true() || right.is_true()),
                _ => match apply(operator, left, right) {
                    Some(value) => value,
                    None if live => return self.fault("the condition divides by zero"),
                    None => Value::signed(0),
                },
            };
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Result<Value, Fault> {
        let mut prefix = Vec::new();
        while let Some(
            kind @ (Kind::Bang | Kind::BangBang | Kind::Minus | Kind::Plus | Kind::Tilde | Kind::Decr),
        ) = self.kind()
        {
            prefix.push(kind);
            self.at += 1;
        }
        let mut value = self.primary(live)?;
        for kind in prefix.into_iter().rev() {
            value = match kind {
                Kind::Bang => Value::truth(!value.is_true()),
                Kind::BangBang => Value::truth(value.is_true()),
                Kind::Minus => Value { bits: value.bits.wrapping_neg(), ..value },
                Kind::Tilde => Value { bits: !value.bits, ..value },
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self, live: bool) -> Result<Value, Fault> {
        let Some(&token) = self.tokens.get(self.at) else {
            return self.fault("the condition ends too early");
        };
        let text = (self.text)(token);
        let value = match token.kind {
            Kind::LParen => {
                self.at += 1;
                let value = self.conditional(live)?;
                self.expect(Kind::RParen, "expected `)`")?;
                return Ok(value);
            }
            Kind::Number => match number(text) {
                Some(value) => value,
                None => return self.fault("this is not an integer"),
            },
            Kind::Char => Value::signed(char_value(text).into()),
            Kind::Name => Value::truth(is_predefined(text)),
            _ => return self.fault("expected a number or a name"),
        };
        self.at += 1;
        Ok(value)
    }
}

/// A C integer constant.
fn number(text: &str) -> Option<Value> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let (digits, radix) = if let Some(hex) = digits.strip_prefix("0x") {
        (hex, 16)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        (binary, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (&digits[1..], 8)
    } else {
        (digits, 10)
    };
    let bits = u64::from_str_radix(digits, radix).ok()?;
    Some(Value { bits: bits as i64, unsigned: suffix.contains('u') || bits > i64::MAX as u64 })
}

/// None for a division by zero.
fn apply(operator: Kind, left: Value, right: Value) -> Option<Value> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (ua, ub) = (a as u64, b as u64);
    let less = if unsigned { ua < ub } else { a < b };
    let arithmetic = |bits: i64| Value { bits, unsigned };
    Some(match operator {
        Kind::Star => arithmetic(a.wrapping_mul(b)),
        Kind::Slash if unsigned => arithmetic(ua.checked_div(ub)? as i64),
        Kind::Slash if b == 0 => return None,
        Kind::Slash => arithmetic(a.wrapping_div(b)),
        Kind::Percent if unsigned => arithmetic(ua.checked_rem(ub)? as i64),
        Kind::Percent if b == 0 => return None,
        Kind::Percent => arithmetic(a.wrapping_rem(b)),
        Kind::Plus => arithmetic(a.wrapping_add(b)),
        Kind::Minus => arithmetic(a.wrapping_sub(b)),
        Kind::Shl => Value { bits: a.wrapping_shl(b as u32), ..left },
        Kind::Shr if left.unsigned => Value { bits: ua.wrapping_shr(b as u32) as i64, ..left },
        Kind::Shr => Value { bits: a.wrapping_shr(b as u32), ..left },
        Kind::Lt => Value::truth(less),
        Kind::Ge => Value::truth(!less),
        Kind::Gt => Value::truth(!less && a != b),
        Kind::Le => Value::truth(less || a == b),
        Kind::EqEq => Value::truth(a == b),
        Kind::Ne => Value::truth(a != b),
        Kind::Amp => arithmetic(a & b),
        Kind::Caret => arithmetic(a ^ b),
        Kind::Bar => arithmetic(a | b),
        _ => return None,
    })
}
