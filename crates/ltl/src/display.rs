//! Formulas in SPIN's syntax. Every operand that is not a name or a constant is put in parentheses
//! unless it is a unary operator's operand, so the text means the same under any precedence.

use std::fmt::{self, Display};

use stubborn_base::Idx;

use crate::guard_text::is_name;
use crate::lexer::{Token, tokens};
use crate::{Formula, Proposition};

impl Formula {
    /// The formula in SPIN's syntax, its propositions named by `name`.
    pub fn display<'a, N: Fn(Proposition) -> String>(&'a self, name: &'a N) -> impl Display + use<'a, N> {
        Shown { formula: self, name }
    }

    /// The formula as [`parse`](crate::parse) reads it, given the propositions' texts: names as they are,
    /// expressions in double quotes.
    pub fn to_text<S: AsRef<str>>(&self, propositions: &[S]) -> String {
        let name = |proposition: Proposition| {
            let text = propositions[proposition.index()].as_ref();
            if is_word(text) { text.to_owned() } else { format!("\"{text}\"") }
        };
        self.display(&name).to_string()
    }
}

/// Whether a text is read as the name it is: `eventually` is an operator, and `X` begins one.
fn is_word(text: &str) -> bool {
    let tokens = tokens(text, &mut Vec::new());
    is_name(text) && matches!(&*tokens, [(Token::Proposition(name), _)] if *name == *text)
}

struct Shown<'a, N> {
    formula: &'a Formula,
    name: &'a N,
}

impl<N: Fn(Proposition) -> String> Display for Shown<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(self.formula, f)
    }
}

impl<N: Fn(Proposition) -> String> Shown<'_, N> {
    fn write(&self, formula: &Formula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match formula {
            Formula::True => f.write_str("true"),
            Formula::False => f.write_str("false"),
            Formula::Atom(proposition) => f.write_str(&(self.name)(*proposition)),
            Formula::Not(operand) => self.unary("!", operand, f),
            Formula::Next(operand) => self.unary("X ", operand, f),
            Formula::Always(operand) => self.unary("[]", operand, f),
            Formula::Eventually(operand) => self.unary("<>", operand, f),
            Formula::And(left, right) => self.binary(left, "&&", right, f),
            Formula::Or(left, right) => self.binary(left, "||", right, f),
            Formula::Implies(left, right) => self.binary(left, "->", right, f),
            Formula::Equivalent(left, right) => self.binary(left, "<->", right, f),
            Formula::Until(left, right) => self.binary(left, "U", right, f),
            Formula::WeakUntil(left, right) => self.binary(left, "W", right, f),
            Formula::Release(left, right) => self.binary(left, "V", right, f),
        }
    }

    fn unary(&self, operator: &str, operand: &Formula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(operator)?;
        self.operand(operand, f)
    }

    fn binary(
        &self,
        left: &Formula,
        operator: &str,
        right: &Formula,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        self.operand(left, f)?;
        write!(f, " {operator} ")?;
        self.operand(right, f)
    }

    fn operand(&self, formula: &Formula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if formula.operands().count() == 2 {
            f.write_str("(")?;
            self.write(formula, f)?;
            f.write_str(")")
        } else {
            self.write(formula, f)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_where_they_matter() {
        let p = Formula::atom;
        let name = |proposition: Proposition| format!("p{}", proposition.0);
        let formula = p(0).implies(p(1).negated().until(p(2)).eventually()).always();
        assert_eq!(formula.display(&name).to_string(), "[](p0 -> <>(!p1 U p2))");
        assert_eq!(p(0).until(p(1)).to_text(&["p", "x > 3"]), "p U \"x > 3\"");
        assert_eq!(p(0).release(p(1)).next().negated().display(&name).to_string(), "!X (p0 V p1)");
    }

    /// What an expression is called may be what an operator is called.
    #[test]
    fn what_is_no_name_stays_in_quotes() {
        for text in ["\"eventually\"", "\"2\"", "\"true\"", "\"Xy\"", "x1"] {
            let read = crate::parse(text);
            assert_eq!(read.formula.to_text(&read.propositions), text);
        }
    }
}
