//! The Helena front-end.
//!
//! Text becomes tokens ([`lexer`]), tokens are split into definitions ([`items`]), and the grammar makes a tree of each
//! ([`recover`]); [`parser`] runs these passes. [`check`] finds what names and types mean: expressions become [`node`]s,
//! which [`eval`] evaluates and [`run`] runs functions of. [`net`] makes a high-level net of that, and [`property`]
//! writes propositions over the tokens that grounding finds. [`read()`] goes as far as the net, [`load()`] as far as the
//! model.
//!
//! Reference: the documentation of Helena (`doc/language.tex`, `doc/syntaxdef.tex`), and where that leaves something
//! open, the code that Helena generates.

pub mod ast;
pub mod lexer;
pub mod token;

mod builder;
mod check;
mod code;
mod eval;
mod expect;
mod expression;
mod format;
mod items;
mod keywords;
mod load;
mod net;
mod node;
mod ops;
mod outline;
mod parser;
mod priority;
mod property;
mod read;
mod recover;
mod run;
mod types;

pub use code::Term;
pub use expression::expression;
pub use format::format;
pub use keywords::KEYWORDS;
pub use load::{load, load_with_outline};
pub use parser::{Parsed, parse};
pub use property::{Marking, Properties, StateCondition, StateProperty};
pub use read::{Read, net_of, read};

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod tests;
