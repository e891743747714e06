//! Layout of a text.

/// The text laid out as is usual, with all its comments; none if it has errors that stand in the way.
pub fn format(_text: &str) -> Option<String> {
    None
}
