//! What is wrong with a text, collected while it is read.
//!
//! Codes are the kinds of mistakes of the whole crate: `xml` (not well formed), `syntax` (not what PNML or a property
//! file looks like), `undeclared`, `duplicate`, `type`, `too-large`, `unsupported`,
//! `missing-net` (properties alone).

use std::fmt::Display;

use stubborn_base::{Diagnostic, FileId, Span};

use crate::xml::Node;

/// Diagnostics in the order they were found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// All of them.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Whether nothing is wrong with a file, as far as is known.
    pub(crate) fn is_clean(&self, file: FileId) -> bool {
        !self.diagnostics.iter().any(|diagnostic| diagnostic.is_error() && diagnostic.span.file == file)
    }

    /// Adds an error. Gives `None`, which is what is made of the faulty text.
    pub(crate) fn error<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Option<T> {
        self.add(Diagnostic::error(code, span, message))
    }

    /// Adds a diagnostic.
    pub(crate) fn add<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.diagnostics.push(diagnostic);
        None
    }

    /// An element that is not understood where it stands.
    pub(crate) fn unsupported<T>(&mut self, node: Node<'_>, place: impl Display) -> Option<T> {
        let message = format!("`<{}>` is not supported {place}", node.name());
        self.error("unsupported", node.tag(), message)
    }

    /// A name that nothing has.
    pub(crate) fn undeclared<T>(&mut self, span: Span, kind: &str, name: &str) -> Option<T> {
        self.error("undeclared", span, format!("there is no {kind} `{name}`"))
    }
}
