//! What an editor wants to know of a text.
//!
//! Names are found by a walk over the tokens that are left after preprocessing, each at the place where it is
//! written ([`walk`], [`names`], [`declare`], [`heads`]); the tree is not asked for them, since a text that is being
//! typed has none worth the name. Scopes are SPIN's: braces open one, a name is known from its declaration on,
//! formulas are read last, and an inline's body is read again where it is called. Macros are known from the
//! preprocessor and from the lines that define them ([`macros`]). What is a matter of layout is read off the files
//! ([`words`], [`folds`], [`nodes`], [`comments`]).
//!
//! Invariant: any text has an outline, and it takes time in proportion to the text after preprocessing.

mod calls;
mod comments;
mod declare;
mod draft;
mod folds;
mod heads;
mod macros;
mod names;
mod nodes;
mod pairs;
mod roles;
mod scopes;
mod symbols;
mod walk;
mod words;

#[cfg(test)]
mod tests;

use stubborn_base::outline::{Link, Outline};
use stubborn_base::{Sources, Span};

use crate::lexemes::{Lexeme, lexemes};
use crate::parser::Parsed;
use walk::Walk;

/// Of a text that was parsed, errors and all.
pub(crate) fn outline(parsed: &Parsed, sources: &Sources) -> Outline {
    let files: Vec<Vec<Lexeme>> = sources.iter().map(|(_, file)| lexemes(file.text())).collect();
    let mut walk = Walk::new(parsed, sources);
    macros::declare(&mut walk, &files);
    walk.run();
    macros::mention(&mut walk, &files);
    let special = std::mem::take(&mut walk.special);
    let mut outline = walk.draft.finish(sources);
    comments::attach(&mut outline.symbols, sources, &files);
    outline.words = words::words(&outline.mentions, special, sources, &files);
    outline.folds = folds::folds(sources, &files);
    outline.nodes = nodes::nodes(&parsed.program, sources, &files);
    outline.links = links(parsed, sources);
    outline
}

fn links(parsed: &Parsed, sources: &Sources) -> Vec<Link> {
    let link = |include: &crate::Include| {
        let text = sources.text(include.span);
        let quoted = text.starts_with(['"', '<']) && text.len() > 2 && text.ends_with(['"', '>']);
        // A name that comes from a macro is a link as a whole.
        let inset = u32::from(quoted);
        let span = Span { start: include.span.start + inset, end: include.span.end - inset, ..include.span };
        Link { span, path: include.file.map(|file| sources.file(file).path().to_owned()) }
    };
    parsed.includes.iter().map(link).collect()
}
