//! What an editor wants to know of a text.
//!
//! Names are found in the tree ([`symbols`], [`mentions`]), which also a text with errors has: only the piece that is
//! wrong is missing. What is a matter of layout is read off the tokens ([`words`], [`blocks`], [`comments`]).
//!
//! Invariant: any text has an outline, and it takes time in proportion to the text.

mod blocks;
mod comments;
mod mentions;
mod symbols;
mod words;

#[cfg(test)]
mod tests;

use stubborn_base::outline::Outline;
use stubborn_base::{FileId, Sources};

use crate::parser::Parsed;
use crate::token::lexemes;

/// Of a text that was parsed, errors and all.
pub(crate) fn outline(parsed: &Parsed, sources: &Sources) -> Outline {
    let file = FileId(0);
    let text = sources.file(file).text();
    let lexemes = lexemes(text);
    let mut found = symbols::symbols(&parsed.program, sources);
    let mentions = mentions::mentions(&parsed.program, &found);
    comments::attach(&mut found.symbols, text, &lexemes);
    let words = words::words(&mentions, file, &lexemes);
    let folds = blocks::folds(file, text, &lexemes);
    let nodes = blocks::nodes(&parsed.program, file, text, &lexemes);
    Outline { symbols: found.symbols, mentions, words, folds, nodes, ..Outline::default() }
}
