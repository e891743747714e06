//! Layout: one element in a line, indented by its depth.
//!
//! Tags, comments and elements with text in them stay as they are, to the character: only the blanks between elements
//! change. A comment at the end of a line stays there, and an empty line between elements does. Invariant: formatting
//! what is formatted changes nothing; a text that is not well formed is not changed.

use stubborn_base::{FileId, Span};

use crate::report::Report;
use crate::xml::{Content, Document, Element, parse};

const INDENT: &str = "  ";

/// Elements that stand in a line, and fit into one of so many characters, stay in it.
const WIDTH: usize = 100;

/// The text laid out as is usual; the text itself if it is not well formed.
pub fn format(text: &str) -> Option<String> {
    let mut report = Report::default();
    let document = parse(FileId(0), text, &mut report);
    if !report.diagnostics.is_empty() {
        return Some(text.to_owned());
    }
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut printer =
        Printer { document: &document, text, line_break, out: String::with_capacity(text.len()) };
    printer.content(&document.content, 0);
    let mark = if text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    Some(format!("{mark}{}{line_break}", printer.out))
}

struct Printer<'a> {
    document: &'a Document,
    text: &'a str,
    line_break: &'static str,
    out: String,
}

impl<'a> Printer<'a> {
    fn source(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// What stands between elements, each in a line of its own.
    fn content(&mut self, content: &[Content], depth: usize) {
        let mut blanks = "";
        let mut is_first = true;
        for part in content {
            if let Content::Text(span) = part {
                blanks = self.source(*span);
                continue;
            }
            let n_breaks = blanks.matches('\n').count();
            let is_trailing = matches!(part, Content::Comment(_)) && n_breaks == 0 && !is_first;
            if is_trailing {
                self.out.push(' ');
            } else {
                self.line(depth, n_breaks > 1 && !is_first);
            }
            match part {
                Content::Element(id) => self.element(&self.document.elements[*id], depth),
                Content::Comment(span) | Content::Other(span) => self.out.push_str(self.source(*span)),
                Content::Text(_) => {}
            }
            (blanks, is_first) = ("", false);
        }
    }

    fn line(&mut self, depth: usize, is_apart: bool) {
        if !self.out.is_empty() {
            self.out.push_str(&self.line_break.repeat(if is_apart { 2 } else { 1 }));
        }
        self.out.push_str(&INDENT.repeat(depth));
    }

    fn element(&mut self, element: &Element, depth: usize) {
        let source = self.source(element.span);
        let is_short = !source.contains('\n') && depth * INDENT.len() + source.chars().count() <= WIDTH;
        if is_short || !self.is_list(element) {
            self.out.push_str(source);
            return;
        }
        self.out.push_str(self.source(element.open));
        self.content(&element.content, depth + 1);
        if let Some(close) = element.close {
            self.line(depth, false);
            self.out.push_str(self.source(close));
        }
    }

    /// There are other things than text in it, and all text is blanks.
    fn is_list(&self, element: &Element) -> bool {
        let preserves = |a: &crate::xml::Attribute| a.name == "xml:space" && a.value == "preserve";
        let is_blank = |content: &Content| match content {
            Content::Text(span) => self.source(*span).trim().is_empty(),
            _ => true,
        };
        let is_text = |content: &Content| matches!(content, Content::Text(_));
        !element.attributes.iter().any(preserves)
            && element.content.iter().all(is_blank)
            && !element.content.iter().all(is_text)
    }
}
