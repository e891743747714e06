//! A model of the workspace: its text as it was read, what is known of it, and what is still to be done.

use std::sync::Arc;

use crate::analysis::Analysis;
use crate::reading::Generation;
use crate::verdicts::Verdicts;

/// A model that is open, or a part of it is.
#[derive(Debug)]
pub struct Root {
    /// Its text as it was read last.
    pub analysis: Arc<Analysis>,
    /// What is known of it.
    pub verdicts: Verdicts,
    /// The step of a trail that is being looked at.
    pub selected: Option<Selected>,
    /// No model is known that its text is a part of, and it has no processes itself.
    pub is_fragment: bool,
    /// Its own or an included text, or a setting, changed last then.
    pub(crate) changed: Generation,
    /// Somebody was asked to read it as it was then.
    pub(crate) ordered: Generation,
    /// It was read as it was then.
    pub(crate) read: Generation,
    /// It is to be checked as a whole.
    pub(crate) is_wanted: bool,
    /// With other processes.
    pub(crate) is_wanted_together: bool,
    /// A check has to be thought of.
    pub(crate) is_due: bool,
}

impl Root {
    /// A model as it was read, of which nothing else is known.
    pub(crate) fn new(analysis: Arc<Analysis>, generation: Generation, is_wanted: bool) -> Self {
        Root {
            analysis,
            verdicts: Verdicts::default(),
            selected: None,
            is_fragment: false,
            changed: generation,
            ordered: generation,
            read: generation,
            is_wanted,
            is_wanted_together: false,
            is_due: true,
        }
    }

    /// Whether it was read at all.
    pub fn is_read(&self) -> bool {
        self.read > 0
    }

    /// Whether what is known is of the texts as they are now.
    pub fn is_current(&self) -> bool {
        self.read >= self.changed
    }
}

/// A step of a property's trail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selected {
    /// The property.
    pub property: String,
    /// The step, from 0.
    pub step: usize,
}
