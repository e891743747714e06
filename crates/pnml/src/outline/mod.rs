//! What an editor wants to know of a net and of its properties.
//!
//! Made from the XML alone, so that it is there also for a net that makes no sense. Symbols are called by their ids,
//! since that is what the text mentions them by. Reference: ISO/IEC 15909-2 and the contest's property grammar.
//! Invariant: what [`Outline`] asks for: lists are sorted by place, words do not overlap.

mod symbols;
mod words;

use stubborn_base::Span;
use stubborn_base::outline::{Fold, FoldKind, Outline};

use crate::read::Files;
use crate::xml::Document;

/// The outline of a net and of the files beside it.
pub(crate) fn outline(files: &Files) -> Outline {
    let mut outline = Outline::default();
    symbols::collect(files, &mut outline);
    for document in files.documents() {
        let text = files.sources.file(document.file).text();
        words::collect(document, &mut outline);
        fold(document, text, &mut outline);
    }
    outline.words.sort_by_key(|word| word.span);
    outline.folds.sort_by_key(|fold| fold.span);
    outline.nodes.sort_by_key(|span| (span.file, span.start, std::cmp::Reverse(span.end)));
    outline.nodes.dedup();
    outline
}

/// Elements and comments of several lines fold; every element, value and label can be selected.
fn fold(document: &Document, text: &str, outline: &mut Outline) {
    let is_long = |span: &Span| text.get(span.range()).is_some_and(|text| text.contains('\n'));
    let elements = document.elements.iter().map(|element| element.span);
    let blocks = elements.filter(is_long).map(|span| Fold { span, kind: FoldKind::Block });
    let comments = document.comments().filter(is_long).map(|span| Fold { span, kind: FoldKind::Comment });
    outline.folds.extend(blocks.chain(comments));
    for element in document.elements.iter() {
        outline.nodes.push(element.span);
        outline.nodes.extend(element.attributes.iter().map(|attribute| attribute.span));
        outline.nodes.extend(element.text.as_ref().map(|(_, span)| *span));
    }
}

#[cfg(test)]
mod tests;
