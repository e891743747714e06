//! The Helena front-end.

pub mod ast;
pub mod lexer;
pub mod token;

mod builder;
mod check;
mod code;
mod eval;
mod expect;
mod format;
mod items;
mod keywords;
mod load;
mod names;
mod net;
mod node;
mod ops;
mod outline;
mod parser;
mod property;
mod read;
mod recover;
mod run;
mod types;

pub use code::Term;
pub use format::format;
pub use keywords::KEYWORDS;
pub use load::{Loaded, load, load_with_outline};
pub use parser::{Parsed, parse};
pub use property::{Marking, Properties, StateCondition, StateProperty};
pub use read::{Read, read};

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod tests;
