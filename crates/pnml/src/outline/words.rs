//! Words and their classes: names of elements are keywords, those of attributes predefined, values are symbols,
//! numbers or text.
//!
//! Reference: [`stubborn_base::outline::WordClass`]. Invariant: no word is empty, and none lies inside another: labels
//! that comments or elements interrupt are left out.

use hashbrown::HashMap;
use stubborn_base::Span;
use stubborn_base::outline::{Outline, Word, WordClass};

use crate::xml::{Content, Document, Element};

/// Adds the words of a document, given the mentions of symbols.
pub(super) fn collect(document: &Document, outline: &mut Outline) {
    let mentions = outline.mentions.iter().filter(|mention| mention.span.file == document.file);
    let symbols: HashMap<Span, usize> = mentions.map(|mention| (mention.span, mention.symbol)).collect();
    let mut words = Vec::new();
    let mut add = |span: Span, class: WordClass| {
        if span.start < span.end {
            words.push(Word { span, class });
        }
    };
    for element in document.elements.iter() {
        add(element.name_span, WordClass::Keyword);
        for attribute in &element.attributes {
            add(attribute.name_span, WordClass::Predefined);
            add(attribute.span, class(&attribute.value, attribute.span, &symbols));
        }
        if let Some((text, span)) = element.text.as_ref().filter(|_| is_plain(element)) {
            match short(element, *span, &symbols) {
                Some((rest, name, symbol)) => {
                    add(rest, WordClass::Text);
                    add(name, WordClass::Symbol(symbol));
                }
                None => add(*span, class(text, *span, &symbols)),
            }
        }
        if let Some(name) = element.close_name {
            add(name, WordClass::Keyword);
        }
    }
    document.comments().for_each(|span| add(span, WordClass::Comment));
    outline.words.extend(words);
}

/// The label is one piece.
fn is_plain(element: &Element) -> bool {
    element.content.iter().all(|content| matches!(content, Content::Text(_)))
}

fn class(text: &str, span: Span, symbols: &HashMap<Span, usize>) -> WordClass {
    match symbols.get(&span) {
        Some(symbol) => WordClass::Symbol(*symbol),
        None if text.trim().parse::<f64>().is_ok() => WordClass::Number,
        None => WordClass::Text,
    }
}

/// The parts of the id of a property: only the end of it is its name.
fn short(id: &Element, label: Span, symbols: &HashMap<Span, usize>) -> Option<(Span, Span, usize)> {
    if id.name != "id" || symbols.contains_key(&label) {
        return None;
    }
    let names = (label.start + 1..label.end).map(|start| Span { start, ..label });
    let (name, symbol) = names.filter_map(|name| Some((name, *symbols.get(&name)?))).next()?;
    Some((Span { end: name.start, ..label }, name, symbol))
}
