//! Models as texts of other languages: Promela, DVE or PNML, from what a model means and not from how it is written.
//!
//! What comes out has the same states and the same steps between them, so the same deadlocks; what the model states about
//! its runs is not carried over. A model that the other language cannot say is refused with the reason and its place.
//!
//! [`system`] looks at a model as processes that are all there from the start; [`names`] gives its slots names;
//! [`expression`] writes what is computed. [`promela`] and [`dve`] write processes, [`pnml`] writes nets.

mod action;
mod dve;
mod expression;
mod names;
mod pnml;
mod promela;
mod system;

use std::fmt;

use stubborn_base::Span;
use stubborn_ir::Model;

/// A language that models can be written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A `proctype` for each process; where they are is kept in variables.
    Promela,
    /// A process for each.
    Dve,
    /// A place/transition net.
    Pnml,
}

/// Why a model cannot be written in a language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// One sentence, without a full stop.
    pub why: String,
    /// What of the model it is about.
    pub span: Option<Span>,
}

impl Refused {
    fn new(why: impl Into<String>) -> Self {
        Refused { why: why.into(), span: None }
    }

    fn at(self, span: Span) -> Self {
        Refused { span: self.span.or(Some(span)), ..self }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refused {}

/// The text of a model in a language.
pub fn convert(model: &Model, target: Target) -> Result<String, Refused> {
    match target {
        Target::Promela => promela::write(model),
        Target::Dve => dve::write(model),
        Target::Pnml => pnml::write(model),
    }
}
