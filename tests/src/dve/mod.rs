//! DVE in tests: systems by chance.

pub mod random;
