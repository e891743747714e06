//! The DVE front-end: the language of DiVinE, as the BEEM benchmark uses it.
//!
//! Text becomes tokens ([`token`]), tokens are cut into pieces ([`pieces`]), and the grammar makes a tree of each
//! ([`parser`], [`processes`]). The tree gets names, types and a meaning ([`lower`]). Where DiVinE's tools differ, the
//! semantics is that of its explicit-state generator, which BEEM's numbers come from; see [`lower`].

mod ast;
mod builder;
#[cfg(test)]
mod corpus;
mod expect;
mod expression;
mod format;
mod keywords;
mod load;
mod lower;
mod outline;
mod parser;
mod pieces;
mod processes;
mod suggest;
#[cfg(test)]
mod tests;
mod token;

pub use expression::expression;
pub use format::format;
pub use keywords::KEYWORDS;
pub use load::{load, load_with_outline};
pub use stubborn_base::Loader;
