//! What is kept of the states that were visited.

use std::fmt;
use std::str::FromStr;

use stubborn_reduce::Purpose;
use stubborn_search::{COMPRESSIONS, Compression, Order};

use crate::config::Config;
use crate::named::{UnknownName, find};
use crate::strategy::Refused;

/// What is kept of the states that were visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreChoice {
    /// All of them.
    Exact(Compression),
    /// Some bits of each: many more can be visited, but some may be taken for others.
    Bitstate,
}

impl Default for StoreChoice {
    fn default() -> Self {
        StoreChoice::Exact(Compression::Auto)
    }
}

/// All there are.
pub fn stores() -> impl Iterator<Item = StoreChoice> {
    COMPRESSIONS.into_iter().map(StoreChoice::Exact).chain([StoreChoice::Bitstate])
}

impl StoreChoice {
    /// How states are kept where they have to be.
    pub(crate) fn compression(self) -> Compression {
        match self {
            StoreChoice::Exact(compression) => compression,
            StoreChoice::Bitstate => Compression::Auto,
        }
    }
}

impl fmt::Display for StoreChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreChoice::Exact(compression) => write!(f, "{compression}"),
            StoreChoice::Bitstate => f.write_str("bitstate"),
        }
    }
}

impl FromStr for StoreChoice {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find(stores(), text, "a way to keep states")
    }
}

impl Config {
    /// Why what is asked for does not go with the store, if so.
    pub(crate) fn refusal_of_store(&self) -> Option<Refused> {
        let why = match self {
            Config { store: StoreChoice::Exact(_), .. } => return None,
            Config { guide: Some(guide), .. } => format!("{guide} goes back to states that it has to keep"),
            Config { order: Some(Order::BreadthFirst), .. } => {
                "a breadth-first search finds its way through states that it has to keep; use --search dfs"
                    .to_owned()
            }
            Config { threads: 2.., .. } => "it is a search for one thread".to_owned(),
            _ => return None,
        };
        Some(Refused::new(format!("the store bitstate cannot be used: {why}")))
    }

    /// The same for a claim.
    pub(crate) fn refusal_of_store_for(&self, purpose: Purpose) -> Option<Refused> {
        let is_refused = self.store == StoreChoice::Bitstate && purpose == Purpose::Liveness;
        is_refused.then(|| {
            Refused::new(
                "the store bitstate cannot be used for this claim: a cycle is found among states that are kept"
                    .to_owned(),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        assert!(stores().all(|store| store.to_string().parse() == Ok(store)));
        assert_eq!(stores().count(), 5);
        assert!("bits".parse::<StoreChoice>().is_err());
    }
}
