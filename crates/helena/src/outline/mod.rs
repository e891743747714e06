//! What an editor wants to know of a net and its properties, also if they have errors.
//!
//! Places are variables, transitions are processes, functions are inlines; what a firing or an iterator binds is a
//! parameter, which need not be used. Names are looked up as the checker does
//! ([`crate::check`]), but wherever they are defined, so that a definition in the wrong place can be gone to.

mod comments;
mod declare;
mod draft;
mod exprs;
mod items;
mod words;

#[cfg(test)]
mod tests;

use stubborn_base::Sources;
use stubborn_base::outline::Outline;

use crate::parser::Parsed;
use draft::Draft;

/// The outline of files that belong together.
pub(crate) fn outline(parsed: &[Parsed], sources: &Sources) -> Outline {
    let mut draft = Draft::new(sources);
    for file in parsed {
        draft.declare(&file.program);
    }
    for file in parsed {
        draft.items(&file.program);
    }
    let mut outline = draft.finish();
    comments::attach(&mut outline.symbols, sources, parsed);
    words::collect(&mut outline, sources, parsed);
    outline
}
