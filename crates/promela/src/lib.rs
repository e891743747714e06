//! stub
pub mod ast;
pub mod table;
pub mod token;

mod balance;
mod builder;
mod convert;
mod expand;
mod expect;
mod items;
mod parser;
mod preprocess;
mod recover;
mod repair;
mod report;
#[cfg(test)]
mod tests;

pub use parser::{Loader, Parsed, parse};
pub use preprocess::{Include, MacroDef};
