//! The PNML front-end.
//!
//! Text becomes a tree ([`xml`]), the tree a net: its nodes and arcs ([`skeleton`]), its sorts, constants and variables
//! ([`declarations`]), and the terms of its labels ([`terms`], [`multisets`], [`inscriptions`]), all put together in
//! [`build`]. The properties of the Model Checking Contest are read from the files beside the net ([`properties`]) and
//! stated in terms of a lowered one ([`claims`]). [`load`] does all of it, down to the model.
//!
//! Reference: ISO/IEC 15909-2 (place/transition nets and symmetric nets), as the contest uses it.

pub mod bag;
pub mod claims;
pub mod formula;
pub mod term;

mod build;
#[cfg(test)]
mod corpus;
mod declarations;
mod expression;
mod format;
mod inscriptions;
mod keywords;
mod load;
mod multisets;
mod outline;
mod properties;
mod read;
mod report;
mod skeleton;
mod sort;
mod terms;
#[cfg(test)]
mod tests;
mod xml;

pub use claims::{Atoms, Invariant, Properties, Reachability, claims};
pub use expression::expression;
pub use format::format;
pub use formula::{Formula, Number, Property, StateFormula, Statement};
pub use keywords::KEYWORDS;
pub use load::{load, load_with_outline};
pub use read::{PROPERTY_FILES, Read, read};
pub use stubborn_base::Loader;
pub use term::Term;
