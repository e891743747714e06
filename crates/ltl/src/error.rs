//! Why a question about a formula may stay without an answer.

use std::fmt;

/// Why there is no automaton, or no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// It was called off.
    Cancelled,
    /// A letter has one bit for each proposition.
    TooManyPropositions,
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// The automaton, or the work to make it, is larger than the limit.
    TooLarge,
}

/// A letter is a word of this many bits.
pub const MAX_PROPOSITIONS: usize = 64;

/// Formulas that are nested deeper are refused, lest a stack overflows.
pub const MAX_DEPTH: usize = 500;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Cancelled => write!(f, "the translation of the formula was called off"),
            Error::TooManyPropositions => write!(
                f,
                "the formula has more than {MAX_PROPOSITIONS} different propositions; \
                 join some into one, or check its parts one by one"
            ),
            Error::TooDeep => {
                write!(f, "the formula is nested deeper than {MAX_DEPTH} levels; check its parts one by one")
            }
            Error::TooLarge => {
                write!(f, "the automaton of the formula is too large; check its parts one by one")
            }
        }
    }
}

impl std::error::Error for Error {}
