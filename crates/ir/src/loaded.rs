//! What a front-end makes of a text.

use stubborn_base::{Diagnostic, Sources};

use crate::model::Model;

/// A model as its front-end read it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The files that took part; the first one is the model itself.
    pub sources: Sources,
    /// What there is to say about them, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The model, unless there are errors.
    pub model: Option<Model>,
}
