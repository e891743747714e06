//! Diagnostics as plain data: rendered by the terminal, sent by the language server.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what was meant; the model can still be checked.
    Warning,
    /// The model cannot be checked.
    Error,
}

/// A secondary place with a remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is to be seen there.
    pub message: String,
}

/// A change of the text that mends what a diagnostic is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, as a command: "Insert `;`".
    pub title: String,
    /// The changes, in any order, without overlaps.
    pub edits: Vec<Edit>,
}

/// A piece of text replaced by another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// What comes there.
    pub text: String,
}

/// Something to tell the author of a model, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Stable, short, kebab-case name of the kind of diagnostic.
    pub code: &'static str,
    /// One sentence, without a full stop.
    pub message: String,
    /// The place it is about.
    pub span: Span,
    /// Further places.
    pub labels: Vec<Label>,
    /// What to do about it, if we know.
    pub help: Option<String>,
    /// How it can be mended by a machine, the likeliest way first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            span,
            labels: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// Adds a secondary place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a way to mend it.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fixes.push(Fix { title: title.into(), edits });
        self
    }

    /// Whether the model cannot be checked because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
