//! How much a suite does, as the environment says.

use std::str::FromStr;

/// The value of a variable, if it is set and can be read.
pub fn variable<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}
