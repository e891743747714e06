//! The Helena front-end.

pub mod ast;
pub mod lexer;
pub mod token;

mod builder;
mod check;
mod code;
mod eval;
mod expect;
mod items;
mod names;
mod net;
mod parser;
mod read;
mod recover;
mod run;
mod types;

pub use code::Term;
pub use parser::{Parsed, parse};
pub use read::{Read, read};

#[cfg(test)]
mod corpus;
