//! The labels of one process body, by name and by the statement that they are on.
//!
//! Invariant: labels are kept in the order of the text, and every question about one name or one statement looks at its
//! labels only, however many there are.

use hashbrown::HashMap;

use smol_str::SmolStr;
use stubborn_base::{Diagnostic, Span};

use super::flow::El;
use super::names::{Names, ScopeId};

/// A label in a process body.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) name: SmolStr,
    pub(crate) span: Span,
    pub(crate) scope: ScopeId,
    pub(crate) element: El,
}

/// All labels of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    all: Vec<Label>,
    by_name: HashMap<SmolStr, Vec<usize>>,
    by_element: HashMap<El, Vec<usize>>,
}

impl Labels {
    pub(crate) fn push(&mut self, label: Label) {
        let at = self.all.len();
        self.by_name.entry(label.name.clone()).or_default().push(at);
        self.by_element.entry(label.element).or_default().push(at);
        self.all.push(label);
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Label> {
        self.all.iter()
    }

    /// Those of a name.
    pub(crate) fn named(&self, name: &str) -> impl DoubleEndedIterator<Item = &Label> {
        self.by_name.get(name).into_iter().flatten().map(|&at| &self.all[at])
    }

    /// Those on a statement.
    pub(crate) fn on(&self, element: El) -> impl DoubleEndedIterator<Item = &Label> {
        self.by_element.get(&element).into_iter().flatten().map(|&at| &self.all[at])
    }

    /// Moves the last label on a statement to another one.
    pub(crate) fn move_last(&mut self, from: El, to: El) {
        if let Some(at) = self.by_element.get_mut(&from).and_then(Vec::pop) {
            self.all[at].element = to;
            self.by_element.entry(to).or_default().push(at);
        }
    }

    /// The label that a jump from a scope means. As in SPIN: one of its own block, else one of a block around it, else
    /// the last of that name.
    pub(crate) fn find(&self, names: &Names, scope: ScopeId, name: &str) -> Option<&Label> {
        let named = || self.named(name);
        named()
            .rfind(|l| l.scope == scope)
            .or_else(|| named().find(|l| names.enclosing(scope).any(|s| s == l.scope)))
            .or_else(|| named().next_back())
    }

    /// Reports those that stand twice in one block.
    pub(crate) fn report_duplicates(&self, diagnostics: &mut Vec<Diagnostic>) {
        let mut first: HashMap<(&str, ScopeId), &Label> = HashMap::new();
        for label in &self.all {
            let known = *first.entry((&label.name, label.scope)).or_insert(label);
            if !std::ptr::eq(known, label) {
                let message = format!("label `{}` stands twice in this block", label.name);
                let diagnostic = Diagnostic::error("duplicate-label", label.span, message);
                diagnostics.push(diagnostic.label(known.span, "first here"));
            }
        }
    }
}
