//! What the suites share: the oracle, the generator of random models, and the binary under test.

pub mod binary;
pub mod compare;
pub mod corpus;
pub mod exceptions;
pub mod front_end;
pub mod generate;
pub mod mutate;
pub mod say;
pub mod spin;
pub mod table;
pub mod workspace;
