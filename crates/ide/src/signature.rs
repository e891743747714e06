//! The parameters of what is being called.

use stubborn_base::FileId;

use crate::analysis::{Analysis, touches};

/// A call that is being written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// What is called, with its parameters.
    pub label: String,
    /// Each parameter, as it stands in the label.
    pub parameters: Vec<String>,
    /// What is written about it.
    pub help: Option<String>,
    /// The argument that the place is in.
    pub active: usize,
}

/// The innermost call that a place is in.
pub fn signature(analysis: &Analysis, file: FileId, offset: u32) -> Option<Signature> {
    let calls = analysis.outline.calls.iter().filter(|call| touches(call.span, file, offset));
    let call = calls.min_by_key(|call| call.span.end - call.span.start)?;
    let symbol = &analysis.outline.symbols[call.symbol];
    let active = call.arguments.iter().filter(|argument| argument.end < offset).count();
    Some(Signature {
        label: format!("{}({})", symbol.name, symbol.parameters.join(", ")),
        parameters: symbol.parameters.clone(),
        help: symbol.comment.clone(),
        active,
    })
}
