//! Text to tree.
//!
//! Reading goes on after a mistake where that makes sense: an element that is not closed ends where one around it
//! does, a closing tag that closes nothing is passed over. Where the syntax of a tag itself is lost, the rest of the
//! text is. Invariant: elements are nested no deeper than [`MAX_DEPTH`], so that recursion over a tree ends well.

use std::ops::Range;

use quick_xml::errors::Error;
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use stubborn_base::{Diagnostic, FileId, IndexVec, Span};

use super::{Attribute, Content, Document, Element, ElementId};
use crate::report::Report;

/// Elements inside of each other. Formulas of the contest reach some forty.
const MAX_DEPTH: usize = 400;

/// Reads a document.
pub(crate) fn parse(file: FileId, text: &str, report: &mut Report) -> Document {
    // A byte order mark is no part of the document.
    let offset = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader = Reader::from_str(&text[offset..]);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    let document = Document { file, elements: IndexVec::new(), content: Vec::new() };
    let n_before = report.diagnostics.len();
    let mut builder = Builder { document, open: Vec::new(), report, text, n_before };
    loop {
        let start = offset + reader.buffer_position() as usize;
        let event = reader.read_event();
        let place = start..offset + reader.buffer_position() as usize;
        match event {
            Ok(Event::Eof) => break,
            Ok(event) => {
                if !builder.event(event, place) {
                    break;
                }
            }
            Err(error) => {
                let at = (offset + reader.error_position() as usize).min(text.len());
                builder.wrong(at, &error);
                // What is not well formed can be gone beyond; other mistakes end the text.
                if !matches!(error, Error::IllFormed(_)) || place.is_empty() {
                    break;
                }
            }
        }
    }
    builder.finish()
}

struct Builder<'t, 'r> {
    document: Document,
    open: Vec<ElementId>,
    report: &'r mut Report,
    text: &'t str,
    /// How much was wrong before, with other files.
    n_before: usize,
}

impl Builder<'_, '_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.document.file, range.start, range.end)
    }

    /// Takes in an event; false where reading has to end.
    fn event(&mut self, event: Event<'_>, place: Range<usize>) -> bool {
        match event {
            Event::Start(tag) => {
                let id = self.element(&tag, place.clone());
                self.open.push(id);
                if self.open.len() > MAX_DEPTH {
                    let message = format!("elements are nested more than {MAX_DEPTH} deep");
                    self.report.error::<()>("too-large", self.span(place), message);
                    return false;
                }
            }
            Event::Empty(tag) => {
                self.element(&tag, place);
            }
            Event::End(tag) => self.close(tag.name().as_ref().trim_end(), place),
            Event::Text(text) => self.characters(&text, place),
            Event::CData(text) => self.characters(&text, place),
            Event::GeneralRef(reference) => {
                let named = || quick_xml::escape::resolve_predefined_entity(&reference).map(str::to_owned);
                match reference.resolve_char_ref() {
                    Ok(Some(character)) => self.characters(&character.to_string(), place),
                    Ok(None) if named().is_some() => self.characters(&named().unwrap_or_default(), place),
                    _ => {
                        let message = format!("`&{};` stands for nothing", &*reference);
                        self.report.error::<()>("xml", self.span(place), message);
                    }
                }
            }
            Event::Comment(_) => {
                let span = self.span(place);
                self.content().push(Content::Comment(span));
            }
            Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {
                let span = self.span(place);
                self.content().push(Content::Other(span));
            }
            Event::Eof => return false,
        }
        true
    }

    /// What the innermost open element contains.
    fn content(&mut self) -> &mut Vec<Content> {
        match self.open.last() {
            Some(&id) => &mut self.document.elements[id].content,
            None => &mut self.document.content,
        }
    }

    fn element(&mut self, tag: &BytesStart<'_>, place: Range<usize>) -> ElementId {
        let name = tag.name();
        let local = name.local_name();
        let span = self.span(place.clone());
        // The name follows the `<`.
        let name_span = self.span(place.start + 1..place.start + 1 + name.as_ref().len());
        let element = Element {
            name: local.as_ref().into(),
            span,
            open: span,
            name_span,
            close: None,
            close_name: None,
            attributes: self.attributes(tag, place.start + 1),
            content: Vec::new(),
            text: None,
        };
        if self.open.is_empty() && self.document.root().is_some() {
            self.report.error::<()>("xml", span, "there is more than one outermost element");
        }
        let id = self.document.elements.push(element);
        self.content().push(Content::Element(id));
        id
    }

    /// The attributes of a tag whose content begins at `start`.
    fn attributes(&mut self, tag: &BytesStart<'_>, start: usize) -> Vec<Attribute> {
        let whole: &str = tag;
        let place = |part: &str| {
            let at = start + (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
            at..at + part.len()
        };
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            match attribute {
                Ok(attribute) => {
                    let raw: &str = &attribute.value;
                    let (name_place, span) = (place(attribute.key.as_ref()), self.span(place(raw)));
                    let value = quick_xml::escape::unescape(raw).unwrap_or_else(|error| {
                        self.report.error::<()>("xml", span, error.to_string());
                        raw.into()
                    });
                    let name_span = self.span(name_place);
                    let name = attribute.key.as_ref().into();
                    attributes.push(Attribute { name, name_span, value: value.into(), span });
                }
                Err(error) => self.wrong_attribute(start, &error),
            }
        }
        attributes
    }

    fn wrong_attribute(&mut self, start: usize, error: &AttrError) {
        let (at, message) = match error {
            AttrError::ExpectedEq(at) => (*at, "`=` and a value are missing after the name of an attribute"),
            AttrError::ExpectedValue(at) => (*at, "the value of an attribute is missing"),
            AttrError::UnquotedValue(at) => (*at, "the value of an attribute stands in quotes"),
            AttrError::ExpectedQuote(at, _) => (*at, "the value of an attribute ends in a quote"),
            AttrError::Duplicated(at, _) => (*at, "an attribute is given twice"),
        };
        let span = self.point(start + at);
        self.report.error::<()>("xml", span, message);
    }

    fn characters(&mut self, text: &str, place: Range<usize>) {
        let source = self.text.get(place.clone()).unwrap_or_default();
        let span = self.span(place.clone());
        let before = self.content().last().copied();
        self.content().push(Content::Text(span));
        let start = place.start + (source.len() - source.trim_start().len());
        let trimmed = self.span(start.min(place.end)..(start + source.trim().len()).min(place.end));
        let is_blank = source.trim().is_empty();
        let Some(&id) = self.open.last() else {
            if !is_blank {
                self.report.error::<()>("xml", trimmed, "there is text outside of all elements");
            }
            return;
        };
        match &mut self.document.elements[id].text {
            Some((all, span)) => {
                all.push_str(text);
                // Text behind a reference goes on; behind an element or a comment, it is somewhere else.
                let goes_on = matches!(before, Some(Content::Text(before)) if before.start <= span.end);
                if !is_blank && goes_on {
                    *span = span.join(trimmed);
                }
            }
            none if !is_blank => *none = Some((text.to_owned(), trimmed)),
            _ => {}
        }
    }

    /// A closing tag: closes the innermost element of that name, and what is open in it.
    fn close(&mut self, name: &str, place: Range<usize>) {
        let span = self.span(place.clone());
        let local = name.rsplit(':').next().unwrap_or_default();
        let is_it = |id: &ElementId| self.document.elements[*id].name == local;
        let Some(depth) = self.open.iter().rposition(is_it) else {
            self.report.error::<()>("xml", span, format!("`</{name}>` closes nothing"));
            return;
        };
        let mut closed = self.open.split_off(depth).into_iter();
        // The name follows the `</`.
        let name_span = self.span(place.start + 2..place.start + 2 + name.len());
        if let Some(id) = closed.next() {
            let element = &mut self.document.elements[id];
            (element.close, element.close_name) = (Some(span), Some(name_span));
            element.span = element.span.join(span);
        }
        for id in closed {
            let element = &mut self.document.elements[id];
            element.span.end = span.start;
            let unclosed = format!("`<{}>` is not closed", element.name);
            self.report
                .add::<()>(Diagnostic::error("xml", element.open, unclosed).label(span, "before this"));
        }
    }

    /// The end of the text: what is open is not closed.
    fn finish(mut self) -> Document {
        if let Some(&innermost) = self.open.last()
            && self.report.diagnostics.len() == self.n_before
        {
            let element = &self.document.elements[innermost];
            let message = format!("`<{}>` is not closed", element.name);
            self.report.error::<()>("xml", element.open, message);
        }
        let end = self.text.len() as u32;
        for id in std::mem::take(&mut self.open) {
            self.document.elements[id].span.end = end;
        }
        if self.document.root().is_none() && self.report.diagnostics.len() == self.n_before {
            let span = self.point(0);
            self.report.error::<()>("xml", span, "there is no element");
        }
        self.document
    }

    fn wrong(&mut self, at: usize, error: &Error) {
        let span = self.point(at);
        self.report.error::<()>("xml", span, error.to_string());
    }

    /// The character at an offset.
    fn point(&self, at: usize) -> Span {
        let mut start = at.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let width = self.text[start..].chars().next().map_or(0, char::len_utf8);
        self.span(start..start + width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_one_place_only_where_nothing_else_stands_in_it() {
        for (text, place) in [
            ("<a>one &lt; two</a>", "one &lt; two"),
            ("<a>one<b>two</b>three</a>", "one"),
            ("<a>one<!-- two -->three</a>", "one"),
            ("<a>one<b>two</b> </>three</a>", "one"),
        ] {
            let document = parse(FileId(0), text, &mut Report::default());
            let root = document.elements.iter().next().expect("there is an element");
            let (_, span) = root.text.as_ref().expect("there is text");
            assert_eq!(&text[span.range()], place);
        }
    }
}
