//! The benchmarks, in the manner of rebar: what is measured is data, a wrong answer is never timed, and all programs take
//! turns in one run.

pub mod definition;
pub mod facts;
pub mod plot;
pub mod programs;
pub mod record;
