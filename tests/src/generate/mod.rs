//! Random Promela models, small, finite and well-formed, for comparison with SPIN.
//!
//! A seed and a set of features name one model. Whatever the generator writes must be accepted by SPIN and must not run
//! into errors other than failed assertions and invalid end states, since `pan`'s behaviour after those is undefined:
//! indices are constants or taken modulo the length, divisors are positive, channels are initialised, a `d_step` blocks
//! at its first statement only, loops inside `atomic` and `d_step` count to a bound, and processes are created by
//! processes of lower rank only, so that creation ends.

mod channel;
mod expression;
mod features;
mod model;
mod names;
mod random;
mod shrink;
mod statement;
mod tree;

pub use features::{Feature, Features};
pub use model::generate;
pub use random::Random;
pub use shrink::{Budget, shrink};
pub use tree::{Node, Sort};
