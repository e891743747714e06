//! What can be done about problems at a place.

use stubborn_base::{FileId, Fix, Span};

use crate::analysis::Analysis;

/// The ways to mend what is wrong between two places, each with the message it is about.
pub fn fixes(analysis: &Analysis, file: FileId, start: u32, end: u32) -> Vec<(&str, &Fix)> {
    let meets = |span: Span| span.file == file && span.start <= end && start <= span.end;
    let wrong = analysis.diagnostics.iter().filter(|diagnostic| meets(diagnostic.span));
    wrong.flat_map(|diagnostic| diagnostic.fixes.iter().map(|fix| (&*diagnostic.message, fix))).collect()
}
