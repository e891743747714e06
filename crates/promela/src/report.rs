//! Collects diagnostics: each once, and never more than a reader could want.
//!
//! Text that is expanded several times is wrong several times; the place and
//! the message of an error decide whether it has been reported.

use hashbrown::HashSet;

use stubborn_base::{Diagnostic, Span};

use crate::table::{Token, Tokens};

/// Errors reported for one model, at most.
const MAX_DIAGNOSTICS: usize = 100;

#[derive(Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    seen: HashSet<(Span, String)>,
    n_errors: usize,
}

impl Report {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.n_errors += usize::from(diagnostic.is_error());
        if !self.is_full() && self.seen.insert((diagnostic.span, diagnostic.message.clone())) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports something about `token`, showing the call it comes from.
    pub(crate) fn push_at(&mut self, tokens: &Tokens, token: Token, diagnostic: Diagnostic) {
        self.push(match tokens.outermost_call(token) {
            Some(call) => {
                let message = format!("from `{}` here", tokens.name(call.name));
                diagnostic.label(call.call, message)
            }
            None => diagnostic,
        });
    }

    /// Nothing more will be reported.
    pub(crate) fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    /// How many errors there were, counting repeated ones.
    pub(crate) fn n_errors(&self) -> usize {
        self.n_errors
    }

    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }
}
