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
mod parser;
mod recover;
mod run;
mod types;

pub use parser::{Parsed, parse};
