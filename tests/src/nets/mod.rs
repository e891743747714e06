//! High-level nets in tests: an explorer that follows the definitions, and nets by chance.

pub mod naive;
pub mod propositions;
pub mod random;
pub mod reachability;
pub mod sizes;
pub mod term;
pub mod views;
