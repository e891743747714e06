//! Collects diagnostics: each once, and never more than a reader could want.
//!
//! Text that is expanded several times is wrong several times; the place and
//! the message of an error decide whether it has been reported.

use hashbrown::HashSet;

use smol_str::SmolStr;
use stubborn_base::{Diagnostic, Span};

use crate::table::{Token, Tokens};
use crate::token::Kind;

/// Errors reported for one model, at most.
const MAX_DIAGNOSTICS: usize = 100;

#[derive(Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    seen: HashSet<(Span, String)>,
    n_errors: usize,
    lost: HashSet<SmolStr>,
}

impl Report {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        // What should be a constant has been read all the same; it may turn out to be no name at all.
        self.n_errors += usize::from(diagnostic.is_error() && diagnostic.code != "not-constant");
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

    /// Notes that what `tokens` declare could not be read, so that nobody complains that it is not declared.
    pub(crate) fn lose(&mut self, tokens: &[Token], table: &Tokens) {
        let names = tokens.iter().filter(|t| matches!(t.kind, Kind::Name | Kind::TypeName | Kind::ProcName));
        self.lost.extend(names.map(|t| table.name(t.sym).clone()));
    }

    /// Nothing more will be reported.
    pub(crate) fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    /// How many errors in reading there were, counting repeated ones.
    pub(crate) fn n_errors(&self) -> usize {
        self.n_errors
    }

    /// What was reported, and the names in declarations that could not be read.
    pub(crate) fn finish(self) -> (Vec<Diagnostic>, HashSet<SmolStr>) {
        (self.diagnostics, self.lost)
    }
}
