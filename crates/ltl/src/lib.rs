//! Linear temporal logic: formulas, their text, their meaning on lasso words, and their automata. Knows no
//! models: a proposition is a number.
//!
//! Reading order: [`Formula`], [`parse`] and [`evaluate`] are independent of the rest; [`Language`] is the
//! translation, and [`translate`], [`classify`], [`is_stutter_invariant`] and [`bad_prefixes`] are what can
//! be asked of it; [`hoa`], [`never_claim`] and [`dot`] write automata down. The modules are listed in these
//! groups: the logic, how automata are made, what is asked of them, how they are written.

mod display;
mod error;
mod evaluate;
mod formula;
mod letter;
mod lexer;
mod parse;

mod acceptance;
mod automaton;
mod bdd;
mod budget;
mod degeneralize;
mod deterministic;
mod graph;
mod implication;
mod letters;
mod merge;
mod nnf;
mod obligation;
mod product;
mod simplify;
mod simulation;
mod smallest;
mod tableau;

mod bad_prefixes;
mod buchi;
mod classify;
mod language;
mod profiles;
mod stutter;
mod translate;

mod dot;
mod guard_text;
mod hoa;
mod never_claim;

pub use bad_prefixes::{Dfa, DfaState, bad_prefixes};
pub use buchi::{Buchi, Edge, State};
pub use classify::{Class, Trivial, classify};
pub use dot::dot;
pub use error::{Error, MAX_DEPTH, MAX_PROPOSITIONS};
pub use evaluate::evaluate;
pub use formula::{Formula, Proposition};
pub use hoa::hoa;
pub use language::Language;
pub use letter::{Cube, Guard, Letter};
pub use never_claim::never_claim;
pub use parse::{ParseError, Parsed, parse};
pub use profiles::{MAX_TABLE_STATES, Table};
pub use stutter::{Lasso, StutterInvariance, Witness, is_stutter_invariant};
pub use translate::translate;
