//! Words of the language, to be offered where one types.

use stubborn_base::outline::Keyword;

/// All of them, in alphabetical order.
pub const KEYWORDS: &[Keyword] = &[];
