//! What finds and takes the steps of a search.

use std::fmt;
use std::str::FromStr;

use stubborn_ir::Tier;

use crate::named::{UnknownName, find};

/// What finds and takes the steps of a search. The result is the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineChoice {
    /// The interpreter at first, machine code once a search has gone on for long enough to pay.
    #[default]
    Auto,
    /// Machine code from the start, wherever there is any.
    Native,
    /// The interpreter alone.
    Interpreter,
}

/// All of them.
pub const ENGINES: [EngineChoice; 3] = [EngineChoice::Auto, EngineChoice::Native, EngineChoice::Interpreter];

impl EngineChoice {
    /// When machine code is made.
    pub(crate) fn tier(self) -> Option<Tier> {
        match self {
            EngineChoice::Auto => Some(stubborn_native::WHEN_IT_PAYS),
            EngineChoice::Native => Some(stubborn_native::AT_ONCE),
            EngineChoice::Interpreter => None,
        }
    }
}

impl fmt::Display for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EngineChoice::Auto => "auto",
            EngineChoice::Native => "native",
            EngineChoice::Interpreter => "interpreter",
        })
    }
}

impl FromStr for EngineChoice {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        find(ENGINES, text, "an engine")
    }
}
