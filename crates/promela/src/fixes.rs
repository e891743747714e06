//! Changes of the text that mend what a diagnostic is about.

use stubborn_base::{Edit, Span};

use crate::table::{Ctx, Flags, Token};

/// Puts a text before a place.
pub(crate) fn insert_before(span: Span, text: impl Into<String>) -> Vec<Edit> {
    replace(Span { end: span.start, ..span }, text)
}

/// Puts a text after a place.
pub(crate) fn insert_after(span: Span, text: impl Into<String>) -> Vec<Edit> {
    replace(Span { start: span.end, ..span }, text)
}

pub(crate) fn replace(span: Span, text: impl Into<String>) -> Vec<Edit> {
    vec![Edit { span, text: text.into() }]
}

/// Whether a token stands in a file as it is, rather than in the body of a macro or nowhere.
pub(crate) fn is_written(token: Token) -> bool {
    token.ctx == Ctx::ROOT && !token.flags.has(Flags::IMPLIED)
}
