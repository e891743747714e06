//! Expressions that somebody types while looking at a state: read with the model's macros and names.
//!
//! The expression is read as one more declaration at the end of the model, so that it means exactly what it would
//! mean there. That declaration is taken out again before anything is given a meaning.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use stubborn_base::{BadExpression, Diagnostic, FileId, Loader, Sources, Span};
use stubborn_ir::{LocationId, ProcessTypeId, Typed};

use crate::ast::{Expr, Init, Item};
use crate::lower::lower_expression;
use crate::parser::{Parsed, parse};

/// Stands before the expression.
const HEAD: &str = "\n\nint stubborn_expression = (";

/// What an error says of what stands behind it.
const FOUND_TAIL: &str = "found `)`";

/// Reads an expression as it would stand outside of all processes, or at a location of one. The model must be one
/// that was read without errors.
pub fn expression(
    path: &Path,
    model: &str,
    loader: &dyn Loader,
    defines: &[(String, String)],
    text: &str,
    at: Option<(ProcessTypeId, LocationId)>,
) -> Result<Typed, BadExpression> {
    // A line break could begin a directive; in an expression it is a space.
    let line = text.replace(['\n', '\r'], " ");
    let start = model.len() + HEAD.len();
    let place = start..start + line.len();
    let whole: Arc<str> = format!("{model}{HEAD}{line}\n)\n").into();
    let mut sources = Sources::new();
    let mut parsed = parse(path, whole, &mut sources, loader, defines);
    let is_wrong = |diagnostics: &[Diagnostic]| {
        let error = diagnostics.iter().find(|d| d.is_error())?;
        Some(bad(error, &place))
    };
    if let Some(bad) = is_wrong(&parsed.diagnostics) {
        return Err(bad);
    }
    let tree = take_out(&mut parsed, model.len()).ok_or_else(|| BadExpression {
        message: "this is not one expression".to_owned(),
        at: 0..line.len(),
        help: None,
    })?;
    let mut diagnostics = Vec::new();
    let typed = lower_expression(&parsed.program, &sources, &tree, at, &mut diagnostics);
    match (is_wrong(&diagnostics), typed) {
        (None, Some(typed)) => Ok(typed),
        (Some(bad), _) => Err(bad),
        (None, None) => Err(BadExpression {
            message: "there is no such place in the model".to_owned(),
            at: 0..line.len(),
            help: None,
        }),
    }
}

/// Takes the declaration out whose expression was asked for, if it is the only item that was added.
fn take_out(parsed: &mut Parsed, end_of_model: usize) -> Option<Expr> {
    let is_added = |span: Span| span.file == FileId(0) && span.start as usize > end_of_model;
    let first = |range: &Range<usize>| parsed.tokens[range.clone()].first().map(|token| token.span);
    if parsed.items.iter().filter_map(first).filter(|&span| is_added(span)).count() != 1 {
        return None;
    }
    let Some(Item::Decl(mut decl)) = parsed.program.items.pop() else { return None };
    let declarator = decl.vars.pop().filter(|_| decl.vars.is_empty() && is_added(decl.span))?;
    match *declarator.init? {
        Init::Expr(expr) => Some(expr),
        Init::List(_) | Init::Chan(_) => None,
    }
}

/// An error with its place in the expression; all of it if the place is in a macro.
fn bad(error: &Diagnostic, place: &Range<usize>) -> BadExpression {
    let is_behind = error.span.file == FileId(0) && error.span.start as usize >= place.end;
    if let Some(expected) = error.message.strip_suffix(FOUND_TAIL).filter(|_| is_behind) {
        let message = format!("{expected}found the end");
        return BadExpression { message, at: place.len()..place.len(), help: error.help.clone() };
    }
    let spans = std::iter::once(error.span).chain(error.labels.iter().map(|label| label.span));
    let inside = spans
        .filter(|span| span.file == FileId(0))
        .map(Span::range)
        .find(|r| (place.start..=place.end).contains(&r.start));
    let at = inside.map_or(0..place.len(), |r| {
        r.start - place.start..r.end.clamp(r.start, place.end.max(r.start)) - place.start
    });
    BadExpression { message: error.message.clone(), at, help: error.help.clone() }
}

#[cfg(test)]
mod tests {
    use stubborn_ir::SlotType;

    use super::*;

    const MODEL: &str = "#define TWICE(a) (2 * (a))\nmtype = { red, green };\nmtype light = red;\n\
        typedef T { byte f[3] };\nT t;\nbyte x = 1;\nhidden byte h;\n\
        active proctype P() { byte y; y = 1; { short z; z = 2; z++ }; h = 1; end: y == 7 }";

    struct Nothing;

    impl Loader for Nothing {
        fn load(&self, _: &Path, _: &str) -> Option<(std::path::PathBuf, Arc<str>)> {
            None
        }
    }

    fn read(text: &str, at: Option<(u32, u16)>) -> Result<Typed, BadExpression> {
        let at = at.map(|(process, location)| (ProcessTypeId(process), LocationId(location)));
        expression(Path::new("m.pml"), MODEL, &Nothing, &[], text, at)
    }

    #[test]
    fn names_mean_what_they_mean_where_the_process_is() {
        assert_eq!(read("light", None).unwrap().ty, Some(SlotType::Symbol(0)));
        assert_eq!(read("t.f[x]", None).unwrap().ty, Some(SlotType::Byte));
        assert!(read("y + x", Some((0, 0))).is_ok());
        assert!(read("z", Some((0, 2))).is_ok());
        assert_eq!(read("z", Some((0, 0))).unwrap_err().message, "`z` is not declared");
        assert_eq!(read("y", None).unwrap_err().message, "`y` is not declared");
        assert!(read("P:y + _pid + TWICE(y) // and so on", Some((0, 0))).is_ok());
        assert!(read("P@end -> x : _nr_pr", None).is_ok());
    }

    #[test]
    fn errors_have_their_place() {
        let bad = read("x + + unknown", None).unwrap_err();
        assert_eq!(bad.at, 4..5, "{bad:?}");
        assert_eq!(read("1 + unknown", None).unwrap_err().at, 4..11);
        assert_eq!(read("TWICE(unknown)", None).unwrap_err().at, 6..13);
        for text in ["", "x)", "1) ; int b = (2", "1), c = (2", "x\n#define x 3", "/* open", "x; y"] {
            let bad = read(text, None).unwrap_err();
            assert!(bad.at.end <= text.len() && bad.at.start <= bad.at.end, "{text}: {bad:?}");
        }
    }

    #[test]
    fn what_is_not_kept_has_no_value() {
        let message = |text| read(text, None).unwrap_err().message;
        assert!(message("h").contains("not kept"), "{}", message("h"));
        assert!(message("_last").contains("not kept"));
        assert!(message("get_priority(0)").contains("priorities"));
        assert!(message("run P()").contains("run P"));
    }
}
