//! XML as a tree in which everything knows its place in the text.
//!
//! Reference: Extensible Markup Language 1.0; the events are those of `quick-xml`. Names are local: a prefix of a
//! namespace is dropped, since neither nets nor properties mix vocabularies. Invariant: spans lie inside the file, and
//! an element's span covers those of what it contains.

mod parse;

use smol_str::SmolStr;
use stubborn_base::{FileId, IndexVec, Span, define_index};

pub(crate) use parse::parse;

define_index! {
    /// An element of a document.
    pub(crate) struct ElementId;
}

/// A file as it was read.
#[derive(Debug)]
pub(crate) struct Document {
    /// The file.
    pub(crate) file: FileId,
    /// Elements in the order of their opening tags.
    pub(crate) elements: IndexVec<ElementId, Element>,
    /// What stands outside of all elements, and the outermost elements.
    pub(crate) content: Vec<Content>,
}

impl Document {
    /// The outermost element, if there is one.
    pub(crate) fn root(&self) -> Option<Node<'_>> {
        elements(self, &self.content).next()
    }

    /// All elements in the order of their opening tags.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        self.elements.indices().map(|id| Node { document: self, id })
    }

    /// All comments, in no particular order.
    pub(crate) fn comments(&self) -> impl Iterator<Item = Span> {
        let all = self.elements.iter().flat_map(|e| &e.content).chain(&self.content);
        all.filter_map(|content| match content {
            Content::Comment(span) => Some(*span),
            _ => None,
        })
    }
}

/// A part of what an element contains.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    /// An element.
    Element(ElementId),
    /// Characters, also in the form of references and of sections of them.
    Text(Span),
    /// A comment.
    Comment(Span),
    /// A declaration or an instruction to a processor.
    Other(Span),
}

/// An element.
#[derive(Debug)]
pub(crate) struct Element {
    /// Its name, without a prefix.
    pub(crate) name: SmolStr,
    /// From the opening tag to the closing one.
    pub(crate) span: Span,
    /// The opening tag.
    pub(crate) open: Span,
    /// Its name there.
    pub(crate) name_span: Span,
    /// The closing tag, if it has one.
    pub(crate) close: Option<Span>,
    /// Its name there.
    pub(crate) close_name: Option<Span>,
    /// In order.
    pub(crate) attributes: Vec<Attribute>,
    /// In order.
    pub(crate) content: Vec<Content>,
    /// Its characters, put together, and where they stand without the blanks around them.
    pub(crate) text: Option<(String, Span)>,
}

/// An attribute.
#[derive(Debug)]
pub(crate) struct Attribute {
    /// Its name, with a prefix if it has one.
    pub(crate) name: SmolStr,
    /// Where that is.
    pub(crate) name_span: Span,
    /// Its value.
    pub(crate) value: SmolStr,
    /// Where that is, without quotes.
    pub(crate) span: Span,
}

/// A piece of text with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located<'a> {
    /// The text.
    pub(crate) text: &'a str,
    /// Its place.
    pub(crate) span: Span,
}

/// An element in its document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    document: &'a Document,
    id: ElementId,
}

impl<'a> Node<'a> {
    /// The element.
    pub(crate) fn element(self) -> &'a Element {
        &self.document.elements[self.id]
    }

    /// Its name.
    pub(crate) fn name(self) -> &'a str {
        &self.element().name
    }

    /// Its opening tag: what is underlined when the element as a whole is meant.
    pub(crate) fn tag(self) -> Span {
        self.element().open
    }

    /// The elements it contains.
    pub(crate) fn children(self) -> impl Iterator<Item = Node<'a>> {
        elements(self.document, &self.element().content)
    }

    /// The first element in it with a name.
    pub(crate) fn child(self, name: &str) -> Option<Node<'a>> {
        self.children().find(|child| child.name() == name)
    }

    /// The value of an attribute.
    pub(crate) fn attribute(self, name: &str) -> Option<Located<'a>> {
        let attribute = self.element().attributes.iter().find(|a| a.name == name)?;
        Some(Located { text: &attribute.value, span: attribute.span })
    }

    /// Its characters without the blanks around them; the place is the opening tag if there are none.
    pub(crate) fn text(self) -> Located<'a> {
        match &self.element().text {
            Some((text, span)) => Located { text: text.trim(), span: *span },
            None => Located { text: "", span: self.tag() },
        }
    }

    /// The characters of `<text>` in it: how PNML writes labels.
    pub(crate) fn label(self) -> Option<Located<'a>> {
        Some(self.child("text")?.text())
    }

    /// What people call it: the label of `<name>`, unless that is empty or absent.
    pub(crate) fn given_name(self) -> Option<Located<'a>> {
        self.child("name")?.label().filter(|name| !name.text.is_empty())
    }
}

fn elements<'a>(document: &'a Document, content: &'a [Content]) -> impl Iterator<Item = Node<'a>> {
    content.iter().filter_map(move |content| match content {
        Content::Element(id) => Some(Node { document, id: *id }),
        _ => None,
    })
}
