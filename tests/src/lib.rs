//! What the suites share: the oracle, the generator of random models, and the binary under test.

pub mod binary;
pub mod campaign;
pub mod compare;
pub mod corpus;
pub mod environment;
pub mod exceptions;
pub mod follow;
pub mod front_end;
pub mod generate;
pub mod graph;
pub mod hanoi;
pub mod lasso;
pub mod mutate;
pub mod pan;
pub mod reductions;
pub mod runs;
pub mod say;
pub mod scramble;
pub mod shallowest;
pub mod shortest;
pub mod spin;
pub mod table;
pub mod verdicts;
pub mod workspace;
