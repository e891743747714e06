//! Expressions that somebody types while looking at a state: as they would stand in a proposition of the net.

use std::path::Path;

use stubborn_base::{BadExpression, Diagnostic, FileId, Loader};
use stubborn_ir::{LocationId, ProcessTypeId, Typed};
use stubborn_nets::{Bounds, ground, lower};

use crate::lexer::lex;
use crate::property::expression as written;
use crate::read::read_with;
use crate::recover;

/// The file that the expression is said to be in: none of the net's.
const FILE: FileId = FileId(u32::MAX);

/// Reads an expression over the markings of a net that was read without errors: a number, a truth value, or the
/// position of a name in its enumeration. A net has no locations that would matter.
pub fn expression(
    path: &Path,
    model: &str,
    loader: &dyn Loader,
    defines: &[(String, String)],
    text: &str,
    _at: Option<(ProcessTypeId, LocationId)>,
) -> Result<Typed, BadExpression> {
    let whole = |message: String| BadExpression { message, at: 0..text.len(), help: None };
    let lexed = lex(FILE, text, &[]);
    let mut diagnostics = lexed.diagnostics;
    if lexed.tokens.is_empty() && diagnostics.is_empty() {
        return Err(whole("expected an expression".to_owned()));
    }
    let tree = recover::expression(&lexed.tokens, text, &mut diagnostics);
    let tree = match (tree, diagnostics.first()) {
        (Some(tree), None) => tree,
        (_, Some(diagnostic)) => return Err(bad(diagnostic)),
        (None, None) => return Err(whole("this is not one expression".to_owned())),
    };
    let read = read_with(path, model.into(), loader, defines, Some(&tree));
    if let Some(diagnostic) = read.diagnostics.iter().find(|d| d.is_error() && d.span.file == FILE) {
        return Err(bad(diagnostic));
    }
    let (Some(net), Some((checked, context))) = (&read.net, &read.checked) else {
        return Err(whole("the net has errors".to_owned()));
    };
    let Some((node, n_locals)) = &checked.extra else {
        return Err(whole("this is not one expression".to_owned()));
    };
    let lowered = match ground(net, &Bounds::default()) {
        Ok(grounded) => lower(net, &grounded),
        Err(limit) => return Err(whole(limit.to_string())),
    };
    let expr = written(node, *n_locals, context, &lowered).map_err(whole)?;
    Ok(Typed { expr, ty: None })
}

fn bad(diagnostic: &Diagnostic) -> BadExpression {
    let (message, help) = (diagnostic.message.clone(), diagnostic.help.clone());
    BadExpression { message, at: diagnostic.span.range(), help }
}
