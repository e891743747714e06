//! The Promela front-end.
//!
//! Text becomes tokens ([`preprocess`], [`convert`]), tokens are split into
//! items ([`items`]), inlines are expanded in each ([`expand`]), brackets and
//! separators put right ([`balance`], [`repair`]), and the grammar makes a tree
//! of it ([`recover`]). [`parser`] runs these passes. Every token knows where
//! it was written and through which macros and inlines it came ([`table`]).

pub mod ast;
pub mod table;
pub mod token;

mod balance;
mod builder;
mod convert;
#[cfg(test)]
mod corpus;
mod expand;
mod expect;
mod expression;
mod fixes;
mod format;
mod items;
mod keywords;
mod lexemes;
mod load;
mod lower;
mod outline;
mod parser;
mod preprocess;
mod recover;
mod repair;
mod report;
mod visit;

pub use expression::expression;
pub use format::format;
pub use keywords::KEYWORDS;
pub use load::{load, load_with_outline};
pub use parser::{Parsed, parse};
pub use preprocess::{Include, MacroCall, MacroDef, MacroUse};
pub use stubborn_base::Loader;
pub use stubborn_ir::Loaded;
