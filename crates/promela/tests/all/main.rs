//! All tests of the crate from outside, in one program.

mod corpus;
mod fixes;
mod meaning;
mod syntax;
