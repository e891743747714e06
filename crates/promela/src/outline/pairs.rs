//! Which brackets belong together, in a text where some may be missing.

use crate::table::Token;
use crate::token::Kind;

/// Partners of parentheses, square brackets and braces.
pub(super) struct Pairs {
    partners: Vec<usize>,
}

const NONE: usize = usize::MAX;

impl Pairs {
    /// Of each of the ranges by itself.
    pub(super) fn new(tokens: &[Token], ranges: &[std::ops::Range<usize>]) -> Self {
        let mut pairs = Pairs { partners: vec![NONE; tokens.len()] };
        for range in ranges {
            pairs.range(tokens, range.clone());
        }
        pairs
    }

    /// Where the bracket at `at` closes, or opens.
    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        self.partners.get(at).copied().filter(|&p| p != NONE)
    }

    fn range(&mut self, tokens: &[Token], range: std::ops::Range<usize>) {
        // Braces that are open, and the parentheses and brackets inside the innermost.
        let mut braces: Vec<usize> = Vec::new();
        let mut inner: Vec<usize> = Vec::new();
        for at in range {
            match tokens[at].kind {
                Kind::LParen | Kind::LBracket => inner.push(at),
                close @ (Kind::RParen | Kind::RBracket) => {
                    let open = if close == Kind::RParen { Kind::LParen } else { Kind::LBracket };
                    // One of the other kind that is still open was forgotten.
                    while let Some(last) = inner.pop() {
                        if tokens[last].kind == open {
                            self.join(last, at);
                            break;
                        }
                    }
                }
                Kind::LBrace => {
                    inner.clear();
                    braces.push(at);
                }
                Kind::RBrace => {
                    inner.clear();
                    if let Some(open) = braces.pop() {
                        self.join(open, at);
                    }
                }
                Kind::Semi if !braces.is_empty() => inner.clear(),
                Kind::Sep | Kind::If | Kind::Fi | Kind::Do | Kind::Od => inner.clear(),
                _ => {}
            }
        }
    }

    fn join(&mut self, open: usize, close: usize) {
        self.partners[open] = close;
        self.partners[close] = open;
    }
}
