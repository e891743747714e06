//! What a selection grows by.

use stubborn_base::{FileId, Span};

use crate::analysis::{Analysis, touches};

/// The nodes of syntax around a place, innermost first; each is larger than the one before.
pub fn around(analysis: &Analysis, file: FileId, offset: u32) -> Vec<Span> {
    let nodes = analysis.outline.nodes.iter().copied().filter(|&node| touches(node, file, offset));
    let mut all: Vec<Span> = nodes.collect();
    all.sort_by_key(|span| (span.end - span.start, span.start));
    let mut growing: Vec<Span> = Vec::new();
    for span in all {
        let grows = |last: &Span| span.start <= last.start && last.end <= span.end && span != *last;
        if growing.last().is_none_or(grows) {
            growing.push(span);
        }
    }
    growing
}
